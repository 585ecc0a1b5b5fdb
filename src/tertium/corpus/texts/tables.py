"""Columns of texts that remember where they come from, and tables of named columns."""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import ClassVar, Generic, Protocol, TypeVar

from tertium.errors import InputError
from tertium.files.paths import Address, default_name

Group = tuple[str, ...]  # the references of one segment
Key = tuple[str, str]  # document id, segment id

T_co = TypeVar("T_co", covariant=True)


@dataclass(frozen=True)
class SegmentColumn(Generic[T_co]):
    """Values in segment order, where they were read, and the ids of their segments if the format has ids."""

    label: str
    unit: str
    values: Sequence[T_co]
    keys: Sequence[Key] | None = None

    def __len__(self) -> int:
        return len(self.values)


class TextDocument(Protocol):
    """A file that was read once and may be asked for several columns."""

    def source(self, address: Address) -> SegmentColumn[str]: ...

    def references(self, address: Address) -> SegmentColumn[Group]: ...

    def systems(self, address: Address) -> Sequence[tuple[str, SegmentColumn[str]]]: ...

    def columns(self, texts: Container[str]) -> Mapping[str, SegmentColumn[str]]:
        """What the file says about each segment besides its texts, whose columns are named in `texts`."""


class RowBatch(TextDocument, Protocol):
    """Some rows of a file, as a document of their own."""

    def __len__(self) -> int: ...


@dataclass(frozen=True)
class Start:
    """Where a reader of a file may begin: behind so many rows, at this byte of a file that has lines.

    A reader of Parquet needs no byte, but begins only where a row group does.
    """

    row: int = 0
    byte: int = 0


BEGINNING = Start()


class RowStream(Protocol):
    """A file that is read once from first to last, some rows at a time."""

    def read(self, n_rows: int) -> RowBatch:
        """The next rows, fewer at the end of the file and none behind it."""

    def close(self) -> None: ...


def count(number: int, unit: str) -> str:
    """Write a number with its unit.

    Examples
    --------
    >>> count(2998, "line"), count(1, "row")
    ('2,998 lines', '1 row')
    """
    return f"{number:,} {unit}" if number == 1 else f"{number:,} {unit}s"


Cell = str | Group | None

# The names that are tried, in this order, where the user named no column.
HYPOTHESIS_COLUMNS = ("hypothesis", "hyp", "mt", "translation")
REFERENCE_COLUMNS = ("references", "reference", "refs", "ref")
SOURCE_COLUMNS = ("source", "src")
TEXT_COLUMNS = frozenset({*HYPOTHESIS_COLUMNS, *REFERENCE_COLUMNS, *SOURCE_COLUMNS})


