"""Readers of tables through other packages: Parquet (pyarrow) with the column rules of JSONL, and XLSX (openpyxl)."""

import io
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from itertools import accumulate
from typing import Any

from tertium.corpus.texts.line_formats import TSVTable
from tertium.corpus.texts.tables import BEGINNING, Start, TextTable, check_unique_names, look_up
from tertium.errors import InputError
from tertium.files.extras import import_extra
from tertium.files.parquet import ParquetFile, import_arrow
from tertium.files.reading import read_bytes, unpacked


class ParquetTable(TextTable):
    """Rows of a Parquet file; a column is decoded when it is requested.

    `decode` returns the Arrow column with a given name.
    """

    def __init__(
        self, path: str, schema: Any, n_rows: int, decode: Callable[[str], Any], *, first: int = 0
    ) -> None:
        super().__init__(path, first=first)
        self._schema = schema
        self._n_rows = n_rows
        self._decode = decode

    def __len__(self) -> int:
        return self._n_rows

    @property
    def names(self) -> list[str]:
        return list(self._schema.names)

    @property
    def plain_names(self) -> list[str]:
        types = import_arrow(self.path).types
        return [
            field.name
            for field in self._schema
            if not types.is_nested(field.type) and not types.is_binary(field.type)
        ]

    def values(self, name: str) -> list[object]:
        column = name if name in self.names else name.partition(".")[0]
        if column not in self.names:
            raise self._no_column(name)
        with _guard(self.path, f"{self.path}#{column} is damaged"):
            cells = list(self._decode(column).to_pylist())
        return cells if column == name else [self._nested(cell, name) for cell in cells]

    def _nested(self, cell: object, name: str) -> object:
        try:
            return look_up({name.partition(".")[0]: cell}, name)
        except KeyError:
            raise self._no_column(name) from None

    def _no_column(self, name: str) -> InputError:
        return InputError(f"{self.path} has no column {name!r}; it has: {', '.join(self.names)}")


def read_parquet(path: str) -> ParquetTable:
    """Open a Parquet file."""
    import_arrow(path)  # report a missing package before a problem of the file
    file = _open(path, read_bytes(path))
    # For `read`, "a.b" also means field b of column a; `column` then selects the column with exactly this name.
    return ParquetTable(
        path,
        file.schema,
        file.n_rows,
        lambda name: file.read([name]).column(name),
    )


class ParquetStream:
    """The rows of a Parquet file, read in batches."""

    def __init__(self, path: str, start: Start = BEGINNING) -> None:
        self._path = path
        self._handle = unpacked(path).open("rb")
        try:
            self._file = _open(path, self._handle)
        except InputError:
            self._handle.close()
            raise
        self._batches: Iterator[Any] | None = None
        self._batch: Any = None
        self._n_rows = start.row

    def read(self, n_rows: int) -> ParquetTable:
        arrow = import_arrow(self._path)
        table = arrow.Table.from_batches(self._read_batches(n_rows), self._file.schema)
        first, self._n_rows = self._n_rows, self._n_rows + len(table)
        return ParquetTable(self._path, table.schema, len(table), table.column, first=first)

    def close(self) -> None:
        self._handle.close()

    def _read_batches(self, n_rows: int) -> list[Any]:
        """Return the next `n_rows` rows as slices of pyarrow's batches."""
        if self._batches is None:
            self._batches = self._file.batches(n_rows, _groups_from(self._file.group_sizes, self._n_rows))
        parts = []
        while n_rows:
            if self._batch is None or not len(self._batch):
                with _guard(self._path, f"{self._path} is damaged"):
                    self._batch = next(self._batches, None)
                if self._batch is None:
                    break
            parts.append(self._batch[:n_rows])
            n_rows -= len(parts[-1])
            self._batch = self._batch[len(parts[-1]) :]
        return [part for part in parts if len(part)]


def count_row_groups(path: str) -> list[int]:
    """Return the number of rows of each row group, from the file's metadata."""
    with unpacked(path).open("rb") as handle:
        return _open(path, handle).group_sizes


def _groups_from(sizes: list[int], row: int) -> list[int]:
    """Return the row groups that begin at this row or later."""
    starts = accumulate(sizes, initial=0)
    return [i for i, start in zip(range(len(sizes)), starts, strict=False) if start >= row]


def _open(path: str, content: Any) -> ParquetFile:
    with _guard(path, f"{path} is not a Parquet file, or is damaged"):
        file = ParquetFile(path, content)
    check_unique_names(path, file.names)
    return file


@contextmanager
def _guard(path: str, what: str) -> Iterator[None]:
    arrow = import_arrow(path)
    try:
        yield
    except (arrow.ArrowException, OSError, UnicodeDecodeError) as error:
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        raise InputError(f"{what} ({reason}); create the file again") from None


class Formula:
    """A cell with a formula, whose value is not known."""


class XLSXTable(TSVTable):
    """The rows below the header of a worksheet."""

    def place(self, row: int) -> str:
        return f"row {self.number(row):,}"


def read_xlsx(path: str) -> XLSXTable:
    """Read the only worksheet of a workbook that has cells; an empty cell is an empty text, and empty rows at its end do not count.

    Raises
    ------
    InputError
        If the file is not a workbook, or several worksheets have cells.
    """
    sheets = {name: rows for name, rows in _read_sheets(path).items() if rows}
    if not sheets:
        raise InputError(f"{path} is empty; a worksheet starts with a row of column names")
    if len(sheets) > 1:
        raise InputError(
            f"{path} has {len(sheets)} worksheets with cells ({', '.join(sheets)}); save the one to score as .csv,"
            " or delete the others"
        )
    ((first, *rows),) = sheets.values()
    width = max(_used(row) for row in (first, *rows))
    header = ["" if cell is None else str(cell) for cell in first[:width]]
    header += [""] * (width - len(header))
    check_unique_names(f"{path}: row 1", header)
    cells = [["" if cell is None else cell for cell in row[:width]] for row in rows]
    return XLSXTable(path, header, [[*row, *[""] * (width - len(row))] for row in cells])


def _read_sheets(path: str) -> dict[str, list[list[object]]]:
    """Read all cells, without empty rows at the end of each worksheet."""
    openpyxl = import_extra("openpyxl", extra="xlsx", path=path)
    data = read_bytes(path)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about styles, which do not matter here
            with closing(openpyxl.load_workbook(io.BytesIO(data), read_only=True, keep_links=False)) as book:
                sheets = {
                    sheet.title: [[*map(_value, row)] for row in sheet.iter_rows()]
                    for sheet in book.worksheets
                }
    except Exception as error:  # noqa: BLE001 - openpyxl lets errors of ZIP, XML and its own parsers through
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        raise InputError(f"{path} is not an XLSX workbook, or is damaged: {reason}") from None
    for rows in sheets.values():
        while rows and not _used(rows[-1]):
            rows.pop()
    return sheets


def _value(cell: Any) -> object:
    return Formula() if getattr(cell, "data_type", "") == "f" else cell.value


def _used(row: Sequence[object]) -> int:
    """Count the cells of a row up to its last one with a value."""
    return max((number for number, cell in enumerate(row, start=1) if cell is not None), default=0)
