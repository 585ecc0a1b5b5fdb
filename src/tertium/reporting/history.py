"""The document of a history: a table per metric, a row per release."""

from collections.abc import Sequence

from tertium.records import record
from tertium.reporting.score_table import format_p, format_score
from tertium.reporting.tables.fields import (
    JSON,
    RECORDS,
    TABLE,
    Field,
    make_object,
    make_records,
    make_table,
)
from tertium.reporting.tables.model import Document, Note, Table
from tertium.stats.analysis import Analysis


@record(eq=False)
class Release:
    """The score of a release by one metric, and its change since the release before."""

    metric: str
    title: str
    release: str
    score: float
    interval: tuple[float, float]
    change: float | None
    gain: float | None
    p_value: float | None
    is_significant: bool


def _judge(row: Release) -> str:
    if row.gain is None or not row.is_significant:
        return ""
    return "better" if row.gain > 0 else "worse"


_FIELDS: list[Field[Release]] = [
    Field("metric", outputs=RECORDS | JSON),
    Field("release", is_key=True),
    Field(
        "score",
        float,
        text=lambda row: (
            f"{format_score(row.score, 100)} ±{format_score((row.interval[1] - row.interval[0]) / 2, 100)}"
        ),
    ),
    Field("ci_low", float, get=lambda row: row.interval[0], outputs=RECORDS | JSON),
    Field("ci_high", float, get=lambda row: row.interval[1], outputs=RECORDS | JSON),
    Field(
        "change",
        float,
        text=lambda row: "" if row.change is None else format_score(row.change, 100, sign=True),
    ),
    Field(
        "p_value", float, heading="p", text=lambda row: "" if row.p_value is None else format_p(row.p_value)
    ),
    Field("verdict", get=_judge, heading=" ", outputs=TABLE | RECORDS | JSON),
]


def describe_history(rows: Sequence[Release], n_segments: int, analysis: Analysis) -> Document:
    """Describe the releases of a system."""
    labels = dict.fromkeys(row.metric for row in rows)
    return Document(
        "history",
        lambda: [_make_table(label, rows, n_segments, analysis) for label in labels],
        lambda: make_records(_FIELDS, rows),
        lambda: {"segments": n_segments, "releases": [make_object(_FIELDS, row) for row in rows]},
    )


def _make_table(label: str, rows: Sequence[Release], n_segments: int, analysis: Analysis) -> Table:
    own = [row for row in rows if row.metric == label]
    notes = [
        Note(
            f"{n_segments:,} segments; ±: half of the {analysis.confidence:.0%} interval; change since the release before,"
            f" tested by paired bootstrap ({analysis.n_samples:,} samples, Holm-adjusted p < {analysis.alpha:g})"
        )
    ]
    return make_table(_FIELDS, own, title=own[0].title, notes=notes)
