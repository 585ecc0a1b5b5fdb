"""Documents that compare any number of systems: scores with letters, groups of segments and words, edits, examples."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from tertium.evaluation.comparison import MetricComparison
from tertium.evaluation.labels import LabelRow
from tertium.evaluation.text_differences import EditCounts
from tertium.presentation.score_table import format_p
from tertium.presentation.segment_tables import mark_words, write_marks
from tertium.presentation.tables.fields import Field, make_records, make_table, record_objects
from tertium.presentation.tables.model import Document, Note, Records, Span, Table
from tertium.records import record
from tertium.verdicts import P_ADJUSTED, SHARED_LETTERS

if TYPE_CHECKING:
    from tertium.commands.compare.compare import CompareManyResult


@record(eq=False)
class LabelTable:
    """The groups of one kind; `unit` is what they contain, segments or words."""

    title: str
    unit: str
    rows: Sequence[LabelRow]


def describe_many(result: "CompareManyResult", table: str | None = None) -> Document:
    """Describe how systems differ, in all tables or in one of them."""
    chosen = MANY_TABLES if table is None else {table: MANY_TABLES[table]}

    def make_tables() -> list[Table]:
        return [made for make in chosen.values() for made in make(result)]

    notes = [] if table is None or make_tables() else [Note(f"{table}: nothing to show")]
    return Document(
        "comparison", make_tables, lambda: _make_records(result, table), lambda: _make_data(result), notes
    )


def _scores(result: "CompareManyResult") -> Iterator[Table]:
    metric = result.evaluation.metrics[0]
    sign = -1 if metric.metric.higher_is_better else 1
    order = np.argsort(sign * result.comparison.metrics[metric.label].scores, kind="stable").tolist()
    fields: list[Field[int]] = [Field("system", get=lambda i: result.systems[i], is_key=True)]
    for metric in result.evaluation.metrics:
        arrow = "↑" if metric.metric.higher_is_better else "↓"
        compared = result.comparison.metrics[metric.label]
        fields.append(
            Field(
                metric.label, float, partial(_score_of, compared), heading=f"{metric.title} {arrow}",
                text=partial(_write_score, compared),
            )
        )  # fmt: skip
    notes = [
        f"{result.evaluation.n_segments:,} segments; {result.comparison.unit_note}; {SHARED_LETTERS}",
        *result.table_notes,
    ]
    yield make_table(fields, order, notes=[*map(Note, notes)])


def _score_of(compared: MetricComparison, i: int) -> float:
    return float(compared.scores[i])


def _write_score(compared: MetricComparison, i: int) -> str:
    return f"{compared.scores[i]:.2f} {compared.letters[i]}"


def _labels(result: "CompareManyResult") -> Iterator[Table]:
    return make_label_tables(result.labels[0], result.systems)


def _edits(result: "CompareManyResult") -> Iterator[Table]:
    if result.edits:
        kinds = list(next(iter(result.edits.values())).counts())
        fields: list[Field[str]] = [Field("edits", get=str, is_key=True)]
        fields += [
            Field(name, float, partial(_edit_rate, counts), form="{:.1f}")
            for name, counts in result.edits.items()
        ]
        yield make_table(
            fields, kinds, title="edits that turn outputs into references, per 100 words (as TER counts them)"
        )


def _edit_rate(counts: EditCounts, kind: str) -> float:
    return 100 * counts.rate(counts.counts()[kind])


@record
class _OutputRow:
    """A text of a segment; only the first one shows the number of the segment."""

    segment: int
    is_first: bool
    who: str
    score: float | None
    spans: Sequence[Span]

    @property
    def text(self) -> str:
        return write_marks(self.spans)


def choose_spread(result: "CompareManyResult") -> list[int]:
    """Choose the segments on which the scores of the systems under the first metric differ most."""
    spread = np.nan_to_num(np.ptp(result.first_scores, axis=0))  # NaN without a score of every system
    return [int(i) for i in np.argsort(-spread, kind="stable")[: result.request.n] if spread[i] > 0]


def _segments(result: "CompareManyResult") -> Iterator[Table]:
    title = f"segments on which {result.evaluation.metrics[0].title} differs most"
    fields: list[Field[_OutputRow]] = [
        Field("segment", int, is_key=True, text=lambda row: str(row.segment) if row.is_first else ""),
        Field("who", heading="text of"),
        Field("score", float, heading=result.evaluation.metrics[0].title, form="{:.2f}"),
        Field(
            "text",
            heading="text ([-not in the reference-] {+missing+})",
            spans=lambda row: row.spans,
            wraps=True,
        ),
    ]
    rows = [row for i in choose_spread(result) for row in _list_texts(result, i)]
    if rows:
        yield make_table(fields, rows, title=title)


def _list_texts(result: "CompareManyResult", i: int) -> Iterator[_OutputRow]:
    corpus = result.corpus
    texts: list[tuple[str, float | None, Sequence[Span]]] = []
    if corpus is not None and corpus.sources is not None:
        texts.append(("source", None, [Span(corpus.sources[i])]))
    reference = corpus.references[i][0] if corpus is not None and corpus.has_references else None
    if reference is not None:
        texts.append(("reference", None, [Span(reference)]))
    for number, name in enumerate(result.systems):
        output = "" if corpus is None else corpus.systems[name][i]
        spans: Sequence[Span] = [Span(output)] if reference is None else mark_words(output, reference)
        texts.append((name, float(result.first_scores[number, i]), spans))
    for place, text in enumerate(texts):
        yield _OutputRow(i + 1, place == 0, *text)


MANY_TABLES = {"scores": _scores, "labels": _labels, "edits": _edits, "segments": _segments}
"""The tables that compare three systems or more."""


@record
class _ScoreRecord:
    """A system's score under one metric."""

    metric: str
    system: str
    score: float
    letters: str
    rank_best: int
    rank_worst: int


