"""Documents that compare two systems: differences, buckets, edits, n-grams and word diffs."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from operator import getitem
from typing import TYPE_CHECKING, Any

import numpy as np

from tertium.commands.compare.systems_tables import make_label_records, make_label_tables
from tertium.evaluation.differences import Bucket, Difference
from tertium.evaluation.text_differences import EditCounts, FrequencyRow, NgramGain
from tertium.presentation.score_table import format_p
from tertium.presentation.segment_tables import mark_words, write_marks
from tertium.presentation.tables.fields import (
    JSON,
    RECORDS,
    TABLE,
    Field,
    make_object,
    make_records,
    make_table,
    record_objects,
)
from tertium.presentation.tables.model import Document, Note, Records, Span, Table, Value, type_of_values
from tertium.records import record
from tertium.values import Corpus, FloatArray
from tertium.verdicts import P_ADJUSTED, describe_difference, describe_pair

if TYPE_CHECKING:
    from tertium.commands.compare.compare import CompareResult


def make_tables(result: "CompareResult", name: str) -> list[Table]:
    """Make the tables of one of TABLES; empty tables are left out."""
    return list(_LAYOUTS[name](result))


def choose_segments(result: "CompareResult", difference: Difference) -> tuple[list[int], list[int]]:
    """Choose the segments with the most influence in favour of the second system, and of the first."""
    order = np.argsort(-difference.influence, kind="stable")
    n = min(result.request.n, len(order))
    wins = [int(i) for i in order[:n] if difference.influence[i] > 0]
    return wins, [int(i) for i in order[::-1][:n] if difference.influence[i] < 0]


def choose_disagreements(result: "CompareResult") -> list[int]:
    """Choose the segments on which metrics disagree most about the better system."""
    if len(result.differences) < 2:
        return []
    order = np.argsort(-result.disagreements, kind="stable")[: result.request.n]
    return [int(i) for i in order if result.disagreements[i] > 0]


@record
class _TextRow:
    """A text of a decisive segment; only the first text shows the segment's number and influence."""

    segment: int
    influence: float
    is_first: bool
    who: str
    spans: Sequence[Span]

    @property
    def text(self) -> str:
        return write_marks(self.spans)


def _segments(result: "CompareResult") -> Iterator[Table]:
    first = result.differences[0]
    wins, losses = choose_segments(result, first)
    fields: list[Field[_TextRow]] = [
        Field("segment", int, is_key=True, text=lambda row: str(row.segment) if row.is_first else ""),
        Field(
            "influence", float, heading=f"influence on {first.title}",
            text=lambda row: f"{row.influence:+.4f}" if row.is_first else "",
        ),
        Field("who", heading="text of"),
        Field(
            "text", heading="text ([-not in the reference-] {+missing+})",
            spans=lambda row: row.spans, wraps=True,
        ),
    ]  # fmt: skip
    for segments, system in ((wins, result.second), (losses, result.first)):
        if segments:
            rows = [
                _TextRow(i + 1, float(first.influence[i]), number == 0, who, spans)
                for i in segments
                for number, (who, spans) in enumerate(list(_texts(result, i)) or [("", ())])
            ]
            title = f"{first.title}: segments with the most influence in favour of {system}"
            yield make_table(fields, rows, title=title)


def _texts(result: "CompareResult", i: int) -> Iterator[tuple[str, Sequence[Span]]]:
    corpus = result.corpus
    if corpus is None:
        return
    if corpus.sources is not None:
        yield "source", [Span(corpus.sources[i])]
    if corpus.has_references:
        yield "reference", [Span(corpus.references[i][0])]
    for name in (result.first, result.second):
        yield name, _mark_output(corpus, name, i)


def _mark_output(corpus: Corpus, name: str, i: int) -> Sequence[Span]:
    """Mark the words of an output that differ from the first reference, if there is one."""
    output = corpus.systems[name][i]
    return mark_words(output, corpus.references[i][0]) if corpus.has_references else [Span(output)]


