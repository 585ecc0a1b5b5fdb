"""Whether columns from different files fit together, and the references of each segment in one group."""

from collections.abc import Sequence
from itertools import chain

from tertium.corpus.texts.columns import Column, Group, Key, count
from tertium.corpus.texts.segments import describe_key
from tertium.errors import InputError
from tertium.types import ReferenceStreams

__all__ = ["add_up", "check_length", "check_not_empty"]


def check_not_empty(column: Column[object]) -> None:
    """Raise if a column has no segment."""
    if not len(column):
        raise InputError(f"{column.label} has no {column.unit}s: there is nothing to score")


def check_length(column: Column[object], other: Column[object]) -> None:
    """Raise if two columns that must fit have different lengths."""
    if len(column) == len(other):
        return
    longer = max(column, other, key=len)
    expected = f"{len(other):,}" if column.unit == other.unit else count(len(other), other.unit)
    raise InputError(
        f"{column.label} has {count(len(column), column.unit)} but {other.label} has {expected}"
        f" (first unmatched: {longer.unit} {min(len(column), len(other)) + 1:,})"
    )


def add_up(
    columns: Sequence[Column[Group]], keys: Sequence[Key] | None = None, *, first: int = 1
) -> Sequence[Group]:
    """Join each segment's references of all columns; `first` is the number of the first segment."""
    streams = [column.values.streams for column in columns if isinstance(column.values, ReferenceStreams)]
    if len(streams) == len(columns):  # all have their references side by side: so has the sum
        return ReferenceStreams(list(chain(*streams)))
    groups = [tuple(chain(*parts)) for parts in zip(*(column.values for column in columns), strict=True)]
    for number, group in enumerate(groups, start=first):
        if not group:
            which = f"segment {number:,}" if keys is None else describe_key(keys[number - first])
            files = " and ".join(column.label for column in columns)
            raise InputError(
                f'{which} has no reference in {files}; remove it or add one ("" is an empty one)'
            )
    return groups
