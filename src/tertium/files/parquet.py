"""Parquet through pyarrow (extra `parquet`): the only place that reads it.

All is read on the thread that asks. Arrow's pool of threads may outlive the interpreter, whose process then ends with
"terminate called without an active exception" now and then; files of texts and runs are small enough without it.
"""

from collections.abc import Iterator, Sequence
from types import ModuleType
from typing import Any

from tertium.files.extras import import_extra


class ParquetFile:
    """An open Parquet file. `content` is a path, a binary file or the bytes themselves.

    Raises pyarrow's own errors where the file is damaged: who opens it knows what to tell.
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
        """How many rows each row group has."""
        metadata = self._file.metadata
        return [metadata.row_group(i).num_rows for i in range(metadata.num_row_groups)]

    @property
    def n_rows(self) -> int:
        """How many rows the file has."""
        return int(self._file.metadata.num_rows)

    def read(self, columns: Sequence[str] | None = None) -> Any:
        """Read these columns, or all, as an Arrow table."""
        return self._file.read(columns=columns, use_threads=False)

    def batches(self, n_rows: int, groups: Sequence[int] | None = None) -> Iterator[Any]:
        """Read these row groups, or all, in Arrow batches of at most so many rows."""
        batches: Iterator[Any] = self._file.iter_batches(
            batch_size=n_rows, row_groups=groups, use_threads=False
        )
        return batches

    def groups(self) -> Iterator[Any]:
        """Read one row group after the other, each as an Arrow table."""
        for i in range(self._file.num_row_groups):
            yield self._file.read_row_group(i, use_threads=False)

    def close(self) -> None:
        """Close what was opened here; a file that was given stays open."""
        self._file.close()


def import_arrow(path: str, purpose: str = "read") -> ModuleType:
    """Import pyarrow, or say what to install for `path`."""
    return import_extra("pyarrow", extra="parquet", path=path, purpose=purpose)


def import_parquet(path: str, purpose: str = "read") -> ModuleType:
    """Import pyarrow's part for Parquet, or say what to install for `path`."""
    return import_extra("pyarrow.parquet", extra="parquet", path=path, purpose=purpose)
