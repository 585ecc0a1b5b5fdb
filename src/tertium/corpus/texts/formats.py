"""The table of text formats by suffix, and functions that choose the reader of a file."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from typing import Literal

from tertium.corpus.texts.binary_tables import ParquetStream
from tertium.corpus.texts.line_formats import (
    JSONStream,
    TextStream,
    TSVStream,
    read_text_file,
)
from tertium.corpus.texts.tables import (
    BEGINNING,
    Cell,
    RowStream,
    Start,
    TextDocument,
    TextTable,
    format_count,
)
from tertium.errors import InputError, argument
from tertium.files.paths import STDIN, format_suffix, show_path
from tertium.records import record

InputFormat = Literal["text", "tsv", "csv", "jsonl", "parquet", "xlsx", "xml", "sgml", "srt", "vtt"]
"""The names of input formats, for files whose suffix does not say their format."""

_PACKAGE = "tertium.corpus.texts"


@record(kw_only=True)
class _TextFormat:
    """A format of texts that is not read line by line.

    Attributes
    ----------
    name
        Its name for the option `input_format`; None if only suffixes choose it.
    reader
        The module and the function that read a file as a whole, imported when a file needs them.
    is_table
        Whether the file has named columns.
    stream
        Opens the file to read it in batches of rows, if the format allows it.
    """

    name: InputFormat | None
    suffixes: tuple[str, ...]
    reader: str
    is_table: bool = False
    stream: Callable[[str, Start], RowStream] | None = None

    def read(self, path: str) -> TextDocument:
        """Read a file as a whole."""
        module, _, name = self.reader.partition(":")
        document: TextDocument = getattr(import_module(f"{_PACKAGE}.{module}"), name)(path)
        return document


_FORMATS = (
    _TextFormat(
        name="tsv", suffixes=(".tsv",), reader="line_formats:read_tsv", is_table=True, stream=TSVStream
    ),
    _TextFormat(name="csv", suffixes=(".csv",), reader="line_formats:read_csv", is_table=True),
    _TextFormat(
        name="jsonl",
        suffixes=(".jsonl", ".ndjson"),
        reader="line_formats:read_jsonl",
        is_table=True,
        stream=JSONStream,
    ),
    _TextFormat(
        name="parquet",
        suffixes=(".parquet",),
        reader="binary_tables:read_parquet",
        is_table=True,
        stream=ParquetStream,
    ),
    _TextFormat(name="xlsx", suffixes=(".xlsx",), reader="binary_tables:read_xlsx", is_table=True),
    _TextFormat(name=None, suffixes=(".docs",), reader="line_formats:read_docs", is_table=True),
    _TextFormat(name="srt", suffixes=(".srt",), reader="line_formats:read_subtitles"),
    _TextFormat(name="vtt", suffixes=(".vtt",), reader="line_formats:read_subtitles"),
    _TextFormat(name="sgml", suffixes=(".sgml", ".sgm"), reader="markup:read_sgml"),
    _TextFormat(
        name="xml",
        suffixes=(".xml", ".xlf", ".xliff", ".sdlxliff", ".mqxliff", ".mxliff", ".tmx"),
        reader="exchange:read_xml_file",
    ),
)
"""The formats of texts, a row each; all other files are plain text."""

_BY_SUFFIX = {suffix: form for form in _FORMATS for suffix in form.suffixes}

# Formats that would be scored as nonsense if they were read line by line, with the remedy.
_WORD, _SHEET, _PACKED = "a word processor's document", "a spreadsheet", "unpack it first"
_UNSUPPORTED: dict[str, tuple[str, str]] = {
    **dict.fromkeys((".doc", ".docx", ".odt", ".rtf", ".pages"), (_WORD, "save its text as .txt or .csv")),
    **dict.fromkeys((".xls", ".ods", ".xlsm", ".numbers"), (_SHEET, "save it as .xlsx or .csv")),
    **dict.fromkeys((".ppt", ".pptx", ".odp", ".key"), ("a presentation", "save its text as .txt")),
    **dict.fromkeys((".pdf", ".epub", ".ps"), ("a document with a layout", "save its text as .txt")),
    **dict.fromkeys((".html", ".htm", ".xhtml"), ("a web page", "save its text as .txt")),
    **dict.fromkeys((".zip", ".tar", ".tgz", ".7z", ".rar", ".bz2", ".zst"), ("an archive", _PACKED)),
    **dict.fromkeys((".png", ".jpg", ".jpeg", ".gif", ".svg"), ("a picture", "give a text file")),
    ".json": ("JSON, which may hold anything", "write one object per line and name it .jsonl"),
    ".run": ("a run", "use 'tertium show', compare, gate or report"),
    ".pickle": ("a pickle", "write its texts as .jsonl"),
    ".pkl": ("a pickle", "write its texts as .jsonl"),
    ".po": ("a gettext catalogue", "convert it to .xliff, for example with po2xliff"),
}

# A stack for all threads, because the parts of a text are read on several; most runs choose formats by suffix.
_chosen: list[InputFormat] = []


@contextmanager
def use_input_format(form: InputFormat | None) -> Iterator[None]:
    """Read all files of texts in this format, regardless of their suffixes; None chooses by suffix."""
    if form is None:
        yield
        return
    _chosen.append(form)
    try:
        yield
    finally:
        _chosen.pop()


def text_suffix(path: str) -> str:
    """Return the suffix that stands for the format of a file of texts: its own, or the suffix of the chosen format."""
    if path == STDIN:
        return ""
    if _chosen:
        return "" if _chosen[-1] == "text" else f".{_chosen[-1]}"
    suffix = format_suffix(path)
    if suffix in _UNSUPPORTED:
        kind, remedy = _UNSUPPORTED[suffix]
        raise InputError(
            f"{show_path(path)}: {suffix} is {kind}, not plain text; {remedy}, or read it line by line with"
            f" {argument('input_format', 'text')}"
        )
    return suffix


def read_document(path: str) -> TextDocument:
    """Read a file of any format; `-` is plain text on standard input.

    Raises
    ------
    InputError
        If the file cannot be read, or its suffix belongs to an unsupported format that is not plain text.
    """
    form = _BY_SUFFIX.get(text_suffix(path))
    return read_text_file(path) if form is None else form.read(path)


def has_reader(path: str) -> bool:
    """Whether a file of this format is not read line by line."""
    return text_suffix(path) in _BY_SUFFIX


def open_rows(path: str, start: Start = BEGINNING) -> RowStream:
    """Open a file to read it in batches of rows; raise for formats that can only be read as a whole."""
    suffix = text_suffix(path)
    if not is_streamed(path):
        raise InputError(
            f"{path}: {suffix} files can only be read as a whole; give .txt, .tsv, .jsonl or .parquet files"
        )
    form = _BY_SUFFIX.get(suffix)
    stream = TextStream if form is None or form.stream is None else form.stream
    return stream(path, start)


def is_streamed(path: str) -> bool:
    """Whether a file of this format can be read in batches of rows."""
    form = _BY_SUFFIX.get(text_suffix(path))
    return form is None or form.stream is not None


def read_table(path: str, columns: Sequence[str]) -> dict[str, list[Cell]]:
    """Read named columns of a table: TSV, CSV, JSONL, Parquet or XLSX.

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
    """Open a table: TSV, CSV, JSONL, Parquet or XLSX."""
    check_is_table(path)
    table = _BY_SUFFIX[format_suffix(path)].read(path)
    assert isinstance(table, TextTable)  # noqa: S101 - the row of the format says so
    return table


def check_is_table(path: str) -> None:
    """Raise if the file's suffix does not belong to a table."""
    tables = [suffix for suffix, form in _BY_SUFFIX.items() if form.is_table]
    if format_suffix(path) not in tables:
        raise InputError(f"{path} is not a table; tables have the suffix {', '.join(tables)} (also .gz, .xz)")


def read_columns(path: str, n_segments: int) -> dict[str, list[str]]:
    """Read the columns of a table (TSV, CSV, JSONL, Parquet or XLSX) that has one row per segment.

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
