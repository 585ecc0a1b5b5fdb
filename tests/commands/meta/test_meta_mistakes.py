"""What a user may get wrong with `tertium meta`: one line with the place and the remedy, or a note and no NaN."""

from collections.abc import Callable
from pathlib import Path

import pytest

from metaeval.conftest import PAIRS, SYSTEMS, folder

__all__ = ["folder"]

Tertium = Callable[..., "Run"]  # type: ignore[name-defined] # noqa: F821

MQM = "system\tdoc\tdoc_id\tseg_id\trater\tcategory\tseverity\n"


@pytest.fixture
def task(folder: Path) -> Path:
    """The little shared task with segment scores of two raters."""
    rows = ["lp\tsystem\tsegment\trater\tscore"]
    rows += [
        f"{pair}\t{name}\t{segment}\t{rater}\t{90 - 20 * i + 3 * segment + 5 * (rater == 'anna')}"
        for pair in PAIRS
        for i, name in enumerate(SYSTEMS)
        for segment in range(1, 5)
        for rater in ("anna", "ben")
    ]
    (folder / "segments.tsv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    return folder


def append(path: Path, text: str) -> None:
    with path.open("a", encoding="utf-8") as file:
        file.write(text)


def meta(tertium: Tertium, *arguments: str | Path) -> "Run":  # type: ignore[name-defined] # noqa: F821
    return tertium("meta", *arguments, "--test", "none")


@pytest.mark.parametrize(
    ("file", "text", "message"),
    [
        ("segments.tsv", "cs-en\tghost\t1\tanna\t50\n", "segments.tsv: line 66 has a judgment of system 'ghost', but cs-en has outputs"),
        ("segments.tsv", "cs-en\tbest\t99\tanna\t50\n", "segments.tsv: line 66 has a judgment of segment '99', but cs-en has segments 1 to 4"),
        ("segments.tsv", "cs-en\tbest\t1\tanna\n", "segments.tsv: line 66 has 4 fields but the header has 5"),
        ("segments.tsv", "cs-en\tbest\t1\tanna\tgood\n", "segments.tsv#score: line 66 holds 'good', not a finite number"),
        ("segments.tsv", "cs-en\tbest\t1\tanna\tnan\n", "line 66 holds 'nan', not a finite number"),
        ("rankings.tsv", "cs-en\t1\tx\t1\tbest\tfirst\tgood\t2\n", "rankings.tsv#rank1: line 50 holds 'first'"),
        ("rankings.tsv", "cs-en\t1\tx\t1\tbest\t1\tbest\t2\n", "rankings.tsv: line 50 ranks 'best' against itself"),
        ("system-scores.tsv", "cs-en\tbest\t1\n", "system-scores.tsv: line 10 scores system 'best' again (first in line 2)"),
        ("more.tsv", "", "more.tsv is empty; a judgment has at least a system and a score"),
        ("more.tsv", "lp\tsystem\tsegment\tscore\n", "more.tsv contains only a header"),
        ("more.jsonl", '{"lp": "cs-en"\n', "more.jsonl: line 1 is not a JSON object"),
        ("more.jsonl", '{"system": null, "segment": 1, "score": 1}\n', "line 1 holds null, not a name or a number"),
        ("more.jsonl", '{"system": "a", "segment": 1, "score": 1}\n{"system": "a"}\n', "more.jsonl: line 2 has no column"),
        ("mqm.tsv", MQM + "best\td\t1\t1\tanna\tAccuracy\thuge\n", "mqm.tsv: line 2 has the severity 'huge'"),
        ("mqm.tsv", MQM + "best\td\t1\n", "mqm.tsv: line 2 has 3 fields but the header has 7"),
        ("mqm.tsv", "system\trater\tcategory\tseverity\na\tb\tc\tmajor\n", "no column global_seg_id or seg_id, nor doc and doc_id"),
    ],
)  # fmt: skip
def test_a_bad_judgment_is_one_line_with_its_place(
    tertium: Tertium, task: Path, file: str, text: str, message: str
) -> None:
    append(task / file, text)
    run = meta(tertium, task)
    assert (run.code, run.out) == (1, "")
    assert message in run.err
    assert run.err.count("\n") == 1


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        (
            "h.seg.score",
            "best\t1\nbest\tx\n",
            "h.seg.score: line 2 has the score 'x', which is not a finite number",
        ),
        ("h.seg.score", "best\t1\nbest\n", "h.seg.score: line 2 has 1 fields, but layout mtme has 2"),
        ("h.seg.score", "", "h.seg.score has no scores: it is empty"),
        ("h.seg.score", "best\t1\n" * 5, "h.seg.score: line 5 has a judgment of segment '5'"),
        ("h.sys.score", "ghost\t1\n", "h.sys.score: line 1 has a judgment of system 'ghost'"),
        ("h.sys.score", "best\t1\t2\t3\n", "matches no layout"),
    ],
)
def test_a_bad_score_file_is_one_line_with_its_place(
    tertium: Tertium, task: Path, tmp_path: Path, name: str, text: str, message: str
) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    files = ("-r", task / "cs-en/ref.txt", "-i", task / "cs-en/systems/*.txt", "--human", tmp_path / name)
    run = meta(tertium, *files)
    assert run.code == 1
    assert message in run.err
    assert run.err.count("\n") == 1


