"""The lines of files of any size, read in batches, so that memory does not grow with the file."""

from collections.abc import Iterator
from types import TracebackType
from typing import Self

import numpy as np
import numpy.typing as npt

from tertium.errors import InputError, TertiumError
from tertium.files.reading import BYTE_ORDER_MARK, PathLike, describe_undecodable, open_bytes, split_lines


def count_line_ends(data: bytes) -> int:
    r"""Count the line feeds, much faster than `bytes.count`.

    >>> count_line_ends(b"one\ntwo\n\nfour")
    3
    """
    return int(np.count_nonzero(_is_end(data)))


def find_line_ends(data: bytes) -> npt.NDArray[np.int64]:
    r"""Return the offset after each line feed.

    >>> find_line_ends(b"one\ntwo\n\nfour").tolist()
    [4, 8, 9]
    """
    return np.flatnonzero(_is_end(data)) + 1


def _is_end(data: bytes) -> npt.NDArray[np.bool_]:
    is_end: npt.NDArray[np.bool_] = np.frombuffer(data, dtype=np.uint8) == ord("\n")
    return is_end


_BLOCK = 1 << 20
_MARK = BYTE_ORDER_MARK.encode()


class LineStream:
    """The lines of a UTF-8 file, plain or compressed, or of standard input (`-`), read once from first to last.

    Close it, or use it in a `with` statement. `read_lines` defines what a line is. If the file cannot be read or
    decoded, `error` is raised with the line number. `n_lines` counts the lines returned or skipped so far.

    Parameters
    ----------
    start_line, start_byte
        Skip this number of lines, which are this number of bytes; only in a file that is not compressed.
    """

    def __init__(
        self,
        path: PathLike,
        *,
        start_line: int = 0,
        start_byte: int = 0,
        error: type[TertiumError] = InputError,
    ) -> None:
        self.path = path
        self.n_lines = start_line
        self._error = error
        self._n_bytes = start_byte  # returned or skipped so far
        self._stream = open_bytes(path, start=start_byte, error=error)
        self._beginning = b""  # the first four bytes that were read
        self._pending = _Lines()  # read from the file, but not returned yet

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __iter__(self) -> Iterator[str]:
        while batch := self.read_batch(10_000):
            yield from batch

    def batches(self, size: int) -> Iterator[list[str]]:
        """Yield the remaining lines in lists of `size`; the last may be shorter."""
        while batch := self.read_batch(size):
            yield batch

    def read_batch(self, size: int) -> list[str]:
        """Return the next `size` lines; fewer at the end of the file, then none."""
        return split_lines(self.decode(self.read_block(size)))

    def read_block(self, size: int) -> bytes:
        """Return the next `size` lines as bytes with their line ends, without a byte order mark."""
        parts, missing = list[bytes](), size
        while missing > 0 and (self._pending or self._fill()):
            part, n_ends = self._pending.pop(missing)
            parts.append(part)
            missing -= n_ends
        read = b"".join(parts)
        block = read[len(_MARK) :] if not self._n_bytes and read.startswith(_MARK) else read
        self._n_bytes += len(read)
        self.n_lines += size - missing + _lacks_end(block)
        return block

    def decode(self, block: bytes) -> str:
        """Decode the block returned last by `read_block`; raise if it is not UTF-8."""
        try:
            return block.decode("utf-8")
        except UnicodeDecodeError as reason:
            at = reason.start
            line = self.n_lines - _lacks_end(block) - count_line_ends(block[at:]) + 1
            offset = self._n_bytes - len(block) + at
            message = describe_undecodable(self.path, self._beginning, line, offset, block[at])
            raise self._error(message) from None

    def _fill(self) -> bool:
        """Read the next block; return False at the end of the file."""
        data = self._stream.read(_BLOCK)
        self._beginning = self._beginning or data[:4]
        self._pending = _Lines(data)
        return bool(data)

    def close(self) -> None:
        """Close the file."""
        self._stream.close()


class _Lines:
    """A block of bytes from which lines are removed at the front."""

    def __init__(self, data: bytes = b"") -> None:
        self._data = data
        self._at = self._n_taken = 0
        self._ends: npt.NDArray[np.int64] | None = None  # found when they are first needed

    def __bool__(self) -> bool:
        return self._at < len(self._data)

    def pop(self, n_lines: int) -> tuple[bytes, int]:
        """Return the next `n_lines` lines, or all bytes left if there are fewer line ends, and their number of ends."""
        if self._at == 0 and (n_ends := count_line_ends(self._data)) < n_lines:
            end = len(self._data)
        else:
            end, n_ends = self._find_end(n_lines)
        lines = self._data[self._at : end]
        self._at = end
        return lines, n_ends

    def _find_end(self, n_lines: int) -> tuple[int, int]:
        if self._ends is None:
            self._ends = find_line_ends(self._data)
        n_found = min(n_lines, len(self._ends) - self._n_taken)
        self._n_taken += n_found
        return (int(self._ends[self._n_taken - 1]) if n_found == n_lines else len(self._data)), n_found


def _lacks_end(block: bytes) -> bool:
    """Whether the last line of the block has no line end."""
    return bool(block) and not block.endswith(b"\n")
