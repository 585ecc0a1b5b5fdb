"""Parquet members of a run: arrays and texts to bytes and back, through pyarrow (extra `parquet`)."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from tertium.errors import InputError
from tertium.files.archive import Archive
from tertium.files.parquet import ParquetFile, import_arrow, import_parquet
from tertium.types import FloatArray

__all__ = [
    "check_parquet",
    "read_columns",
    "read_names",
    "read_table",
    "write_columns",
    "write_scores",
    "write_table",
]


def check_parquet(path: str) -> None:
    """Raise now if runs cannot be written because pyarrow is missing."""
    import_parquet(path, "written")


def write_table(path: str, systems: Sequence[str], table: FloatArray) -> bytes:
    """Write statistics (systems, segments, k): a column for every statistic of every system."""
    columns = {
        name: table[i, :, j] for i, system in enumerate(systems) for j, name in _names(system, table.shape[2])
    }
    return write_columns(path, columns)


def write_scores(path: str, systems: Sequence[str], scores: FloatArray) -> bytes:
    """Write segment scores (systems, segments): a column for every system."""
    return write_columns(path, dict(zip(systems, scores, strict=True)))


def write_columns(path: str, columns: Mapping[str, Any]) -> bytes:
    """Write columns of equal length."""
    arrow, parquet = import_arrow(path, "written"), import_parquet(path, "written")
    sink = arrow.BufferOutputStream()
    arrays = [_make_array(arrow, path, name, values) for name, values in columns.items()]
    parquet.write_table(arrow.Table.from_arrays(arrays, names=list(columns)), sink)
    data: bytes = sink.getvalue().to_pybytes()
    return data


def read_table(
    archive: Archive, member: str, systems: Sequence[str], n_segments: int, n_statistics: int
) -> FloatArray:
    """Read statistics (systems, segments, k), and raise if they have another shape."""
    names = [name for system in systems for _, name in _names(system, n_statistics)]
    columns = _read(archive, member, None)
    with _guarded(archive, member):
        _check_shape(columns, names, n_segments)
        table = np.empty((len(systems), n_segments, n_statistics))
        for at, column in enumerate(columns.columns):
            table[at // n_statistics, :, at % n_statistics] = column.to_numpy()
    return table


def read_columns(archive: Archive, member: str, names: Sequence[str], n_segments: int) -> list[list[Any]]:
    """Read some columns as Python values."""
    columns = _read(archive, member, names)
    with _guarded(archive, member):
        _check_shape(columns, names, n_segments)
        return [column.to_pylist() for column in columns.columns]


def read_names(archive: Archive, member: str) -> list[str]:
    """List the columns of a member."""
    data = archive.read(member)
    with _guarded(archive, member):
        return ParquetFile(archive.path, data).names


def _names(system: str, n_statistics: int) -> list[tuple[int, str]]:
    return [(j, f"{system}:{j + 1}") for j in range(n_statistics)]


def _make_array(arrow: Any, path: str, name: str, values: Any) -> Any:
    try:
        return arrow.array(values)
    except UnicodeEncodeError:
        raise InputError(
            f"{path} cannot be written: {name} holds half of a surrogate pair, which is no text; repair the text"
        ) from None


def _read(archive: Archive, member: str, names: Sequence[str] | None) -> Any:
    data = archive.read(member)
    with _guarded(archive, member):
        table = ParquetFile(archive.path, data).read()
        return table if names is None else table.select(list(names))


def _check_shape(columns: Any, names: Sequence[str], n_segments: int) -> None:
    if list(columns.column_names) != list(names) or columns.num_rows != n_segments:
        raise ValueError("it has other columns or rows than the manifest says")


@contextmanager
def _guarded(archive: Archive, member: str) -> Iterator[None]:
    """Whatever is wrong inside a member, the file is damaged or was made by something else."""
    arrow = import_arrow(archive.path)
    try:
        yield
    except (arrow.ArrowException, OSError, ValueError, TypeError, KeyError, IndexError) as error:
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        raise InputError(f"{archive.path} is damaged ({member}: {reason}); make or fetch it again") from None
