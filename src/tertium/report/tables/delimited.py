"""A document's records as CSV and TSV, in full precision."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from tertium.report.tables.cleaning import clean_field, clean_line
from tertium.report.tables.model import Document, LazyRows, Records, Value

__all__ = ["guard_formulas", "quote_field", "render_csv", "render_tsv"]

_QUOTED = re.compile('[,"\r\n]')
# What spreadsheets take for the beginning of a formula (OWASP, "CSV Injection"), full-width forms too.
_FORMULA = tuple("=+-@\t\r\n＝＋－＠")


def render_csv(document: Document) -> str:
    """Write the records as RFC 4180 has it, but with plain line feeds."""
    lines = (",".join(map(quote_field, row)) for row in _rows(document.records))
    return "".join(f"{line}\n" if line else '""\n' for line in lines)  # an empty line would be no row


def render_tsv(document: Document) -> str:
    """Write the records with tabs between; tabs and line breaks in a text become spaces."""
    return "".join("\t".join(map(clean_line, row)) + "\n" for row in _rows(document.records))


def guard_formulas(document: Document) -> Document:
    """Put an apostrophe before every text that a spreadsheet would take for a formula; numbers stay numbers."""
    records = document.records
    columns = {_guard_text(name): kind for name, kind in records.columns.items()}
    rows = LazyRows(lambda: ([_guard(value) for value in row] for row in records.rows))
    return replace(document, records=Records(columns, rows))


def _guard(value: Value) -> Value:
    return _guard_text(value) if isinstance(value, str) else value


def _guard_text(text: str) -> str:
    return f"'{text}" if text.startswith(_FORMULA) else text


def _rows(records: Records) -> Iterator[Sequence[str]]:
    yield list(records.columns)
    for row in records.rows:
        yield [_write(value) for value in row]


def _write(value: Value) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    # the plain spelling of a float, also if numpy made it
    return float.__repr__(value) if isinstance(value, float) else str(value)


def quote_field(text: str) -> str:
    """Write a field of a CSV file."""
    text = clean_field(text)
    return '"{}"'.format(text.replace('"', '""')) if _QUOTED.search(text) else text
