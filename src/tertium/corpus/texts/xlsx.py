"""Reader of XLSX workbooks through openpyxl (extra `xlsx`)."""

import io
import warnings
from collections.abc import Sequence
from contextlib import closing
from typing import Any

from tertium.corpus.texts.tables import TextTable, check_unique_names
from tertium.errors import InputError
from tertium.files.extras import import_extra
from tertium.files.reading import read_bytes


class Formula:
    """A cell with a formula, whose value is not known."""


class XLSXTable(TextTable):
    """The rows below the header of a worksheet; an empty cell is an empty text."""

    def __init__(self, path: str, header: list[str], rows: list[list[object]]) -> None:
        super().__init__(path)
        self._header = header
        self._rows = rows

    def __len__(self) -> int:
        return len(self._rows)

    @property
    def names(self) -> list[str]:
        return self._header

    def number(self, row: int) -> int:
        """Return the number of a row (from 0) in the worksheet; the header is row 1."""
        return row + 2

    def values(self, name: str) -> list[object]:
        if name not in self._header:
            raise InputError(f"{self.path} has no column {name!r}; it has: {', '.join(self._header)}")
        index = self._header.index(name)
        return ["" if row[index] is None else row[index] for row in self._rows]


def read_xlsx(path: str) -> XLSXTable:
    """Read the only worksheet of a workbook that has cells; empty rows at its end do not count.

    Raises
    ------
    InputError
        If the file is not a workbook, or several worksheets have cells.
    """
    sheets = {name: rows for name, rows in _read_sheets(path).items() if rows}
    if not sheets:
        raise InputError(f"{path} is empty; a worksheet starts with a row of column names")
    if len(sheets) > 1:
        raise InputError(
            f"{path} has {len(sheets)} worksheets with cells ({', '.join(sheets)}); save the one to score as .csv,"
            " or delete the others"
        )
    ((first, *rows),) = sheets.values()
    width = max(_used(row) for row in (first, *rows))
    header = ["" if cell is None else str(cell) for cell in first[:width]]
    header += [""] * (width - len(header))
    check_unique_names(f"{path}: row 1", header)
    return XLSXTable(path, header, [[*row[:width], *[None] * (width - len(row))] for row in rows])


def _read_sheets(path: str) -> dict[str, list[list[object]]]:
    """Read all cells, without empty rows at the end of each worksheet."""
    openpyxl = import_extra("openpyxl", extra="xlsx", path=path)
    data = read_bytes(path)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about styles, which do not matter here
            with closing(openpyxl.load_workbook(io.BytesIO(data), read_only=True, keep_links=False)) as book:
                sheets = {
                    sheet.title: [[*map(_value, row)] for row in sheet.iter_rows()]
                    for sheet in book.worksheets
                }
    except Exception as error:  # noqa: BLE001 - openpyxl lets errors of ZIP, XML and its own parsers through
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        raise InputError(f"{path} is not an XLSX workbook, or is damaged: {reason}") from None
    for rows in sheets.values():
        while rows and not _used(rows[-1]):
            rows.pop()
    return sheets


def _value(cell: Any) -> object:
    return Formula() if getattr(cell, "data_type", "") == "f" else cell.value


def _used(row: Sequence[object]) -> int:
    """Count the cells of a row up to its last one with a value."""
    return max((number for number, cell in enumerate(row, start=1) if cell is not None), default=0)
