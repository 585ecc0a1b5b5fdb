"""Word marks."""

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

from tertium.presentation.tables.model import Span, Tone
from tertium.presentation.tables.text import mark_spans
from tertium.records import record
from tertium.text.lengths import split_units


@record
class _Piece:
    """Neighbouring words of one kind; `is_glued` if no space precedes them."""

    tone: Tone
    text: str
    is_glued: bool


def mark_words(hypothesis: str, reference: str) -> list[Span]:
    """Compare a hypothesis with a reference word by word; scripts without spaces are compared by characters.

    >>> write_marks(mark_words("the cat sat on mat", "the cat sat on the mat"))
    'the cat sat on {+the+} mat'
    """
    spans: list[Span] = []
    for piece in _compare(split_units(hypothesis), split_units(reference)):
        if spans and not piece.is_glued:
            spans.append(Span(" "))
        spans.append(Span(piece.text, piece.tone))
    return spans


def write_marks(spans: Sequence[Span]) -> str:
    """Write marked words for formats without colours."""
    return "".join(span.text for span in mark_spans(spans))


def _compare(ours: Sequence[tuple[str, bool]], theirs: Sequence[tuple[str, bool]]) -> Iterator[_Piece]:
    words, others = [word for word, _ in ours], [word for word, _ in theirs]
    for kind, i, j, k, m in SequenceMatcher(None, words, others, autojunk=False).get_opcodes():
        if i < j:
            yield _join(ours[i:j], Tone.PLAIN if kind == "equal" else Tone.SURPLUS)
        if kind != "equal" and k < m:
            yield _join(theirs[k:m], Tone.MISSING)


def _join(units: Sequence[tuple[str, bool]], tone: Tone) -> _Piece:
    (first, is_glued), *rest = units
    return _Piece(tone, first + "".join(word if glued else f" {word}" for word, glued in rest), is_glued)
