"""Records as an XLSX workbook, through openpyxl (extra `xlsx`)."""

import io
from collections.abc import Sequence
from math import isfinite
from typing import Any

from tertium.errors import InputError
from tertium.files.extras import import_extra
from tertium.presentation.tables.model import Document, Value, clean_field

# Limits of the format (ECMA-376, and Excel's specification of a worksheet).
_MAX_ROWS, _MAX_LENGTH = 1_048_576, 32_767
_WIDEST = 60  # characters


def check_xlsx(path: str) -> None:
    """Raise if openpyxl is missing; the message names the file."""
    import_extra("openpyxl", extra="xlsx", path=path, purpose="written")


def render_xlsx(document: Document, path: str) -> bytes:
    """Write the records as one worksheet with a header; texts are never read as formulas.

    Raises
    ------
    InputError
        If there are more rows, or longer texts, than a worksheet can hold.
    """
    check_xlsx(path)
    import openpyxl  # noqa: PLC0415 - an extra

    header: Sequence[Value] = list(document.records.columns)
    rows = [
        [_clean(path, number, value) for value in row]
        for number, row in enumerate((header, *document.records.rows), start=1)
    ]
    if len(rows) > _MAX_ROWS:
        raise InputError(
            f"{path} would have {len(rows):,} rows, but a worksheet has {_MAX_ROWS:,}; write .csv"
        )
    book = openpyxl.Workbook(write_only=True)
    sheet = book.create_sheet(document.name[:31])
    sheet.freeze_panes = "A2"
    for number, width in enumerate(_measure(rows), start=1):
        sheet.column_dimensions[openpyxl.utils.get_column_letter(number)].width = width
    for number, row in enumerate(rows, start=1):
        sheet.append([_make_cell(openpyxl, sheet, value, is_bold=number == 1) for value in row])
    content = io.BytesIO()
    book.save(content)
    return content.getvalue()


def _clean(path: str, number: int, value: Value) -> Value:
    """Return the value of a cell; raise if a cell cannot hold it."""
    if isinstance(value, float):
        return float(value) if isfinite(value) else None
    if not isinstance(value, str):
        return value
    text = clean_field(value)
    if len(text) > _MAX_LENGTH:
        raise InputError(
            f"{path}: row {number:,} would have a text of {len(text):,} characters, but a cell has {_MAX_LENGTH:,};"
            " write .csv"
        )
    return text


def _measure(rows: Sequence[Sequence[Value]]) -> list[int]:
    """Choose the widths of the columns by their first rows."""
    columns = zip(*rows[:100], strict=True)
    return [min(max(len(str(value)) for value in column) + 2, _WIDEST) for column in columns]


def _make_cell(openpyxl: Any, sheet: Any, value: Value, *, is_bold: bool) -> Any:
    if not isinstance(value, str):
        return value
    cell = openpyxl.cell.WriteOnlyCell(sheet, value)
    cell.data_type = "s"  # also if it begins with = or looks like an error value
    if is_bold:
        cell.font = openpyxl.styles.Font(bold=True)
    return cell
