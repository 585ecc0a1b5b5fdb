"""Glossaries as CSV and XLSX have the same entries as in plain text, and their mistakes are reported with their place."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from tertium.catalog.glossaries import load_any_glossary
from tertium.errors import ResourceError

ROWS = [("contract", "Vertrag|Kontrakt"), ("European Union", "Europäische Union"), ("contract", "Abkommen")]


def write_csv(path: Path, rows: Sequence[tuple[str, ...]]) -> str:
    path.write_text("".join(",".join(f'"{cell}"' for cell in row) + "\n" for row in rows), encoding="utf-8")
    return str(path)


def write_xlsx(path: Path, rows: list[tuple[object, ...]]) -> str:
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append([None if cell == "" else cell for cell in row])
    book.save(path)
    return str(path)


def test_all_formats_have_the_same_entries(tmp_path: Path) -> None:
    plain = tmp_path / "g.tsv"
    plain.write_text("".join(f"{source}\t{target}\n" for source, target in ROWS), encoding="utf-8")
    expected = load_any_glossary(str(plain)).entries()
    assert len(expected) == 2
    table = [("Note", "Target", "Source"), ("", "", ""), *(("n", target, source) for source, target in ROWS)]
    for path in (write_csv(tmp_path / "g.csv", table), write_xlsx(tmp_path / "g.xlsx", list(table))):
        assert load_any_glossary(path).entries() == expected


def test_the_identity_depends_on_the_entries_only(tmp_path: Path) -> None:
    rows = [("source", "target", "note"), ("contract", "Vertrag", "a")]
    one = load_any_glossary(write_csv(tmp_path / "one.csv", rows)).identity
    other = load_any_glossary(
        write_csv(tmp_path / "other.csv", [*rows[:1], ("contract", "Vertrag", "b")])
    ).identity
    third = load_any_glossary(
        write_csv(tmp_path / "third.csv", [*rows[:1], ("contract", "Kontrakt", "b")])
    ).identity
    assert one.removeprefix("one.csv") == other.removeprefix("other.csv")
    assert one.removeprefix("one.csv") != third.removeprefix("third.csv")


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([("contract", "Vertrag")], r"g.csv has no column source; .*\(found: contract, Vertrag\)"),
        (
            [("source", "German"), ("a", "b")],
            "g.csv has no column target; name the columns source and target",
        ),
        ([("source", "target"), ("contract", "")], "g.csv, line 2: the translation '' has no letters"),
        ([("source", "target"), ("", "Vertrag")], "g.csv, line 2: the source term '' has no letters"),
        ([("source", "target"), ("a", "b||c")], "g.csv, line 2: the translation '' has no letters"),
        ([("source", "target")], "g.csv"),
    ],
)
def test_mistakes_are_reported(tmp_path: Path, rows: list[tuple[str, ...]], message: str) -> None:
    path = write_csv(tmp_path / "g.csv", rows)
    with pytest.raises(ResourceError, match=message) as error:
        load_any_glossary(path)
    assert "\n" not in str(error.value)


def test_cells_that_are_not_text_are_reported(tmp_path: Path) -> None:
    path = write_xlsx(tmp_path / "g.xlsx", [("source", "target"), ("contract", 5)])
    with pytest.raises(ResourceError, match=r"g\.xlsx#target: row 2 holds a number"):
        load_any_glossary(path)


def test_a_missing_or_damaged_file_is_reported(tmp_path: Path) -> None:
    with pytest.raises(ResourceError, match="no such file"):
        load_any_glossary(str(tmp_path / "nowhere.csv"))
    (tmp_path / "g.xlsx").write_text("no workbook")
    with pytest.raises(ResourceError, match="is not an XLSX workbook"):
        load_any_glossary(str(tmp_path / "g.xlsx"))
