"""A stream: a text whose line breaks may differ from those of segments, with the positions where it may be cut."""

import re
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Literal

import numpy as np
import numpy.typing as npt

from tertium.records import record
from tertium.values import OffsetArray

TokenKind = Literal["words", "whitespace", "characters"]
"""The tokens that are compared: words and punctuation marks, strings between spaces, or characters."""

# Scripts without spaces between words: Han, Kana, Thai, Lao, Tibetan, Burmese, Khmer.
_UNSPACED = (
    "\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
    "\uff66-\uff9f\U00020000-\U0003ffff\u0e00-\u0eff\u0f00-\u0fff\u1000-\u109f\u1780-\u17ff"
)
# Vowel signs and tone marks of these scripts, which follow their consonant.
_MARKS = (
    "\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ecd\u0f71-\u0f84\u102b-\u103e\u17b6-\u17d3"
    "\u3099\u309a\u0300-\u036f"
)
CLOSING = "\"'”’»›」』）】〉》〕］｝)]}"
"""Quotes and brackets that may follow the punctuation of a sentence end."""

_CLOSING = CLOSING.replace("]", r"\]")
_STOPS = ".!?…。！？｡؟۔।॥။។"
_INNER_STOPS = "、，．：；､"

_ONLY_CLOSING = "”»›」』）】〉》〕］｝。！？｡、，．：；､"  # nothing begins with them

_UNIT = re.compile(
    rf"[{_UNSPACED}][{_MARKS}]*(?:[{_STOPS}{_INNER_STOPS}{_CLOSING}]|[{_MARKS}])*"
    rf"|[{_ONLY_CLOSING}]+|[^\s{_UNSPACED}]+"
)
_NO_START = re.compile(rf"[{_ONLY_CLOSING}.,;:!?)\]}}؟۔،؛।]+")
_WORD = re.compile(
    rf"[{_UNSPACED}][{_MARKS}]*|(?:(?![{_UNSPACED}])\w)+(?:[-'’.,](?:(?![{_UNSPACED}])\w)+)*|\S"
)
_CHARACTER = re.compile(r"\S")
_IS_UNSPACED = re.compile(f"[{_UNSPACED}\u3000-\u303f\uff00-\uff65]")
_SENTENCE_END = re.compile(f"[{_STOPS}][{_CLOSING}]*$")

_SPLITS: dict[TokenKind, Callable[[str], list[str]]] = {
    "words": _WORD.findall,
    "whitespace": str.split,
    "characters": _CHARACTER.findall,
}


def split_tokens(text: str, kind: TokenKind) -> list[str]:
    """Split a text into the tokens that are compared, in lower case.

    >>> split_tokens("It's 3.5 km (or so).", "words")
    ["it's", '3.5', 'km', '(', 'or', 'so', ')', '.']
    """
    return _SPLITS[kind](text.casefold())


def ends_sentence(text: str) -> bool:
    """Whether a text ends with the punctuation of a sentence end, or with closing quotes or brackets behind it.

    >>> ends_sentence('He said "no."'), ends_sentence("Chapter One"), ends_sentence("彼は言った。」")
    (True, False, True)
    """
    return _SENTENCE_END.search(text[-8:].rstrip()) is not None


def may_begin(unit: str) -> bool:
    """Whether a segment may begin with this unit: not with closing punctuation that stands alone.

    >>> may_begin("("), may_begin("”"), may_begin("."), may_begin(".NET")
    (True, False, False, True)
    """
    return _NO_START.fullmatch(unit) is None


@record(eq=False)
class Stream:
    """A text with its units: words between spaces, or characters in scripts without spaces.

    Cuts lie between units. Closing punctuation belongs to the unit before it.

    Attributes
    ----------
    starts, ends
        Where each unit begins and ends in the text.
    breaks
        Whether a line of the output began with the unit.
    """

    text: str
    starts: OffsetArray
    ends: OffsetArray
    breaks: npt.NDArray[np.bool_]

    @classmethod
    def of(cls, lines: Sequence[str]) -> "Stream":
        """Join lines, with a space between them unless their script has none."""
        parts, breaks, length = list[str](), set[int](), 0
        for line in filter(None, (" ".join(line.split()) for line in lines)):
            if parts and not (_IS_UNSPACED.match(parts[-1][-1]) or _IS_UNSPACED.match(line)):
                parts.append(" ")
                length += 1
            breaks.add(length)
            parts.append(line)
            length += len(line)
        return cls._cut("".join(parts), breaks)

    @classmethod
    def _cut(cls, text: str, breaks: set[int]) -> "Stream":
        spans = np.array([found.span() for found in _UNIT.finditer(text)], dtype=np.int64).reshape(-1, 2)
        starts = np.ascontiguousarray(spans[:, 0])
        return cls(text, starts, spans[:, 1], np.isin(starts, list(breaks)))

    def __len__(self) -> int:
        return len(self.starts)

    @cached_property
    def units(self) -> list[str]:
        """The text of each unit."""
        return [self.text[s:e] for s, e in zip(self.starts.tolist(), self.ends.tolist(), strict=True)]

    @cached_property
    def distinct(self) -> list[str]:
        """The different units."""
        return list(dict.fromkeys(self.units))

    @cached_property
    def index(self) -> OffsetArray:
        """The index of each unit in the list of different units."""
        numbers = {unit: i for i, unit in enumerate(self.distinct)}
        return np.fromiter(map(numbers.__getitem__, self.units), dtype=np.int64, count=len(self))

    @property
    def is_unspaced(self) -> bool:
        """Whether most units are characters of scripts without spaces."""
        return sum(_IS_UNSPACED.match(unit) is not None for unit in self.units) > len(self) / 2

    def extract(self, first: int, last: int) -> str:
        """Return the text of the units `first` to `last`, without the last one."""
        return self.text[self.starts[first] : self.ends[last - 1]] if first < last else ""