_SCORE_FIELDS: list[Field[_ScoreRecord]] = [
    Field("metric"), Field("system"), Field("score", float), Field("letters"), Field("rank_best", int),
    Field("rank_worst", int),
]  # fmt: skip


def _make_records(result: "CompareManyResult", table: str | None) -> Records:
    if table in (None, "scores"):
        return make_records(_SCORE_FIELDS, _list_scores(result))
    if table == "labels":
        return make_label_records(result.labels[0], result.systems)
    if table == "edits":
        rates = [
            (name, kind, _edit_rate(counts, kind))
            for name, counts in result.edits.items()
            for kind in counts.counts()
        ]
        return Records({"system": str, "edits": str, "per_100_words": float}, rates)
    rows = [
        (row.segment, row.who, row.score, row.text)
        for i in choose_spread(result)
        for row in _list_texts(result, i)
    ]
    return Records({"segment": int, "text_of": str, "score": float, "text": str}, rows)


def _list_scores(result: "CompareManyResult") -> list[_ScoreRecord]:
    return [
        _ScoreRecord(metric.label, name, float(found.scores[i]), found.letters[i], *found.ranks[i])
        for metric in result.evaluation.metrics
        for found in (result.comparison.metrics[metric.label],)
        for i, name in enumerate(result.systems)
    ]


def _make_data(result: "CompareManyResult") -> dict[str, Any]:
    return {
        "schema_version": 1,
        "systems": list(result.systems),
        "segments": result.evaluation.n_segments,
        "metrics": [
            {
                "label": metric.label,
                "signature": result.evaluation.signature(metric.label),
                "systems": [vars(row) for row in _list_scores(result) if row.metric == metric.label],
                "p_adjusted": result.comparison.metrics[metric.label].adjusted_p.tolist(),
            }
            for metric in result.evaluation.metrics
        ],
        "labels": record_objects(make_label_records(result.labels[0], result.systems)),
        "edits": [{"system": name, **vars(counts)} for name, counts in result.edits.items()],
        "examples": [
            {"segment": row.segment, "text_of": row.who, "score": row.score, "text": row.text}
            for i in choose_spread(result)
            for row in _list_texts(result, i)
        ],
    }


def make_label_tables(labels: Sequence[LabelTable], systems: Sequence[str]) -> Iterator[Table]:
    """Make a table for each kind of group, with a column for each system."""
    for label in labels:
        if label.rows:
            fields: list[Field[LabelRow]] = [
                Field("label", get=lambda row: row.name, heading=label.rows[0].kind, is_key=True),
                Field("n", int, lambda row: row.n_items, heading=label.unit),
                *(_system_field(name, i) for i, name in enumerate(systems)),
                Field("p", float, lambda row: row.p_value, heading=P_ADJUSTED, text=_write_p),
                Field("example", int, _example, heading="example", form="{}", missing="–"),
            ]
            yield make_table(fields, label.rows, title=label.title)


def _system_field(name: str, i: int) -> Field[LabelRow]:
    return Field(
        name,
        float,
        lambda row: row.scores[i],
        text=lambda row: f"{row.scores[i]:.2f} {row.letters[i]}".strip(),
    )


def _write_p(row: LabelRow) -> str:
    return "–" if row.p_value is None else format_p(row.p_value)


def _example(row: LabelRow) -> int | None:
    return None if row.example is None else row.example + 1


@record
class _LabelRecord:
    """One system in one group, for CSV and JSON."""

    table: str
    label: str
    n: int
    system: str
    score: float
    letters: str
    p_value: float | None
    example: int | None


_LABEL_FIELDS: list[Field[_LabelRecord]] = [
    Field("table"),
    Field("label"),
    Field("n", int),
    Field("system"),
    Field("score", float),
    Field("letters"),
    Field("p_value", float),
    Field("example", int),
]


def make_label_records(labels: Sequence[LabelTable], systems: Sequence[str]) -> Records:
    """Make a record for each system and group."""
    rows = [
        _LabelRecord(
            label.title,
            row.name,
            row.n_items,
            name,
            row.scores[i],
            row.letters[i],
            row.p_value,
            _example(row),
        )
        for label in labels
        for row in label.rows
        for i, name in enumerate(systems)
    ]
    return make_records(_LABEL_FIELDS, rows)
