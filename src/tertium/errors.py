"""Every error that Tertium raises on purpose, and how its messages refer to options."""

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from copy import copy
from typing import Self

__all__ = [
    "ConsentError",
    "InputError",
    "LostClusterError",
    "MissingExtraError",
    "OptionError",
    "ResourceError",
    "TertiumError",
    "UnknownNameError",
    "argument",
    "suggest",
    "use_argument_style",
]

ArgumentStyle = Callable[[str, str | None], str]
"""Writes an option's name and, if there is one, its value."""


# Python's advice on numbers with thousands of digits, in JSON and TOML files.
_TOO_LONG = re.compile(
    r"Exceeds the limit \((\d+)(?: digits)?\) for integer string conversion.*? to increase the limit"
)

# Characters of a message; where it quotes more, its middle is left out.
_LONGEST = 1500
_TAIL = 400  # the end says what would help


class TertiumError(Exception):
    """The common parent; the command line prints its message as one line and exits with `exit_code`.

    What a message quotes from files may hold anything: line feeds, terminal codes and half surrogate
    pairs are shown as escapes, so that every message is one line that can be printed.
    """

    exit_code = 1
    unused: str | None = None
    """The option that does not apply here; if its value is a default of a project file, it is left out."""

    def about(self, option: str) -> Self:
        """Say which option does not apply."""
        self.unused = option
        return self

    def at(self, place: str) -> Self:
        """Return the same error with a place before its message."""
        error = copy(self)
        error.args = (f"{place}: {self}",)
        return error

    def __str__(self) -> str:
        message = Exception.__str__(self)  # an ImportError would show the message that it was made with
        text = _shorten(_TOO_LONG.sub(r"a number has more than \1 digits", message))
        return _shorten(
            "".join(character if character.isprintable() else repr(character)[1:-1] for character in text)
        )


class InputError(TertiumError, ValueError):
    """A text, a file or a combination of them cannot be scored as it is."""


class OptionError(TertiumError, ValueError):
    """An option has a value of the wrong kind or outside its range."""

    exit_code = 2


class UnknownNameError(TertiumError, KeyError):
    """A metric, option, tokenizer or system of that name does not exist."""

    exit_code = 2


class ResourceError(TertiumError, ValueError):
    """A resource (vectors, trees, word lists) is missing, damaged or does not fit the text."""


class ConsentError(TertiumError):
    """A file names code, such as a program that scores, and the user has not agreed to run it."""


class LostClusterError(ResourceError):
    """The connection to a cluster was lost; finished work need not be done again."""


class MissingExtraError(TertiumError, ImportError):
    """An optional package is needed for this; the message names the extra that brings it."""


def argument(name: str, value: str | None = None) -> str:
    """Refer to an option in a message, as its reader writes it.

    A Python user reads `baseline=NAME`, a user of the command line `--baseline NAME`.

    >>> argument("baseline"), argument("vectors", "FILE")
    ('baseline=', 'vectors=FILE')
    """
    return _style[-1](name, value)


@contextmanager
def use_argument_style(style: ArgumentStyle) -> Iterator[None]:
    """Write options in messages in another style; the command line writes its flags."""
    _style.append(style)
    try:
        yield
    finally:
        _style.pop()


def suggest(name: str, known: Iterable[str], otherwise: str | None = None) -> str:
    """Name the known name that a mistyped one resembles, or all of them; `otherwise` replaces the list.

    A name that looks the same is shown with its code points.

    >>> suggest("blue", ["bleu", "chrf"]), suggest("x", ["bleu", "chrf"])
    ('did you mean bleu?', 'choose from bleu, chrf')
    """
    import difflib  # noqa: PLC0415 - these two are needed for mistakes only
    import unicodedata  # noqa: PLC0415

    names = list(known)
    folded = unicodedata.normalize("NFKC", name)
    twin = next((name for name in names if unicodedata.normalize("NFKC", name) == folded), name)
    if twin != name:
        return f"did you mean {twin}, which is written {_code_points(twin)} instead of {_code_points(name)}?"
    near = difflib.get_close_matches(name, names, n=1)
    if near:
        return f"did you mean {near[0]}?"
    return f"choose from {', '.join(names)}" if otherwise is None else otherwise


def _code_points(text: str) -> str:
    """Show the characters outside ASCII by their code points."""
    return "".join(character if character.isascii() else f"<U+{ord(character):04X}>" for character in text)


def _write_keyword(name: str, value: str | None) -> str:
    return f"{name}={value or ''}"


# A stack for all threads: a process serves the command line or a library user, never both at a time.
_style: list[ArgumentStyle] = [_write_keyword]


def _shorten(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - _TAIL]} … {text[-_TAIL:]}"
