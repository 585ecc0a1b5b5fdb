"""Every command that prints intervals or tests resamples documents where they are known, and names the unit."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tertium.evaluation import resampling

Tertium = Callable[..., Any]
ROOT = Path(__file__).parents[2] / "examples" / "data"
REFERENCE = ROOT / "reference.en.txt"
OUTPUTS = [ROOT / "systems" / f"{name}.txt" for name in ("aurora", "boreas", "cirrus")]
DOCUMENTS, SEGMENTS = "documents resampled", "segments taken as independent"
METRICS = ("-m", "wer", "--samples", "50")


@dataclass(frozen=True)
class Data:
    """Runs and folders with documents and without."""

    folder: Path

    def columns(self, known: bool) -> list[str]:
        return ["--columns", str(self.folder / f"columns-{known}.tsv")]

    def run(self, known: bool, name: str = "") -> str:
        return str(self.folder / str(known) / f"{name or 'all'}.run")

    def sets(self, known: bool) -> str:
        return str(self.folder / f"sets-{known}")


@pytest.fixture
def data(tertium: Tertium, tmp_path: Path) -> Data:
    data = Data(tmp_path)
    rows = "".join(f"d{i // 10}\n" for i in range(200))
    (tmp_path / "columns-True.tsv").write_text(
        "doc_id\tdomain\n" + "".join(f"d{i // 10}\t{i // 10 % 2}\n" for i in range(200))
    )
    (tmp_path / "columns-False.tsv").write_text("domain\n" + "".join(f"{i // 10 % 2}\n" for i in range(200)))
    for known in (True, False):
        (tmp_path / str(known)).mkdir()
        columns = data.columns(known)
        assert (
            tertium(
                "score", "-r", REFERENCE, "-i", *OUTPUTS, *METRICS, *columns, "--save", data.run(known)
            ).code
            == 0
        )
        for path in OUTPUTS[:2]:
            release = data.run(known, path.stem)
            assert (
                tertium("score", "-r", REFERENCE, "-i", path, *METRICS, *columns, "--save", release).code == 0
            )
        for pair in ("de-en", "fr-en"):
            folder = Path(data.sets(known)) / pair
            (folder / "systems").mkdir(parents=True)
            (folder / "ref.txt").write_bytes(REFERENCE.read_bytes())
            for path in OUTPUTS:
                (folder / "systems" / path.name).write_bytes(path.read_bytes())
            if known:
                (folder / "columns.tsv").write_text(f"document\n{rows}")
    return data


COMMANDS: dict[str, Callable[[Data, bool], list[Any]]] = {
    "score": lambda data, known: ["score", "-r", REFERENCE, "-i", *OUTPUTS, *METRICS, *data.columns(known)],
    "score one": lambda data, known: ["score", "-r", REFERENCE, "-i", OUTPUTS[0], *METRICS, "--ci", *data.columns(known)],
    "score test set": lambda data, known: ["score", "-t", data.sets(known), "-l", "de-en", *METRICS, "--ci"],
    "score folder": lambda data, known: ["score", data.sets(known), *METRICS],
    "score runs": lambda data, known: [
        "score", "-r", REFERENCE, "-i", *OUTPUTS, *METRICS, "--group", "ours=aurora,boreas", *data.columns(known)
    ],
    "score subsets": lambda data, known: [
        "score", "-r", REFERENCE, "-i", *OUTPUTS, *METRICS, "--ci", "--by", "domain", *data.columns(known)
    ],
    "show": lambda data, known: ["show", data.run(known), "--ci", "--samples", "50"],
    "compare two": lambda data, known: ["compare", data.run(known), "--systems", "aurora", "boreas", "--samples", "50"],
    "compare many": lambda data, known: ["compare", data.run(known), "--samples", "50"],
    "plan": lambda data, known: ["plan", data.run(known), "--systems", "aurora", "boreas"],
    "history": lambda data, known: ["history", data.run(known, "aurora"), data.run(known, "boreas"), "--samples", "50"],
    "report": lambda data, known: ["report", data.run(known), "--samples", "50", "-o", data.folder / "page.html"],
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("name", COMMANDS)
def test_documents_are_resampled_where_they_are_known_and_the_output_says_so(
    tertium: Tertium, data: Data, name: str
) -> None:
    for known in (True, False):
        run = tertium(*COMMANDS[name](data, known))
        assert run.code == 0, run.err
        page = data.folder / "page.html"
        shown = page.read_text(encoding="utf-8") if page.exists() else run.out
        words = {"plan": "measured over 20 documents"}.get(name, DOCUMENTS)
        assert (words in shown, SEGMENTS in shown) == (known, not known)
        if not page.exists():
            assert run.out.count(words) + run.out.count(SEGMENTS) <= 2  # a legend, not a nag


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in COMMANDS if name != "report"])
def test_resampling_segments_gives_the_figures_of_unknown_documents(
    tertium: Tertium, data: Data, name: str
) -> None:
    asked = tertium(*COMMANDS[name](data, True), "--resample", "segment")
    assert asked.code == 0, asked.err
    plain = tertium(*COMMANDS[name](data, False))
    assert asked.out == plain.out


@pytest.mark.parametrize(
    ("size", "reason"),
    [(50, "4 documents are too few to resample"), (200, "1 document is too few to resample"), (1, "")],
)
def test_segments_are_resampled_where_documents_cannot_be_and_the_reason_is_shown(
    tertium: Tertium, tmp_path: Path, size: int, reason: str
) -> None:
    columns = tmp_path / "columns.tsv"
    columns.write_text("document\n" + "".join(f"d{i // size}\n" for i in range(200)))
    score = ("score", "-r", REFERENCE, "-i", *OUTPUTS[:2], "--ci", *METRICS)
    shown, plain = tertium(*score, "--columns", columns), tertium(*score)
    assert shown.out == (plain.out.replace(SEGMENTS, f"{SEGMENTS}: {reason}") if reason else plain.out)


def test_parts_have_the_documents_of_a_file_of_columns(tertium: Tertium, tmp_path: Path) -> None:
    columns = tmp_path / "columns.tsv"
    columns.write_text("document\n" + "".join(f"d{i // 10}\n" for i in range(200)))
    score = ("score", "-r", REFERENCE, "-i", *OUTPUTS[:2], "--ci", *METRICS, "--columns", columns)
    for options in ((), ("--resample", "segment")):
        assert tertium(*score, *options, "--batch-size", "50").out == tertium(*score, *options).out


@pytest.mark.parametrize("place", ["columns", "text"])
def test_documents_of_streamed_texts_are_not_resampled_and_the_reason_is_shown(
    tertium: Tertium, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    lines = REFERENCE.read_text(encoding="utf-8").splitlines()
    table = tmp_path / "reference.tsv"
    table.write_text("ref\tdoc\n" + "".join(f"{line}\td{i // 10}\n" for i, line in enumerate(lines)))
    if place == "columns":
        monkeypatch.setattr(resampling, "POISSON_FROM", 100)
        given = ["-r", REFERENCE, "--columns", table]
    else:
        given = ["-r", table, "--batch-size", "50"]
    run = tertium("score", *given, "-i", *OUTPUTS[:2], "--ci", *METRICS)
    assert f"{SEGMENTS}: the texts were scored in parts" in run.out


def test_the_test_of_sacrebleu_and_its_command_line_resample_segments(
    tertium: Tertium, tmp_path: Path
) -> None:
    columns = tmp_path / "columns.tsv"
    columns.write_text("document\n" + "".join(f"d{i // 10}\n" for i in range(200)))
    for options in (("--paired", "sacrebleu-bootstrap"), ("--paired-bs",), ("--confidence",)):
        score = ("score", REFERENCE, "-i", *OUTPUTS[:2], *METRICS, *options)
        assert tertium(*score, "--columns", columns).out == tertium(*score).out
