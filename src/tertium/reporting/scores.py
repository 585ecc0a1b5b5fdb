"""Documents of scores: systems, segments and subsets."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict

import numpy as np

from tertium import __version__
from tertium.evaluation.comparison import Comparison
from tertium.evaluation.statistics import Evaluation
from tertium.reporting.score_table import (
    MetricColumn,
    ScoreCell,
    ScoreTable,
    SystemPair,
    format_expected_agreement,
)
from tertium.reporting.tables.model import (
    Cell,
    Column,
    Detail,
    DetailKind,
    Document,
    LazyRows,
    Mark,
    Note,
    Records,
    Row,
    Table,
    Value,
)
from tertium.stats.analysis import Analysis

SCHEMA_VERSION = 1

_TESTS = {"bootstrap": "bootstrap", "randomization": "approximate randomization"}


def describe_scores(table: ScoreTable, *, full_records: bool = False) -> Document:
    """Describe all systems' scores under all metrics.

    Parameters
    ----------
    full_records
        Whether records (CSV, TSV, pandas, Arrow) also carry intervals, p-values, clusters, whether a score is the
        best, and signatures; by default only the intervals and p-values that were asked for.
    """
    people = Table(
        [Column("system", "system", is_key=True), *map(_column, table.columns)],
        [_row(table, i) for i in range(len(table.systems))],
        notes=_notes(table),
    )
    return Document("scores", [people], _records(table, full=full_records), _describe(table))


def describe_segments(evaluation: Evaluation, table: ScoreTable, *, full_records: bool = False) -> Document:
    """Describe every segment's score under every metric for every system; full records carry signatures."""
    scores = {column.label: _segment_scores(evaluation, column, table) for column in table.columns}
    # segments are not resampled, whatever was asked for the systems
    signatures = {
        each.label: each.metric.segment_signature(evaluation.signature(each.label)) for each in table.columns
    }
    keys = [
        Column("system", "system", is_key=True),
        Column("segment", "segment", is_number=True, is_key=True),
    ]
    people = Table(
        [*keys, *(Column(label, label, is_number=True) for label in scores)],
        LazyRows(lambda: _segment_rows(table, scores)),
        notes=_signature_notes(signatures),
    )
    signed = signatures if full_records else {}
    records = Records(
        {
            "system": str,
            "segment": int,
            "metric": str,
            "score": float,
            **({"signature": str} if signed else {}),
        },
        LazyRows(lambda: _segment_records(table, scores, signed)),
    )
    data = _describe(table)
    data["metrics"] = [
        {**_describe_metric(column), "signature": signatures[column.label]} for column in table.columns
    ]
    data["systems"] = [
        {**_describe_system(table, i), "segments": {label: rows[i] for label, rows in scores.items()}}
        for i in range(len(table.systems))
    ]
    return Document("segments", [people], records, data)


def _column(column: MetricColumn) -> Column:
    return Column(column.label, f"{column.label} {column.arrow}", is_number=True)


def _row(table: ScoreTable, i: int) -> Row:
    cells = [describe_cell(column.cells[i], column.shown_scale) for column in table.columns]
    return [Cell(table.systems[i], table.systems[i]), *cells]


def describe_cell(cell: ScoreCell, scale: int) -> Cell:
    """Describe one system's score under one metric."""
    marks = [Mark.BEST] * cell.is_best + [Mark.LEADING] * (cell.cluster == 1)
    details = []
    if cell.interval is not None:
        low, high = cell.interval
        details.append(Detail(DetailKind.INTERVAL, f"±{format_score((high - low) / 2, scale)}"))
    if cell.p_value is not None:
        details.append(Detail(DetailKind.P_VALUE, f"p={cell.p_value:.4f}"))
    if cell.cluster is not None:
        details.append(Detail(DetailKind.CLUSTER, f"({cell.cluster})"))
    return Cell(format_score(cell.score, scale), cell.score, marks, details)


def format_score(value: float, scale: int) -> str:
    """Write a score for people, who read two digits of 100 and four of 1."""
    return f"{value:.2f}" if scale == 100 else f"{value:.4f}"


