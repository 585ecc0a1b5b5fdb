"""The length of a text: in words, or in characters for scripts without spaces between words."""

import re
from collections.abc import Sequence
from functools import cache
from unicodedata import category

import numpy as np

from tertium.values import FloatArray

# Han with its extensions, Hiragana and Katakana, Thai, Lao, Burmese, Khmer (Unicode 15, Blocks.txt), letters and marks.
_LETTERS = (
    "\u0e01-\u0e4e\u0e81-\u0ecf\u1000-\u103f\u104c-\u109f\u1780-\u17d3\u3005-\u3007\u3041-\u30fa\u30fc-\u30ff"
    "\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003134f"
)


@cache
def _unspaced() -> re.Pattern[str]:
    """Match a character of a script without spaces; compiled on first use, to keep start-up fast."""
    return re.compile(f"[{_LETTERS}]")


@cache
def _unit() -> re.Pattern[str]:
    """Match a character of a script without spaces, or a word of another script."""
    return re.compile(rf"[{_LETTERS}]|[^\s{_LETTERS}]+")


def count_length(text: str) -> int:
    """Count the words of a text, split at white space; each character of a script without spaces counts as a word.

    Combining marks (such as Thai vowels) do not count, nor does punctuation next to such characters.

    >>> count_length("It is short ."), count_length("我们用 Python。"), count_length("ที่นี่")
    (4, 4, 2)
    """
    if text.isascii() or not (characters := _unspaced().findall(text)):
        return len(text.split())
    words = _unspaced().sub(" ", text).split()
    letters = sum(category(character)[0] != "M" for character in characters)
    return letters + sum(any(map(str.isalnum, word)) for word in words)


def mean_lengths(references: Sequence[Sequence[str]]) -> FloatArray:
    """Return the mean length of the references of each segment."""
    return np.array([sum(map(count_length, group)) / len(group) for group in references])


def has_no_spaces(references: Sequence[Sequence[str]]) -> bool:
    """Whether most segments are written without spaces between words, so that lengths are in characters."""
    n_unspaced = sum(_unspaced().search(group[0]) is not None for group in references)
    return 2 * n_unspaced > len(references)


def split_units(text: str) -> list[tuple[str, bool]]:
    """Split a text at white space, and scripts without spaces into characters with their combining marks.

    The flag of a unit is true if no space separates it from the unit before it. The first unit's flag is true if
    it belongs to a script without spaces.

    >>> split_units("It is 我们")
    [('It', False), ('is', False), ('我', False), ('们', True)]
    """
    units: list[tuple[str, bool]] = []
    end = 0
    for match in _unit().finditer(text):
        unit, begin = match.group(), match.start()
        is_glued = begin == end if units else _unspaced().match(unit) is not None
        end = match.end()
        if units and is_glued and category(unit[0])[0] == "M":
            units[-1] = (units[-1][0] + unit, units[-1][1])
        else:
            units.append((unit, is_glued))
    return units
