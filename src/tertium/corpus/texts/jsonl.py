"""JSON Lines: an object a line, whose keys (or dotted paths of keys) are the columns."""

import json
from typing import NoReturn

from tertium.corpus.texts.columns import BEGINNING, Start
from tertium.corpus.texts.tables import Table, look_up
from tertium.errors import InputError
from tertium.files.line_streams import open_text
from tertium.files.reading import read_lines

__all__ = ["JSONStream", "JSONTable", "read_jsonl"]

Record = dict[str, object]


class JSONTable(Table):
    """The objects of a JSONL file."""

    unit = "line"

    def __init__(self, path: str, names: list[str], records: list[Record], *, first: int = 0) -> None:
        super().__init__(path, first=first)
        self._names = names
        self._records = records

    def __len__(self) -> int:
        return len(self._records)

    @property
    def names(self) -> list[str]:
        """The keys of the file's first object; the others are held to it when a column is read."""
        return self._names

    def check_names(self) -> None:
        names = frozenset(self._names)
        for row, record in enumerate(self._records):
            if new := next((key for key in record if key not in names), None):
                raise InputError(f"{self.path}: {self.place(row)} has a column {new!r}, which line 1 lacks")

    def values(self, name: str) -> list[object]:
        return [self._value(row, record, name) for row, record in enumerate(self._records)]

    def _value(self, row: int, record: Record, name: str) -> object:
        try:
            return look_up(record, name)
        except KeyError:
            raise InputError(
                f"{self.path}: {self.place(row)} has no column {name!r}; it has: {', '.join(record)}"
            ) from None


def read_jsonl(path: str) -> JSONTable:
    """Read a JSONL file; NaN, Infinity, repeated keys, blank lines and anything but objects are refused."""
    records = _parse_all(path, read_lines(path))
    if not records:
        raise _empty(path)
    return JSONTable(path, list(records[0]), records)


class JSONStream:
    """The objects of a JSONL file, some at a time."""

    def __init__(self, path: str, start: Start = BEGINNING) -> None:
        self._path = path
        self._names: list[str] | None = None
        self._lines = open_text(path)
        if start.row:
            with self._lines as lines:
                self._names = list(_parse(path, 1, lines.read_batch(1)[0]))
            self._lines = open_text(path, start_line=start.row, start_byte=start.byte)

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
        raise InputError(f"{path}: line {number:,} nests too deeply to be read") from None
    except ValueError as error:
        raise InputError(f"{path}: line {number:,} is not a JSON object: {_reason(line, error)}") from None
    if not isinstance(record, dict):
        raise InputError(
            f"{path}: line {number:,} is not a JSON object but other JSON; write {{...}} on each line"
        )
    return record


def _reason(line: str, error: ValueError) -> str:
    if not line.strip():
        return "it is blank"
    if isinstance(error, json.JSONDecodeError):
        return f"{error.msg} at column {error.colno:,}"  # its own text would say "line 1"
    return str(error)


def _record(pairs: list[tuple[str, object]]) -> Record:
    record = dict(pairs)
    if len(record) < len(pairs):
        raise ValueError("a key occurs twice in it")
    return record


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"JSON has no {name}; write null")


_DECODER = json.JSONDecoder(object_pairs_hook=_record, parse_constant=_refuse_constant)
