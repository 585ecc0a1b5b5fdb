"""Choose the reader of a file by its suffix, and read the columns that describe segments."""

from collections.abc import Callable, Sequence

from tertium.corpus.texts.line_formats import (
    JSONStream,
    TextStream,
    TSVStream,
    read_jsonl,
    read_text_file,
    read_tsv,
)
from tertium.corpus.texts.markup import read_sgml, read_xml
from tertium.corpus.texts.parquet import ParquetStream, read_parquet
from tertium.corpus.texts.tables import BEGINNING, Cell, RowStream, Start, TextDocument, TextTable, count
from tertium.errors import InputError
from tertium.files.paths import STDIN, format_suffix

_TABLES: dict[str, Callable[[str], TextTable]] = {
    ".tsv": read_tsv,
    ".jsonl": read_jsonl,
    ".ndjson": read_jsonl,
    ".parquet": read_parquet,
}
_READERS: dict[str, Callable[[str], TextDocument]] = {
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


def read_document(path: str) -> TextDocument:
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


def open_table(path: str) -> TextTable:
    """Open a TSV, JSONL or Parquet file."""
    check_is_table(path)
    return _TABLES[format_suffix(path)](path)


def check_is_table(path: str) -> None:
    """Raise if a file of this name holds no table."""
    if format_suffix(path) not in _TABLES:
        raise InputError(f"{path} is not a table; tables are called {', '.join(_TABLES)} (also .gz, .xz)")


def read_columns(path: str, n_segments: int) -> dict[str, list[str]]:
    """Read the columns of a TSV (with a header), JSONL or Parquet file that has a row per segment.

    Values are strings: numbers as they are written, null as the empty string.

    Raises
    ------
    InputError
        If there are more or fewer rows than segments, a column has no name or occurs twice, a row lacks
        a value or holds a list or an object; with the file and the line.
    """
    table = open_table(path)
    columns = columns_in(table)
    check_row_count(table, len(table), n_segments)
    return columns


def columns_in(table: TextTable) -> dict[str, list[str]]:
    """Take all columns of a table, or of some of its rows, as strings."""
    table.check_names()
    if "" in table.names:
        raise InputError(f"{table.path}: a column has no name; name it, or take it out")
    if not table.names:
        raise InputError(f"{table.path} has no columns; name at least one, such as domain")
    return {name: table.plain_values(name) for name in table.names}


def check_row_count(table: TextTable, n_rows: int, n_segments: int) -> None:
    """Raise if the file behind a table has more or fewer rows than there are segments."""
    if n_rows != n_segments:
        more = table.place(n_segments - table.first)
        place = f"segment {n_rows + 1:,}" if n_rows < n_segments else more
        raise InputError(
            f"{table.path} has {count(n_rows, 'row')} but there are {count(n_segments, 'segment')}"
            f" (first unmatched: {place}); give each segment one row"
        )
