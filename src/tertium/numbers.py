"""The numbers of files, conditions and options: plain decimal notation, and nothing else that Python would accept."""

import re
from math import isfinite

_INTEGER = re.compile(r"[+-]?[0-9]+")
_DECIMAL = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_MAX_DIGITS = 4000  # Python converts a few more

LARGEST_SCORE = 1e50
"""The largest magnitude of a score from a file or a program; the fourth powers of a billion of them have a finite sum."""


def parse_number(text: str) -> int | float | None:
    """Parse a number; integers exactly, others to the nearest float.

    None for everything else: underscores, digits of other scripts, infinity, NaN, and numbers that are too large.

    >>> parse_number("9007199254740993"), parse_number("-2.50"), parse_number("1e3")
    (9007199254740993, -2.5, 1000.0)
    >>> parse_number("1_0"), parse_number("٥"), parse_number("nan"), parse_number("1e999")
    (None, None, None, None)
    """
    text = text.strip(" ")
    if _INTEGER.fullmatch(text):
        return int(text) if len(text) <= _MAX_DIGITS else None
    if not _DECIMAL.fullmatch(text):
        return None
    number = float(text)
    return number if isfinite(number) else None


def parse_integer(text: str) -> int | None:
    """Parse a whole number in plain digits; None for everything else."""
    number = parse_number(text)
    return number if isinstance(number, int) else None


def parse_float(text: str) -> float | None:
    """Parse a number as a float; None if it is not a number or too large."""
    number = parse_number(text)
    try:
        return None if number is None else float(number)
    except OverflowError:
        return None