def _pair_fields(
    result: "CompareResult", kind: type, get: Callable[[Any], Sequence[Any]], write: Callable[[Any], str]
) -> list[Field[Any]]:
    """Make a column for each system from a pair of values."""

    def make(name: str, system: str, i: int) -> Field[Any]:
        return Field(name, kind, lambda row: get(row)[i], heading=system, text=lambda row: write(get(row)[i]))

    return [make("first", result.first, 0), make("second", result.second, 1)]


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def _ngrams(result: "CompareResult") -> Iterator[Table]:
    fields: list[Field[NgramGain]] = [
        Field("ngram", get=lambda gain: " ".join(gain.words), heading="n-gram", is_key=True),
        *_pair_fields(result, int, lambda gain: gain.matches, str),
    ]
    for gains, who in zip(result.ngrams, (result.second, result.first), strict=True):
        if gains:
            title = f"n-grams that {who} gets right more often (matches)"
            yield make_table(fields, gains, title=title)


def _words(result: "CompareResult") -> Iterator[Table]:
    fields: list[Field[FrequencyRow]] = [
        Field("frequency", get=lambda row: row.name, heading="frequency in the references", is_key=True),
        Field("words", int, lambda row: row.n_words),
        *_pair_fields(result, float, lambda row: row.recalls, _percent),
    ]
    if result.words:
        title = "recall of the references' words, by their frequency"
        yield make_table(fields, result.words, title=title)


def _buckets(result: "CompareResult") -> Iterator[Table]:
    fields: list[Field[Bucket]] = [
        Field("kind", heading="by", is_key=True),
        Field("value", get=lambda bucket: bucket.name, heading="segments", is_key=True),
        Field("n_segments", int, heading="number"),
        *_pair_fields(result, float, lambda bucket: bucket.scores, "{:.2f}".format),
        Field("p_adjusted", float, heading=P_ADJUSTED, text=_write_adjusted_p),
    ]
    titles = {difference.label: difference.title for difference in result.differences}
    for label, buckets in result.buckets.items():
        if buckets:
            yield make_table(fields, buckets, title=f"{titles[label]} by kind of segment")


def _edits(result: "CompareResult") -> Iterator[Table]:
    if not result.edits:
        return
    fields: list[Field[str]] = [Field("edits", get=str, is_key=True)]
    for name, (system, needs) in zip(("first", "second"), result.edits.items(), strict=True):
        fields += [
            Field(name, int, partial(getitem, needs.counts()), heading=system),
            Field(f"{name}_rate", float, partial(_edit_rate, needs), heading="per 100 words", form="{:.1f}"),
        ]
    kinds = list(next(iter(result.edits.values())).counts())
    counted = "as TER counts them" + "; inversions as invwer does" * ("inversions" in kinds)
    yield make_table(fields, kinds, title=f"edits that turn outputs into references ({counted})")


def _edit_rate(needs: EditCounts, kind: str) -> float:
    return 100 * needs.rate(needs.counts()[kind])


def _disagreements(result: "CompareResult") -> Iterator[Table]:
    fields: list[Field[int]] = [Field("segment", int, lambda i: i + 1, form="{}", is_key=True)]
    fields += [
        Field(
            difference.label,
            float,
            heading=difference.title,
            get=partial(_gain_of, result.segment_gains[difference.label]),
            form="{:+.2f}",
        )
        for difference in result.differences
    ]
    if chosen := choose_disagreements(result):
        title = f"segments on which metrics disagree most (positive: {result.second} is better)"
        yield make_table(fields, chosen, title=title)


def _gain_of(gains: FloatArray, i: int) -> float:
    return float(gains[i])


_LAYOUTS: Mapping[str, "Callable[[CompareResult], Iterator[Table]]"] = {
    "segments": _segments,
    "ngrams": _ngrams,
    "words": _words,
    "edits": _edits,
    "kinds": _buckets,
    "disagreements": _disagreements,
    "labels": lambda result: make_label_tables(result.labels[0], (result.first, result.second)),
}

TABLES = tuple(_LAYOUTS)
"""The tables that show where the difference between two systems comes from."""


SCORES = "scores"
"""The table of scores and significance tests."""


