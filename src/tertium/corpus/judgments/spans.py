"""Error spans: the marked part of a translation (or of its source) with a severity and a category."""

import ast
import json
from collections.abc import Iterable, Sequence

from tertium.decimals import parse_integer
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
    """Whether the positions are in the source, where Google's MQM marks omissions."""

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
    located = sorted((span for span in spans if span.has_position), key=lambda span: (span.start, span.end))
    return [
        (one, other)
        for i, one in enumerate(located)
        for other in located[i + 1 :]
        if other.start < one.end and other.in_source == one.in_source
    ]


_START, _END = ("start", "start_i"), ("end", "end_i")
_TEXT = ("text", "span", "error_span")
_CATEGORY = ("category", "error_type", "type")
_MISSING = ("missing", "[missing]")
_NO_SEVERITY = "undecided"  # Appraise's word for a span without a chosen severity


def parse_spans(value: object, place: str, text: str | None = None) -> tuple[ErrorSpan, ...]:
    """Read error spans from a list of JSON objects, or from its text; null and "" stand for no spans.

    `start` and `end` count characters with an exclusive end (XCOMET, mt-metrics-eval); `start_i` and `end_i` have an
    inclusive end (Appraise, Pearmut), and the word "missing" as the start marks content that is missing. A span without
    positions is searched for in `text`, the output, by its own text, as LLM judges quote it.

    Raises
    ------
    InputError
        If the value is not a list of spans; the message begins with `place`.

    Examples
    --------
    >>> parse_spans([{"start_i": 4, "end_i": 8, "severity": "Major"}], "line 1")
    (ErrorSpan(start=4, end=9, severity='major', category='', in_source=False),)
    """
    if isinstance(value, str):
        value = _parse_json(value, place)
    if value is None:
        return ()
    if not isinstance(value, list):
        raise InputError(f"{place} holds {_show(value)}, not a list of error spans")
    return tuple(_parse_span(span, place, text) for span in value)


def parse_indices(columns: Sequence[object], place: str) -> tuple[ErrorSpan, ...]:
    """Read the error spans of WMT25's tables: starts, exclusive ends and severities, each separated by spaces.

    >>> parse_indices(("4 missing", "9 missing", "major minor"), "line 1")[0]
    ErrorSpan(start=4, end=9, severity='major', category='', in_source=False)
    >>> parse_indices(("-1", "-1", "no-error"), "line 1")
    ()
    """
    starts, ends, severities = (str(column).split() for column in columns)
    if severities == ["no-error"]:
        return ()
    if not len(starts) == len(ends) == len(severities):
        raise InputError(
            f"{place} has {len(starts)} starts, {len(ends)} ends and {len(severities)} error types; give one each"
        )
    return tuple(
        _parse_span({"start": start, "end": end, "severity": severity}, place, None)
        for start, end, severity in zip(starts, ends, severities, strict=True)
    )


def _parse_json(value: str, place: str) -> object:
    if not value.strip():
        return None
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        pass
    try:  # Appraise's CSV files hold Python's notation, of one span without its list
        found = ast.literal_eval(value)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        raise InputError(f"{place} holds {_show(value)}, not a list of error spans in JSON") from None
    return [found] if isinstance(found, dict) else list(found) if isinstance(found, tuple) else found


def _parse_span(value: object, place: str, text: str | None) -> ErrorSpan:
    if not isinstance(value, dict):
        raise InputError(f"{place} has the error span {_show(value)}, which is not an object")
    severity = value.get("severity")
    category = _first(value, _CATEGORY)
    start, end = _find_positions(value, place, text)
    return ErrorSpan(
        start,
        end,
        _NO_SEVERITY if severity in (None, "") else str(severity).strip().lower(),
        "" if category is None else str(category).strip().lower(),
        in_source=value.get("is_source_error") is True or value.get("side") == "source",
    )


def _find_positions(value: dict[str, object], place: str, text: str | None) -> tuple[int, int]:
    """Return the start and the exclusive end of a span."""
    start, end = _first(value, _START), _first(value, _END)
    if start is None and end is None:
        return _search(value, place, text)
    if str(start).lower() in _MISSING:
        return NOWHERE, NOWHERE
    positions = [_whole_number(position) for position in (start, end)]
    if None in positions:
        raise InputError(f"{place} has the error span {_show(value)}; start and end must be whole numbers")
    first, last = (position or 0 for position in positions)
    return first, last + ("end_i" in value)


def _search(value: dict[str, object], place: str, text: str | None) -> tuple[int, int]:
    quoted = _first(value, _TEXT)
    if quoted is None:
        raise InputError(f"{place} has the error span {_show(value)}, which has no start and end")
    if not isinstance(quoted, str) or not quoted or text is None or quoted not in text:
        raise InputError(
            f"{place} marks {_show(quoted)}, which does not occur in the output; give start and end"
        )
    start = text.index(quoted)
    return start, start + len(quoted)


def _whole_number(value: object) -> int | None:
    if isinstance(value, str):
        return parse_integer(value)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _first(value: dict[str, object], names: Sequence[str]) -> object:
    return next((value[name] for name in names if value.get(name) is not None), None)


def _show(value: object) -> str:
    shown = repr(value)
    return shown if len(shown) <= _MAX_SHOWN else f"{shown[:_MAX_SHOWN]}…"


_MAX_SHOWN = 60  # characters of a wrong value
