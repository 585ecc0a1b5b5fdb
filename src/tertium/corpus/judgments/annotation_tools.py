"""Readers of files of annotation tools: Appraise's CSV of DA, SQM and ESA, and Pearmut's log.

Both count the characters of error spans from 0 with an inclusive end.
"""

import csv
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from tertium.corpus.judgments.readers import (
    Judgment,
    SegmentJudgments,
    Spans,
    WeighSpans,
    collect_judgments,
    csv_rows,
    require_score,
)
from tertium.corpus.judgments.spans import parse_spans
from tertium.decimals import parse_score
from tertium.errors import InputError

# Appraise. A row is: user, [source id,] system, item, type, source language, target language, score, and in newer
# versions document, whether the score is that of the whole document, [spans,] start and end in seconds since 1970.
_TYPES = ("TGT", "REF", "BAD", "CHK", "TUT")
_REGULAR = "TGT"
_TYPE_PLACES = (3, 4)


class AppraiseRow(NamedTuple):
    """The fields of a row by name."""

    user: str
    system: str
    segment: str
    kind: str
    languages: tuple[str, str]
    score: str
    rest: Sequence[str]
    """Fields after the score: document, whether it is complete, error spans, start, end."""


def is_appraise(lines: Sequence[str]) -> bool:
    """Whether the first line is a row of Appraise's CSV, which has no header."""
    try:
        return _split_row(next(csv.reader(lines[:1]), [])) is not None
    except csv.Error:
        return False


def parse_appraise(path: str, lines: Sequence[str]) -> SegmentJudgments:
    """Read the scores that Appraise exports: direct assessment, SQM or ESA.

    Items of other types than TGT check the raters' attention. Scores of whole documents are left out.
    """
    rows: list[Judgment] = []
    n_documents = 0
    for number, fields in csv_rows(path, lines):
        row = _split_row(fields)
        if row is None:
            raise InputError(
                f"{path}: line {number:,} is not a row of Appraise: user, system, item, type ({', '.join(_TYPES)}),"
                " languages, score"
            )
        if row.rest[1:2] == ["True"]:
            n_documents += 1
            continue
        rows.append(_make_judgment(path, number, row))
    notes = [f"{path}: {n_documents:,} scores of whole documents are left out"] if n_documents else []
    return collect_judgments(path, rows, notes=notes)


def _split_row(fields: Sequence[str]) -> AppraiseRow | None:
    place = next(
        (place for place in _TYPE_PLACES if fields[place : place + 1] and fields[place] in _TYPES), None
    )
    if place is None or len(fields) < place + 4:
        return None
    source, target, score, *rest = fields[place + 1 :]
    segment = fields[1] if place == _TYPE_PLACES[1] else fields[place - 1]
    return AppraiseRow(fields[0], fields[place - 2], segment, fields[place], (source, target), score, rest)


def _make_judgment(path: str, number: int, row: AppraiseRow) -> Judgment:
    place = f"{path}: line {number:,}"
    score = require_score(row.score, place)
    spans, times = _spans_and_times(row.rest[2:], place)
    start, end = times if len(times) == 2 else (None, None)
    is_tutorial = "tutorial" in row.segment
    return Judgment(
        line=number,
        system=row.system,
        segment=row.segment,
        score=score,
        pair="-".join(row.languages),
        document=row.rest[0] if row.rest else "",
        rater=row.user,
        spans=spans,
        seconds=None if start is None or end is None else end - start,
        check="tutorial" if is_tutorial else "" if row.kind == _REGULAR else row.kind.lower(),
    )


def _spans_and_times(fields: Sequence[str], place: str) -> tuple[Spans | None, list[float]]:
    """Split the last fields into error spans, if there are any, and two times."""
    if fields and fields[0][:1] in ("[", "{"):
        return parse_spans(fields[0], place), _times(fields[1:3])
    return None, _times(fields[:2])


def _times(fields: Sequence[str]) -> list[float]:
    found = [parse_score(field) for field in fields]
    return [score for score in found if score is not None]


# Pearmut. A line is what one rater did with one document: `item`, the segments with their outputs by model, and
# `annotation`, their scores and error spans by model; `validation` of a segment makes it an attention check.


_EXTRA_ITEMS = ("welcome_", "random_")  # tutorials and attention checks that Pearmut adds


