"""Readers of formats made of lines: plain text, TSV, CSV, JSON Lines and subtitles."""

import csv
import io
import json
import re
from collections.abc import Container, Iterator, Mapping, Sequence
from typing import NoReturn

from tertium.corpus.texts.tables import (
    BEGINNING,
    Group,
    SegmentColumn,
    Start,
    TextTable,
    check_unique_names,
    look_up,
)
from tertium.errors import InputError
from tertium.files.line_streams import LineStream
from tertium.files.paths import Address, default_name
from tertium.files.reading import BYTE_ORDER_MARK, decode_file, read_bytes, read_lines, read_text
from tertium.kernels.strings import TextColumn
from tertium.records import record
from tertium.values import ReferenceStreams

_MARK = BYTE_ORDER_MARK.encode()


@record
class TextFile:
    """A plain text file: one column, used as source, references or output of a system.

    White space at the end of a line is not part of the segment, as in sacreBLEU's command (`chrf:whitespace=yes`
    would count it). Texts passed from Python keep it, as in sacreBLEU's classes.
    """

    lines: TextColumn

    def __len__(self) -> int:
        return len(self.lines)

    def source(self, address: Address) -> SegmentColumn[str]:
        return self._column(address)

    def references(self, address: Address) -> SegmentColumn[Group]:
        column = self._column(address)
        return SegmentColumn(column.label, column.unit, ReferenceStreams([column.values]))

    def systems(self, address: Address) -> list[tuple[str, SegmentColumn[str]]]:
        return [(default_name(address), self._column(address))]

    def columns(self, texts: Container[str]) -> Mapping[str, SegmentColumn[str]]:  # noqa: ARG002 - it has none
        """Return no columns: a plain text file only has texts."""
        return {}

    def _column(self, address: Address) -> SegmentColumn[str]:
        if address.column is not None:
            raise InputError(
                f"{address.path} is plain text and has no column {address.column!r};"
                " columns exist in .tsv, .csv, .jsonl, .xlsx and .parquet files"
            )
        return SegmentColumn(address.label, "line", self.lines)


class TextStream:
    """The lines of a plain text file, read in batches."""

    def __init__(self, path: str, start: Start = BEGINNING) -> None:
        self._lines = LineStream(path, start_line=start.row, start_byte=start.byte)

    def read(self, n_rows: int) -> TextFile:
        block = self._lines.read_block(n_rows)
        lines = TextColumn.from_lines(block)
        if lines is None:
            self._lines.decode(block)  # raises and names the line
            raise AssertionError("the core and Python disagree about UTF-8")
        return TextFile(lines)

    def close(self) -> None:
        self._lines.close()


def read_text_file(path: str) -> TextFile:
    """Read plain text as a whole; `-` is standard input."""
    data = read_bytes(path)
    lines = TextColumn.from_lines(data.removeprefix(_MARK))
    if lines is None:
        decode_file(path, data)  # raises and names the line
        raise AssertionError("the core and Python disagree about UTF-8")
    return TextFile(lines)


class TSVTable(TextTable):
    """The rows below the header of a TSV file."""

    def __init__(
        self, path: str, header: list[str], rows: Sequence[Sequence[object]], *, first: int = 0
    ) -> None:
        super().__init__(path, first=first)
        self._header = header
        self._rows = rows

    def __len__(self) -> int:
        return len(self._rows)

    @property
    def names(self) -> list[str]:
        return self._header

    def number(self, row: int) -> int:
        """Return the line of a row (from 0); the header is line 1."""
        return self.first + row + 2

    def place(self, row: int) -> str:
        return f"line {self.number(row):,}"

    def values(self, name: str) -> list[object]:
        if name not in self._header:
            raise InputError(f"{self.path} has no column {name!r}; it has: {', '.join(self._header)}")
        index = self._header.index(name)
        return [row[index] for row in self._rows]


def read_tsv(path: str) -> TSVTable:
    """Read a TSV file; quotes and backslashes are text, an empty field is an empty string."""
    return parse_tsv(path, read_lines(path))


def parse_tsv(path: str, lines: list[str]) -> TSVTable:
    """Read the lines of a TSV file."""
    header = _parse_header(path, lines[:1])
    return TSVTable(path, header, _parse_rows(path, header, lines[1:]))


def read_docs(path: str) -> TSVTable:
    """Read the .docs file of mt-metrics-eval: a line per segment with its domain and its document."""
    rows = [line.split() for line in read_lines(path)]
    for number, row in enumerate(rows, start=1):
        if len(row) != 2:
            raise InputError(
                f"{path}: line {number:,} has {len(row)} fields, but it needs a domain and a document"
            )
    return DocsTable(path, ["domain", "document"], rows)


