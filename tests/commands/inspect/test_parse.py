"""`tertium parse`, and scoring with the trees it writes."""

from collections.abc import Callable
from pathlib import Path

import pytest

Tertium = Callable[..., "Run"]  # type: ignore[name-defined] # noqa: F821

REFERENCES = ["The cat sat on the mat.", "", "It rained all day in Paris."]
SYSTEM = ["The cat sat on a mat.", "x", "It rained in Paris all day."]


@pytest.fixture
def files(tmp_path: Path) -> Path:
    for name, lines in {"ref": REFERENCES, "sys": SYSTEM}.items():
        (tmp_path / f"{name}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return tmp_path


def score(tertium: Tertium, files: Path, *more: str | Path) -> "Run":  # type: ignore[name-defined] # noqa: F821
    return tertium("score", "-q", "-r", files / "ref.txt", "-i", files / "sys.txt", "-f", "tsv", *more)


def test_trees_that_were_written_score_as_the_parser_does(tertium: Tertium, files: Path) -> None:
    written = tertium("parse", files / "ref.txt", "-o", files / "ref.conllu")
    assert (written.code, written.out) == (0, "")
    assert "# sent_id = 3\n" in (files / "ref.conllu").read_text(encoding="utf-8")
    parsed = score(tertium, files, "-m", "red")
    given = score(tertium, files, "-m", "red", "--trees", files / "ref.conllu")
    assert parsed.out == given.out
    assert given.code == 0


def test_a_metric_over_two_trees_takes_two_files(tertium: Tertium, files: Path) -> None:
    for name in ("ref", "sys"):
        tertium("parse", files / f"{name}.txt", "-o", files / f"{name}.conllu")
    trees: list[str | Path] = ["--trees", files / "ref.conllu", "--trees", files / "sys.conllu"]
    assert (
        score(tertium, files, "-m", "hwcm,sempos", *trees).out
        == score(tertium, files, "-m", "hwcm,sempos").out
    )


def test_trees_go_to_stdout_without_an_output(tertium: Tertium, files: Path) -> None:
    assert "\tsit\tVERB\t" in tertium("parse", files / "ref.txt").out


@pytest.mark.parametrize(
    ("arguments", "message", "code"),
    [
        pytest.param(["-m", "red", "--parser", "xx_no_model"], "the parser model 'xx_no_model' is not installed: python -m spacy", 1, marks=pytest.mark.needs("spacy")),
        (["-m", "red", "--trees", "none.conllu"], "no such file: 'none.conllu'", 1),
        (["-m", "red", "-l", "en-de"], "no parser is installed for the language 'de': give a spaCy model with --parser", 1),
        (["-m", "red", "--trees", "a", "--parser", "b"], "either --parser or --trees, not both", 2),
        (["-m", "wer", "--trees", "none.conllu"], "--trees was given, but none of these metrics uses trees", 2),
    ],
)  # fmt: skip
def test_mistakes_are_one_line(
    tertium: Tertium, files: Path, arguments: list[str], message: str, code: int
) -> None:
    run = score(tertium, files, *arguments)
    assert run.code == code
    assert message in run.err
    assert run.err.count("\n") == 1


def test_a_tree_too_many_is_one_line_with_the_file(tertium: Tertium, files: Path) -> None:
    tertium("parse", files / "sys.txt", "-o", files / "sys.conllu")
    run = score(tertium, files, "-m", "red", "--trees", files / "sys.conllu")
    assert run.code == 1
    assert "sys.conllu has 3 sentences but the references have 2 that are not empty" in run.err
    assert run.err.count("\n") == 1
