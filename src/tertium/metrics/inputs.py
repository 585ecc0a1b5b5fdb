"""Check texts that Python users pass, any iterables of strings, and convert them to plain lists."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, cast, get_args

from tertium.arguments import describe_value, list_items
from tertium.errors import InputError, OptionError, suggest
from tertium.kernels.strings import TextColumn, are_strings
from tertium.text.codes import CodedText
from tertium.values import ReferenceStreams

Orientation = Literal["streams", "segments"]

_Stream = list[str | None]


def list_frame(given: object) -> dict[str, list[Any]] | None:
    """Convert a data frame (pandas, polars, or anything with columns that can be picked by name) to lists by column.

    None for any other value.
    """
    names: Any = getattr(given, "columns", None)
    if isinstance(given, Mapping | type) or names is None or not hasattr(given, "__getitem__"):
        return None
    frame: Any = given
    return {str(name): list(frame[name]) for name in names}


def list_texts(texts: Iterable[str], place: str) -> list[str]:
    """Convert a list, tuple, generator, numpy array or pandas Series of strings to a plain list.

    Parameters
    ----------
    place
        The name of the argument, for error messages: `hypotheses[3] is None; …`.

    >>> list_texts(("the cat", "sat"), "hypotheses")
    ['the cat', 'sat']
    """
    found = list_items(texts, place)
    if are_strings(found):
        return found
    _check_strings(found, place)
    return list(map(_plain_string, found))


def make_column(texts: Iterable[str], place: str) -> Sequence[str]:
    """Convert an iterable of strings to a column that the core can read, or to a list if texts have inline codes."""
    if isinstance(texts, TextColumn):
        return texts
    found = list_texts(texts, place)
    column = TextColumn.keep(found)  # raises if a text is not valid
    return column if are_strings(found) else found


def _plain_string(text: str) -> str:
    """Convert a string of another type, such as numpy's, to Python's; a text with inline codes keeps them."""
    return text if isinstance(text, CodedText) else str(text)


def check_string(text: str, place: str) -> str:
    """Return a string as a plain `str`; raise for any other type."""
    if not isinstance(text, str):
        raise InputError(f"{place} must be a string, not {describe_value(text)}")
    return _plain_string(text)


def list_references(references: Iterable[str]) -> list[str]:
    """Convert the references of one segment to a plain list; raise if there is none."""
    found = list_texts(references, "references")
    if not found:
        raise InputError("the segment has no reference; an empty reference is written as ''")
    return found


def group_references(
    hypotheses: Sequence[str],
    references: Iterable[Iterable[str | None]] | None,
    orientation: Orientation | None,
) -> Sequence[Sequence[str]]:
    """Group references by segment, or return groups without references if None is given.

    Raises
    ------
    InputError
        If the shape of the references does not fit the hypotheses.
    """
    _check_orientation(orientation)
    n_segments = len(hypotheses)
    lists = [] if references is None else _list_streams(references)
    if n_segments == 0:
        raise InputError("no segments to score: the list of hypotheses is empty")
    if references is None:
        return ReferenceStreams([], n_segments=n_segments)
    as_streams = bool(lists) and all(len(stream) == n_segments for stream in lists)
    as_segments = len(lists) == n_segments
    reading = orientation or _infer_orientation(as_streams=as_streams, as_segments=as_segments)
    if (reading == "streams" and not as_streams) or (reading == "segments" and not as_segments):
        raise InputError(_shape_message(n_segments, lists, reading))
    if reading == "streams" and all(map(are_strings, lists)):
        return ReferenceStreams([TextColumn.keep(cast("list[str]", stream)) for stream in lists])
    by_segment = zip(*lists, strict=True) if reading == "streams" else lists
    groups = [[text for text in group if text is not None] for group in by_segment]
    if not all(groups):
        raise InputError(
            f"segment {groups.index([]) + 1} has no reference; an empty reference is written as ''"
        )
    return groups


def _check_orientation(orientation: str | None) -> None:
    known = get_args(Orientation)
    if orientation is None or orientation in known:
        return
    raise OptionError(f"unknown orientation {orientation!r}; {suggest(str(orientation), known)}")


def _list_streams(references: Iterable[Iterable[str | None]]) -> list[_Stream]:
    lists: list[_Stream] = []
    for number, item in enumerate(list_items(references, "references")):
        if isinstance(item, str):
            raise InputError(
                "references must be a list of lists: one list per reference stream or per segment"
            )
        place = f"references[{number}]"
        found = list_items(item, place)
        if not are_strings(found):
            _check_strings(found, place, may_be_none=True)
            found = [None if text is None else str(text) for text in found]
        lists.append(found)
    return lists


def _check_strings(texts: list[Any], place: str, *, may_be_none: bool = False) -> None:
    for number, text in enumerate(texts):
        if not isinstance(text, str) and not (may_be_none and text is None):
            raise InputError(
                f"{place}[{number}] is {describe_value(text)}; every text must be a string ('' if it is empty)"
            )


def _infer_orientation(*, as_streams: bool, as_segments: bool) -> Orientation:
    if as_streams and as_segments:
        raise InputError(
            "the references may be one list per reference stream or one list per segment; "
            "pass orientation='streams' or orientation='segments'"
        )
    return "streams"


def _shape_message(n_segments: int, references: Sequence[_Stream], reading: Orientation) -> str:
    lengths = sorted({len(stream) for stream in references})
    given = f"{len(references)} lists of {' or '.join(map(str, lengths[:3]))}" if lengths else "no list"
    if reading == "streams" and len(references) == n_segments:
        return (
            f"the references look transposed: {n_segments} hypotheses but {given}; "
            "pass orientation='segments' if each list holds the references of one segment"
        )
    wanted = f"lists of {n_segments}" if reading == "streams" else f"{n_segments} lists"
    return f"the references do not fit {n_segments} hypotheses: {given} given, {wanted} needed"
