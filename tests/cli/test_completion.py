"""What a shell completes: commands, options, metrics with their options and values, columns, systems, files."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tertium.cli.completion import complete_metrics

TYPE, VALUE = 0, 1


def complete(line: str, folder: Path) -> list[list[str]]:
    """Ask as bash would when the cursor stands at the end of the line."""
    done = subprocess.run(
        [sys.executable, "-c", "from tertium.cli.main import main; main()"],
        env={"_TERTIUM_COMPLETE": "bash_complete", "COMP_LINE": line, "COMP_POINT": str(len(line)), "PATH": ""},
        cwd=folder, capture_output=True, encoding="utf-8", check=False,
    )  # fmt: skip
    assert done.stderr == ""
    return [row.split(",", maxsplit=1) for row in done.stdout.splitlines() if row]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("completion")
    (path / "known.tsv").write_text("domain\tyear\nnews\t2020\n", encoding="utf-8")
    (path / "data.jsonl").write_text(json.dumps({"mt": "a", "refs": ["a", "b"]}) + "\n", encoding="utf-8")
    (path / "aurora.txt").write_text("a\n", encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("line", "first"),
    [
        ("tertium sco", "score"),
        ("tertium score --signat", "--signatures"),
        ("tertium score -m ble", "bleu"),
        ("tertium score -m bleu:smooth_m", "smooth_method="),  # bash keeps what stands before the colon
        ("tertium score -m bleu:smooth_method=fl", "floor"),
        ("tertium score -m wer,bleu:tokenizer=in", "intl"),
        ("tertium score --columns known.tsv --by d", "domain"),
        ("tertium score --columns known.tsv --where ye", "year="),
        ("tertium score -r data.jsonl#re", "data.jsonl#refs"),
        ("tertium score -m bleu,chrf --sort c", "chrf"),
        ("tertium score -i aurora.txt other=b.txt --paired bootstrap --baseline o", "other"),
        ("tertium score -l d", "da"),
        ("tertium metrics mete", "meteor"),
        ("tertium vectors conv", "convert"),
    ],
)
def test_what_is_half_typed_is_completed(folder: Path, line: str, first: str) -> None:
    assert complete(line, folder)[0] == ["plain", first]


@pytest.mark.parametrize("line", ["tertium score -r au", "tertium doctor ", "tertium vectors convert "])
def test_files_are_left_to_the_shell(folder: Path, line: str) -> None:
    assert [row[TYPE] for row in complete(line, folder)] == ["file"]


def test_a_file_that_is_not_there_completes_nothing(folder: Path) -> None:
    assert complete("tertium score --columns absent.tsv --by d", folder) == []
    assert complete("tertium score -m nonsense:", folder) == []


def test_options_go_on_behind_options_of_the_same_metric() -> None:
    further = complete_metrics("wer,bleu:lowercase=yes,")
    assert "wer,bleu:lowercase=yes,smooth_method=" in further
    assert "wer,bleu:lowercase=yes,chrf" in further
    assert (
        complete_metrics("wer,bleu:lowercase=yes,smooth_method=")[0]
        == "wer,bleu:lowercase=yes,smooth_method=none"
    )
    assert complete_metrics("bleu:lowercase=") == ["bleu:lowercase=yes", "bleu:lowercase=no"]
    assert not any("=" in metric for metric in complete_metrics("wer,"))
