"""The wording check finds old-fashioned phrases in prose, and nothing in code."""

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "tools"))

import check_wording  # noqa: E402

PYTHON = '''\
"""Refuse a file that
is no table."""

anew = refuse("mend it, or leave"
              " it as it stands")  # whoever asks
# systems that cannot be
# told apart
path = f"{anew} cannot be had"
'''
CXX = """\
// Threads lie in a pool
// and go on.
int anew = 1;  /* whatever
it is */
throw Damaged("make it anew");
"""
MARKDOWN = """\
Files are written
whole or not at all. There is no limit, and `anew` is code.

```console
$ tertium refuse
anew
```

    indented: anew
"""


@pytest.mark.parametrize(
    ("path", "source", "expected"),
    [
        (
            "src/a.py",
            PYTHON,
            [
                (1, "Refuse"),
                (2, "is no table"),
                (4, "mend"),
                (5, "as it stands"),
                (5, "whoever"),
                (6, "cannot be told apart"),
                (8, "cannot be had"),
            ],
        ),
        ("native/a.hpp", CXX, [(1, "lie in"), (2, "go on"), (3, "whatever"), (5, "anew")]),
        ("docs/a.md", MARKDOWN, [(1, "written whole")]),
    ],
    ids=["python", "c++", "markdown"],
)
def test_phrases_are_found_in_prose_only_with_their_lines(
    path: str, source: str, expected: list[tuple[int, str]]
) -> None:
    found = [(each.line, each.phrase) for each in check_wording.find_wording(path, source)]
    assert sorted(found) == sorted(expected)


def test_a_docstring_that_starts_with_what_is_found_but_not_a_question() -> None:
    source = '"""What a run holds."""\n"""What is a run? What it holds."""\nwhat = "what it holds"\n'
    assert [each.line for each in check_wording.find_wording("src/a.py", source)] == [1]


def test_a_finding_names_its_place_and_what_to_write() -> None:
    (finding,) = check_wording.find_wording("docs/a.md", "Build it anew.\n")
    assert str(finding) == "docs/a.md:1: anew → again"


def test_a_listed_phrase_is_allowed_in_its_file_only(tmp_path: Path) -> None:
    for name in ("a.md", "b.md"):
        (tmp_path / name).write_text('As the paper says, "whoever asks".\n', encoding="utf-8")
    (tmp_path / "allowed.txt").write_text('# quotations\na.md: "whoever asks"\n', encoding="utf-8")
    allowed = check_wording.read_allowed(tmp_path / "allowed.txt")
    findings = check_wording.check(sorted(tmp_path.glob("*.md")), tmp_path, allowed)
    assert [finding.path for finding in findings] == ["b.md"]


def test_findings_are_counted_by_package_and_page() -> None:
    paths = [
        "src/tertium/evaluation/a.py",
        "src/tertium/evaluation/b.py",
        "src/tertium/errors.py",
        "docs/a.md",
        "README.md",
    ]
    counts = check_wording.count_by_folder(check_wording.Finding(path, 1, "anew", "again") for path in paths)
    assert counts == {"src/tertium/evaluation": 2, "src/tertium": 1, "docs/a.md": 1, "README.md": 1}


def test_the_exit_code_says_whether_anything_was_found(capsys: pytest.CaptureFixture[str]) -> None:
    sample = ROOT / "src" / "tertium" / "py.typed"
    assert check_wording.main([str(sample)]) == 0
    assert capsys.readouterr().out == ""
