"""The numbers of files, conditions and options: plain decimal notation, and nothing else that Python would accept."""

import re
from math import isfinite

_INTEGER = re.compile(r"[+-]?[0-9]+")
_DECIMAL = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_MAX_DIGITS = 4000  # Python converts a few more

LARGEST_SCORE = 1e30
"""The largest magnitude of a score from a file, a program or a judge; the eighth powers of a billion of them have a finite sum, and single precision holds them."""


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


def parse_score(value: object) -> float | None:
    """Parse a score, given as a text or as a value of JSON; None for everything else, and beyond the largest score.

    >>> parse_score("-2.50"), parse_score(7), parse_score("1e308"), parse_score(True)
    (-2.5, 7.0, None, None)
    """
    number = parse_float(str(value)) if type(value) in (str, int, float) else None
    return None if number is None or abs(number) > LARGEST_SCORE else number


def describe_score(value: object) -> str:
    """Say why a value is not a score.

    >>> describe_score("good"), describe_score("-1e308")
    ('not a finite number', 'beyond 1e+30, the largest score')
    """
    is_number = type(value) in (str, int, float) and parse_float(str(value)) is not None
    return f"beyond {LARGEST_SCORE:g}, the largest score" if is_number else "not a finite number"
