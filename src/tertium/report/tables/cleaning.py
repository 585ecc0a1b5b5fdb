"""Characters that a name or a text must not bring into an output: line breaks, terminal controls, hidden directions."""

import re
import unicodedata

__all__ = ["clean_field", "clean_line", "display_width"]

# ALM, LRM, RLM, embeddings, overrides, isolates: they let a name rearrange the text around it.
_BIDI = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
# C0 and C1 controls (ESC begins terminal commands; so does U+009B), DEL, and halves of surrogate pairs,
# which no file in UTF-8 can hold.
_CONTROLS = "\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff"
_SPACES = re.compile(
    "\r\n|[\t\n\v\f\r\x1c-\x1e\x85\u2028\u2029]"
)  # tabs, and what splitlines() takes for a line's end
_UNSAFE = re.compile(f"[{_CONTROLS}{_BIDI}]")
_REPLACEMENT = "\N{REPLACEMENT CHARACTER}"


def clean_line(text: str) -> str:
    r"""Make a text safe as a part of one line: breaks and tabs become spaces, controls U+FFFD.

    >>> clean_line("a\tb\nc"), clean_line("\x1b[31m")
    ('a b c', '�[31m')
    """
    return text if _is_plain(text) else _UNSAFE.sub(_REPLACEMENT, _SPACES.sub(" ", text))


def clean_field(text: str) -> str:
    r"""Replace controls by U+FFFD, but keep tabs and line breaks: the format quotes them.

    >>> clean_field("a\tb\x1b")
    'a\tb�'
    """
    return text if _is_plain(text) else _UNSAFE.sub(_REPLACEMENT, text)


def display_width(text: str) -> int:
    """Count the places that a text takes in a terminal: two for a Chinese character, none for an accent.

    >>> display_width("abc"), display_width("中文"), display_width("e\N{COMBINING ACUTE ACCENT}")
    (3, 4, 1)
    """
    return len(text) if text.isascii() else sum(map(_character_width, text))


def _character_width(character: str) -> int:
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def _is_plain(text: str) -> bool:
    return text.isascii() and text.isprintable()
