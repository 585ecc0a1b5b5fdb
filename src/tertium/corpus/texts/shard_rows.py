"""The rows behind an address, some at a time, through all its files."""

from tertium.corpus.texts.columns import BEGINNING, Batch, RowStream, Start
from tertium.corpus.texts.formats import open_rows
from tertium.files.shards import Shards

__all__ = ["ShardRows"]

# Rows that are read at once only to be counted.
_COUNTED = 50_000


class ShardRows:
    """Reads one file after the other; `n_part` counts the rows of the file that is open, `n_total` all."""

    def __init__(self, shards: Shards) -> None:
        self.is_sharded = shards.is_sharded
        self.n_part = self.n_total = 0
        self._paths = shards.paths
        self._part = -1
        self._stream: RowStream | None = None

    @property
    def path(self) -> str:
        """The file that is open."""
        return self._paths[max(self._part, 0)]

    def open_next(self) -> None:
        """Go on to the next file."""
        self._open(self._part + 1, BEGINNING)

    def move_to(self, part: int, row: int, start: Start) -> None:
        """Go to a row of a file, from `start` on; or from where the stream stands, if that is nearer."""
        if self._stream is None or part != self._part or not start.row <= self.n_part <= row:
            self._open(part, start)
        while self.n_part < row and len(self.read(min(_COUNTED, row - self.n_part))):
            pass

    def _open(self, part: int, start: Start) -> None:
        self.close()
        self._part = part
        self._stream = open_rows(self.path, start)
        self.n_part = start.row

    def read(self, n_rows: int) -> Batch:
        """The next rows of the file that is open."""
        if self._stream is None:
            self.open_next()
        assert self._stream is not None  # noqa: S101 - for mypy
        batch = self._stream.read(n_rows)
        self.n_part += len(batch)
        self.n_total += len(batch)
        return batch

    def count_part(self) -> int:
        """How many rows the file that is open has, read to its end."""
        while len(self.read(_COUNTED)):
            pass
        return self.n_part

    def count_total(self) -> int:
        """How many rows all files have, read to their end."""
        self.count_part()
        while self._part + 1 < len(self._paths):
            self.open_next()
            self.count_part()
        return self.n_total

    def close(self) -> None:
        """Close the file that is open."""
        if self._stream is not None:
            self._stream.close()
            self._stream = None
