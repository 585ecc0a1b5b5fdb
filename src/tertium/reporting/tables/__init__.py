"""One table model, and a renderer for each format."""

from collections.abc import Callable, Mapping
from typing import TextIO

from tertium.errors import OptionError, UnknownNameError
from tertium.reporting.tables.data_formats import (
    document_to_arrow,
    document_to_pandas,
    guard_formulas,
    plain_data,
    render_csv,
    render_json,
    render_tsv,
)
from tertium.reporting.tables.html_fragment import render_html
from tertium.reporting.tables.latex import render_latex
from tertium.reporting.tables.markdown import render_markdown
from tertium.reporting.tables.model import Document
from tertium.reporting.tables.text import render_text

__all__ = [
    "FORMATS",
    "HUMAN_READABLE",
    "document_to_arrow",
    "document_to_dict",
    "document_to_pandas",
    "print_document",
    "render_document",
]

_RENDERERS: Mapping[str, Callable[[Document], str]] = {
    "text": render_text,
    "json": render_json,
    "csv": render_csv,
    "tsv": render_tsv,
    "md": render_markdown,
    "latex": render_latex,
    "html": render_html,
}

FORMATS = tuple(_RENDERERS)
"""The formats that every command has."""

HUMAN_READABLE = ("text", "md", "latex", "html")
"""The formats that show tables with marks and notes, rather than records or data."""


def render_document(document: Document, form: str, *, spreadsheet_safe: bool = False) -> str:
    """Write a document in one of FORMATS.

    Parameters
    ----------
    spreadsheet_safe
        In CSV and TSV, put an apostrophe before texts that a spreadsheet would read as formulas.
    """
    if form not in _RENDERERS:
        raise UnknownNameError(f"unknown format {form!r}; choose from {', '.join(FORMATS)}")
    if not spreadsheet_safe:
        return _RENDERERS[form](document)
    if form not in ("csv", "tsv"):
        raise OptionError(f"only csv and tsv can be made safe for spreadsheets, not {form}")
    return _RENDERERS[form](guard_formulas(document))


def print_document(
    document: Document, *, signatures: bool = False, file: TextIO | None = None, width: int | None = None
) -> None:
    """Print a document on a terminal, in colours and fitted to its width.

    Parameters
    ----------
    signatures
        Print the metrics' signatures; otherwise a hint says how to see them.
    file, width
        The output and its width. [default: standard output and the width of the terminal]
    """
    from tertium.reporting.tables.terminal import print_to_terminal  # noqa: PLC0415 - rich starts slowly

    print_to_terminal(document, signatures=signatures, file=file, width=width)


def document_to_dict(document: Document) -> dict[str, object]:
    """Return the content of the JSON format as plain Python data; a list becomes the value of the document's name."""
    data = plain_data(document.data)
    return data if isinstance(data, dict) else {document.name: data}
