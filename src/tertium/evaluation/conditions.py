"""Conditions on segments as a user writes them: `domain=news,length>20`."""

import math
import operator
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from tertium.catalog.finding import suggest
from tertium.errors import InputError, OptionError, UnknownNameError

__all__ = ["Condition", "find_column", "parse_conditions", "select_rows"]

Rows = npt.NDArray[np.int64]
Columns = Mapping[str, Sequence[str]]

_ORDERS: Mapping[str, Callable[[Any, Any], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
# A name without operators, an operator, and a value up to the next comma or in double quotes.
_ITEM = re.compile(r'\s*([^<>=!~,"]+?)\s*(!=|<=|>=|=|<|>|~)\s*("[^"]*"|[^,"]*?)\s*(?:,|$)')


@dataclass(frozen=True)
class Condition:
    """What the values of a column must be: = != < <= > >= or ~ (contains)."""

    column: str
    relation: str
    value: str

    def __str__(self) -> str:
        return f"{self.column}{self.relation}{self.value}"

    def select(self, columns: Columns) -> npt.NDArray[np.bool_]:
        """Tell which segments fulfil it."""
        values = find_column(columns, self.column)
        if self.relation == "~":
            return np.array([self.value in value for value in values])
        if self.relation in _ORDERS:
            return self._select_ordered(values)
        equal = np.array([_is_equal(value, self.value) for value in values])
        if self.relation == "=" and not equal.any():
            near = suggest(self.value, dict.fromkeys(values))
            raise InputError(f"no segment has {self.column} {self.value!r}; {near}")
        return equal if self.relation == "=" else ~equal

    def _select_ordered(self, values: Sequence[str]) -> npt.NDArray[np.bool_]:
        """Compare numbers; a segment without a value fulfils nothing."""
        limit, compare = _number(self.value), _ORDERS[self.relation]
        if limit is None:
            raise OptionError(
                f"{self}: only numbers can be compared with {self.relation}, not {self.value!r}"
            )
        numbers = [_number(value) if value else math.nan for value in values]
        if None in numbers:
            row = numbers.index(None)
            raise InputError(
                f"{self}: segment {row + 1:,} has {self.column} {values[row]!r}, which is not a number;"
                " compare it with = != or ~"
            )
        return np.array([compare(number, limit) for number in numbers])


def parse_conditions(texts: Sequence[str]) -> tuple[Condition, ...]:
    """Read conditions that all must hold; a value with commas stands in double quotes.

    >>> [str(each) for each in parse_conditions(["domain=news,length>20", 'topic~"a, b"'])]
    ['domain=news', 'length>20', 'topic~a, b']
    """
    return tuple(condition for text in texts for condition in _parse(text))


def select_rows(conditions: Sequence[Condition], columns: Columns, n_segments: int) -> Rows:
    """Find the segments that fulfil all conditions.

    Raises
    ------
    InputError
        If there are none.
    """
    chosen = np.ones(n_segments, dtype=bool)
    for condition in conditions:
        chosen &= condition.select(columns)
    if not chosen.any():
        raise InputError(
            f"no segment fulfils {', '.join(map(str, conditions))}; leave a condition out, or change it"
        )
    return np.flatnonzero(chosen)


def find_column(columns: Columns, name: str) -> Sequence[str]:
    """Find what is known about segments under a name."""
    if name not in columns:
        known = suggest(name, columns) if columns else "no columns are known; --columns FILE adds some"
        raise UnknownNameError(f"segments have no column {name!r}; {known}")
    return columns[name]


def _parse(text: str) -> list[Condition]:
    found, at = [], 0
    while at < len(text):
        item = _ITEM.match(text, at)
        if item is None:
            raise OptionError(
                f"{text[at:]!r} is not a condition; write COLUMN=VALUE, or != < <= > >= ~ instead of ="
            )
        found.append(Condition(item[1], item[2], item[3].strip('"')))
        at = item.end()
    if not found:
        raise OptionError("a condition is empty; write COLUMN=VALUE, such as domain=news")
    return found


def _is_equal(one: str, other: str) -> bool:
    """Whether two values are the same text or the same number."""
    if one == other:
        return True
    ours, theirs = _number(one), _number(other)
    return ours is not None and ours == theirs


def _number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) else None
