"""How most of a text is written: its script, language, case, tokens, normal form, quotation marks, edges of lines, characters."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Literal, Self

import numpy as np
import numpy.typing as npt

from tertium.records import record
from tertium.text.detection import (
    CASED_SCRIPTS,
    CodeArray,
    TextLanguage,
    count_scripts,
    decode_text,
    name_main_script,
    sample_texts,
)
from tertium.text.tokenizers import UNSPACED_SCRIPTS
from tertium.values import FloatArray

# Not " ?" and " !", which are French typography, nor the Hindi danda after a space.
_SPACED_ENDS = (" .", " 。", ' . "', " . ”", " . '")
_ENDS = (".", "。", '."', ".”")

_CURLY_QUOTES = "“”„"
_CURLY_APOSTROPHE = "’"

QuoteStyle = Literal["straight", "curly"]
Case = Literal["lower-cased", "upper-cased"]

# Fewer words do not show in which case a text is written.
MIN_INITIALS = 20
# Lines that show the case of initials, and the edges of lines.
CASE_LINES, EDGE_LINES = 100, 200
# The rest of a longer line is not examined.
MAX_LINE = 10_000
# Signs and digits at the end of a line, and the word before them, are rarely longer.
MAX_EDGE = 40
OTHER_PLANES = 0x10000
_SPACES = "\t\n \u00a0\u202f\u3000" + "".join(map(chr, range(0x2000, 0x200B)))


Edges = tuple[str, str, str, str]
"""The signs and digits at the beginning of a line, the word there, the signs and digits at its end, and the word there."""


@record
class Surface:
    """How most of a text is written, by a sample of its lines; None where the text does not show it.

    Attributes
    ----------
    known_language
        The language, if the caller knows it; otherwise it is detected.
    """

    lines: Sequence[str]
    known_language: TextLanguage | None = None

    @classmethod
    def of(cls, texts: Sequence[str], size: int, language: TextLanguage | None = None) -> Self:
        """Sample the beginnings of at most `size` lines of a text."""
        return cls([line[:MAX_LINE] for line in sample_texts(texts, size)], language)

    @cached_property
    def script(self) -> str | None:
        return name_main_script(count_scripts(self.lines))

    @cached_property
    def language(self) -> str | None:
        return (self.known_language or TextLanguage(self.lines)).guess.code

    @cached_property
    def is_tokenised(self) -> bool | None:
        rate = tokenised_rate(self.lines, len(find_tokenised(self.lines)))
        return None if rate is None else rate >= 0.5

    @cached_property
    def case(self) -> Case | None:
        """The case, if it is not the case of sentences."""
        return find_case(self.lines)

    @cached_property
    def decomposed_rate(self) -> float | None:
        """The share of decomposed lines (NFD) among the lines with letters that have two normal forms; None if there are none."""
        n_decomposed, n_composed = self._normal_forms
        return n_decomposed / (n_decomposed + n_composed) if n_decomposed + n_composed else None

    @property
    def marked_rate(self) -> float:
        """The share of lines with letters that have two normal forms."""
        return sum(self._normal_forms) / max(len(self.lines), 1)

    @cached_property
    def _normal_forms(self) -> tuple[int, int]:
        """The numbers of decomposed and of composed lines."""
        return len(find_decomposed(self.lines)), len(find_composed(self.lines))

    @cached_property
    def capital_rate(self) -> float | None:
        """The share of words that begin with a capital letter, without the first of each line; None if there are few."""
        words = (word for line in sample_texts(self.lines, CASE_LINES) for word in line.split()[1:])
        initials = [word[0] for word in words if word[0] != word[0].swapcase()]
        return sum(map(str.isupper, initials)) / len(initials) if len(initials) >= MIN_INITIALS else None

    @cached_property
    def edges(self) -> list[Counter[str]]:
        """How many lines have each of the four edges."""
        found = [find_edges(line) for line in sample_texts(self.lines, EDGE_LINES) if line]
        return [Counter(column) for column in zip(*found, strict=True)] or [Counter() for _ in range(4)]

    @cached_property
    def has_spaces(self) -> bool:
        """Whether the text's script puts spaces between words."""
        return self.script is not None and self.script not in UNSPACED_SCRIPTS

    @cached_property
    def codes(self) -> CodeArray:
        """The code points of the text; all code points beyond the Basic Multilingual Plane count as one character."""
        return np.minimum(decode_text("\n".join(self.lines)), OTHER_PLANES)

    @cached_property
    def character_rates(self) -> FloatArray:
        """The share of each code point in the characters of the text."""
        return np.bincount(self.codes, minlength=OTHER_PLANES + 1) / max(len(self.codes), 1)

    @cached_property
    def variants(self) -> frozenset[str]:
        """The letters and digits that NFKC replaces: full-width letters, ligatures, mathematical letters."""
        found = set(map(chr, np.flatnonzero(self.character_rates[:OTHER_PLANES]).tolist()))
        if self.character_rates[OTHER_PLANES]:
            found |= set("".join(self.lines))
        return frozenset(
            character
            for character in found
            if not character.isascii() and character.isalnum() and is_variant(character)
        )

    @cached_property
    def word_numbers(self) -> npt.NDArray[np.int64]:
        """The number of the word of each character, counted from 0; -1 for white space."""
        is_space = mark_characters(_SPACES)[self.codes]
        begins = ~is_space & np.append(True, is_space[:-1])
        return np.where(is_space, -1, np.cumsum(begins) - 1)

    @property
    def n_words(self) -> int:
        return int(self.word_numbers.max(initial=-1)) + 1

    @property
    def word_length(self) -> float:
        """The mean number of characters of a word."""
        return float((self.word_numbers >= 0).sum()) / max(self.n_words, 1)

    def share_of_words(self, are_meant: npt.NDArray[np.bool_]) -> float:
        """Compute the share of the words that contain a meant character; of the characters in scripts without spaces."""
        where = are_meant[self.codes] & (self.word_numbers >= 0)
        if not self.has_spaces:
            return float(where.mean()) if len(where) else 0.0
        hit = np.zeros(self.n_words, dtype=bool)
        hit[self.word_numbers[where]] = True
        return float(hit.mean()) if len(hit) else 0.0

    @property
    def quotation_marks(self) -> QuoteStyle | None:
        return _quote_style(self.lines, '"', _CURLY_QUOTES)

    @property
    def apostrophes(self) -> QuoteStyle | None:
        return _quote_style(self.lines, "'", _CURLY_APOSTROPHE)


