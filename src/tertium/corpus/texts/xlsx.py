"""Reader of XLSX workbooks through openpyxl (extra `xlsx`)."""

import io
import warnings
from collections.abc import Sequence
from contextlib import closing
from typing import Any

from tertium.corpus.texts.line_formats import TSVTable
from tertium.corpus.texts.tables import check_unique_names
from tertium.errors import InputError
from tertium.files.extras import import_extra
from tertium.files.reading import read_bytes


class Formula:
    """A cell with a formula, whose value is not known."""


class XLSXTable(TSVTable):
    """The rows below the header of a worksheet."""

    def place(self, row: int) -> str:
        return f"row {self.number(row):,}"


def read_xlsx(path: str) -> XLSXTable:
    """Read the only worksheet of a workbook that has cells; an empty cell is an empty text, and empty rows at its end do not count.

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
    cells = [["" if cell is None else cell for cell in row[:width]] for row in rows]
    return XLSXTable(path, header, [[*row, *[""] * (width - len(row))] for row in cells])


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