class DocsTable(TSVTable):
    """The rows of a .docs file, which has no header."""

    def number(self, row: int) -> int:
        return self.first + row + 1


class TSVStream:
    """The rows of a TSV file, read in batches."""

    def __init__(self, path: str, start: Start = BEGINNING) -> None:
        self._path = path
        self._header: list[str] | None = None
        self._lines = LineStream(path)
        if start.row:
            with self._lines as lines:
                self._header = _parse_header(path, lines.read_batch(1))
            self._lines = LineStream(path, start_line=start.row + 1, start_byte=start.byte)

    def read(self, n_rows: int) -> TSVTable:
        if self._header is None:
            self._header = _parse_header(self._path, self._lines.read_batch(1))
        first = self._lines.n_lines - 1  # without the header
        rows = _parse_rows(self._path, self._header, self._lines.read_batch(n_rows), first=first)
        return TSVTable(self._path, self._header, rows, first=first)

    def close(self) -> None:
        self._lines.close()


def _parse_header(path: str, lines: list[str]) -> list[str]:
    if not lines:
        raise InputError(f"{path} is empty; a TSV file starts with a row of column names")
    header = lines[0].split("\t")
    check_unique_names(f"{path}: line 1", header)
    return header


def _parse_rows(path: str, header: list[str], lines: list[str], *, first: int = 0) -> list[list[str]]:
    rows = [line.split("\t") for line in lines]
    if set(map(len, rows)) <= {len(header)}:
        return rows
    line, found = next(
        (line, len(row)) for line, row in enumerate(rows, start=first + 2) if len(row) != len(header)
    )
    raise InputError(
        f"{path}: line {line:,} has {found:,} fields but the header has {len(header):,};"
        " a tab always separates fields, even inside quotes"
    )


class CSVTable(TSVTable):
    """The rows below the header of a CSV file, whose quoted fields may extend over several lines."""

    def __init__(self, path: str, header: list[str], rows: list[list[str]], lines: list[int]) -> None:
        super().__init__(path, header, rows)
        self._lines = lines

    def number(self, row: int) -> int:
        """Return the line on which a row (from 0) ends."""
        if row < len(self._lines):
            return self._lines[row]
        return self._lines[-1] + 1 if self._lines else 2


def read_csv(path: str) -> CSVTable:
    r"""Read a CSV file (RFC 4180): fields may be quoted, `""` is a quote, an empty field is an empty string.

    Commas separate fields; semicolons do if the first line has semicolons and no comma, as spreadsheets write it where
    the comma is the decimal point.
    """
    text = read_text(path)
    first = text.partition("\n")[0]
    separator = ";" if ";" in first and "," not in first else ","
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    rows, lines = list[list[str]](), list[int]()
    try:
        for row in reader:
            rows.append(row)
            lines.append(reader.line_num)
    except csv.Error as error:
        raise InputError(f"{path}: line {reader.line_num:,} is not valid CSV: {error}") from None
    if not rows:
        raise InputError(f"{path} is empty; a CSV file starts with a row of column names")
    header, *found = rows
    check_unique_names(f"{path}: line 1", header)
    return CSVTable(path, header, _check_fields(path, header, found, lines[1:]), lines[1:])


def _check_fields(path: str, header: list[str], rows: list[list[str]], lines: list[int]) -> list[list[str]]:
    if len(header) == 1:
        rows = [row or [""] for row in rows]  # a blank line is an empty field
    for line, row in zip(lines, rows, strict=True):
        if len(row) != len(header):
            raise InputError(
                f"{path}: line {line:,} has {len(row):,} fields but the header has {len(header):,};"
                ' put quotes ("…") around fields with commas or line ends'
            )
    return rows


Record = dict[str, object]


class JSONTable(TextTable):
    """The objects of a JSONL file."""

    unit = "line"

    def __init__(self, path: str, names: list[str], records: list[Record], *, first: int = 0) -> None:
        super().__init__(path, first=first)
        self._names = names
        self._records = records

    def __len__(self) -> int:
        return len(self._records)

    @property
    def records(self) -> Sequence[Record]:
        """The objects, one per line."""
        return self._records

    @property
    def names(self) -> list[str]:
        """The keys of the file's first object; reading a column checks that all objects have it."""
        return self._names

    def check_names(self) -> None:
        names = frozenset(self._names)
        for row, entry in enumerate(self._records):
            if new := next((key for key in entry if key not in names), None):
                raise InputError(f"{self.path}: {self.place(row)} has a column {new!r}, but line 1 does not")

    def values(self, name: str) -> list[object]:
        return [self._value(row, entry, name) for row, entry in enumerate(self._records)]

    def _value(self, row: int, record: Record, name: str) -> object:
        try:
            return look_up(record, name)
        except KeyError:
            raise InputError(
                f"{self.path}: {self.place(row)} has no column {name!r}; it has: {', '.join(record)}"
            ) from None


