"""Which reader a file gets: its suffix decides, below `.gz` and `.xz`; unknown suffixes are plain text."""

from collections.abc import Callable, Sequence

from tertium.corpus.texts.columns import BEGINNING, Document, RowStream, Start
from tertium.corpus.texts.jsonl import JSONStream, read_jsonl
from tertium.corpus.texts.lines import TextStream, read_text_file
from tertium.corpus.texts.parquet import ParquetStream, read_parquet
from tertium.corpus.texts.sgml import read_sgml
from tertium.corpus.texts.tables import Cell, Table
from tertium.corpus.texts.tsv import TSVStream, read_tsv
from tertium.corpus.texts.wmt_xml import read_xml
from tertium.errors import InputError
from tertium.files.addresses import STDIN, format_suffix

__all__ = ["check_is_table", "is_streamed", "open_rows", "open_table", "read_document", "read_table"]

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
_STREAMS: dict[str, Callable[[str, Start], RowStream]] = {
    ".tsv": TSVStream,
    ".jsonl": JSONStream,
    ".ndjson": JSONStream,
    ".parquet": ParquetStream,
}


def read_document(path: str) -> Document:
    """Read a file of any format; `-` is plain text on standard input."""
    if path != STDIN and (reader := _READERS.get(format_suffix(path))):
        return reader(path)
    return read_text_file(path)


def open_rows(path: str, start: Start = BEGINNING) -> RowStream:
    """Open a file to read it some rows at a time; SGML and XML cannot be read so."""
    suffix = "" if path == STDIN else format_suffix(path)
    if not is_streamed(path):
        raise InputError(
            f"{path}: {suffix} files are read as a whole; give .txt, .tsv, .jsonl or .parquet files"
        )
    return _STREAMS.get(suffix, TextStream)(path, start)


def is_streamed(path: str) -> bool:
    """Whether a file of this name can be read some rows at a time."""
    suffix = format_suffix(path)
    return path == STDIN or suffix not in _READERS or suffix in _STREAMS


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
    check_is_table(path)
    return _TABLES[format_suffix(path)](path)


def check_is_table(path: str) -> None:
    """Raise if a file of this name holds no table."""
    if format_suffix(path) not in _TABLES:
        raise InputError(f"{path} is not a table; tables are called {', '.join(_TABLES)} (also .gz, .xz)")
