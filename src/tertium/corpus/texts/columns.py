"""What every format gives: columns of texts that remember where they come from."""

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from tertium.files.addresses import Address

__all__ = ["BEGINNING", "Batch", "Column", "Document", "Group", "Key", "RowStream", "Start", "count"]

Group = tuple[str, ...]  # the references of one segment
Key = tuple[str, str]  # document id, segment id

T_co = TypeVar("T_co", covariant=True)


@dataclass(frozen=True)
class Column(Generic[T_co]):
    """Values in segment order, where they were read, and the ids of their segments if the format has ids."""

    label: str
    unit: str
    values: Sequence[T_co]
    keys: Sequence[Key] | None = None

    def __len__(self) -> int:
        return len(self.values)


class Document(Protocol):
    """A file that was read once and may be asked for several columns."""

    def source(self, address: Address) -> Column[str]: ...

    def references(self, address: Address) -> Column[Group]: ...

    def systems(self, address: Address) -> Sequence[tuple[str, Column[str]]]: ...

    def columns(self, texts: Container[str]) -> Mapping[str, Column[str]]:
        """What the file says about each segment besides its texts, whose columns are named in `texts`."""


class Batch(Document, Protocol):
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

    def read(self, n_rows: int) -> Batch:
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
