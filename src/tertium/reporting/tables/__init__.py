"""One table model, and a renderer for each format."""

from collections.abc import Callable
from importlib import import_module
from typing import TextIO

from tertium.errors import OptionError, UnknownNameError
from tertium.reporting.tables.data_formats import (
    document_to_arrow,
    document_to_pandas,
    guard_formulas,
    plain_data,
)
from tertium.reporting.tables.model import Document

__all__ = [
    "FORMATS",
    "HUMAN_READABLE",
    "document_to_arrow",
    "document_to_dict",
    "document_to_pandas",
    "print_document",
    "render_document",
]

# The module and the function of each format.
_RENDERERS = {
    "text": "text:render_text",
    "json": "data_formats:render_json",
    "csv": "data_formats:render_csv",
    "tsv": "data_formats:render_tsv",
    "md": "markdown:render_markdown",
    "latex": "latex:render_latex",
    "html": "html_fragment:render_html",
}

FORMATS = tuple(_RENDERERS)
"""The formats that every command has."""

HUMAN_READABLE = ("text", "md", "latex", "html")
"""The formats that show tables with marks and notes, rather than records or data."""


def render_document(
    document: Document, form: str, *, spreadsheet_safe: bool = False, signatures: bool = False
) -> str:
    """Write a document in one of FORMATS.

    Parameters
    ----------
    signatures
        In text, also write the metrics' signatures; the other formats always have them.
    spreadsheet_safe
        In CSV and TSV, put an apostrophe before texts that a spreadsheet would read as formulas.
    """
    if form not in _RENDERERS:
        raise UnknownNameError(f"unknown format {form!r}; choose from {', '.join(FORMATS)}")
    if spreadsheet_safe and form not in ("csv", "tsv"):
        raise OptionError(f"only csv and tsv can be made safe for spreadsheets, not {form}")
    module, _, name = _RENDERERS[form].partition(":")
    render: Callable[..., str] = getattr(import_module(f"{__name__}.{module}"), name)
    options = {"signatures": signatures} if form == "text" else {}
    return render(guard_formulas(document) if spreadsheet_safe else document, **options)


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
