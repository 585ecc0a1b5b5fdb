"""Segments that were chosen for human evaluation, as a document and as files for annotators."""

import json
from collections.abc import Mapping, Sequence
from typing import Literal

from tertium.presentation.tables.fields import JSON, RECORDS, Field, make_object, make_records, make_table
from tertium.presentation.tables.model import Document, Note, clean_line
from tertium.records import record

_MAX_SHOWN = 60  # characters of a text in the table


@record
class ChosenSegment:
    """A segment to be judged: its rating, the words of its outputs, and the texts."""

    segment: str
    document: str
    rating: float
    words: int
    source: str | None
    outputs: Mapping[str, str]


def _shorten(text: str) -> str:
    return text if len(text) <= _MAX_SHOWN else f"{text[: _MAX_SHOWN - 1]}…"


def _fields(segments: Sequence[ChosenSegment]) -> list[Field[ChosenSegment]]:
    systems = list(segments[0].outputs) if segments else []
    return [
        Field("segment", is_key=True),
        Field("document"),
        Field("rating", float, form="{:.3f}"),
        Field("words", int),
        Field("source", text=lambda row: _shorten(row.source or next(iter(row.outputs.values())))),
        *map(_output_field, systems),
        Field("outputs", dict, lambda row: dict(row.outputs), outputs=JSON),
    ]


def _output_field(name: str) -> Field[ChosenSegment]:
    return Field(name, get=lambda row: row.outputs[name], outputs=RECORDS)


def describe_choice(segments: Sequence[ChosenSegment], n_segments: int, method: str) -> Document:
    """Describe the chosen segments."""
    fields = _fields(segments)
    n_words = sum(segment.words for segment in segments)
    n_systems = len(segments[0].outputs) if segments else 0
    notes = [
        Note(
            f"{len(segments):,} of {n_segments:,} segments by {method}: {len(segments) * n_systems:,} outputs of {n_systems} systems,"
            f" {n_words:,} words"
        )
    ]
    return Document(
        "select",
        lambda: [make_table(fields, segments, notes=notes)],
        lambda: make_records(fields, segments),
        lambda: {
            "schema_version": 1,
            "method": method,
            "segments": [make_object(fields, segment) for segment in segments],
        },
    )


def list_outputs(segments: Sequence[ChosenSegment], form: Literal["tsv", "jsonl"]) -> str:
    """Write a row per output, with empty columns for the rater and the score; tabs and line breaks become spaces."""
    rows = [
        {
            "segment": segment.segment,
            "document": segment.document,
            "system": system,
            "source": segment.source or "",
            "output": output,
            "rater": "",
            "score": "",
        }
        for segment in segments
        for system, output in segment.outputs.items()
    ]
    if form == "jsonl":
        return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    lines = ["\t".join(rows[0]) if rows else ""]
    lines += ["\t".join(clean_line(value) for value in row.values()) for row in rows]
    return "\n".join(lines) + "\n"
