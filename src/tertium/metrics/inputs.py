"""Texts as Python users hand them over: any iterable of strings, checked and brought into plain lists."""

import difflib
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any, Literal, cast, get_args

from tertium.errors import InputError, OptionError
from tertium.kernels.strings import TextColumn, are_strings
from tertium.types import ReferenceStreams

Orientation = Literal["streams", "segments"]

_Stream = list[str | None]


def read_texts(texts: Iterable[str], place: str) -> list[str]:
    """Take a list, tuple, generator, numpy array or pandas Series of strings as a plain list.

    Parameters
    ----------
    place
        What the texts are to the caller, for the message: `hypotheses[3] is None; …`.

    >>> read_texts(("the cat", "sat"), "hypotheses")
    ['the cat', 'sat']
    """
    found = list_items(texts, place)
    if are_strings(found):
        return found
    _check_strings(found, place)
    return [str(text) for text in found]  # numpy's strings become Python's


def read_column(texts: Iterable[str], place: str) -> TextColumn:
    """Take the same as a column that the core can read."""
    return texts if isinstance(texts, TextColumn) else TextColumn.keep(read_texts(texts, place))


def read_text(text: str, place: str) -> str:
    """Take one string, and refuse anything else."""
    if not isinstance(text, str):
        raise InputError(f"{place} must be a string, not {_describe(text)}")
    return str(text)


def read_names(names: str | Iterable[str], place: str) -> tuple[str, ...]:
    """Take one name or several, as those of metrics or files.

    >>> read_names("bleu", "metrics"), read_names(["bleu", "ter"], "metrics")
    (('bleu',), ('bleu', 'ter'))
    """
    return (names,) if isinstance(names, str) else tuple(read_texts(names, place))


def read_references(references: Iterable[str]) -> list[str]:
    """Take the references of one segment as a plain list; there must be at least one."""
    found = read_texts(references, "references")
    if not found:
        raise InputError("the segment has no reference; an empty reference is written as ''")
    return found


def group_references(
    hypotheses: Sequence[str], references: Iterable[Iterable[str | None]], orientation: Orientation | None
) -> Sequence[Sequence[str]]:
    """Bring references into one group per segment, refusing shapes that do not fit the hypotheses."""
    _check_orientation(orientation)
    n_segments = len(hypotheses)
    lists = _read_lists(references)
    if n_segments == 0:
        raise InputError("no segments to score: the list of hypotheses is empty")
    as_streams = bool(lists) and all(len(stream) == n_segments for stream in lists)
    as_segments = len(lists) == n_segments
    reading = orientation or _read_orientation(as_streams=as_streams, as_segments=as_segments)
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


def list_items(values: Any, place: str) -> list[Any]:
    """List the items of an iterable that has an order."""
    if isinstance(values, (str, bytes)):
        raise InputError(f"{place} must be a list of strings, not a single string")
    if isinstance(values, (Mapping, AbstractSet)):
        raise InputError(f"{place} must be a list, not a {type(values).__name__}")
    try:
        return list(values)
    except TypeError:
        raise InputError(f"{place} must be a list of strings, not {_describe(values)}") from None


def _check_orientation(orientation: str | None) -> None:
    known = get_args(Orientation)
    if orientation is None or orientation in known:
        return
    near = difflib.get_close_matches(str(orientation), known, n=1)
    hint = f"; did you mean {near[0]!r}?" if near else ""
    raise OptionError(f"orientation must be 'streams' or 'segments', not {orientation!r}{hint}")


def _read_lists(references: Iterable[Iterable[str | None]]) -> list[_Stream]:
    lists: list[_Stream] = []
    for number, item in enumerate(list_items(references, "references")):
        if isinstance(item, str):
            raise InputError(
                "references must be a list of lists: one list per reference stream or per segment"
            )
        place = f"references[{number}]"
        found = list_items(item, place)
        if not are_strings(found):
            _check_strings(found, place, may_lack=True)
            found = [None if text is None else str(text) for text in found]
        lists.append(found)
    return lists


def _check_strings(texts: list[Any], place: str, *, may_lack: bool = False) -> None:
    for number, text in enumerate(texts):
        if not isinstance(text, str) and not (may_lack and text is None):
            raise InputError(
                f"{place}[{number}] is {_describe(text)}; every text must be a string ('' if it is empty)"
            )


def _describe(value: object) -> str:
    if value is None:
        return "None"
    shown = repr(value)
    return f"{shown if len(shown) <= 40 else shown[:39] + '…'} ({type(value).__name__})"


def _read_orientation(*, as_streams: bool, as_segments: bool) -> Orientation:
    if as_streams and as_segments:
        raise InputError(
            "the references fit both readings, a list per reference stream and a list per segment; "
            "say which with orientation='streams' or orientation='segments'"
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
