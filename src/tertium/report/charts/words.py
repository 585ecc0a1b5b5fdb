"""Words on charts: how wide they are, broken into lines, and headings made of them."""

import re
import unicodedata

__all__ = ["heading", "text_width", "wrap_text"]

_NARROW, _WIDE = frozenset("fijlrtI.,:;'|!-()[]/ "), frozenset("mwMW@%")
_TITLE, _SUBTITLE = 15.5, 11  # sizes of text; bold letters are about a tenth wider than their 14


def text_width(text: str, size: float) -> float:
    """Estimate how many pixels a text takes in a sans-serif font, rather too many than too few.

    Examples
    --------
    >>> text_width("BLEU", 10)
    28.0
    """
    return round(sum(map(_character_width, text)) * size, 2)


def wrap_text(text: str, size: float, room: float) -> list[str]:
    """Break a text into lines that fit, at spaces and behind commas and colons; a part too long stays whole.

    Examples
    --------
    >>> wrap_text("one two three", 10, 50)
    ['one two', 'three']
    """
    lines = [""]
    for part in re.findall(r"[^\s,:]*[\s,:]*", text):
        if lines[-1] and text_width((lines[-1] + part).rstrip(), size) > room:
            lines.append("")
        lines[-1] += part
    return [line.rstrip() for line in lines]


def heading(title: str, subtitle: str, width: float) -> dict[str, object]:
    """A title over a line that says more, both as many lines as they need."""
    lines: dict[str, object] = {"text": wrap_text(title, _TITLE, width)}
    return {**lines, "subtitle": wrap_text(subtitle, _SUBTITLE, width)} if subtitle else lines


def _character_width(character: str) -> float:
    if unicodedata.combining(character):
        return 0.0
    if unicodedata.east_asian_width(character) in "WF":
        return 1.0
    if character in _NARROW:
        return 0.34
    return 0.88 if character in _WIDE else 0.7 if character.isupper() else 0.56