def test_text_that_is_no_utf8_is_one_line(tertium: Tertium, task: Path) -> None:
    with (task / "segments.tsv").open("ab") as file:
        file.write(b"cs-en\tb\xe9st\t1\tanna\t5\n")
    run = meta(tertium, task)
    assert run.code == 1
    assert "segments.tsv: line 66 is not UTF-8" in run.err


def test_windows_line_ends_change_nothing(tertium: Tertium, task: Path) -> None:
    before = meta(tertium, task).out
    for path in task.rglob("*.t*"):
        if path.is_file():
            path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert meta(tertium, task).out == before


@pytest.mark.parametrize(
    ("arguments", "message", "code"),
    [
        pytest.param(("{task}", "-s", "system:pearson", "-m", "red", "--parser", "xx_none"), "red is left out: the parser model 'xx_none' is not installed", 1, marks=pytest.mark.needs("spacy")),
        (("{task}", "-p", "cs-en,xx-en"), "--pairs xx-en: no judged outputs; there are judgments of cs-en, de-en", 1),
        (("{task}", "--lower", "chrf"), "--lower chrf: no file of --scores has this metric", 2),
        (("{task}", "-o", "{task}/none/x"), "there is no folder", 1),
        (("{task}", "-o", "{task}"), "it is a directory", 1),
        (("{task}", "--charts", "{task}/rankings.tsv"), "cannot make the folder", 1),
        (("{task}", "-s", "system:person"), "the system level has no statistic 'person'; choose from pearson, spearman", 2),
        (("{task}", "--layout", "1999", "--write-scores", "{task}/out"), "unknown layout '1999'; choose from 2016", 2),
        (("{task}", "-m", "bleu@{task}/chrf.toml"), "is a preset of chrf, not of bleu; write chrf@", 1),
        (("{task}", "--layout", "2016"), "--layout requires --write-scores", 2),
        (("{task}", "--test-set", "ours"), "--test-set requires --write-scores or --calibrate", 2),
        (("{task}", "--calibrate", "--ci"), "--calibrate shows no tables of agreement; leave out --ci", 2),
        (("{task}", "-r", "{task}/de-en/ref.txt"), "--ref is for data in files, but {task} is a folder with texts of its own", 2),
        (("{task}", "-l", "de-en"), "--language is for the target language: {task} names its language pairs; choose one with --pairs de-en", 2),
        (("{task}", "--vectors", "english"), "--vectors was given, but none of these metrics uses vectors", 2),
        (("--human", "{task}/rankings.tsv", "--scores", "x.seg.score", "--gold", "mqm"), "--gold is for a folder of mt-metrics-eval, but the data are files", 2),
        (("--human", "{task}/rankings.tsv", "--scores", "x.seg.score", "--columns", "x.tsv"), "--columns requires --hyp", 2),
        (("--human", "{task}"), "is a directory; give a file inside it", 1),
        (("{task}", "--at-least", "3", "-p", "cs-en", "-s", "segment:pearson"), "no language pair has human judgments for segment:pearson", 1),
    ],
)  # fmt: skip
def test_a_mistake_is_one_line(
    tertium: Tertium, task: Path, arguments: tuple[str, ...], message: str, code: int
) -> None:
    (task / "chrf.toml").write_text('metric = "chrf"\n[options]\nbeta = 3\n', encoding="utf-8")
    run = meta(tertium, *(argument.replace("{task}", str(task)) for argument in arguments), "-q")
    assert message.replace("{task}", str(task)) in run.err
    assert (run.code, run.out) == (code, "")
    assert run.err.count("\n") == 1


