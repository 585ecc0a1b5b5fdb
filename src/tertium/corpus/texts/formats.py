"""The table of text formats by suffix, and functions that choose the reader of a file."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Literal

from tertium.corpus.texts.line_formats import (
    JSONStream,
    TextStream,
    TSVStream,
    read_csv,
    read_docs,
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
from tertium.errors import InputError, argument
from tertium.files.paths import STDIN, format_suffix, show_path


def _read_sgml(path: str) -> TextDocument:
    from tertium.corpus.texts.markup import read_sgml  # noqa: PLC0415 - few runs read such files

    return read_sgml(path)


def _read_xml(path: str) -> TextDocument:
    from tertium.corpus.texts.exchange import read_xml_file  # noqa: PLC0415 - as above

    return read_xml_file(path)


def _read_xlsx(path: str) -> TextTable:
    from tertium.corpus.texts.xlsx import read_xlsx  # noqa: PLC0415 - as above

    return read_xlsx(path)


def _read_subtitles(path: str) -> TextDocument:
    from tertium.corpus.texts.subtitles import read_subtitles  # noqa: PLC0415 - as above

    return read_subtitles(path)


_TABLES: dict[str, Callable[[str], TextTable]] = {
    ".tsv": read_tsv,
    ".csv": read_csv,
    ".jsonl": read_jsonl,
    ".ndjson": read_jsonl,
    ".parquet": read_parquet,
    ".xlsx": _read_xlsx,
    ".docs": read_docs,
}
_READERS: dict[str, Callable[[str], TextDocument]] = {
    **_TABLES,
    ".srt": _read_subtitles,
    ".vtt": _read_subtitles,
    ".sgm": _read_sgml,
    ".sgml": _read_sgml,
    **dict.fromkeys((".xml", ".xlf", ".xliff", ".sdlxliff", ".mqxliff", ".mxliff", ".tmx"), _read_xml),
}
_STREAMS: dict[str, Callable[[str, Start], RowStream]] = {
    ".tsv": TSVStream,
    ".jsonl": JSONStream,
    ".ndjson": JSONStream,
    ".parquet": ParquetStream,
}

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

InputFormat = Literal["text", "tsv", "csv", "jsonl", "parquet", "xlsx", "xml", "sgml", "srt", "vtt"]
"""The names of input formats, for files whose suffix does not say their format."""

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
    """Return the suffix that stands for the format of a file of texts: its own, or that of the chosen format."""
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
        If the file cannot be read, or its suffix is that of a format that is not plain text and not supported.
    """
    reader = _READERS.get(text_suffix(path))
    return read_text_file(path) if reader is None else reader(path)


def has_reader(path: str) -> bool:
    """Whether a file of this format is not read line by line."""
    return text_suffix(path) in _READERS


def open_rows(path: str, start: Start = BEGINNING) -> RowStream:
    """Open a file to read it in batches of rows; raise for formats that can only be read as a whole."""
    suffix = text_suffix(path)
    if not is_streamed(path):
        raise InputError(
            f"{path}: {suffix} files can only be read as a whole; give .txt, .tsv, .jsonl or .parquet files"
        )
    return _STREAMS.get(suffix, TextStream)(path, start)


def is_streamed(path: str) -> bool:
    """Whether a file of this format can be read in batches of rows."""
    suffix = text_suffix(path)
    return suffix not in _READERS or suffix in _STREAMS


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
    return _TABLES[format_suffix(path)](path)


def check_is_table(path: str) -> None:
    """Raise if the file's suffix is not that of a table."""
    if format_suffix(path) not in _TABLES:
        raise InputError(
            f"{path} is not a table; tables have the suffix {', '.join(_TABLES)} (also .gz, .xz)"
        )


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
