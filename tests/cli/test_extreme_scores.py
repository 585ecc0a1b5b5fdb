"""Extreme scores are rejected with file and line, or computed with; no command stops with a traceback or a warning of NumPy."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

Tertium = Callable[..., Any]

SYSTEMS = {"A": "the dog sleeps", "B": "the cat sleeps here", "C": "a dog ran", "D": "dog the"}
REFERENCES = [f"the dog sleeps {'in the house ' * (i % 3)}today" for i in range(8)]
TEXTS = ("-r", "ref.txt", "-i", *(f"{name}.txt" for name in SYSTEMS))

TOO_LARGE = ("1e31", "-1e308", "1e300", "inf")
EXTREME = ("1e30", "-1e30", "1e-160", "5e-324")

READ_JUDGMENTS: Sequence[tuple[str, ...]] = (
    *(("human", "human.tsv", "-t", table) for table in ("ranking", "pairs", "raters", "errors")),
    *(("human", "human.tsv", "--ranking", kind) for kind in ("mean", "z", "model")),
    ("human", "human.tsv", "--test", "bootstrap"),
    ("human", "human.tsv", "--plan", "-d", "1"),
    ("meta", *TEXTS, "--human", "human.tsv", "-m", "chrf", "--ci", "--ceiling", "--samples", "50"),
    ("meta", *TEXTS, "--human", "human.tsv", "-m", "chrf,bleu", "--normalise-raters"),
    (
        "meta",
        *TEXTS,
        "--human",
        "human.tsv",
        "-m",
        "chrf",
        "-s",
        "segment:acc-eq:item,segment:pdp,system:spa",
    ),
    ("meta", "--human", "human.tsv", "--scores", "human.seg.score"),
    ("report", *TEXTS, "--human", "human.tsv", "-m", "chrf", "-o", "page.html"),
    ("tune", *TEXTS, "--human", "human.tsv", "--metric", "chrf", "--option", "beta=1,2"),
    ("tune", *TEXTS, "--human", "human.tsv", "--metric", "chrf", "--over", "beta=1,2"),
)
READ_SCORES: Sequence[tuple[str, ...]] = (
    ("score", *TEXTS, "--scores", "M=scores.tsv", "--ci", "--save", "one.run"),
    ("score", *TEXTS, "--scores", "M=scores.tsv", "--paired", "randomization"),
    ("report", "one.run", "-o", "page.html"),
    ("compare", "one.run"),
    ("segments", "one.run"),
    ("meta", *TEXTS, "--human", "human.tsv", "--scores", "human.seg.score", "--ci", "--samples", "50"),
)
FILES = {"human.tsv", "human.seg.score", "scores.tsv"}


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Write texts, and files of scores: ordinary ones, or every other of them this one."""
    monkeypatch.chdir(tmp_path)
    Path("ref.txt").write_text("\n".join(REFERENCES) + "\n", encoding="utf-8")
    for number, (name, text) in enumerate(SYSTEMS.items()):
        lines = [f"{text} {'x ' * ((i + number) % 4)}" for i in range(len(REFERENCES))]
        Path(f"{name}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")

    def write_scores(score: str = "", *, file: str = "", is_everywhere: bool = False) -> None:
        cells = [(name, i + 1) for name in SYSTEMS for i in range(len(REFERENCES))]
        for each, first in (("human.tsv", "system\tseg_id\trater\tscore\n"), ("scores.tsv", "system\tsegment\tscore\n"), ("human.seg.score", "")):  # fmt: skip
            text = first
            for i, (system, segment) in enumerate(cells):
                is_extreme = score and each == (file or each) and (i % 2 or is_everywhere)
                value = score if is_extreme else str(i * 7 % 5)
                if each == "human.tsv":
                    text += f"{system}\t{segment}\tann\t{value}\n{system}\t{segment}\tbob\t{i % 3}\n"
                else:
                    text += f"{system}\t{value}\n" if not first else f"{system}\t{segment}\t{value}\n"
            Path(each).write_text(text, encoding="utf-8")

    return write_scores


@pytest.mark.slow
@pytest.mark.parametrize("score", TOO_LARGE)
def test_a_score_beyond_the_bound_is_one_line_with_its_place(
    tertium: Tertium, write: Callable[..., None], score: str
) -> None:
    lines = {"human.tsv": 4, "scores.tsv": 3, "human.seg.score": 2}
    for file, number in lines.items():
        write(score, file=file)
        for arguments in (*READ_JUDGMENTS, *READ_SCORES):
            if not any(argument.endswith(file) for argument in arguments):
                continue
            run = tertium(*arguments)
            assert run.code == 1, arguments
            assert run.err.count("\n") == 1, arguments
            assert file in run.err
            assert f"line {number} " in run.err, run.err
            assert score in run.err


@pytest.mark.slow
@pytest.mark.parametrize("score", EXTREME)
@pytest.mark.parametrize("is_everywhere", [False, True])
def test_an_extreme_score_gives_no_traceback_and_no_warning(
    tertium: Tertium, write: Callable[..., None], score: str, is_everywhere: bool
) -> None:
    """A warning of NumPy is an exception in tests."""
    write(score, is_everywhere=is_everywhere)
    for arguments in (*READ_JUDGMENTS, *READ_SCORES):
        run = tertium(*arguments)
        assert run.code in (0, 1), arguments
        assert " nan" not in run.out, arguments
        assert run.code == 0 or run.err.splitlines()[-1].startswith("tertium: "), run.err


@pytest.mark.parametrize(
    "arguments",
    [
        ("select", "A.txt", "B.txt", "-r", "ref.txt", "--hours", "1", "--seconds-per-word", "1e308"),
        ("select", "A.txt", "B.txt", "-r", "ref.txt", "--hours", "1e308", "--seconds-per-word", "1"),
        ("plan", "-d", "1e308"),
        ("plan", "-d", "1e-308"),
        ("plan", "-d", "1", "--cost", "1e308"),
        ("gate", "A.txt", "--against", "B.txt", "-r", "ref.txt", "--metric", "bleu", "--not-worse", "1e31"),
    ],
)
def test_a_number_on_the_command_line_has_a_bound(
    tertium: Tertium, write: Callable[..., None], arguments: tuple[str, ...]
) -> None:
    write()
    run = tertium(*arguments)
    assert run.code == 2
    assert "is more than 1e+30" in run.err or "is not in the range" in run.err