def describe_differences(result: "CompareResult") -> Document:
    """Describe how two systems differ: scores, deciding segments, words, edits and kinds of segments."""
    return _describe(
        result, lambda: [_scores(result), *(table for name in TABLES for table in make_tables(result, name))]
    )


def describe_table(result: "CompareResult", name: str) -> Document:
    """Describe one of the tables alone; records have the table's title in each row.

    If there is nothing to show, such as edits where the texts are unknown, a note says so.
    """
    if name == SCORES:
        return _describe(result, lambda: [_scores(result)])
    tables = make_tables(result, name)
    notes = [] if tables else [Note(f"{name}: nothing to show")]
    return Document(
        name, lambda: tables, lambda: _collect_records(tables), lambda: {name: _list_rows(tables)}, notes
    )


def _describe(result: "CompareResult", tables: Callable[[], list[Table]]) -> Document:
    return Document(
        "comparison",
        tables,
        lambda: make_records(_difference_fields(result), result.differences),
        lambda: _data(result),
    )


def _collect_records(tables: Sequence[Table]) -> Records:
    names = dict.fromkeys(column.name for table in tables for column in table.columns)
    rows = [[row.get(name) for name in ("table", *names)] for row in _list_rows(tables)]
    values = zip(*rows, strict=True) if rows else [[] for _ in ("table", *names)]
    columns = {name: type_of_values(column) for name, column in zip(("table", *names), values, strict=True)}
    return Records(columns, rows)


def _list_rows(tables: Sequence[Table]) -> list[dict[str, Value]]:
    return [
        {
            "table": table.title,
            **{column.name: cell.value for column, cell in zip(table.columns, row, strict=True)},
        }
        for table in tables
        for row in table.rows
    ]


def describe_winner(result: "CompareResult") -> str:
    """Describe in a sentence which system is better, and under how many metrics significantly so."""
    alpha, n = result.analysis.alpha, len(result.differences)
    first, second = result.first, result.second
    better = [
        difference.title
        for difference in result.differences
        if difference.gain > 0 and difference.is_significant(alpha)
    ]
    worse = [
        difference.title
        for difference in result.differences
        if difference.gain < 0 and difference.is_significant(alpha)
    ]
    if not (better or worse) and all(difference.p_value is None for difference in result.differences):
        return f"{result.n_units} {result.analysis.unit}s are too few to test {first} against {second}"
    return describe_pair(first, second, better, worse, n)


def _difference_fields(result: "CompareResult") -> list[Field[Difference]]:
    """One metric's difference; the last fields are the details of the JSON document."""
    first, second = _pair_fields(result, float, lambda difference: difference.scores, "{:.2f}".format)
    return [
        Field("metric", get=_label, outputs=TABLE | RECORDS, is_key=True, text=_label_with_arrow),
        Field("label", outputs=JSON),
        Field("signature", get=lambda difference: result.evaluation.signature(difference.label), outputs=JSON),
        replace(first, outputs=TABLE | RECORDS),
        replace(second, outputs=TABLE | RECORDS),
        Field("scores", list, lambda difference: list(difference.scores), outputs=JSON),
        Field("difference", float, form="{:+.2f}"),
        Field(
            "interval", float, _nothing, TABLE, f"{result.analysis.level} interval", text=_write_interval
        ),
        Field("gain", float, outputs=RECORDS | JSON),
        Field("gain_low", float, lambda difference: difference.interval[0], RECORDS),
        Field("gain_high", float, lambda difference: difference.interval[1], RECORDS),
        Field("gain_interval", list, lambda difference: list(difference.interval), JSON),
        Field("p_value", float, heading="p", text=_write_p),
        Field("verdict", get=partial(_verdict, result), outputs=TABLE),
        Field("decisive_segments", list, _list_decisive, JSON),
        Field("influence", list, lambda difference: difference.influence.tolist(), JSON),
        Field("segment_gains", list, lambda difference: result.segment_gains[difference.label].tolist(), JSON),
        Field("wins", list, lambda difference: _list_segments(result, difference, choose_segments(result, difference)[0]), JSON),
        Field("losses", list, lambda difference: _list_segments(result, difference, choose_segments(result, difference)[1]), JSON),
        Field("buckets", list, lambda difference: [vars(bucket) for bucket in result.buckets[difference.label]], JSON),
    ]  # fmt: skip


