"""Which reader a file gets: its suffix decides, below `.gz` and `.xz`; unknown suffixes are plain text."""

from collections.abc import Callable, Sequence

from tertium.corpus.texts.columns import Document
from tertium.corpus.texts.jsonl import read_jsonl
from tertium.corpus.texts.lines import TextFile
from tertium.corpus.texts.parquet import read_parquet
from tertium.corpus.texts.sgml import read_sgml
from tertium.corpus.texts.tables import Cell, Table
from tertium.corpus.texts.tsv import read_tsv
from tertium.corpus.texts.wmt_xml import read_xml
from tertium.errors import InputError
from tertium.files.addresses import STDIN, format_suffix
from tertium.files.reading import read_lines

__all__ = ["open_table", "read_document", "read_table"]

_TABLES: dict[str, Callable[[str], Table]] = {
    ".tsv": read_tsv,
    ".jsonl": read_jsonl,
    ".ndjson": read_jsonl,
    ".parquet": read_parquet,
}
_READERS: dict[str, Callable[[str], Document]] = {
    **_TABLES,
    ".sgm": read_sgml,
    ".sgml": read_sgml,
    ".xml": read_xml,
}


def read_document(path: str) -> Document:
    """Read a file of any format; `-` is plain text on standard input."""
    if path != STDIN and (reader := _READERS.get(format_suffix(path))):
        return reader(path)
    return TextFile(read_lines(path))


def read_table(path: str, columns: Sequence[str]) -> dict[str, list[Cell]]:
    """Read named columns of a TSV, JSONL or Parquet file.

    A cell is a string, a tuple of strings (a JSON or Parquet list, whose nulls are left out) or None (a
    null). In JSONL and Parquet a column may be a dotted path, such as `meta.ref`; a column that really
    has the dotted name goes first.

    Raises
    ------
    InputError
        If a column or a cell is missing or a cell holds anything else, with the file and the line.
    """
    table = open_table(path)
    return {column: table.cells(column) for column in columns}


def open_table(path: str) -> Table:
    """Open a TSV, JSONL or Parquet file."""
    reader = _TABLES.get(format_suffix(path))
    if reader is None:
        raise InputError(f"{path} is not a table; tables are called {', '.join(_TABLES)} (also .gz, .xz)")
    return reader(path)
