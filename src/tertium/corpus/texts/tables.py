"""Columns of texts with the file they were read from, and tables of named columns."""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import date
from numbers import Number
from typing import ClassVar, Generic, Protocol, TypeVar

from tertium.errors import InputError
from tertium.files.paths import Address, default_name
from tertium.records import record

Group = tuple[str, ...]  # the references of one segment
Key = tuple[str, str]  # document id, segment id

T_co = TypeVar("T_co", covariant=True)


@record
class SegmentColumn(Generic[T_co]):
    """Values in segment order, the file they were read from, and the segment ids if the format has them."""

    label: str
    unit: str
    values: Sequence[T_co]
    keys: Sequence[Key] | None = None

    def __len__(self) -> int:
        return len(self.values)


class TextDocument(Protocol):
    """A file that was read once and provides columns of texts."""

    def source(self, address: Address) -> SegmentColumn[str]: ...

    def references(self, address: Address) -> SegmentColumn[Group]: ...

    def systems(self, address: Address) -> Sequence[tuple[str, SegmentColumn[str]]]: ...

    def columns(self, texts: Container[str]) -> Mapping[str, SegmentColumn[str]]:
        """Return the properties of each segment: the file's columns except `texts`, the columns of texts."""


class RowBatch(TextDocument, Protocol):
    """A batch of rows of a file, which can be used as a document."""

    def __len__(self) -> int: ...


@record
class Start:
    """A position where a reader may start: the number of rows before it, and the byte offset in a file of lines.

    A reader of Parquet ignores the byte, and starts only where a row group begins.
    """

    row: int = 0
    byte: int = 0


BEGINNING = Start()


class RowStream(Protocol):
    """A file that is read once from first to last, in batches of rows."""

    def read(self, n_rows: int) -> RowBatch:
        """Return the next `n_rows` rows; fewer at the end of the file, then none."""

    def close(self) -> None: ...


def describe_key(key: Key) -> str:
    """Describe a segment by its ids.

    Examples
    --------
    >>> describe_key(("bbc.381790", "3"))
    "segment '3' of document 'bbc.381790'"
    """
    document, segment = key
    return f"segment {segment!r} of document {document!r}"


def format_count(number: int, unit: str) -> str:
    """Format a number with its unit.

    Examples
    --------
    >>> format_count(2998, "line"), format_count(1, "row")
    ('2,998 lines', '1 row')
    """
    return f"{number:,} {unit}" if number == 1 else f"{number:,} {unit}s"


Cell = str | Group | None

# The default columns, if the user named none; the first one that exists is used.
HYPOTHESIS_COLUMNS = ("hypothesis", "hyp", "mt", "translation")
REFERENCE_COLUMNS = ("references", "reference", "refs", "ref")
SOURCE_COLUMNS = ("source", "src")
TEXT_COLUMNS = frozenset({*HYPOTHESIS_COLUMNS, *REFERENCE_COLUMNS, *SOURCE_COLUMNS})


class TextTable(ABC):
    """A table in a file, or a batch of its rows; subclasses define `names` and `values` for a format.

    `first` is the position of the first row in its file, from 0.
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
        """The names of the columns."""

    @abstractmethod
    def values(self, name: str) -> Sequence[object]:
        """Return the values of a column, unchecked; the name may be a dotted path into nested cells."""

    @property
    def plain_names(self) -> Sequence[str]:
        """The columns that may hold single values, according to the table's schema if it has one."""
        return self.names

    def number(self, row: int) -> int:
        """Return the number of a row (from 0) in its file, as shown by `place`."""
        return self.first + row + 1

    def place(self, row: int) -> str:
        """Return the position of a row (from 0) for messages, such as `line 7`."""
        return f"{self.unit} {self.number(row):,}"

    def check_names(self) -> None:  # noqa: B027 - a format with a header has nothing to check
        """Raise if a row has a column that the first row lacks."""

    def cells(self, name: str) -> list[Cell]:
        """Return a column of strings, lists of strings (as tuples) and nulls; raise on other values."""
        values = self.values(name)
        if _all_strings(values):
            cells: list[Cell] = [value for value in values if isinstance(value, str)]
        else:
            cells = [self._cell(row, name, value) for row, value in enumerate(values)]
        self._check_surrogates(name, cells)
        return cells

    def source(self, address: Address) -> SegmentColumn[str]:
        return self._texts(address, SOURCE_COLUMNS)

    def references(self, address: Address) -> SegmentColumn[Group]:
        label, cells = self._choose(address, REFERENCE_COLUMNS)
        return SegmentColumn(label, self.unit, [_group(cell) for cell in cells])

    def systems(self, address: Address) -> list[tuple[str, SegmentColumn[str]]]:
        return [(default_name(address), self._texts(address, HYPOTHESIS_COLUMNS))]

    def columns(self, texts: Container[str]) -> Mapping[str, SegmentColumn[str]]:
        """Return the columns without texts that hold a single value in each row; null is the empty string."""
        found = {}
        for name in self.plain_names:
            if name not in texts and name not in TEXT_COLUMNS:
                with suppress(InputError):  # segments cannot be grouped by lists, objects or missing values
                    found[name] = SegmentColumn(f"{self.path}#{name}", self.unit, self.plain_values(name))
        return found

    def plain_values(self, name: str) -> list[str]:
        """Return a column of single values as strings: numbers in JSON notation, null as "".

        Raises
        ------
        InputError
            If a row lacks the value, or the value is a list or an object.
        """
        values = self.values(name)
        cells = list(map(_plain, values))
        if None in cells:
            row = cells.index(None)
            raise InputError(
                f"{self.path}#{name}: {self.place(row)} holds {_kind(values[row])}, not a single value"
            )
        plain = [cell for cell in cells if cell is not None]
        self._check_surrogates(name, plain)
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
                    f"{self.path}#{name}: {self.place(row)} holds a list with {_kind(item)} in it;"
                    " only strings and nulls are allowed"
                )
        return tuple(item for item in value if item is not None)

    def _check_surrogates(self, name: str, cells: Sequence[Cell]) -> None:
        if _is_encodable(cells):
            return
        row = next(row for row, cell in enumerate(cells) if not _is_encodable([cell]))
        raise InputError(
            f"{self.path}#{name}: {self.place(row)} holds half of a surrogate pair, which is not valid text"
        )


def check_unique_names(path: str, names: Sequence[str]) -> None:
    """Raise if two columns have the same name."""
    for name, times in Counter(names).items():
        if times > 1:
            raise InputError(f"{path} has {times} columns named {name!r}; give each its own name")


def look_up(record: object, name: str) -> object:
    """Find a key in a JSON object: the whole name first, otherwise the name as a dotted path.

    If a part of the path is null, so is the result.

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
    """Format a single value as a string; return None for lists, objects and other values."""
    if isinstance(value, str):
        return value
    if value is None or isinstance(value, bool):
        return "" if value is None else str(value).lower()
    return str(value) if isinstance(value, (Number, date)) else None


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