@pytest.mark.needs("spacy")
def test_a_metric_without_its_resource_does_not_stop_the_others(tertium: Tertium, task: Path) -> None:
    run = meta(tertium, task, "-m", "bleu,wer,red", "--parser", "xx_none", "-s", "system:pearson", "-q")
    assert run.code == 0
    assert run.err.startswith(
        "tertium: warning: red is left out: the parser model 'xx_none' is not installed"
    )
    assert [line.split()[0] for line in run.out.splitlines()[2:4]] == ["bleu", "wer"]


def test_a_pair_without_references_is_left_out_with_a_note(tertium: Tertium, task: Path) -> None:
    (task / "cs-en" / "ref.txt").unlink()
    run = meta(tertium, task)
    assert run.code == 0
    assert "cs-en has no ref.txt, so cs-en is left out" in run.err
    assert "cs-en" not in run.out
    chosen = meta(tertium, task, "-p", "cs-en")
    assert chosen.code == 1
    assert "cs-en has no ref.txt" in chosen.err


EVERY = "system:pearson,system:spa,system:accuracy,segment:pearson,segment:kendall:item,segment:red:system,segment:acc-eq"


def test_constant_human_scores_are_said(tertium: Tertium, task: Path) -> None:
    rows = (task / "segments.tsv").read_text(encoding="utf-8").splitlines()
    same = [rows[0], *(row.rpartition("\t")[0] + "\t50" for row in rows[1:])]
    (task / "segments.tsv").write_text("\n".join(same) + "\n", encoding="utf-8")
    run = meta(tertium, task, "-s", EVERY.replace("system:pearson,", ""), "--ci", "--samples", "20")
    assert run.code == 0
    assert "– bleu, cs-en: constant human scores" in run.out
    assert "nan" not in run.out.lower()


@pytest.mark.parametrize("n_systems", [1, 2])
def test_too_few_systems_are_said(tertium: Tertium, task: Path, n_systems: int) -> None:
    for name in list(SYSTEMS)[n_systems:]:
        for pair in PAIRS:
            (task / pair / "systems" / f"{name}.txt").unlink()
    run = meta(tertium, task, "-s", EVERY, "--skip-unknown")
    assert run.code == 0
    assert "– bleu, cs-en: fewer than 3 judged systems" in run.out
    assert "nan" not in run.out.lower()


def test_a_rater_with_one_judgment_is_left_out_by_name(tertium: Tertium, task: Path) -> None:
    append(task / "segments.tsv", "cs-en\tbest\t1\tlone\t50\n")
    run = meta(tertium, task, "--normalise-raters")
    assert run.code == 0
    assert "segments.tsv: lone judged once, so the scores have no variance and are left out" in run.err


def test_segments_without_enough_judgments_are_said(tertium: Tertium, task: Path) -> None:
    run = meta(tertium, task, "--at-least", "3")
    assert run.code == 0
    assert "segments.tsv: cs-en: left out, no segment has 3 judgments" in run.err


@pytest.mark.parametrize("wish", [("-m", "bleu"), ("--by-length",), ("--system-score", "length")])
def test_scores_without_texts_allow_nothing_that_needs_them(
    tertium: Tertium, tmp_path: Path, wish: tuple[str, ...]
) -> None:
    for name in ("en-de.mqm.seg.score", "M.seg.score"):
        (tmp_path / name).write_text("A\t1\nA\t2\nB\t3\nB\t4\nC\t5\nC\t9\n", encoding="utf-8")
    files = ("--human", tmp_path / "en-de.mqm.seg.score", "--scores", tmp_path / "M.seg.score")
    assert meta(tertium, *files).code == 0
    run = meta(tertium, *files, *wish)
    assert run.code == 2
    assert "needs the texts: give a folder, or --ref FILE and --hyp FILE" in run.err


def test_williams_test_on_three_systems_names_the_pair(tertium: Tertium, task: Path) -> None:
    for pair in PAIRS:
        (task / pair / "systems" / "worst.txt").unlink()
    arguments = ("-m", "bleu,wer", "-s", "system:pearson", "--skip-unknown", "-q", "--test", "williams")
    run = tertium("meta", task, *arguments)
    assert run.code == 1
    assert "cs-en has 3 human scores for system:pearson, but Williams' test needs 4" in run.err


def test_a_folder_without_language_pairs_says_how_to_make_them(tertium: Tertium, tmp_path: Path) -> None:
    (tmp_path / "s.tsv").write_text("lp\tsystem\tscore\ncs-en\ta\t1\n", encoding="utf-8")
    run = meta(tertium, tmp_path)
    assert run.code == 1
    assert "has no language pair: it needs LP/ref.txt and LP/systems/*.txt for each LP" in run.err
