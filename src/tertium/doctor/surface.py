"""How a text is written: tokenised, lower-cased, composed, with which quotation marks."""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from tertium.text.detection import detect_language, sample_texts
from tertium.text.scripts import CASED_SCRIPTS, count_scripts, name_main_script

__all__ = [
    "Surface",
    "describe_surface",
    "find_composed",
    "find_decomposed",
    "find_lowercased",
    "find_tokenised",
    "is_lowercased",
    "tokenised_rate",
]

# No space before " ?" and " !", which French typography writes, nor before the Hindi danda.
_SPACED_ENDS = (" .", " 。", ' . "', " . ”", " . '")
_ENDS = (".", "。", '."', ".”")

_CURLY_QUOTES = "“”„"
_CURLY_APOSTROPHE = "’"

QuoteStyle = Literal["straight", "curly"]


@dataclass(frozen=True)
class Surface:
    """How most of a text is written; None where the text does not tell."""

    script: str | None
    language: str | None
    is_tokenised: bool | None
    is_lowercased: bool
    normal_form: Literal["NFC", "NFD"] | None
    quotation_marks: QuoteStyle | None
    apostrophes: QuoteStyle | None


def describe_surface(lines: Sequence[str], *, sample: int = 2000) -> Surface:
    """Describe a text by lines taken from all over it."""
    taken = sample_texts(lines, sample)
    script = name_main_script(count_scripts(taken))
    return Surface(
        script=script,
        language=detect_language(taken).code,
        is_tokenised=_is_tokenised(taken),
        is_lowercased=is_lowercased(taken),
        normal_form=_normal_form(taken),
        quotation_marks=_quote_style(taken, '"', _CURLY_QUOTES),
        apostrophes=_quote_style(taken, "'", _CURLY_APOSTROPHE),
    )


def find_tokenised(lines: Sequence[str]) -> list[int]:
    """Find lines with a space before a full stop, a comma, 's or n't."""
    return [
        row
        for row, line in enumerate(lines)
        if " , " in line  # spelled out: the loop over a million lines is worth it
        or line.endswith(_SPACED_ENDS)
        or " 's " in line
        or " n't " in line
        or " ， " in line
    ]


def find_lowercased(lines: Sequence[str]) -> list[int]:
    return [row for row, line in enumerate(lines) if line.islower()]


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
    n_telling = sum(line.endswith(_ENDS) or ", " in line or "，" in line for line in lines)
    total = max(n_tokenised, n_telling)
    return n_tokenised / total if total > 1 else None  # one line is no habit


def is_lowercased(lines: Sequence[str]) -> bool:
    """Whether a text of a script with capitals has next to none."""
    n_lower = len(find_lowercased(lines))
    n_upper = sum(line != line.lower() for line in lines) if n_lower > 1 else len(lines)
    return n_lower > 19 * n_upper and name_main_script(count_scripts(lines)) in CASED_SCRIPTS


def _is_tokenised(lines: Sequence[str]) -> bool | None:
    rate = tokenised_rate(lines, len(find_tokenised(lines)))
    return None if rate is None else rate >= 0.5


def _is_decomposed(line: str) -> bool:
    # Composition exclusions make NFC longer, not shorter; they are no sign of decomposed text.
    return not unicodedata.is_normalized("NFC", line) and len(unicodedata.normalize("NFC", line)) < len(line)


def _normal_form(lines: Sequence[str]) -> Literal["NFC", "NFD"] | None:
    n_decomposed, n_composed = len(find_decomposed(lines)), len(find_composed(lines))
    if n_decomposed > 9 * n_composed:
        return "NFD"
    return "NFC" if n_composed > 9 * n_decomposed else None


def _quote_style(lines: Sequence[str], straight: str, curly: str) -> QuoteStyle | None:
    n_straight = sum(straight in line for line in lines)
    n_curly = sum(any(mark in line for mark in curly) for line in lines if not line.isascii())
    if max(n_straight, n_curly) < max(3, len(lines) / 100):
        return None  # a quotation here and there changes no score
    if n_curly > 9 * n_straight:
        return "curly"
    return "straight" if n_straight > 9 * n_curly else None
