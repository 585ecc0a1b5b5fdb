"""Error spans: the marked part of a translation (or of its source) with a severity and a category."""

from collections.abc import Iterable, Sequence

from tertium.errors import InputError
from tertium.records import record

NOWHERE = -1
"""The start and the end of a span without a position: content that is missing from the translation."""


@record
class ErrorSpan:
    """An error that was marked in a text: the characters `text[start:end]`.

    Positions are code points, counted from 0, and `end` is exclusive. Both are -1 if the error has no position, because
    content is missing. Severities and categories are in lower case (`major`, `accuracy/mistranslation`); a category is
    "" if none was chosen.
    """

    start: int
    end: int
    severity: str
    category: str = ""
    in_source: bool = False
    """Whether the positions are those of the source, as Google's MQM marks omissions."""

    @property
    def has_position(self) -> bool:
        return self.start != NOWHERE

    def text_in(self, text: str) -> str:
        """Return the marked characters.

        >>> ErrorSpan(4, 9, "major").text_in("The house falls.")
        'house'
        """
        return text[self.start : self.end] if self.has_position else ""


def check_spans(spans: Iterable[ErrorSpan], text: str, place: str) -> None:
    """Raise an InputError that begins with `place` if a span of the translation is empty or outside `text`."""
    for span in spans:
        if span.has_position and not span.in_source and not 0 <= span.start < span.end <= len(text):
            raise InputError(
                f"{place} has an error span at {span.start}:{span.end}, but the text has {len(text):,} characters;"
                " positions are counted from 0, and the end is exclusive"
            )


def find_overlaps(spans: Sequence[ErrorSpan]) -> list[tuple[ErrorSpan, ErrorSpan]]:
    """List the pairs of spans in the same text that share characters, in the order of their starts.

    >>> one, other = ErrorSpan(0, 5, "minor"), ErrorSpan(3, 9, "major")
    >>> find_overlaps([other, one]) == [(one, other)]
    True
    """
    located = sorted((span for span in spans if span.has_position), key=lambda each: (each.start, each.end))
    return [
        (one, other)
        for i, one in enumerate(located)
        for other in located[i + 1 :]
        if other.start < one.end and other.in_source == one.in_source
    ]
