"""A document's records as a pandas DataFrame or an Arrow table."""

from importlib import import_module
from types import ModuleType
from typing import Any

from tertium.errors import MissingExtraError
from tertium.files.extras import install_hint
from tertium.report.tables.cleaning import clean_field
from tertium.report.tables.model import Document

__all__ = ["document_to_arrow", "document_to_pandas"]

# Nullable types, so that a missing rank does not make floats of the others.
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
