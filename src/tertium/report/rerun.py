"""What became of a run that was computed again, as a document."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tertium.report.tables.model import Cell, Column, Document, Line, Records, Span, Table, Tone, Value

__all__ = ["Moved", "describe_rerun"]

_TYPES = {"metric": str, "system": str, "before": float, "after": float, "segments": int, "why": str}


@dataclass(frozen=True)
class Moved:
    """A score that is not what it was; None if it could not be computed, or segments cannot be paired."""

    metric: str
    system: str
    before: float
    after: float | None
    n_segments: int | None
    """How many segments' statistics differ."""
    reasons: tuple[str, ...]


def describe_rerun(
    path: str, n_scores: int, moved: Sequence[Moved], changed_files: Sequence[str]
) -> Document:
    """Describe which scores have moved and why, or say that all are identical."""
    rows = [[_cell(name, value) for name, value in zip(_TYPES, _values(each), strict=True)] for each in moved]
    columns = [Column(name, name, is_number=kind is not str) for name, kind in _TYPES.items()]
    data = {
        "run": path,
        "identical": not moved,
        "scores": n_scores,
        "moved": [dict(zip(_TYPES, _values(each), strict=True)) for each in moved],
        "changed_files": list(changed_files),
    }
    records = Records(_TYPES, [_values(each) for each in moved])
    prose = list(_tell(n_scores, moved, changed_files))
    return Document("rerun", [Table(columns, rows)], records, data, prose=prose)


def _values(each: Moved) -> list[Value]:
    return [each.metric, each.system, each.before, each.after, each.n_segments, "; ".join(each.reasons)]


def _cell(name: str, value: Value) -> Cell:
    if value is None:
        return Cell("")
    return Cell(f"{value:.6f}" if name in ("before", "after") else f"{value}", value)


def _tell(n_scores: int, moved: Sequence[Moved], changed_files: Sequence[str]) -> Iterator[Line]:
    if not moved:
        yield (Span(f"identical: all {n_scores:,} scores and their statistics", Tone.GOOD),)
        for path in changed_files:
            yield (Span(f"note: the bytes of {path} have changed, but nothing that was scored", Tone.NOTE),)
        return
    yield (Span(f"{len(moved):,} of {n_scores:,} scores moved", Tone.ERROR),)
    for each in moved:
        after = "gone" if each.after is None else f"{each.after:.6f}"
        segments = "" if each.n_segments is None else f" (segments that differ: {each.n_segments:,})"
        yield (Span(f"{each.metric} of {each.system}: {each.before:.6f} → {after}{segments}", Tone.STRONG),)
        for reason in each.reasons:
            yield (Span(f"    {reason}"),)
