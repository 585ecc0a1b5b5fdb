"""The table of text formats by suffix, and functions that choose the reader of a file."""

from collections.abc import Callable, Sequence

from tertium.corpus.texts.line_formats import (
    JSONStream,
    TextStream,
    TSVStream,
    read_jsonl,
    read_text_file,
    read_tsv,
)
from tertium.corpus.texts.parquet import ParquetStream, read_parquet
from tertium.corpus.texts.tables import (
    BEGINNING,
    Cell,
    RowStream,
    Start,
    TextDocument,
    TextTable,
    format_count,
)
from tertium.errors import InputError
from tertium.files.paths import STDIN, format_suffix


def _read_markup(path: str) -> TextDocument:
    from tertium.corpus.texts.markup import read_sgml, read_xml  # noqa: PLC0415 - few runs read such files

    return read_xml(path) if format_suffix(path) == ".xml" else read_sgml(path)


_TABLES: dict[str, Callable[[str], TextTable]] = {
    ".tsv": read_tsv,
    ".jsonl": read_jsonl,
    ".ndjson": read_jsonl,
    ".parquet": read_parquet,
}
_READERS: dict[str, Callable[[str], TextDocument]] = {
    **_TABLES,
    ".sgm": _read_markup,
    ".sgml": _read_markup,
    ".xml": _read_markup,
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
    """Open a file to read it in batches of rows; raise for SGML and XML, which can only be read as a whole."""
    suffix = "" if path == STDIN else format_suffix(path)
    if not is_streamed(path):
        raise InputError(
            f"{path}: {suffix} files can only be read as a whole; give .txt, .tsv, .jsonl or .parquet files"
        )
    return _STREAMS.get(suffix, TextStream)(path, start)


def is_streamed(path: str) -> bool:
    """Whether a file of this format can be read in batches of rows."""
    suffix = format_suffix(path)
    return path == STDIN or suffix not in _READERS or suffix in _STREAMS


def read_table(path: str, columns: Sequence[str]) -> dict[str, list[Cell]]:
    """Read named columns of a TSV, JSONL or Parquet file.

    A cell is a string, a tuple of strings (a JSON or Parquet list, without its nulls) or None (a null). In JSONL
    and Parquet a column may be a dotted path, such as `meta.ref`; a column whose name contains the dot takes
    precedence.

    Raises
    ------
    InputError
        If a column or a cell is missing or a cell holds any other value; the message names the file and the line.
    """
    table = open_table(path)
    return {column: table.cells(column) for column in columns}


def open_table(path: str) -> TextTable:
    """Open a TSV, JSONL or Parquet file."""
    check_is_table(path)
    return _TABLES[format_suffix(path)](path)


def check_is_table(path: str) -> None:
    """Raise if the file's suffix is not that of a table."""
    if format_suffix(path) not in _TABLES:
        raise InputError(
            f"{path} is not a table; tables have the suffix {', '.join(_TABLES)} (also .gz, .xz)"
        )


def read_columns(path: str, n_segments: int) -> dict[str, list[str]]:
    """Read the columns of a TSV (with a header), JSONL or Parquet file that has one row per segment.

    Values are strings: numbers in JSON notation, null as the empty string.

    Raises
    ------
    InputError
        If there are more or fewer rows than segments, a column has no name or occurs twice, a row lacks
        a value or holds a list or an object; the message names the file and the line.
    """
    table = open_table(path)
    columns = parse_columns(table)
    check_row_count(table, len(table), n_segments)
    return columns


def parse_columns(table: TextTable) -> dict[str, list[str]]:
    """Convert all columns of a table, or of some of its rows, to strings."""
    table.check_names()
    if "" in table.names:
        raise InputError(f"{table.path}: a column has no name; name it, or remove it")
    if not table.names:
        raise InputError(f"{table.path} has no columns; name at least one, such as domain")
    return {name: table.plain_values(name) for name in table.names}


def check_row_count(table: TextTable, n_rows: int, n_segments: int) -> None:
    """Raise if the file of a table has more or fewer rows than there are segments."""
    if n_rows != n_segments:
        surplus = table.place(n_segments - table.first)
        place = f"segment {n_rows + 1:,}" if n_rows < n_segments else surplus
        raise InputError(
            f"{table.path} has {format_count(n_rows, 'row')} but there are {format_count(n_segments, 'segment')}"
            f" (first unmatched: {place}); give each segment one row"
        )
