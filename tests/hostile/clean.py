"""The contract for any input: a result, or one of our errors with a printable one-line message."""

from collections.abc import Callable

from tertium.errors import TertiumError

__all__ = ["outcome"]


def outcome(call: Callable[..., object], *arguments: object) -> str:
    """Call a function; return "" if it returns a result, otherwise the message of our error.

    Any other exception passes through and fails the test.
    """
    try:
        call(*arguments)
    except TertiumError as error:
        message = str(error)
        assert message, "an error says something"
        assert "\n" not in message, f"more than one line: {message!r}"
        unprintable = [each for each in message if not each.isprintable()]
        assert not unprintable, f"control characters reach the terminal: {message!r}"
        assert len(message) < 2000, f"{len(message):,} characters"
        message.encode()
        return message
    return ""
