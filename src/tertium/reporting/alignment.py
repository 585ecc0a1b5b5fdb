"""Outputs that were cut to the segments of the references, as a document."""

from collections.abc import Mapping, Sequence
from math import isinf

from tertium.alignment.cutting import Cutting
from tertium.records import record
from tertium.reporting.tables.fields import JSON, RECORDS, Field, make_object, make_records, make_table
from tertium.reporting.tables.model import Document, Note

SCHEMA_VERSION = 1


@record
class CutSystem:
    """An output: how many lines it had, and how it was cut."""

    system: str
    n_lines: int
    cutting: Cutting


@record
class CutSegment:
    """A segment of an output: its number from 1, its text, and what its cut cost."""

    system: str
    segment: int
    edits: int
    margin: float | None
    text: str
    reference: str


_SYSTEM_FIELDS: list[Field[CutSystem]] = [
    Field("system", is_key=True),
    Field("lines", int, lambda each: each.n_lines),
    Field("segments", int, lambda each: len(each.cutting.texts)),
    Field("edits", int, lambda each: int(each.cutting.edits.sum())),
    Field("error_rate", float, lambda each: 100 * each.cutting.error_rate, heading="AS-WER", form="{:.1f}"),
    Field("empty", int, lambda each: len(each.cutting.empty)),
    Field("uncertain", int, lambda each: each.cutting.n_uncertain, heading="uncertain cuts"),
    Field("empty_segments", list, lambda each: [i + 1 for i in each.cutting.empty], outputs=JSON),
]

_SEGMENT_FIELDS: list[Field[CutSegment]] = [
    Field("system", is_key=True),
    Field("segment", int, is_key=True),
    Field("edits", int),
    Field("margin", float, form="{:.1f}", missing="-"),
    Field("text", wraps=True),
    Field("reference", outputs=RECORDS | JSON),
]


def describe_cuttings(
    cuttings: Mapping[str, Cutting],
    n_lines: Mapping[str, int],
    references: Sequence[str],
    *,
    shows_cuts: bool,
) -> Document:
    """Describe how outputs were cut: a row per system, or with `shows_cuts` a row per segment."""
    systems = [CutSystem(name, n_lines[name], cutting) for name, cutting in cuttings.items()]
    segments = (
        [each for system in systems for each in _list_segments(system, references)] if shows_cuts else []
    )
    notes = [
        Note("AS-WER: edits per token of the references, in percent, after automatic segmentation"),
        Note("uncertain: the next best place of the cut costs less than one edit more"),
    ]
    shown = Note("margin: edits that the next best place of the cut before the segment would add")
    return Document(
        "alignment",
        lambda: [
            make_table(_SEGMENT_FIELDS, segments, notes=[shown])
            if shows_cuts
            else make_table(_SYSTEM_FIELDS, systems, notes=notes)
        ],
        lambda: (
            make_records(_SEGMENT_FIELDS, segments) if shows_cuts else make_records(_SYSTEM_FIELDS, systems)
        ),
        lambda: {
            "schema_version": SCHEMA_VERSION,
            "systems": [make_object(_SYSTEM_FIELDS, each) for each in systems],
            **({"segments": [make_object(_SEGMENT_FIELDS, each) for each in segments]} if shows_cuts else {}),
        },
        json_indent=2,
    )


def _list_segments(system: CutSystem, references: Sequence[str]) -> list[CutSegment]:
    found = system.cutting
    return [
        CutSegment(system.system, i + 1, int(edits), None if isinf(margin) else margin, text, reference)
        for i, (text, edits, margin, reference) in enumerate(
            zip(found.texts, found.edits.tolist(), found.margins.tolist(), references, strict=True)
        )
    ]
