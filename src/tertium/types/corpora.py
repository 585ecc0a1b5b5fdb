"""A test set: references and the outputs of systems."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import overload

from tertium.errors import InputError

__all__ = ["Corpus", "ReferenceStreams", "count_references"]


class ReferenceStreams(Sequence[tuple[str, ...]]):
    """References where every segment has equally many: a column of the first ones, one of the second, and so on.

    >>> ReferenceStreams([["a", "b"], ["A", "B"]])[1]
    ('b', 'B')
    """

    def __init__(self, streams: Sequence[Sequence[str]]) -> None:
        self.streams = tuple(streams)

    def __len__(self) -> int:
        return len(self.streams[0])

    @overload
    def __getitem__(self, index: int) -> tuple[str, ...]: ...
    @overload
    def __getitem__(self, index: slice) -> "ReferenceStreams": ...
    def __getitem__(self, index: int | slice) -> "tuple[str, ...] | ReferenceStreams":
        if isinstance(index, slice):
            return ReferenceStreams([stream[index] for stream in self.streams])
        return tuple(stream[index] for stream in self.streams)

    def __iter__(self) -> Iterator[tuple[str, ...]]:
        return zip(*self.streams, strict=True)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sequence):
            return NotImplemented
        return list(self) == list(map(tuple, other))

    __hash__ = None  # type: ignore[assignment] # as a list

    def __repr__(self) -> str:
        return f"<ReferenceStreams: {len(self):,} segments, {len(self.streams)} for each>"


@dataclass(frozen=True)
class Corpus:
    """A test set: references per segment in any number, and the outputs of systems by name.

    `segment_ids` and `document_ids` are labels for people; segments are counted from 0 inside the
    library and from 1 in what users see. `columns` say more about each segment (domain, year, the
    language it was written in), so that parts of a test set can be looked at; an unknown value is "".
    """

    references: Sequence[Sequence[str]]
    systems: Mapping[str, Sequence[str]]
    sources: Sequence[str] | None = None
    segment_ids: Sequence[str] | None = None
    document_ids: Sequence[str] | None = None
    columns: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not self.references:
            raise InputError("no segments to score: the references are empty")
        _check_references(self.references)
        columns = {f"system {name!r}": texts for name, texts in self.systems.items()}
        for label in ("sources", "segment_ids", "document_ids"):
            if (column := getattr(self, label)) is not None:
                columns[label] = column
        columns |= {f"column {name!r}": values for name, values in self.columns.items()}
        for label, column in columns.items():
            if len(column) != len(self.references):
                raise InputError(
                    f"{label} has {len(column):,} segments but the references have {len(self.references):,}"
                )

    def __len__(self) -> int:
        return len(self.references)

    @property
    def n_references(self) -> tuple[int, int]:
        """The smallest and the largest number of references of a segment."""
        return count_references(self.references)

    @property
    def first_references(self) -> Sequence[str]:
        """The first reference of each segment."""
        if isinstance(self.references, ReferenceStreams):
            return self.references.streams[0]
        return [group[0] for group in self.references]


def count_references(groups: Sequence[Sequence[str]]) -> tuple[int, int]:
    """Find the smallest and the largest number of references of a segment."""
    if isinstance(groups, ReferenceStreams):
        return len(groups.streams), len(groups.streams)
    counts = {len(group) for group in groups}
    return min(counts), max(counts)


def _check_references(references: Sequence[Sequence[str]]) -> None:
    if isinstance(references, ReferenceStreams):
        return
    for number, group in enumerate(references, start=1):
        if isinstance(group, str):
            raise InputError(f"segment {number}: give its references as a list of strings, not one string")
        if not group:
            raise InputError(f"segment {number} has no reference; an empty reference is written as ''")
