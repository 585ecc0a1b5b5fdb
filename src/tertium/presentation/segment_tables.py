"""Documents of single segments: scores, texts and the words that differ."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, field
from difflib import SequenceMatcher
from functools import partial
from itertools import groupby
from typing import Any

from tertium.catalog import LabelledMetric
from tertium.corpus.judgments.spans import ErrorSpan
from tertium.presentation.tables.fields import (
    JSON,
    RECORDS,
    TABLE,
    Field,
    make_object,
    make_records,
    make_table,
)
from tertium.presentation.tables.model import Document, Note, Span, Tone
from tertium.presentation.tables.text import mark_spans
from tertium.records import record
from tertium.text.tokenizers import split_units


@record
class Annotation:
    """The judgment of an output: the rater (or the file of an automatic judge), the score and the error spans."""

    rater: str
    score: float
    spans: tuple[ErrorSpan, ...]


Annotations = Mapping[tuple[str, int], Sequence[Annotation]]
"""Judgments with error spans, by system and segment (from 0)."""


@record(kw_only=True)
class ShownSegment:
    """A segment with the outputs of one system, or of two systems that are compared.

    Attributes
    ----------
    number
        The number of the segment, from 1.
    scores
        By metric, the score of each system.
    gains
        By metric, how much better the second system is; empty for one system.
    outputs, references
        Empty if the texts are not known; a test set may have outputs without references.
    annotations
        By system, the judgments with error spans.
    faults
        By system, and by the label of a check, the faults that it finds; empty if the texts are not known.
    """

    number: int
    identity: str | None
    systems: tuple[str, ...]
    scores: Mapping[str, Sequence[float]]
    gains: Mapping[str, float]
    source: str | None = None
    references: Sequence[str] = ()
    outputs: Sequence[str] = ()
    columns: Mapping[str, str]
    annotations: Mapping[str, Sequence[Annotation]] = field(default_factory=dict)
    faults: Mapping[str, Mapping[str, Sequence[str]]] = field(default_factory=dict)

    @property
    def title(self) -> str:
        """The number, and the id if it is another one."""
        is_other = self.identity is not None and self.identity != str(self.number)
        return f"{self.number} ({self.identity})" if is_other else str(self.number)

    def mark(self, output: str) -> list[Span]:
        """Mark the words of an output that differ from the reference that shares most words with it."""
        if not self.references:
            return [Span(output)]
        return mark_words(
            output, max(self.references, key=lambda reference: _count_shared(output, reference))
        )


def _count_shared(one: str, other: str) -> int:
    words = [word for word, _ in split_units(other)]
    return sum(word in words for word, _ in split_units(one))


@record
class _Line:
    """A line of the table: a text of a segment, with scores if the text is an output."""

    segment: ShownSegment
    who: str
    spans: Sequence[Span]
    scores: Mapping[str, float | None]
    is_first: bool = False
    is_gain: bool = False

    @property
    def text(self) -> str:
        return write_marks(self.spans)


def describe_shown_segments(
    segments: Sequence[ShownSegment], metrics: Sequence[LabelledMetric], notes: Sequence[str]
) -> Document:
    """Describe segments in a given order.

    Parameters
    ----------
    notes
        Lines below the table.
    """
    fields = _record_fields(segments, metrics)
    return Document(
        "segments",
        lambda: [
            make_table(
                _table_fields(metrics, is_marked=any(segment.references for segment in segments)),
                [line for segment in segments for line in _lines(segment)],
                notes=[*map(Note, notes)],
            )
        ],
        lambda: make_records(fields, segments),
        lambda: {
            "schema_version": 1,
            "segments": [make_object(fields, segment) for segment in segments],
            "notes": list(notes),
        },
    )


def _lines(segment: ShownSegment) -> Iterator[_Line]:
    """List the texts of a segment; the first line has its number, and the gain if two systems are compared."""
    texts: list[tuple[str, Sequence[Span]]] = []
    if segment.source is not None:
        texts.append(("source", [Span(segment.source)]))
    many = len(segment.references) > 1
    for number, reference in enumerate(segment.references, start=1):
        texts.append((f"reference {number}" if many else "reference", [Span(reference)]))
    if segment.gains and not texts:
        texts.append(("difference", ()))
    first = dict(segment.gains) if segment.gains else {}
    for i, (who, spans) in enumerate(texts):
        yield _Line(segment, who, spans, first if i == 0 else {}, is_first=i == 0, is_gain=True)
    for i, system in enumerate(segment.systems):
        output = segment.outputs[i] if segment.outputs else None
        spans = [] if output is None else segment.mark(output)
        scores = {label: values[i] for label, values in segment.scores.items()}
        yield _Line(segment, system, spans, scores, is_first=not texts and i == 0)
        for annotation in segment.annotations.get(system, ()) if output is not None else ():
            yield _Line(
                segment,
                f"{annotation.rater} ({annotation.score:g})",
                mark_errors(output or "", annotation.spans),
                {},
            )
        for label, found in segment.faults.get(system, {}).items():
            yield from (_Line(segment, label, [Span(fault)], {}) for fault in found)


def mark_errors(text: str, errors: Sequence[ErrorSpan]) -> list[Span]:
    """Mark the error spans of an output; the highest severity counts where they overlap, and missing content is named.

    >>> write_marks(mark_errors("a hose there", [ErrorSpan(2, 6, "major"), ErrorSpan(-1, -1, "minor", "omission")]))
    'a [!hose!] there [~missing: omission~]'
    """
    tones = [Tone.PLAIN] * len(text)
    for error in sorted(errors, key=lambda error: error.severity in _MAJOR):
        if error.has_position and not error.in_source:
            tones[error.start : error.end] = [_tone_of(error)] * (error.end - error.start)
    spans = [Span("".join(letter for letter, _ in group), tone) for tone, group in _runs(text, tones)]
    for error in errors:
        if not error.has_position or error.in_source:
            spans += [
                Span(" "),
                Span(f"missing: {error.category}" if error.category else "missing", _tone_of(error)),
            ]
    return spans


_MAJOR = ("major", "critical")


def _tone_of(error: ErrorSpan) -> Tone:
    return Tone.MAJOR if error.severity in _MAJOR else Tone.MINOR


def _runs(text: str, tones: Sequence[Tone]) -> Iterator[tuple[Tone, Iterator[tuple[str, Tone]]]]:
    return groupby(zip(text, tones, strict=True), key=lambda pair: pair[1])


def _table_fields(metrics: Sequence[LabelledMetric], *, is_marked: bool) -> list[Field[_Line]]:
    heading = "text ([-not in the reference-] {+missing+})" if is_marked else "text"
    return [
        Field(
            "segment", int, lambda line: line.segment.number, is_key=True,
            text=lambda line: line.segment.title if line.is_first else "",
        ),
        *(
            Field(
                metric.label, float, partial(_line_score, metric.label),
                heading=f"{metric.title} {'↑' if metric.metric.higher_is_better else '↓'}",
                text=partial(_write_score, metric.label),
            )
            for metric in metrics
        ),
        Field("who", heading="text of"),
        Field("text", heading=heading, spans=lambda line: line.spans, wraps=True),
    ]  # fmt: skip


def _write_score(label: str, line: _Line) -> str:
    score = line.scores.get(label)
    return "" if score is None else f"{score:+.2f}" if line.is_gain else f"{score:.2f}"


def _record_fields(
    segments: Sequence[ShownSegment], metrics: Sequence[LabelledMetric]
) -> list[Field[ShownSegment]]:
    """One row per segment; with two systems, the columns of each system are named after it."""
    labels = [metric.label for metric in metrics]
    first = segments[0] if segments else None
    systems, is_pair = (first.systems, bool(first.gains)) if first else ((), False)
    fields: list[Field[Any]] = [Field("segment", int, lambda row: row.number)]
    if first is not None and first.identity is not None:
        fields.append(Field("id", get=lambda row: row.identity))
    if not is_pair:
        fields.append(Field("system", get=lambda row: row.systems[0]))
        fields += [
            Field(label, float, partial(_score_of, label, 0), outputs=TABLE | RECORDS) for label in labels
        ]
    else:
        fields += [
            Field(f"{label} {name}", float, partial(_score_of, label, i), outputs=RECORDS)
            for label in labels
            for i, name in enumerate(systems)
        ]
        fields += [
            Field(f"{label} gain", float, partial(_gain_of, label), outputs=RECORDS) for label in labels
        ]
    if first is not None and first.outputs and any(metric.metric.is_check for metric in metrics):
        fields += _fault_fields(systems, is_pair=is_pair)
    fields += _text_fields(first, systems, is_pair=is_pair)
    names = () if first is None else first.columns
    fields += [
        Field(f"column {name}" if name in {field.name for field in fields} else name,
              get=partial(_column_of, name), outputs=RECORDS)
        for name in names
    ]  # fmt: skip
    return fields


def _fault_fields(systems: Sequence[str], *, is_pair: bool) -> Iterator[Field[ShownSegment]]:
    for i, name in enumerate(systems):
        yield Field(f"faults {name}" if is_pair else "faults", get=partial(_join_faults, i), outputs=RECORDS)
    yield Field(
        "faults",
        dict,
        lambda row: {
            name: {label: list(found) for label, found in by_label.items()}
            for name, by_label in row.faults.items()
        },
        outputs=JSON,
    )


def _join_faults(i: int, row: ShownSegment) -> str:
    faults = row.faults.get(row.systems[i], {})
    return "; ".join(f"{label}: {fault}" for label, found in faults.items() for fault in found)


def _list_annotations(row: ShownSegment) -> dict[str, list[dict[str, Any]]] | None:
    found = {
        system: [asdict(annotation) for annotation in given] for system, given in row.annotations.items()
    }
    return found or None


def _line_score(label: str, line: _Line) -> float | None:
    return line.scores.get(label)


def _gain_of(label: str, row: ShownSegment) -> float:
    return row.gains[label]


def _column_of(name: str, row: ShownSegment) -> str:
    return row.columns[name]


def _output_of(i: int, row: ShownSegment) -> str:
    return row.outputs[i]


def _score_of(label: str, i: int, row: ShownSegment) -> float:
    return row.scores[label][i]


def _text_fields(
    first: ShownSegment | None, systems: Sequence[str], *, is_pair: bool
) -> Iterator[Field[ShownSegment]]:
    yield Field(
        "scores",
        dict,
        lambda row: {
            name: {label: scores[i] for label, scores in row.scores.items()}
            for i, name in enumerate(row.systems)
        },
        outputs=JSON,
    )
    yield Field("gains", dict, lambda row: dict(row.gains) or None, outputs=JSON, is_optional=True)
    yield Field("columns", dict, lambda row: dict(row.columns), outputs=JSON)
    yield Field("annotations", dict, _list_annotations, outputs=JSON, is_optional=True)
    if first is None or not first.outputs:
        return
    if first.source is not None:
        yield Field("source")
    if first.references:
        yield Field("reference", get=lambda row: row.references[0], outputs=RECORDS)
    yield Field("references", list, lambda row: list(row.references), outputs=JSON)
    for i, name in enumerate(systems):
        yield Field(
            f"output {name}" if is_pair else "output",
            get=partial(_output_of, i),
            outputs=RECORDS,
        )
    yield Field("outputs", dict, lambda row: dict(zip(row.systems, row.outputs, strict=True)), outputs=JSON)


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
