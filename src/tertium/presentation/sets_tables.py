"""The document of many test sets: one table per metric, with a column per test set."""

from collections.abc import Iterator
from functools import partial

import numpy as np

from tertium.evaluation.many_sets import ManySets, SystemSummary
from tertium.evaluation.units import describe_tests, describe_units
from tertium.presentation.score_table import format_score
from tertium.presentation.tables.fields import (
    JSON,
    RECORDS,
    TABLE,
    Field,
    make_object,
    make_records,
    make_table,
)
from tertium.presentation.tables.model import Document, Mark, Note, Table
from tertium.records import record
from tertium.stats.analysis import Analysis
from tertium.stats.letters import are_equal, format_rank_range
from tertium.verdicts import NAMED_LETTERS, STRATIFIED, WINS, explain_direction, explain_level, shorten_names

_MISSING = "–"


@record(eq=False)
class _Row:
    """A system in the table of one metric."""

    metric: str
    summary: SystemSummary
    auto_rank: float | None
    is_best: bool

    @property
    def system(self) -> str:
        return self.summary.system


@record(eq=False)
class _Cell:
    """The score of a system on a test set."""

    metric: str
    system: str
    test_set: str
    score: float
    letters: str


_CELL_FIELDS: list[Field[_Cell]] = [
    Field("metric"), Field("system"), Field("test_set"), Field("score", float), Field("letters"),
]  # fmt: skip

_SUMMARY_FIELDS: list[Field[_Row]] = [
    Field("system", is_key=True),
    Field(
        "average",
        float,
        get=lambda row: row.summary.average,
        text=lambda row: _write(row.summary.average, row.summary.overall),
        marks=lambda row: [Mark.BEST] if row.is_best else [],
    ),
    Field(
        "ci_low",
        float,
        get=lambda row: row.summary.interval and row.summary.interval[0],
        outputs=RECORDS | JSON,
    ),
    Field(
        "ci_high",
        float,
        get=lambda row: row.summary.interval and row.summary.interval[1],
        outputs=RECORDS | JSON,
    ),
    Field("letters", get=lambda row: row.summary.overall, outputs=RECORDS | JSON),
    Field(
        "ranks",
        get=lambda row: row.summary.rank_range and format_rank_range(row.summary.rank_range),
        missing=_MISSING,
    ),
    Field(
        "mean_rank",
        float,
        get=lambda row: row.summary.mean_rank,
        heading="mean rank",
        form="{:.1f}",
        missing=_MISSING,
    ),
    Field("n_wins", int, get=lambda row: row.summary.n_wins, heading="wins"),
]


_AVERAGES = ("average", "ranks", "mean_rank")


def describe_sets(many: ManySets, analysis: Analysis, *, autorank: bool) -> Document:
    """Describe the scores on many test sets."""
    ranks = many.auto_ranks() if autorank else {}
    rows = {label: list(_make_rows(many, label, ranks)) for label in many.labels}
    cells = [cell for label in many.labels for cell in _make_cells(label, rows[label])]
    return Document(
        "score_sets",
        lambda: [_make_table(many, label, rows[label], autorank=autorank) for label in many.labels],
        lambda: make_records(_CELL_FIELDS, cells),
        partial(_make_data, many, rows, cells, ranks, analysis),
        notes=_make_notes(many, analysis),
    )


def _make_rows(many: ManySets, label: str, ranks: dict[str, float]) -> Iterator[_Row]:
    summaries = many.summarise(label)
    averages = [summary.average for summary in summaries if summary.average is not None]
    has_best = not are_equal(np.array(averages))
    for summary in summaries:
        is_best = has_best and summary.average == averages[0]
        yield _Row(label, summary, ranks.get(summary.system), is_best)


def _make_cells(label: str, rows: list[_Row]) -> Iterator[_Cell]:
    for row in rows:
        for name, score in row.summary.scores.items():
            if score is not None:
                yield _Cell(label, row.system, name, score, row.summary.letters[name])


def _make_table(many: ManySets, label: str, rows: list[_Row], *, autorank: bool) -> Table:
    shown = (
        _SUMMARY_FIELDS
        if many.averaged
        else [field for field in _SUMMARY_FIELDS if field.name not in _AVERAGES]
    )
    fields = list(shown)
    if autorank:
        fields.append(
            Field(
                "auto_rank", float, heading="AutoRank", form="{:.2f}", missing=_MISSING, outputs=TABLE | JSON
            )
        )
    fields += [_set_field(test_set.name) for test_set in many.sets]
    better = explain_direction(higher_is_better=many.higher_is_better(label))
    note = Note(f"{better}, ", (Mark.BEST,), " average") if many.averaged else Note(better)
    return make_table(fields, rows, title=many.title(label), notes=[note])


def _make_notes(many: ManySets, analysis: Analysis) -> list[Note]:
    letters = (
        f"{NAMED_LETTERS} ({describe_tests(many.tested)}, {explain_level(analysis.alpha)});"
        f" {describe_units(many.tested)}"
    )
    wins = f"wins: {WINS}"
    if many.averaged and many.too_small:
        letters += f"; the average is not tested: {explain_untested_average(many)}"
    elif many.averaged:
        letters += f"; {STRATIFIED}"
        wins += "; ranks: range that the tests support"
    return [*map(Note, (describe_average(many), letters, wins))]


def _set_field(name: str) -> Field[_Row]:
    return Field(
        name,
        float,
        get=lambda row: row.summary.scores[name],
        text=lambda row: _write(row.summary.scores[name], row.summary.letters[name]),
        outputs=TABLE,
    )


def _write(score: float | None, letters: str) -> str:
    return _MISSING if score is None else f"{format_score(score, 100)} {letters}".rstrip()


def describe_average(many: ManySets) -> str:
    """Describe which test sets are averaged, and for which systems."""
    n_sets, n_common = len(many.sets), len(many.common)
    everything = "both test sets" if n_sets == 2 else f"all {n_sets} test sets"
    if not many.averaged:
        return f"no system has {everything}, so there is no average"
    if missing := len(many.systems) - len(many.averaged):
        misses = "misses some of them and has" if missing == 1 else "miss some of them and have"
        return (
            f"average: mean over {everything}; {missing} of {len(many.systems)} systems {misses} no average"
        )
    if n_common < n_sets:
        return f"average: mean over the {n_common} of {n_sets} test sets that all systems have"
    return f"average: mean over {everything}"


def explain_untested_average(many: ManySets) -> str:
    """Explain why averages are not tested."""
    if len(many.too_small) == len(many.common):
        return "the test sets are too small"
    return f"{shorten_names(many.too_small)} {'is' if len(many.too_small) == 1 else 'are'} too small"


def _make_data(
    many: ManySets,
    rows: dict[str, list[_Row]],
    cells: list[_Cell],
    ranks: dict[str, float],
    analysis: Analysis,
) -> dict[str, object]:
    return {
        "test_sets": [
            {"name": scored.name, "segments": scored.n_segments, "systems": list(scored.systems)}
            for scored in many.sets
        ],
        "averaged_test_sets": [test_set.name for test_set in many.common] if many.averaged else [],
        "test": {"samples": analysis.n_samples, "alpha": analysis.alpha, "seed": analysis.seed},
        "metrics": {
            label: {
                "signatures": {scored.name: scored.columns[label].signature for scored in many.sets},
                "systems": [make_object(_SUMMARY_FIELDS, row) for row in listed],
            }
            for label, listed in rows.items()
        },
        "scores": [make_object(_CELL_FIELDS, cell) for cell in cells],
        **({"auto_ranks": ranks} if ranks else {}),
    }