def _notes(table: ScoreTable) -> list[Note]:
    """What a reader needs to understand the table: marks, test, clusters, close calls, signatures."""
    direction = f"{table.n_segments:,} segments; ↑ higher is better, ↓ lower is better"
    has_best = any(cell.is_best for column in table.columns for cell in column.cells)
    notes = [Note(f"{direction}, ", (Mark.BEST,)) if has_best else Note(direction)]
    if table.comparison is not None and len(table.systems) > 1:
        notes += map(Note, _test_notes(table))
    notes += [Note(table.remark)] if table.remark else []
    notes += map(Note, format_expected_agreement(table))
    if table.shows_intervals:
        notes.append(_interval_note(table.comparison))
    if table.comparison is not None and table.comparison.analysis.unit != "segment":
        notes.append(
            Note(
                f"segments were drawn in {table.comparison.n_units:,} groups by {table.comparison.analysis.unit}"
            )
        )
    notes += [
        Note(f"{column.label}: {lack}") for column in table.columns if (lack := column.metric.missing())
    ]
    return notes + _signature_notes({column.label: column.signature for column in table.columns})


def _interval_note(comparison: Comparison | None) -> Note:
    analysis = Analysis() if comparison is None else comparison.analysis
    return Note(f"±: half of the {analysis.interval_name}")


def _signature_notes(signatures: Mapping[str, str]) -> list[Note]:
    return [Note(f"{label}: {signature}", is_signature=True) for label, signature in signatures.items()]


def _test_notes(table: ScoreTable) -> Iterator[str]:
    comparison = table.comparison
    if comparison is None:
        return
    unit = "" if comparison.analysis.unit == "segment" else f"whole {comparison.analysis.unit}s, "
    if comparison.unclustered is None:
        yield (
            f"(1), (2), …: clusters of systems that cannot be told apart (paired {_TESTS[comparison.analysis.test]}, {unit}"
            f"{comparison.n_drawn:,} samples, all pairs, Holm-adjusted p < {comparison.analysis.alpha:g})"
        )
    else:
        yield comparison.unclustered
    if comparison.analysis.baseline is not None:
        yield f"p: against the baseline {comparison.analysis.baseline}, as sacreBLEU computes it"
    if comparison.unclustered is None:
        yield from filter(None, (_close_call(column, comparison.analysis.alpha) for column in table.columns))


def _close_call(column: MetricColumn, alpha: float) -> str | None:
    """The two best systems, if the metric cannot tell them apart."""
    if not column.pairs or column.pairs[0].p_adjusted < alpha:
        return None
    pair = column.pairs[0]
    if pair.further_segments is None:
        return f"{column.label}: {pair.better} and {pair.worse} score the same"
    return (
        f"{column.label}: {pair.better} and {pair.worse} cannot be told apart; if the true difference is what it"
        f" looks like now, about {pair.further_segments:,} further segments would separate them"
    )


def _records(table: ScoreTable, *, full: bool) -> Records:
    shows_p = full or (table.comparison is not None and table.comparison.analysis.baseline is not None)
    columns: dict[str, type] = {"system": str, "metric": str, "score": float}
    if full or table.shows_intervals:
        columns |= {"ci_low": float, "ci_high": float}
    columns |= {"p_value": float} if shows_p else {}
    columns |= {"cluster": int, "is_best": bool, "signature": str} if full else {}
    found = (_record(column, i) for i in range(len(table.systems)) for column in table.columns)
    return Records(columns, [[record[name] for name in columns] for record in found])


def _record(column: MetricColumn, i: int) -> dict[str, Value]:
    cell = column.cells[i]
    low, high = cell.interval or (None, None)
    return {
        "system": cell.system,
        "metric": column.label,
        "score": cell.score,
        "ci_low": low,
        "ci_high": high,
        "p_value": cell.p_value,
        "cluster": cell.cluster,
        "is_best": cell.is_best,
        "signature": column.signature,
    }


