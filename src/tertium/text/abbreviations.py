"""Abbreviations that keep their full stop, of the languages for which this package has a list."""

from functools import cache
from pathlib import Path

__all__ = ["Abbreviations", "own_abbreviations", "read_word_list"]

_DATA = Path(__file__).parent / "data"

# Those that always keep their full stop, and those that keep it before a number.
Abbreviations = tuple[frozenset[str], frozenset[str]]


@cache
def own_abbreviations(language: str) -> Abbreviations:
    """Read the list of a language; one without a list has no abbreviations."""
    always, _, before_number = read_word_list(language).partition("# NUMBER\n")
    return frozenset(_words(always)), frozenset(_words(before_number))


def read_word_list(language: str) -> str:
    """Read the text of a language's list; an empty one if there is none."""
    path = _DATA / f"abbreviations-{language}.txt"
    return path.read_text(encoding="utf-8") if path.exists() else ""


def _words(text: str) -> list[str]:
    return [word for line in text.splitlines() if not line.startswith("# ") for word in line.split()]
