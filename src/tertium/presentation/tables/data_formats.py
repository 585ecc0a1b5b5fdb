"""Renderers of tables as data: CSV, TSV, JSON and data frames."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from importlib import import_module
from itertools import islice
from math import isfinite
from types import ModuleType
from typing import Any

from tertium.errors import MissingExtraError
from tertium.files.extras import install_hint
from tertium.presentation.tables.model import Document, LazyRows, Records, Value, clean_field, clean_line

_PIECES_AT_ONCE = 10_000
_QUOTED = '[,"\r\n]'
# Characters that begin a formula in spreadsheets (OWASP, "CSV Injection"), also in full width.
_FORMULA = tuple("=+-@\t\r\n＝＋－＠")


def render_csv(document: Document) -> str:
    """Write the records in the format of RFC 4180, but with plain line feeds."""
    lines = (",".join(map(quote_field, row)) for row in _rows(document.records))
    return "".join(f"{line}\n" if line else '""\n' for line in lines)  # readers skip empty lines


def render_tsv(document: Document) -> str:
    """Write the records with tabs between values; tabs and line breaks in texts become spaces."""
    return "".join("\t".join(map(clean_line, row)) + "\n" for row in _rows(document.records))


def render_safe_csv(document: Document) -> str:
    """Write CSV with an apostrophe before every text that a spreadsheet would read as a formula."""
    records = document.records
    columns = {_guard_text(name): kind for name, kind in records.columns.items()}
    rows = LazyRows(lambda: ([_guard(value) for value in row] for row in records.rows))
    return render_csv(replace(document, make_records=lambda: Records(columns, rows)))


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
    # without numpy's type name
    return float.__repr__(value) if isinstance(value, float) else str(value)


def quote_field(text: str) -> str:
    """Write a field of a CSV file."""
    text = clean_field(text)
    return '"{}"'.format(text.replace('"', '""')) if re.search(_QUOTED, text) else text


# json.dumps escapes C0 controls itself. It writes these characters unchanged.
_NAKED = "[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"


def render_json(document: Document) -> str:
    """Write the data; numbers that are not finite become null."""
    try:
        text = _dump(document.data)
    except (TypeError, ValueError):  # numpy's numbers or NaN, which are rare
        text = _dump(plain_data(document.data))
    return re.sub(_NAKED, lambda found: f"\\u{ord(found[0]):04x}", text) + "\n"


def _dump(data: object) -> str:
    """Write JSON in batches of pieces: all pieces at once, as in `json.dumps`, take ten times as much memory as the text."""
    pieces = json.JSONEncoder(ensure_ascii=False, indent=1, allow_nan=False).iterencode(data)
    batches = iter(lambda: "".join(islice(pieces, _PIECES_AT_ONCE)), "")
    return "".join(batches)


def plain_data(value: Any) -> Any:
    """Convert a value to dicts, lists, texts, numbers and None; numbers that are not finite become None.

    >>> plain_data({"p": float("nan"), 1: (2, {3})})
    {'p': None, '1': [2, [3]]}
    """
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, float):
        return float(value) if isfinite(value) else None
    if isinstance(value, Mapping):
        return {str(key): plain_data(item) for key, item in value.items()}
    if hasattr(value, "tolist"):  # a numpy value; checked without importing numpy
        return plain_data(value.tolist())
    if isinstance(value, (list, tuple, set, frozenset)):
        return [plain_data(item) for item in value]
    return str(value)


# Nullable types, so that a missing rank does not convert the others to floats.
_PANDAS = {str: "string", float: "float64", int: "Int64", bool: "boolean"}
_ARROW = {str: "string", float: "float64", int: "int64", bool: "bool_"}


def document_to_pandas(document: Document) -> Any:
    """Make a DataFrame of the records.

    Raises
    ------
    MissingExtraError
        If pandas is not installed.
    """
    pandas = _import("pandas", "pip install pandas")
    series = {name: pandas.Series(values, dtype=_PANDAS[kind]) for name, kind, values in _columns(document)}
    return pandas.DataFrame(series)


def document_to_arrow(document: Document) -> Any:
    """Make an Arrow table of the records.

    Raises
    ------
    MissingExtraError
        If pyarrow is not installed.
    """
    arrow = _import("pyarrow", install_hint("parquet"))
    arrays = {
        name: arrow.array(values, type=getattr(arrow, _ARROW[kind])())
        for name, kind, values in _columns(document)
    }
    return arrow.table(arrays)


def _columns(document: Document) -> list[tuple[str, type, list[Any]]]:
    records = document.records
    rows = [
        [clean_field(value) if isinstance(value, str) else value for value in row] for row in records.rows
    ]
    return [(name, kind, [row[i] for row in rows]) for i, (name, kind) in enumerate(records.columns.items())]


def _import(module: str, remedy: str) -> ModuleType:
    try:
        return import_module(module)
    except ImportError:
        raise MissingExtraError(f"this table needs {module}: {remedy}") from None


def document_to_dict(document: Document) -> dict[str, object]:
    """Return the content of the JSON format as plain Python data; a list becomes the value of the document's name."""
    data = plain_data(document.data)
    return data if isinstance(data, dict) else {document.name: data}