def _label(difference: Difference) -> str:
    return difference.label


def _label_with_arrow(difference: Difference) -> str:
    return f"{difference.title} {'↑' if difference.higher_is_better else '↓'}"


def _nothing(_: Difference) -> None:
    """Return no number: the cell shows two."""


def _write_interval(difference: Difference) -> str:
    sign = 1 if difference.higher_is_better else -1
    low, high = sorted(sign * bound for bound in difference.interval)
    return f"{low:+.2f} to {high:+.2f}"


def _write_p(difference: Difference) -> str:
    return "–" if difference.p_value is None else format_p(difference.p_value)


def _write_adjusted_p(bucket: Bucket) -> str:
    return "–" if bucket.p_adjusted is None else format_p(bucket.p_adjusted)


def _verdict(result: "CompareResult", difference: Difference) -> str:
    if difference.p_value is None:
        return f"too few {result.analysis.unit}s"
    is_clear = difference.is_significant(result.analysis.alpha)
    return describe_difference((result.second if difference.gain > 0 else result.first) if is_clear else "")


def _list_decisive(difference: Difference) -> list[int]:
    return [] if difference.decisive is None else [int(i) + 1 for i in difference.decisive.segments]


def _scores(result: "CompareResult") -> Table:
    unit = result.analysis.describe_unit(result.n_units)
    notes = [f"{describe_winner(result)}; {unit}", *_decisive_notes(result), *result.table_notes]
    return make_table(_difference_fields(result), result.differences, notes=[*map(Note, notes)])


def _decisive_notes(result: "CompareResult") -> Iterator[str]:
    for difference in result.differences:
        found = difference.decisive
        if found is None or not len(found.segments):
            continue
        word = "gain" if difference.gain > 0 else "loss"
        make = "makes" if len(found.segments) == 1 else "make"
        yield (
            f"{difference.title}: {len(found.segments):,} of {found.n_segments:,} segments {make} up half of the {word}"
        )


def _data(result: "CompareResult") -> dict[str, Any]:
    fields = _difference_fields(result)
    return {
        "schema_version": 1,
        "systems": [result.first, result.second],
        "segments": result.evaluation.n_segments,
        "answer": describe_winner(result),
        "metrics": [make_object(fields, difference) for difference in result.differences],
        "ngrams": [
            {"ngram": list(gain.words), "matches": list(gain.matches)}
            for gains in result.ngrams
            for gain in gains
        ],
        "labels": record_objects(make_label_records(result.labels[0], (result.first, result.second))),
        "recall_by_frequency": [vars(row) for row in result.words],
        "edits": [{"system": name, **vars(needs)} for name, needs in result.edits.items()],
        "disagreements": [
            {
                "segment": i + 1,
                "gains": {label: float(gains[i]) for label, gains in result.segment_gains.items()},
            }
            for i in choose_disagreements(result)
        ],
    }


def _list_segments(
    result: "CompareResult", difference: Difference, segments: Sequence[int]
) -> list[dict[str, object]]:
    return [
        {"segment": i + 1, "influence": float(difference.influence[i]), **_list_texts(result, i)}
        for i in segments
    ]


def _list_texts(result: "CompareResult", i: int) -> dict[str, object]:
    """Return the texts of a segment, and the outputs in pieces: equal, surplus and missing words."""
    corpus = result.corpus
    if corpus is None:
        return {}
    outputs = {name: corpus.systems[name][i] for name in (result.first, result.second)}
    marked = {
        name: [[span.tone.name.lower(), span.text] for span in _mark_output(corpus, name, i)]
        for name in outputs
    }
    source = {} if corpus.sources is None else {"source": corpus.sources[i]}
    return {**source, "references": list(corpus.references[i]), "outputs": outputs, "marked": marked}