def _segment_scores(evaluation: Evaluation, column: MetricColumn, table: ScoreTable) -> list[list[float]]:
    factor = table.scale / 100 if column.metric.bounded else 1.0
    order = [evaluation.systems.index(system) for system in table.systems]  # tables may be sorted
    rows: list[list[float]] = (evaluation.segment_scores(column.label)[order] * factor).tolist()
    return rows


def _segment_rows(table: ScoreTable, scores: dict[str, list[list[float]]]) -> Iterator[Row]:
    scales = [column.shown_scale for column in table.columns]
    for i, system in enumerate(table.systems):
        for segment in range(table.n_segments):
            numbers = [by_system[i][segment] for by_system in scores.values()]
            cells = [
                Cell(format_score(number, scale), number)
                for number, scale in zip(numbers, scales, strict=True)
            ]
            yield [Cell(system, system), Cell(str(segment + 1), segment + 1), *cells]


def _segment_records(
    table: ScoreTable, scores: dict[str, list[list[float]]], signed: Mapping[str, str]
) -> Iterator[Sequence[Value]]:
    for i, system in enumerate(table.systems):
        for segment in range(table.n_segments):
            for label, by_system in scores.items():
                signature = (signed[label],) if signed else ()
                yield system, segment + 1, label, by_system[i][segment], *signature


def _describe(table: ScoreTable) -> dict[str, object]:
    """The JSON document: one schema for one or many systems."""
    low, high = table.n_references
    document: dict[str, object] = {
        "schema_version": SCHEMA_VERSION,
        "tool": "tertium",
        "version": __version__,
        "scale": table.scale,
        "segments": table.n_segments,
        "references": {"min": low, "max": high},
        "metrics": [_describe_metric(column) for column in table.columns],
        "systems": [_describe_system(table, i) for i in range(len(table.systems))],
    }
    return document | _describe_test(table)


def _describe_test(table: ScoreTable) -> dict[str, object]:
    if (comparison := table.comparison) is None:
        return {}
    return {
        "test": {
            "name": comparison.analysis.test,
            "samples": comparison.analysis.n_samples,
            "seed": comparison.analysis.seed,
            "baseline": comparison.analysis.baseline,
            **(
                {}
                if comparison.analysis.unit == "segment"
                else {"unit": comparison.analysis.unit, "units": comparison.n_units}
            ),
        },
        "pairs": [
            {"metric": column.label, **_describe_pair(pair)}
            for column in table.columns
            for pair in column.pairs
        ],
    }


def _describe_pair(pair: SystemPair) -> dict[str, object]:
    data = asdict(pair)
    return data if pair.people is not None else {key: value for key, value in data.items() if key != "people"}


def _describe_metric(column: MetricColumn) -> dict[str, object]:
    described: dict[str, object] = {
        "label": column.label,
        "name": column.metric.name,
        "signature": column.signature,
        "higher_is_better": column.metric.higher_is_better,
        "bounded": column.metric.bounded,
    }
    lack = column.metric.missing()
    return described if lack is None else {**described, "missing": lack}


def _describe_system(table: ScoreTable, i: int) -> dict[str, object]:
    return {
        "name": table.systems[i],
        "scores": {column.label: _describe_cell(column, i) for column in table.columns},
    }


def _describe_cell(column: MetricColumn, i: int) -> dict[str, object]:
    cell = column.cells[i]
    entry: dict[str, object] = {"score": cell.score, "details": column.details[i]}
    if cell.interval is not None:
        entry |= {"mean": cell.mean, "ci_low": cell.interval[0], "ci_high": cell.interval[1]}
    if cell.p_value is not None:
        entry["p_value"] = cell.p_value
    if cell.cluster is not None:
        entry["cluster"] = cell.cluster
    return entry


MACRO, MICRO = "macro", "micro"
_UNKNOWN = "(none)"


def describe_subsets(column: str, parts: Mapping[str, ScoreTable], whole: ScoreTable) -> Document:
    """Describe the scores for every value of a column, their mean and the scores of all segments."""
    tables = [_make_table(column, parts, whole, at) for at in range(len(whole.columns))]
    types = {column: str, "segments": int, "system": str, "metric": str, "score": float}
    types |= {"ci_low": float, "ci_high": float} if _has_intervals(parts) else {}
    types |= {"p_value": float} if _has_tests(parts) else {}
    records = [[record[name] for name in types] for record in _subset_records(column, parts, whole)]
    data = {"by": column, "scale": whole.scale, "scores": list(_subset_records(column, parts, whole))}
    return Document("subsets", tables, Records(types, records), data)


