"""The doctor's findings as documents."""

import csv
import io
import json

import pytest

from tertium.commands.inspect.doctor import describe_findings
from tertium.diagnosis.finding import Finding
from tertium.presentation.tables import FORMATS, render_document

NOTE = Finding("note", "a.txt", (), 0, "has a byte order mark", "nothing to do", "bom")
ERROR = Finding("error", "a.txt", (3, 17), 45, "is empty", "fill it", "empty")
FOUND = [NOTE, ERROR]


def render(form: str, found: list[Finding] = FOUND) -> str:
    n_lines = {"ref.txt": 1200, "a.txt": 1200}
    return render_document(
        describe_findings(found, n_lines, guesses=["taking ref.txt as the reference"]), form
    )


def test_text_names_the_worst_first_with_lines_and_remedy() -> None:
    assert render("text") == (
        "taking ref.txt as the reference\n"
        "a.txt\n"
        "  error    lines 3, 17 and 43 more: is empty\n"
        "           → fill it\n"
        "  note     has a byte order mark\n"
        "           → nothing to do\n"
        "1 error, 1 note in 2 files (2,400 lines)\n"
    )


def test_nothing_found_is_said() -> None:
    assert render("text", []).endswith("no problems found in 2 files (2,400 lines)\n")


def test_a_problem_of_all_lines_names_none() -> None:
    everywhere = Finding("note", "a.txt", (1, 2), 1200, "ends in a space", "strip", "space")
    assert "  note     ends in a space\n" in render("text", [everywhere])


@pytest.mark.parametrize("form", FORMATS)
def test_every_format_has_problem_and_remedy(form: str) -> None:
    page = render(form)
    for part in ("a.txt", "error", "is empty", "fill it", "has a byte order mark"):
        assert part in page


def test_records_keep_every_field() -> None:
    first, second = csv.DictReader(io.StringIO(render("csv")))
    assert first["code"] == "bom"
    assert second == {
        "severity": "error", "code": "empty", "file": "a.txt", "lines": "3 17", "n_lines": "45", "problem": "is empty",
        "remedy": "fill it",
    }  # fmt: skip
    assert json.loads(render("json"))["findings"][1]["lines"] == [3, 17]
