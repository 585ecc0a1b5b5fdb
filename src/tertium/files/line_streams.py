"""The lines of files of any size, a batch at a time, so that memory does not grow with the file."""

from collections.abc import Iterator
from types import TracebackType
from typing import Self

from tertium.errors import InputError, TertiumError
from tertium.files.opening import PathLike, open_bytes
from tertium.files.reading import BYTE_ORDER_MARK, describe_undecodable, split_lines

__all__ = ["LineStream", "open_text"]

_BLOCK = 1 << 20


def open_text(
    path: PathLike, *, start_line: int = 0, start_byte: int = 0, error: type[TertiumError] = InputError
) -> "LineStream":
    """Open a UTF-8 file, plain or compressed, or standard input (`-`), to read its lines once.

    What a line is, `read_lines` says. Whatever cannot be read raises `error`, with the line.

    Parameters
    ----------
    start_line, start_byte
        Where to begin: so many lines, which are so many bytes, are passed over. Only in a file that is not
        compressed.
    """
    return LineStream(path, error, start_line, start_byte)


class LineStream:
    """Lines as they are read; close it, or use it in a `with` statement.

    `n_lines` counts the lines of the file that were given or passed over so far.
    """

    def __init__(
        self, path: PathLike, error: type[TertiumError], start_line: int = 0, start_byte: int = 0
    ) -> None:
        self.path = path
        self.n_lines = start_line
        self._error = error
        self._start = start_line, start_byte
        self._stream = open_bytes(path, start=start_byte, error=error)
        self._pending: list[str] = []
        self._taken = 0  # how many of the pending lines were given
        self._blocks = self._read_blocks()

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
        """All lines that remain, in lists of `size`; the last may be shorter."""
        while batch := self.read_batch(size):
            yield batch

    def read_batch(self, size: int) -> list[str]:
        """The next `size` lines, or as many as there are; none at the end of the file."""
        batch = self._pending[self._taken : self._taken + size]
        self._taken += len(batch)
        while len(batch) < size and (block := next(self._blocks, None)) is not None:
            self._pending, self._taken = block, size - len(batch)
            batch += block[: self._taken]
        self.n_lines += len(batch)
        return batch

    def close(self) -> None:
        """Close the file."""
        self._stream.close()

    def _read_blocks(self) -> Iterator[list[str]]:
        start, parts = b"", list[bytes]()
        n_lines, n_bytes = self._start  # before the block
        data = b"\n"
        while data:
            data = self._stream.read(_BLOCK)
            start = start or data[:2]
            if data and b"\n" not in data:
                parts.append(data)
                continue
            head, end, tail = data.rpartition(b"\n")
            block = b"".join([*parts, head, end])
            parts = [tail]
            text = self._decode(block, start, n_lines, n_bytes)
            lines = split_lines(text if n_bytes else text.removeprefix(BYTE_ORDER_MARK))
            yield lines
            n_lines, n_bytes = n_lines + len(lines), n_bytes + len(block)

    def _decode(self, block: bytes, start: bytes, n_lines: int, n_bytes: int) -> str:
        try:
            return block.decode("utf-8")
        except UnicodeDecodeError as reason:
            at = reason.start
            line = n_lines + block.count(b"\n", 0, at) + 1
            raise self._error(describe_undecodable(self.path, start, line, n_bytes + at, block[at])) from None
