"""What a user may catch: every error Tertium raises on purpose."""

__all__ = [
    "InputError",
    "MissingExtraError",
    "OptionError",
    "ResourceError",
    "TertiumError",
    "UnknownNameError",
]


class TertiumError(Exception):
    """The common parent; the command line prints its message as one line and exits with `exit_code`."""

    exit_code = 1


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
