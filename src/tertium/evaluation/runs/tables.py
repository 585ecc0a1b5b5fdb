"""The tables of a run: NumPy arrays and JSON Lines, both compressed with gzip."""

import gzip
import io
import json
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from itertools import chain, pairwise
from typing import Any

import numpy as np

from tertium.errors import InputError
from tertium.files.archive import Archive
from tertium.kernels.strings import TextColumn, parse_rows
from tertium.records import record
from tertium.values import FloatArray, OffsetArray, ReferenceStreams

SEGMENTS = "segments.jsonl.gz"

_LEVEL = 1  # higher levels take several times as long and save little on counts
_GZIP = 31  # zlib's number for a gzip header and the largest window
_HEADER_SIZE = 1024  # more than the header of any array here
# Texts that expand to more than both limits were not written here.
_MAX_EXPANSION, _MAX_SMALL = 200, 1 << 26
_LINES_AT_ONCE = 10_000


def write_array(kind: str, number: int, table: FloatArray) -> dict[str, bytes]:
    """Write an array as a member of a run; whole numbers are stored as integers where no bit is lost."""
    content = io.BytesIO()
    np.lib.format.write_array(content, _narrow(np.ascontiguousarray(table)), (1, 0), allow_pickle=False)
    return {_array_name(kind, number): gzip.compress(content.getvalue(), _LEVEL, mtime=0)}


def write_segments(path: str, columns: Mapping[str, Sequence[Any]]) -> dict[str, bytes]:
    """Write columns as JSON Lines, an object per segment.

    Raises
    ------
    InputError
        If a text has an unpaired surrogate; the message names `path` and the column.
    """
    names = list(columns)
    rows = zip(*columns.values(), strict=True)
    lines = (json.dumps(dict(zip(names, row, strict=True)), ensure_ascii=False) for row in rows)
    try:
        content = "".join(f"{line}\n" for line in lines).encode()
    except UnicodeEncodeError:
        name = next(name for name, values in columns.items() if not _is_encodable(values))
        raise InputError(
            f"{path} cannot be written: {name} has an unpaired surrogate, which UTF-8 cannot encode; fix the text"
        ) from None
    return {SEGMENTS: gzip.compress(content, _LEVEL, mtime=0)}


def _narrow(table: FloatArray) -> Any:
    with np.errstate(invalid="ignore"):
        whole = table.astype("<i4")
    is_exact = np.array_equal(whole.astype(np.float64).view(np.int64), table.view(np.int64))
    return whole if is_exact else table.astype("<f8", copy=False)


def _is_encodable(values: Sequence[Any]) -> bool:
    try:
        json.dumps(list(values), ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return False
    return True


def _array_name(kind: str, number: int) -> str:
    return f"{kind}/{number}.npy.gz"


@record(eq=False)
class RunTables:
    """Reads the tables of a run; raises InputError if they are damaged or do not fit the manifest."""

    archive: Archive

    def read_statistics(
        self, number: int, systems: Sequence[str], n_segments: int, n_statistics: int
    ) -> FloatArray:
        """Read the statistics (systems, segments, k) of the metric with this number."""
        shape = len(systems), n_segments, n_statistics
        member = _array_name("statistics", number)
        packed = self.archive.read(member)
        with _guarded(self.archive, member):
            return _parse_array(_expand(packed, 8 * int(np.prod(shape)) + _HEADER_SIZE), shape)

    def read_segments(self, names: Sequence[str], n_segments: int) -> list[Sequence[Any]]:
        """Read columns of the segments: texts, or lists of texts for the references."""
        with _guarded(self.archive, SEGMENTS):
            found = [name for name in self._columns if name in names]
            if found != list(names) or any(len(column) != n_segments for column in self._columns.values()):
                raise ValueError("it has other columns or rows than the manifest says")
            return [self._columns[name] for name in names]

    @cached_property
    def _columns(self) -> Mapping[str, Sequence[Any]]:
        """The columns in their order, which is the order of the systems in arrays."""
        packed = self.archive.read(SEGMENTS)
        with _guarded(self.archive, SEGMENTS):
            return _parse_segments(_expand(packed, max(_MAX_EXPANSION * len(packed), _MAX_SMALL)))


def _parse_segments(data: bytes) -> Mapping[str, Sequence[Any]]:
    """Parse JSON Lines into columns: at once if Tertium wrote them, and otherwise in blocks of lines."""
    first = json.loads(data[: data.find(b"\n")].decode()) if b"\n" in data else {}
    is_object = isinstance(first, dict) and len(first) > 0
    if is_object and (parsed := parse_rows(np.frombuffer(data, np.uint8), list(first))) is not None:
        return {name: _make_column(*column) for name, column in zip(first, parsed, strict=True)}
    lines = data.decode().split("\n")[:-1]
    columns: dict[str, list[Any]] = {name: [] for name in first}
    for begin in range(0, len(lines), _LINES_AT_ONCE):
        _append_rows(lines[begin : begin + _LINES_AT_ONCE], columns)
    return columns


def _make_column(texts: TextColumn, offsets: OffsetArray | None) -> Sequence[Any]:
    """Return a column of texts, or of lists of texts; lists of one length stay columns, because each list is slow."""
    if offsets is None:
        return texts
    if (width := int(offsets[1])) and np.array_equal(offsets, np.arange(len(offsets)) * width):
        return ReferenceStreams([texts[place::width] for place in range(width)])
    strings = list(texts)
    return [strings[begin:end] for begin, end in pairwise(offsets.tolist())]


def _append_rows(lines: Sequence[str], columns: Mapping[str, list[Any]]) -> None:
    """Parse lines, each an object of texts and lists of texts, at once: several times as fast as one by one."""
    rows = json.loads(f"[{','.join(lines)}]")
    if (
        len(rows) != len(lines)
        or not set(map(type, rows)) <= {dict}
        or set(map(tuple, rows)) != {tuple(columns)}
    ):
        raise TypeError("a line is not an object with the names of the first")
    for name, column in columns.items():
        cells = [row[name] for row in rows]
        texts = chain.from_iterable(cell if isinstance(cell, list) else (cell,) for cell in cells)
        if not set(map(type, texts)) <= {str}:
            raise TypeError("a cell is not a text")
        column.extend(cells)


def _expand(packed: bytes, most: int) -> bytes:
    """Decompress at most this number of bytes; raise if there are more."""
    stream = zlib.decompressobj(_GZIP)
    data = stream.decompress(packed, most + 1)
    if len(data) > most or not stream.eof:
        raise ValueError("it is cut, or longer than a run's table")
    return data


def _parse_array(data: bytes, shape: tuple[int, ...]) -> FloatArray:
    """Read an array of this shape; its header is checked before memory is allocated."""
    content = io.BytesIO(data)
    if np.lib.format.read_magic(content) != (1, 0):
        raise ValueError("its array has another version")
    found, is_fortran, kind = np.lib.format.read_array_header_1_0(content)
    if found != shape or is_fortran or kind.str not in ("<f8", "<i4"):
        raise ValueError("it has another shape or type than the manifest says")
    return np.frombuffer(data, kind, offset=content.tell()).reshape(shape).astype(np.float64)


# The errors that reading a forged table may raise.
_DAMAGES = (OSError, EOFError, ValueError, TypeError, KeyError, IndexError, RecursionError, zlib.error)


@contextmanager
def _guarded(archive: Archive, member: str) -> Iterator[None]:
    """Replace errors inside a member by one message about the file."""
    try:
        yield
    except InputError:
        raise
    except _DAMAGES as error:
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        raise InputError(f"{archive.path} is damaged ({member}: {reason}); make or fetch it again") from None