def _make_table(column: str, parts: Mapping[str, ScoreTable], whole: ScoreTable, at: int) -> Table:
    metric = whole.columns[at]
    headings = [Column(column, column, is_key=True), Column("segments", "segments", is_number=True)]
    headings += [Column(system, system, is_number=True) for system in whole.systems]
    rows = [
        _make_row(value or _UNKNOWN, table.n_segments, table.columns[at]) for value, table in parts.items()
    ]
    rows.append(_make_macro(parts, whole, at))
    rows.append(_make_row(MICRO, whole.n_segments, whole.columns[at]))
    return Table(headings, rows, f"{metric.label} {metric.arrow}", _subset_notes(column, parts, metric))


def _make_row(name: str, n_segments: int, metric: MetricColumn) -> Row:
    cells = [describe_cell(cell, metric.shown_scale) for cell in metric.cells]
    return [Cell(name, name), Cell(f"{n_segments:,}", n_segments), *cells]


def _make_macro(parts: Mapping[str, ScoreTable], whole: ScoreTable, at: int) -> Row:
    means = _means(parts, at)
    best = max(means) if whole.columns[at].metric.higher_is_better else min(means)
    cells = [
        Cell(
            format_score(mean, whole.columns[at].shown_scale),
            mean,
            [Mark.BEST] * (mean == best and len(means) > 1),
        )
        for mean in means
    ]
    return [Cell(MACRO, MACRO), Cell("", None), *cells]


def _means(parts: Mapping[str, ScoreTable], at: int) -> list[float]:
    scores = [[cell.score for cell in table.columns[at].cells] for table in parts.values()]
    means: list[float] = np.mean(scores, axis=0).tolist()
    return means


def _subset_notes(column: str, parts: Mapping[str, ScoreTable], metric: MetricColumn) -> list[Note]:
    notes = [
        Note(
            f"{MACRO}: mean over the {len(parts):,} values of {column}; {MICRO}: all segments, ", (Mark.BEST,)
        )
    ]
    lonely = [value or _UNKNOWN for value, table in parts.items() if table.n_segments == 1]
    if lonely:
        more = f" and {len(lonely) - 3:,} more" if len(lonely) > 3 else ""
        notes.append(Note(f"only 1 segment: {', '.join(lonely[:3])}{more}; such a score says little"))
    compared = [table.comparison for table in parts.values() if table.comparison is not None]
    if _has_intervals(parts):
        notes.append(_interval_note(compared[0]))
    return [*notes, Note(f"{metric.label}: {metric.signature}", is_signature=True)]


def _has_intervals(parts: Mapping[str, ScoreTable]) -> bool:
    return any(table.shows_intervals for table in parts.values())


def _has_tests(parts: Mapping[str, ScoreTable]) -> bool:
    return any(
        table.comparison is not None and table.comparison.analysis.baseline for table in parts.values()
    )


def _subset_records(
    column: str, parts: Mapping[str, ScoreTable], whole: ScoreTable
) -> Iterator[dict[str, Value]]:
    for value, table in [*parts.items(), (MICRO, whole)]:
        for metric in table.columns:
            for cell in metric.cells:
                low, high = cell.interval or (None, None)
                yield {
                    column: value, "segments": table.n_segments, "system": cell.system, "metric": metric.label,
                    "score": cell.score, "ci_low": low, "ci_high": high, "p_value": cell.p_value,
                }  # fmt: skip
    for at, metric in enumerate(whole.columns):
        for system, mean in zip(whole.systems, _means(parts, at), strict=True):
            yield {
                column: MACRO, "segments": None, "system": system, "metric": metric.label, "score": mean,
                "ci_low": None, "ci_high": None, "p_value": None,
            }  # fmt: skip
