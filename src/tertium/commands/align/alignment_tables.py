"""Outputs that were cut to the segments of the references, and aligned sentences, as documents."""

from collections.abc import Mapping, Sequence
from math import isinf
from typing import TypeVar

from tertium.alignment.cutting import Cutting
from tertium.alignment.sentences import DocumentSentences, SentenceGroup
from tertium.presentation.tables.fields import JSON, RECORDS, Field, make_object, make_records, make_table
from tertium.presentation.tables.model import Document, Note
from tertium.records import record

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
        [segment for system in systems for segment in _list_segments(system, references)]
        if shows_cuts
        else []
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
            "systems": [make_object(_SYSTEM_FIELDS, system) for system in systems],
            **(
                {"segments": [make_object(_SEGMENT_FIELDS, segment) for segment in segments]}
                if shows_cuts
                else {}
            ),
        },
    )


def _list_segments(system: CutSystem, references: Sequence[str]) -> list[CutSegment]:
    found = system.cutting
    return [
        CutSegment(system.system, i + 1, int(edits), None if isinf(margin) else margin, text, reference)
        for i, (text, edits, margin, reference) in enumerate(
            zip(found.texts, found.edits.tolist(), found.margins.tolist(), references, strict=True)
        )
    ]


# A group whose output is shorter or longer than this share of what its document makes likely.
_SHORT, _LONG = 0.5, 2.0


@record(eq=False)
class SentenceCounts:
    """The aligned sentences of all documents of a system."""

    system: str
    parts: Sequence[DocumentSentences]

    def count(self, change: str) -> int:
        return sum(group.change == change for part in self.parts for group in part.groups)

    @property
    def n_references(self) -> int:
        return sum(len(part.references) for part in self.parts)

    @property
    def n_output(self) -> int:
        return sum(len(part.output) for part in self.parts)

    @property
    def length_ratio(self) -> float:
        """Characters of the output per character of the reference."""
        ours = sum(len(text) for part in self.parts for text in part.references)
        return sum(len(text) for part in self.parts for text in part.output) / max(ours, 1)

    @property
    def n_short(self) -> int:
        return sum(ratio < _SHORT * self.length_ratio for ratio in self._ratios())

    @property
    def n_long(self) -> int:
        return sum(ratio > _LONG * self.length_ratio for ratio in self._ratios())

    def _ratios(self) -> list[float]:
        found = (group.length_ratio for part in self.parts for group in part.groups)
        return [ratio for ratio in found if ratio is not None]


@record(eq=False)
class ShownGroup:
    """A group of sentences with its texts."""

    system: str
    document: str
    group: SentenceGroup
    reference: str
    output: str


_COUNT_FIELDS: list[Field[SentenceCounts]] = [
    Field("system", is_key=True),
    Field("sentences", int, lambda each: each.n_references),
    Field("output", int, lambda each: each.n_output),
    *(
        Field(name, int, lambda each, name=name: each.count(name))  # type: ignore[misc]
        for name in ("merged", "split", "dropped", "added", "moved")
    ),
    Field("short", int, lambda each: each.n_short),
    Field("long", int, lambda each: each.n_long),
    Field("length_ratio", float, heading="length", form="{:.2f}"),
]

_GROUP_FIELDS: list[Field[ShownGroup]] = [
    Field("system", is_key=True),
    Field("document", is_key=True),
    Field("change", get=lambda each: each.group.change),
    Field("similarity", float, lambda each: each.group.similarity, form="{:.2f}"),
    Field("reference"),
    Field("output", wraps=True),
]


def describe_sentences(systems: Mapping[str, Sequence[DocumentSentences]]) -> Document:
    """Describe aligned sentences: counts of changes per system."""
    rows = [SentenceCounts(name, parts) for name, parts in systems.items()]
    notes = [
        Note(
            "merged, split, dropped, added, moved: groups of sentences of the output that are not one to one"
        ),
        Note(
            f"short, long: groups below {_SHORT:g} or above {_LONG:g} times the usual length; length: characters per character"
        ),
    ]
    return _make_document(_COUNT_FIELDS, rows, notes)


def describe_groups(systems: Mapping[str, Sequence[DocumentSentences]]) -> Document:
    """Describe every group of aligned sentences with its texts."""
    groups = [
        group for name, parts in systems.items() for part in parts for group in _list_groups(name, part)
    ]
    has_documents = any(group.document for group in groups)
    fields = [field for field in _GROUP_FIELDS if has_documents or field.name != "document"]
    return _make_document(
        fields, groups, [Note("similarity: cosine of words or vectors, weighted by rarity")]
    )


def _list_groups(system: str, part: DocumentSentences) -> list[ShownGroup]:
    return [
        ShownGroup(
            system,
            part.name,
            group,
            " ".join(part.references[slice(*group.reference)]),
            " ".join(part.output[slice(*group.output)]),
        )
        for group in part.groups
    ]


R = TypeVar("R")


def _make_document(fields: list[Field[R]], rows: Sequence[R], notes: Sequence[Note]) -> Document:
    return Document(
        "sentences",
        lambda: [make_table(fields, rows, notes=notes)],
        lambda: make_records(fields, rows),
        lambda: {"schema_version": SCHEMA_VERSION, "rows": [make_object(fields, row) for row in rows]},
    )
