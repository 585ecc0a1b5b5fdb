"""What a user may catch: every error Tertium raises on purpose."""

__all__ = [
    "InputError",
    "MissingExtraError",
    "OptionError",
    "ResourceError",
    "TertiumError",
    "UnknownNameError",
]


# Characters of a message; where it quotes more, its middle is left out.
_LONGEST = 1500
_TAIL = 400  # the end says what would help


class TertiumError(Exception):
    """The common parent; the command line prints its message as one line and exits with `exit_code`.

    What a message quotes from files may hold anything: line feeds, terminal codes and half surrogate
    pairs are shown as escapes, so that every message is one line that can be printed.
    """

    exit_code = 1

    def __str__(self) -> str:
        text = _shorten(super().__str__())
        return _shorten("".join(each if each.isprintable() else repr(each)[1:-1] for each in text))


class InputError(TertiumError, ValueError):
    """A text, a file or a combination of them cannot be scored as it is."""


class OptionError(TertiumError, ValueError):
    """An option has a value of the wrong kind or outside its range."""

    exit_code = 2


class UnknownNameError(TertiumError, LookupError):
    """A metric, option, tokenizer or system of that name does not exist."""

    exit_code = 2


class ResourceError(TertiumError, ValueError):
    """A resource (vectors, trees, word lists) is missing, damaged or does not fit the text."""


class MissingExtraError(TertiumError, ImportError):
    """An optional package is needed for this; the message names the extra that brings it."""


def _shorten(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - _TAIL]} … {text[-_TAIL:]}"