def read_jsonl(path: str) -> JSONTable:
    """Read a JSONL file; raise on NaN, Infinity, repeated keys, blank lines and values that are not objects."""
    return parse_jsonl(path, read_lines(path))


def parse_jsonl(path: str, lines: list[str]) -> JSONTable:
    """Read the lines of a JSONL file."""
    records = _parse_all(path, lines)
    if not records:
        raise _empty(path)
    return JSONTable(path, list(records[0]), records)


class JSONStream:
    """The objects of a JSONL file, read in batches."""

    def __init__(self, path: str, start: Start = BEGINNING) -> None:
        self._path = path
        self._names: list[str] | None = None
        self._lines = LineStream(path)
        if start.row:
            with self._lines as lines:
                self._names = list(_parse(path, 1, lines.read_batch(1)[0]))
            self._lines = LineStream(path, start_line=start.row, start_byte=start.byte)

    def read(self, n_rows: int) -> JSONTable:
        first = self._lines.n_lines
        records = _parse_all(self._path, self._lines.read_batch(n_rows), first=first)
        if self._names is None:
            if not records:
                raise _empty(self._path)
            self._names = list(records[0])
        return JSONTable(self._path, self._names, records, first=first)

    def close(self) -> None:
        self._lines.close()


def _empty(path: str) -> InputError:
    return InputError(f"{path} has no lines: there is nothing to score")


def _parse_all(path: str, lines: list[str], *, first: int = 0) -> list[Record]:
    return [_parse(path, number, line) for number, line in enumerate(lines, start=first + 1)]


def _parse(path: str, number: int, line: str) -> Record:
    try:
        record = _DECODER.decode(line)
    except RecursionError:
        raise InputError(f"{path}: line {number:,} is nested too deeply") from None
    except ValueError as error:
        raise InputError(f"{path}: line {number:,} is not a JSON object: {_reason(line, error)}") from None
    if not isinstance(record, dict):
        raise InputError(f"{path}: line {number:,} is JSON but not an object; write {{...}} on each line")
    return record


def _reason(line: str, error: ValueError) -> str:
    if not line.strip():
        return "it is blank"
    if isinstance(error, json.JSONDecodeError):
        return f"{error.msg} at column {error.colno:,}"  # str(error) would say "line 1"
    return str(error)


def _record(pairs: list[tuple[str, object]]) -> Record:
    record = dict(pairs)
    if len(record) < len(pairs):
        raise ValueError("a key occurs twice")
    return record


def _reject_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not valid JSON; write null")


_DECODER = json.JSONDecoder(object_pairs_hook=_record, parse_constant=_reject_constant)


_TIME = r"(?:\d+:)?\d{1,2}:\d{2}[,.]\d{1,3}"
_TIMING = re.compile(rf"\s*{_TIME}\s*-->\s*{_TIME}(?:\s.*)?")
# Markup in cues: <i>, <v Speaker>, <00:01.500> and {\an8}.
_MARKUP = re.compile(r"<[^<>\n]*>|\{\\[^{}\n]*\}")


@record
class SubtitleFile(TextFile):
    """The texts of the cues; the lines of a cue are joined, and times, numbers and markup are left out."""

    def _column(self, address: Address) -> SegmentColumn[str]:
        if address.column is not None:
            raise InputError(f"{address.path} has subtitles and no column {address.column!r}")
        return SegmentColumn(address.label, "cue", self.lines)


def read_subtitles(path: str) -> SubtitleFile:
    """Read a file of subtitles.

    Raises
    ------
    InputError
        If a line with times is not valid, or there is no cue; the message names the line.
    """
    cues = list(_read_cues(path, read_lines(path)))
    if not cues:
        raise InputError(f"{path} has no subtitles; a cue begins with a line 00:00:01,000 --> 00:00:02,500")
    return SubtitleFile(TextColumn.keep(cues))


def _read_cues(path: str, lines: list[str]) -> Iterator[str]:
    number = 0
    while number < len(lines):
        line = lines[number]
        number += 1
        if "-->" not in line:
            continue  # a header, a comment, or the number or name of a cue
        if not _TIMING.fullmatch(line):
            raise InputError(
                f"{path}: line {number:,} is not a line of times such as 00:00:01,000 --> 00:00:02,500: {line!r}"
            )
        first = number
        while number < len(lines) and lines[number].strip() and "-->" not in lines[number]:
            number += 1
        yield " ".join(filter(None, map(_clean, lines[first:number])))


def _clean(line: str) -> str:
    import html  # noqa: PLC0415 - takes milliseconds, and only subtitles need it

    return " ".join(html.unescape(_MARKUP.sub("", line)).split())
