"""Reading of Parquet files through pyarrow (extra `parquet`).

Files are read on the calling thread. Arrow's thread pool may outlive the interpreter, and the process then sometimes
ends with "terminate called without an active exception"; files of texts and runs are small enough without the pool.
"""

from collections.abc import Iterator, Sequence
from types import ModuleType
from typing import Any

from tertium.files.extras import import_extra


class ParquetFile:
    """An open Parquet file. `content` is a path, a binary file or the bytes themselves.

    If the file is damaged, pyarrow's own errors are raised; the caller turns them into a message.
    """

    def __init__(self, path: str, content: Any) -> None:
        source = import_arrow(path).BufferReader(content) if isinstance(content, bytes) else content
        self._file = import_parquet(path).ParquetFile(source)

    @property
    def schema(self) -> Any:
        """The Arrow schema."""
        return self._file.schema_arrow

    @property
    def names(self) -> list[str]:
        """The names of the columns."""
        return list(self.schema.names)

    @property
    def group_sizes(self) -> list[int]:
        """The number of rows of each row group."""
        metadata = self._file.metadata
        return [metadata.row_group(i).num_rows for i in range(metadata.num_row_groups)]

    @property
    def n_rows(self) -> int:
        """The number of rows of the file."""
        return int(self._file.metadata.num_rows)

    def read(self, columns: Sequence[str] | None = None) -> Any:
        """Read these columns, or all columns, as an Arrow table."""
        return self._file.read(columns=columns, use_threads=False)

    def batches(self, n_rows: int, groups: Sequence[int] | None = None) -> Iterator[Any]:
        """Read these row groups, or all, in Arrow batches of at most `n_rows` rows."""
        batches: Iterator[Any] = self._file.iter_batches(
            batch_size=n_rows, row_groups=groups, use_threads=False
        )
        return batches

    def groups(self) -> Iterator[Any]:
        """Yield the row groups in order, each as an Arrow table."""
        for i in range(self._file.num_row_groups):
            yield self._file.read_row_group(i, use_threads=False)

    def close(self) -> None:
        """Close the file if it was opened here; a binary file passed as `content` stays open."""
        self._file.close()


def import_arrow(path: str, purpose: str = "read") -> ModuleType:
    """Import pyarrow; raise MissingExtraError, which names `path`, if it is not installed."""
    return import_extra("pyarrow", extra="parquet", path=path, purpose=purpose)


def import_parquet(path: str, purpose: str = "read") -> ModuleType:
    """Import pyarrow.parquet; raise MissingExtraError, which names `path`, if it is not installed."""
    return import_extra("pyarrow.parquet", extra="parquet", path=path, purpose=purpose)
