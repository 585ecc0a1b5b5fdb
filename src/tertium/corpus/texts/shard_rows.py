"""The rows behind an address, some at a time, through all its files."""

from tertium.corpus.texts.columns import Batch, RowStream
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
        self.close()
        self._part += 1
        self.n_part = 0
        self._stream = open_rows(self.path)

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
