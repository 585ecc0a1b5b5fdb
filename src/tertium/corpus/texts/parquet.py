"""Parquet tables, through pyarrow (extra `parquet`), with the column rules of JSONL."""

from typing import Any

from tertium.corpus.texts.tables import Table, look_up, refuse_repeated_names
from tertium.errors import InputError
from tertium.files.extras import import_extra
from tertium.files.reading import read_bytes

__all__ = ["ParquetTable", "read_parquet"]


class ParquetTable(Table):
    """A Parquet file, of which only the columns asked for are decoded."""

    def __init__(self, path: str, file: Any) -> None:
        super().__init__(path)
        self._file = file

    @property
    def names(self) -> list[str]:
        return list(self._file.schema_arrow.names)

    def values(self, name: str) -> list[object]:
        column = name if name in self.names else name.partition(".")[0]
        if column not in self.names:
            raise self._no_column(name)
        cells = self._decode(column)
        return cells if column == name else [self._nested(cell, name) for cell in cells]

    def _decode(self, column: str) -> list[object]:
        arrow = import_extra("pyarrow", extra="parquet", path=self.path)
        try:
            # To `read`, "a.b" also means field b of a; `column` then takes the one that has the very name.
            return list(self._file.read(columns=[column]).column(column).to_pylist())
        except (arrow.ArrowException, OSError, UnicodeDecodeError) as error:
            reason = _first_line(error)
            raise InputError(f"{self.path}#{column} is damaged ({reason}); make the file again") from None

    def _nested(self, cell: object, name: str) -> object:
        try:
            return look_up({name.partition(".")[0]: cell}, name)
        except KeyError:
            raise self._no_column(name) from None

    def _no_column(self, name: str) -> InputError:
        return InputError(f"{self.path} has no column {name!r}; it has: {', '.join(self.names)}")


def read_parquet(path: str) -> ParquetTable:
    """Open a Parquet file."""
    arrow = import_extra("pyarrow", extra="parquet", path=path)
    parquet = import_extra("pyarrow.parquet", extra="parquet", path=path)
    data = read_bytes(path)
    try:
        table = ParquetTable(path, parquet.ParquetFile(arrow.BufferReader(data)))
    except (arrow.ArrowException, OSError) as error:
        reason = _first_line(error)
        raise InputError(f"{path} is not a Parquet file, or is damaged ({reason}); make it again") from None
    refuse_repeated_names(path, table.names)
    return table


def _first_line(error: BaseException) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]
