"""The lines of files of any size, read in batches, so that memory does not grow with the file."""

from collections.abc import Iterator
from types import TracebackType
from typing import Self

from tertium.errors import InputError, TertiumError
from tertium.files.reading import BYTE_ORDER_MARK, PathLike, describe_undecodable, open_bytes, split_lines
from tertium.kernels.strings import ByteArray, count_line_ends, find_lines, take_buffer

# Bytes that are read at once; a line that is longer doubles the limit until it fits.
_MIN_READ, _MAX_READ = 1 << 16, 1 << 23
_USUAL_LINE = 128  # bytes, as long as no line was read
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
        self._pending = take_buffer(0)  # read from the file, but not returned yet

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

    def read_block(self, size: int) -> ByteArray:
        """Return the next `size` lines as bytes with their line ends, without a byte order mark."""
        n_bytes = n_ends = 0
        while n_ends < size and (n_bytes < len(self._pending) or self._fill(size - n_ends, n_ends)):
            more, found = find_lines(self._pending[n_bytes:], size - n_ends)
            n_bytes, n_ends = n_bytes + more, n_ends + found
        block, self._pending = self._pending[:n_bytes], self._pending[n_bytes:]
        if not self._n_bytes and block[: len(_MARK)].tobytes() == _MARK:
            block = block[len(_MARK) :]
        self._n_bytes += n_bytes
        self.n_lines += n_ends + _lacks_end(block)
        return block

    def decode(self, block: ByteArray) -> str:
        """Decode the block returned last by `read_block`; raise if it is not UTF-8."""
        try:
            return str(block.data, "utf-8")
        except UnicodeDecodeError as reason:
            at = reason.start
            line = self.n_lines - _lacks_end(block) - count_line_ends(block[at:]) + 1
            offset = self._n_bytes - len(block) + at
            message = describe_undecodable(self.path, self._beginning, line, offset, int(block[at]))
            raise self._error(message) from None

    def _fill(self, n_lines: int, n_pending: int) -> bool:
        """Read about `n_lines` lines after the `n_pending` that were found; return False at the end of the file."""
        old = len(self._pending)
        # Not the last buffer again: columns of texts may be views of it.
        buffer = take_buffer(old + self._guess_size(n_lines, n_pending))
        buffer[:old] = self._pending
        n_read = self._stream.readinto(buffer[old:].data)
        self._pending = buffer[: old + n_read]
        self._beginning = self._beginning or self._pending[:4].tobytes()
        return n_read > 0

    def _guess_size(self, n_lines: int, n_pending: int) -> int:
        """Estimate the size of the next lines from the previous lines, with a margin, so that few reads are too short."""
        n_bytes, n_before = self._n_bytes + len(self._pending), self.n_lines + n_pending
        line = n_bytes / max(1, n_before) if n_bytes else _USUAL_LINE
        return max(_MIN_READ, min(int(1.03 * line * n_lines), max(_MAX_READ, len(self._pending))))

    def close(self) -> None:
        """Close the file."""
        self._stream.close()


def _lacks_end(block: ByteArray) -> bool:
    """Whether the last line of the block has no line end."""
    return block[-1:].tobytes() not in (b"", b"\n")