class TextTable(ABC):
    """A table in a file, or some rows of it. Formats say which columns exist and what stands in them.

    `first` is the place of the first row in its file, from 0.
    """

    unit: ClassVar[str] = "row"

    def __init__(self, path: str, *, first: int = 0) -> None:
        self.path = path
        self.first = first

    @abstractmethod
    def __len__(self) -> int: ...

    @property
    @abstractmethod
    def names(self) -> Sequence[str]:
        """The columns that exist."""

    @abstractmethod
    def values(self, name: str) -> Sequence[object]:
        """Return what stands in a column, unchecked; the name may be a dotted path where cells nest."""

    @property
    def plain_names(self) -> Sequence[str]:
        """The columns that may hold single values, as far as the format can tell without reading them."""
        return self.names

    def number(self, row: int) -> int:
        """The number under which `place` finds a row (from 0)."""
        return self.first + row + 1

    def place(self, row: int) -> str:
        """Say where a row (from 0) is found, such as `line 7`."""
        return f"{self.unit} {self.number(row):,}"

    def check_names(self) -> None:  # noqa: B027 - where names stand once there is nothing to check
        """Raise if a row has a column that the first row lacks."""

    def cells(self, name: str) -> list[Cell]:
        """Return a column of strings, lists of strings (as tuples) and nulls; anything else is refused."""
        values = self.values(name)
        if _all_strings(values):
            cells: list[Cell] = [value for value in values if isinstance(value, str)]
        else:
            cells = [self._cell(row, name, value) for row, value in enumerate(values)]
        self._refuse_surrogates(name, cells)
        return cells

    def source(self, address: Address) -> SegmentColumn[str]:
        return self._texts(address, SOURCE_COLUMNS)

    def references(self, address: Address) -> SegmentColumn[Group]:
        label, cells = self._choose(address, REFERENCE_COLUMNS)
        return SegmentColumn(label, self.unit, [_group(cell) for cell in cells])

    def systems(self, address: Address) -> list[tuple[str, SegmentColumn[str]]]:
        return [(default_name(address), self._texts(address, HYPOTHESIS_COLUMNS))]

    def columns(self, texts: Container[str]) -> Mapping[str, SegmentColumn[str]]:
        """Every other column that holds one plain value in each row; null is the empty string."""
        found = {}
        for name in self.plain_names:
            if name not in texts and name not in TEXT_COLUMNS:
                with suppress(InputError):  # a list, an object or a gap: no value to group segments by
                    found[name] = SegmentColumn(f"{self.path}#{name}", self.unit, self.plain_values(name))
        return found

    def plain_values(self, name: str) -> list[str]:
        """Return a column of single values as strings: numbers as JSON writes them, null as "".

        Raises
        ------
        InputError
            If a row has no such value, or one that is a list or an object.
        """
        values = self.values(name)
        cells = list(map(_plain, values))
        if None in cells:
            row = cells.index(None)
            raise InputError(
                f"{self.path}#{name}: {self.place(row)} holds {_kind(values[row])}, not a single value"
            )
        plain = [cell for cell in cells if cell is not None]
        self._refuse_surrogates(name, plain)
        return plain

    def _texts(self, address: Address, defaults: Sequence[str]) -> SegmentColumn[str]:
        label, cells = self._choose(address, defaults)
        texts = [self._text(label, row, cell) for row, cell in enumerate(cells)]
        return SegmentColumn(label, self.unit, texts)

    def _choose(self, address: Address, defaults: Sequence[str]) -> tuple[str, list[Cell]]:
        name = address.column
        if name is None:
            name = next((default for default in defaults if default in self.names), None)
        if name is None:
            raise InputError(
                f"{self.path} has no column {' or '.join(defaults)}; it has: {', '.join(self.names)}."
                f" Choose one with {self.path}#COLUMN"
            )
        return f"{self.path}#{name}", self.cells(name)

    def _text(self, label: str, row: int, cell: Cell) -> str:
        if isinstance(cell, str):
            return cell
        found = 'null, not a string (an empty text is "")' if cell is None else "a list, not one string"
        raise InputError(f"{label}: {self.place(row)} holds {found}")

    def _cell(self, row: int, name: str, value: object) -> Cell:
        if value is None or isinstance(value, str):
            return value
        if not isinstance(value, list):
            raise InputError(f"{self.path}#{name}: {self.place(row)} holds {_kind(value)}, not a string")
        for item in value:
            if item is not None and not isinstance(item, str):
                raise InputError(
                    f"{self.path}#{name}: {self.place(row)} holds a list with {_kind(item)} in it,"
                    " where only strings and nulls may stand"
                )
        return tuple(item for item in value if item is not None)

    def _refuse_surrogates(self, name: str, cells: Sequence[Cell]) -> None:
        if _is_encodable(cells):
            return
        row = next(row for row, cell in enumerate(cells) if not _is_encodable([cell]))
        raise InputError(
            f"{self.path}#{name}: {self.place(row)} holds half of a surrogate pair, which is no text"
        )


def refuse_repeated_names(path: str, names: Sequence[str]) -> None:
    """Refuse a table in which a name could mean either of two columns."""
    for name, times in Counter(names).items():
        if times > 1:
            raise InputError(f"{path} has {times} columns called {name!r}; give each its own name")


def look_up(record: object, name: str) -> object:
    """Find a key in a JSON object: the whole name first, else the name as a dotted path.

    What a null would hold is null.

    Raises
    ------
    KeyError
        If neither exists.
    """
    if isinstance(record, dict) and name in record:
        return record[name]
    for part in name.split("."):
        if record is None:
            return None
        if not isinstance(record, dict):
            raise KeyError(name)
        record = record[part]
    return record


def _group(cell: Cell) -> Group:
    if cell is None:
        return ()
    return (cell,) if isinstance(cell, str) else cell


def _plain(value: object) -> str | None:
    """Write a single value as a string; anything else is None."""
    if isinstance(value, str):
        return value
    if value is None or isinstance(value, bool):
        return "" if value is None else str(value).lower()
    return str(value) if isinstance(value, (int, float, date, Decimal)) else None


def _all_strings(values: Iterable[object]) -> bool:
    return set(map(type, values)) <= {str}


def _is_encodable(cells: Iterable[Cell]) -> bool:
    try:
        "".join(cell if isinstance(cell, str) else "".join(cell or ()) for cell in cells).encode()
    except UnicodeEncodeError:
        return False
    return True


def _kind(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    kinds = {int: "a number", float: "a number", dict: "an object", list: "a list", bytes: "bytes"}
    return kinds.get(type(value), f"a {type(value).__name__}")
