"""One table model, and a renderer for each format."""

from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path, PurePath
from typing import TextIO

from tertium.errors import InputError, OptionError, UnknownNameError
from tertium.files.writing import write_atomically
from tertium.presentation.tables.model import Document

__all__ = [
    "FILE_FORMATS",
    "FORMATS",
    "HUMAN_READABLE",
    "format_of_file",
    "print_document",
    "render_document",
    "write_document",
]

# The module and the function of each format.
_RENDERERS = {
    "text": "text:render_text",
    "json": "data_formats:render_json",
    "csv": "data_formats:render_csv",
    "safe-csv": "data_formats:render_safe_csv",
    "tsv": "data_formats:render_tsv",
    "md": "markdown:render_markdown",
    "latex": "latex:render_latex",
    "html": "html_fragment:render_html",
}

FORMATS = tuple(_RENDERERS)
"""The formats that every command has."""

FILE_FORMATS = ("xlsx",)
"""The formats that every command can write to a file, but not print."""

_SUFFIXES = {
    ".json": "json",
    ".csv": "csv",
    ".tsv": "tsv",
    ".md": "md",
    ".markdown": "md",
    ".tex": "latex",
    ".html": "html",
    ".htm": "html",
    ".xlsx": "xlsx",
    ".jsonl": "jsonl",
    ".parquet": "parquet",
    ".xml": "junit",
}
# Suffixes of formats that no command writes as a table, each with the reason or the remedy.
_UNSUPPORTED = {
    **dict.fromkeys((".xls", ".ods"), "write .xlsx or .csv"),
    **dict.fromkeys(
        (".doc", ".docx", ".odt", ".pdf", ".rtf", ".pptx"), "write .html, .md or .tex and convert it"
    ),
    **dict.fromkeys((".png", ".svg", ".jpg", ".jpeg"), "tables are not written as pictures"),
    **dict.fromkeys((".gz", ".xz", ".zip", ".bz2"), "tables are written uncompressed"),
    ".run": "a run is saved by 'tertium score'",
}

HUMAN_READABLE = ("text", "md", "latex", "html")
"""The formats that show tables with marks and notes, rather than records or data."""


def format_of_file(path: str | None, forms: Sequence[str]) -> str:
    """Choose the format of an output file by its suffix; files without a known suffix are text.

    Raises
    ------
    OptionError
        If the suffix is that of a format that cannot be written.
    """
    suffix = "" if path is None else PurePath(path).suffix.lower()
    form = "" if suffix in _UNSUPPORTED else _SUFFIXES.get(suffix, "text")
    if form in forms:
        return form
    remedy = _UNSUPPORTED.get(suffix, f"choose from .txt, {', '.join(_suffixes_of(forms))}")
    raise OptionError(f"{path}: this table cannot be written as {suffix}; {remedy}")


def _suffixes_of(forms: Sequence[str]) -> list[str]:
    return [suffix for suffix, form in _SUFFIXES.items() if form in forms]


def write_document(document: Document, path: str, form: str | None = None) -> None:
    """Write a document to a file, completely or not at all, in the format of its suffix or in the given one."""
    chosen = form or format_of_file(path, (*FORMATS, *FILE_FORMATS))
    if chosen == "xlsx":
        from tertium.presentation.tables.xlsx import render_xlsx  # noqa: PLC0415 - few files are workbooks

        data = render_xlsx(document, path)
    else:
        data = render_document(document, chosen).encode()
    with write_atomically(Path(path), InputError) as temporary:
        temporary.write_bytes(data)


def render_document(document: Document, form: str, *, signatures: bool = False) -> str:
    """Write a document in one of FORMATS.

    Parameters
    ----------
    signatures
        In text, also write the metrics' signatures; the other formats always have them.
    """
    if form not in _RENDERERS:
        raise UnknownNameError(f"unknown format {form!r}; choose from {', '.join(FORMATS)}")
    module, _, name = _RENDERERS[form].partition(":")
    render: Callable[..., str] = getattr(import_module(f"{__name__}.{module}"), name)
    options = {"signatures": signatures} if form == "text" else {}
    return render(document, **options)


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
    from tertium.presentation.tables.terminal import print_to_terminal  # noqa: PLC0415 - rich starts slowly

    print_to_terminal(document, signatures=signatures, file=file, width=width)