def is_variant(character: str) -> bool:
    """Whether NFKC replaces a character, but NFC does not. Single letters of Korean (ㅋㅋ) are excepted: people write them."""
    composed = unicodedata.normalize("NFC", character)
    return unicodedata.normalize("NFKC", composed) != composed and not "\u3131" <= character <= "\u318e"


def mark_characters(characters: Iterable[str]) -> npt.NDArray[np.bool_]:
    """Return whether each code of `Surface.codes` is one of the characters."""
    marked = np.zeros(OTHER_PLANES + 1, dtype=bool)
    marked[[min(ord(character), OTHER_PLANES) for character in characters]] = True
    return marked


def find_tokenised(lines: Sequence[str]) -> list[int]:
    """Find lines with a space before a full stop, a comma, 's or n't."""
    return [
        row
        for row, line in enumerate(lines)
        if " , " in line  # not a loop over the marks, which is slower on a million lines
        or line.endswith(_SPACED_ENDS)
        or " 's " in line
        or " n't " in line
        or " ， " in line
    ]


def find_lowercased(lines: Sequence[str]) -> list[int]:
    return [row for row, line in enumerate(lines) if line.islower()]


def find_uppercased(lines: Sequence[str]) -> list[int]:
    return [row for row, line in enumerate(lines) if line.isupper()]


def find_decomposed(lines: Sequence[str]) -> list[int]:
    """Find lines with a letter and a combining mark that Unicode also has as one character."""
    return [row for row, line in enumerate(lines) if not line.isascii() and _is_decomposed(line)]


def find_composed(lines: Sequence[str]) -> list[int]:
    """Find lines with a character that Unicode can also write as a letter and a combining mark."""
    return [
        row
        for row, line in enumerate(lines)
        if not line.isascii() and not unicodedata.is_normalized("NFD", line)
    ]


def tokenised_rate(lines: Sequence[str], n_tokenised: int) -> float | None:
    """Divide the tokenised lines by all lines that show whether they are tokenised."""
    n_conclusive = sum(line.endswith(_ENDS) or ", " in line or "，" in line for line in lines)
    total = max(n_tokenised, n_conclusive)
    return n_tokenised / total if total > 1 else None  # one line is not enough evidence


def find_case(lines: Sequence[str]) -> Case | None:
    """Return the case of nearly all lines of a text in a script with capital letters, if it is not that of sentences."""
    n_lower, n_upper = sum(line.islower() for line in lines), sum(line.isupper() for line in lines)
    found: Case | None = None
    if n_lower > 1 and n_lower > 19 * sum(line != line.lower() for line in lines):
        found = "lower-cased"
    elif n_upper > 1 and n_upper > 19 * sum(line != line.upper() for line in lines):
        found = "upper-cased"
    return found if found and name_main_script(count_scripts(lines)) in CASED_SCRIPTS else None


_EDGE = re.compile(r"([\W\d_]*)([^\W\d_]*)")
_DIGITS = re.compile(r"\d+")
_USUAL_SIGNS = frozenset(["", *".!?。", "...", '"', '."'])


def find_edges(line: str) -> Edges:
    """Return the edges of a line; every number is written as 0.

    >>> find_edges('17. "The cat sat."')
    ('0. "', 'The', '."', 'sat')
    """
    line = line.strip()
    opening, ending = _EDGE.match(line[:MAX_EDGE]), _EDGE.match(line[: -MAX_EDGE - 1 : -1])
    assert opening is not None  # noqa: S101 - both may be empty
    assert ending is not None  # noqa: S101
    return _simplify(opening[1]), opening[2], _simplify(ending[1][::-1]), ending[2][::-1]


def _simplify(signs: str) -> str:
    return signs if signs in _USUAL_SIGNS else _DIGITS.sub("0", signs.strip())


def _is_decomposed(line: str) -> bool:
    # Composition exclusions make NFC longer, not shorter; they do not show that a text is decomposed.
    return not unicodedata.is_normalized("NFC", line) and len(unicodedata.normalize("NFC", line)) < len(line)


def _quote_style(lines: Sequence[str], straight: str, curly: str) -> QuoteStyle | None:
    n_straight = sum(straight in line for line in lines)
    n_curly = sum(any(mark in line for mark in curly) for line in lines if not line.isascii())
    if max(n_straight, n_curly) < max(3, len(lines) / 100):
        return None  # a few quotations do not change a score
    if n_curly > 9 * n_straight:
        return "curly"
    return "straight" if n_straight > 9 * n_curly else None