PEARMUT_KEYS = frozenset({"annotation", "item", "user_id"})


def parse_pearmut(path: str, entries: Sequence[Mapping[str, object]], weigh: WeighSpans) -> SegmentJudgments:
    """Read Pearmut's log of annotations.

    If a rater submitted a document again, the last submission counts. In a protocol without scores, the error spans are
    scored.
    """
    last: dict[tuple[str, object], int] = {}
    for row, entry in enumerate(entries):
        last[str(entry["user_id"]), _document_key(entry, row)] = row
    n_replaced = len(entries) - len(last)
    notes = (
        [f"{path}: {n_replaced:,} submissions are replaced by later ones of the same document"]
        if n_replaced
        else []
    )
    judged = [
        judgment
        for row in sorted(last.values())
        for judgment in _read_entry(path, row + 1, entries[row], weigh)
    ]
    return collect_judgments(path, judged, notes=notes)


def _document_key(entry: Mapping[str, object], row: int) -> object:
    """Identify the document of a line by the ids of its segments, or by its number."""
    items = entry["item"] if isinstance(entry["item"], list) else [entry["item"]]
    ids = [item.get("item_id") for item in items if isinstance(item, dict)]
    known = tuple(str(identity) for identity in ids if identity is not None)
    return known or str(entry.get("item_i", f"line {row}"))


def _read_entry(path: str, number: int, entry: Mapping[str, object], weigh: WeighSpans) -> Iterator[Judgment]:
    place = f"{path}: line {number:,}"
    items, annotations = (
        value if isinstance(value, list) else [value]
        for value in (entry.get("item"), entry.get("annotation"))
    )
    if len(items) != len(annotations):
        raise InputError(f"{place} has {len(items)} segments but annotations of {len(annotations)}")
    start, end = _action_times(entry.get("actions"))
    n_judged = max(1, sum(len(annotation) for annotation in annotations if isinstance(annotation, dict)))
    is_extra = str(entry.get("item_i", "")).startswith(_EXTRA_ITEMS)
    for i, (item, annotation) in enumerate(zip(items, annotations, strict=True)):
        if isinstance(item, dict) and "form" in item:
            continue  # a question to the rater, such as the native language
        if not isinstance(item, dict) or not isinstance(annotation, dict):
            raise InputError(f"{place} has an item or an annotation that is not an object")
        if not annotation:
            raise InputError(
                f"{place} has an empty annotation of segment {item.get('item_id', i)!r}; remove the line"
            )
        for model, given in annotation.items():
            yield Judgment(
                line=number,
                system=model,
                segment=str(item.get("item_id", f"{entry.get('item_i', number)}:{i}")),
                document=str(entry.get("item_i", "")),
                rater=str(entry.get("user_id", "")),
                seconds=None if start is None or end is None else (end - start) / n_judged,
                source=item["src"] if isinstance(item.get("src"), str) else None,
                check="check" if item.get("validation") or is_extra else "",
                **_read_annotation(item, model, given, place, weigh),
            )


def _read_annotation(
    item: Mapping[str, object], model: str, given: object, place: str, weigh: WeighSpans
) -> dict[str, Any]:
    outputs = item.get("tgt")
    target = outputs.get(model) if isinstance(outputs, dict) else None
    if not isinstance(given, dict):
        raise InputError(f"{place} has an annotation of {model!r} that is not an object")
    if isinstance(outputs, dict) and model not in outputs:
        raise InputError(
            f"{place} judges the system {model!r}, which has no output; there are {', '.join(outputs)}"
        )
    text = target if isinstance(target, str) else None
    spans = parse_spans(given["error_spans"], place, text) if given.get("error_spans") is not None else None
    score = given.get("score")
    if score is None and spans is None:
        raise InputError(f"{place} has an empty annotation of {model!r}: neither a score nor error spans")
    number = weigh(spans or (), place) if score is None else require_score(score, place)
    return {"score": number, "spans": spans, "target": text}


def _action_times(actions: object) -> tuple[float | None, float | None]:
    """Return the first and the last time of a rater's actions."""
    if not isinstance(actions, list):
        return None, None
    times = [parse_score(action.get("time")) for action in actions if isinstance(action, dict)]
    known = [time for time in times if time is not None]
    return (min(known), max(known)) if known else (None, None)
