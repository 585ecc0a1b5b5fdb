"""Documents of scores: systems, segments and subsets."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from tertium import __version__
from tertium.errors import argument
from tertium.evaluation.comparison import Comparison
from tertium.evaluation.evaluation import Evaluation
from tertium.presentation.score_table import (
    MetricColumn,
    ScoreCell,
    ScoreTable,
    SystemPair,
    format_expected_agreement,
    format_p,
    format_score,
)
from tertium.presentation.tables.fields import (
    JSON,
    RECORDS,
    TABLE,
    Field,
    make_object,
    make_records,
    make_table,
    make_wide_table,
    record_objects,
    select_fields,
)
from tertium.presentation.tables.model import Document, LazyRows, Mark, Note, Records, Table
from tertium.presentation.verdict import describe_verdict
from tertium.records import record
from tertium.stats.analysis import PAIR_TESTS, SEGMENT
from tertium.stats.letters import are_equal, format_rank_range
from tertium.verdicts import (
    ADJUSTED_OVER_PAIRS,
    SHARED_LETTERS,
    describe_close,
    explain_direction,
    explain_interval,
    explain_level,
)

SCHEMA_VERSION = 2

# Options that add columns to records.
_INTERVALS, _TEST, _FULL = "intervals", "test", "full"


def _write_half_interval(cell: ScoreCell) -> str:
    if cell.interval is None:
        return ""
    low, high = cell.interval
    return f"±{format_score((high - low) / 2, cell.shown_scale)}"


def _write_faulty(cell: ScoreCell) -> str:
    """Write how many segments have faults, for checks."""
    faulty, segments = (cell.details.get(name) for name in ("faulty_segments", "segments"))
    is_check = isinstance(faulty, float) and isinstance(segments, float)
    return f"({faulty:,.0f} of {segments:,.0f})" if is_check else ""


def _write_p(cell: ScoreCell) -> str:
    if cell.p_value is None:
        return ""
    text = format_p(cell.p_value)
    return f"p{text}" if text.startswith("<") else f"p={text}"


SCORE_FIELDS: list[Field[ScoreCell]] = [
    Field("system", outputs=TABLE | RECORDS, is_key=True),
    Field("metric", outputs=RECORDS),
    Field(
        "score", float,
        text=lambda cell: format_score(cell.score, cell.shown_scale),
        marks=lambda cell: [Mark.BEST] * cell.is_best + [Mark.LEADING] * cell.is_leading,
    ),
    Field("details", dict, outputs=JSON),
    Field("faulty_segments", outputs=TABLE, detail="faults", text=_write_faulty),
    Field("mean", float, outputs=JSON, is_optional=True),
    Field("interval", outputs=TABLE, detail="intervals", text=_write_half_interval),
    Field("ci_low", float, outputs=RECORDS | JSON, is_optional=True, request=_INTERVALS),
    Field("ci_high", float, outputs=RECORDS | JSON, is_optional=True, request=_INTERVALS),
    Field("p_value", float, text=_write_p, detail="p-values", is_optional=True, request=_TEST),
    Field("letters", detail="letters", is_optional=True, request=_FULL),
    Field("rank_best", int, outputs=RECORDS | JSON, is_optional=True, request=_FULL),
    Field("rank_worst", int, outputs=RECORDS | JSON, is_optional=True, request=_FULL),
    Field("is_best", bool, outputs=RECORDS, request=_FULL),
    Field("signature", outputs=RECORDS, request=_FULL),
]  # fmt: skip
"""A system's score under a metric: in every table of scores, in records, in JSON and on the page."""

_PAIR_FIELDS: list[Field[SystemPair]] = [
    Field("better"),
    Field("worse"),
    Field("difference", float),
    Field("p_adjusted", float),
    Field("further_segments", int),
    Field(
        "people",
        dict,
        lambda pair: None if pair.expected is None else asdict(pair.expected),
        is_optional=True,
    ),
]


def describe_scores(
    table: ScoreTable, *, shown: ScoreTable | None = None, full_records: bool = False, details: bool = False
) -> Document:
    """Describe all systems' scores under all metrics.

    Parameters
    ----------
    shown
        The same table for readers, where the systems may be in another order.
    details
        Whether readers also get the tests, ranks, parts of the scores and signatures.
    full_records
        Whether records (CSV, TSV, pandas, Arrow) also have intervals, p-values, letters, ranks, whether a score is
        the best, and signatures; by default only the requested intervals and p-values.
    """
    return Document(
        "scores",
        lambda: [
            make_system_table(shown or table, details=details),
            *(_detail_tables(shown or table) if details else ()),
        ],
        lambda: make_records(
            select_fields(
                SCORE_FIELDS, {_INTERVALS, _TEST, _FULL} if full_records else _find_requests([table])
            ),
            [cell for row in _rows(table) for cell in row],
        ),
        lambda: _describe(table),
    )


def make_system_table(table: ScoreTable, *, details: bool = False) -> Table:
    """Make the table of scores, with a row per system and a column per metric."""
    headings = {column.label: f"{column.title} {column.arrow}" for column in table.columns}
    return make_wide_table(SCORE_FIELDS, _rows(table), headings, notes=_notes(table, details=details))


def _detail_tables(table: ScoreTable) -> list[Table]:
    """Make the tables of ranks, and of the parts of each metric's scores."""
    tables = []
    if table.tests_pairs:
        headings = {column.label: column.title for column in table.columns}
        title = "ranks that the tests support"
        tables.append(make_wide_table(_RANK_FIELDS, _rows(table), headings, title=title))
    parts = [
        make_table(_part_fields(names), column.cells, title=f"parts of {column.title}")
        for column in table.columns
        if (names := list(column.cells[0].details))
    ]
    return [*tables, *parts]


def _write_ranks(cell: ScoreCell) -> str:
    if cell.rank_best is None or cell.rank_worst is None:
        return ""
    return format_rank_range((cell.rank_best, cell.rank_worst))


_RANK_FIELDS: list[Field[ScoreCell]] = [
    Field("system", is_key=True),
    Field("ranks", get=lambda cell: cell.rank_best, text=_write_ranks),
]


def _part_fields(names: Sequence[str]) -> list[Field[ScoreCell]]:
    return [
        Field("system", is_key=True),
        *(
            Field(
                name,
                float,
                heading=name.replace("_", " "),
                text=partial(_write_part, name),
                get=lambda _: None,
            )
            for name in names
        ),
    ]


def _write_part(name: str, cell: ScoreCell) -> str:
    """Write a part of a score: counts without digits, lists of precisions with slashes between them."""
    value = cell.details.get(name)
    if isinstance(value, list | tuple):
        return "/".join(f"{number:.1f}" for number in value)
    if isinstance(value, float):
        return f"{value:,.0f}" if value.is_integer() and abs(value) > 1 else f"{value:.3f}"
    return "" if value is None else str(value)


def _rows(table: ScoreTable) -> list[tuple[ScoreCell, ...]]:
    """Return the scores of each system under all metrics."""
    return list(zip(*(column.cells for column in table.columns), strict=True))


def _find_requests(tables: Sequence[ScoreTable]) -> set[str]:
    found = {_INTERVALS} if any(table.shows_intervals for table in tables) else set()
    if any(table.comparison is not None and table.comparison.analysis.baseline for table in tables):
        found.add(_TEST)
    return found


class SegmentScore(NamedTuple):
    """A segment's score for one system under one metric; segments are counted from 1."""

    system: str
    segment: int
    metric: str
    score: float
    signature: str
    shown_scale: int


SEGMENT_FIELDS: list[Field[SegmentScore]] = [
    Field("system", outputs=TABLE | RECORDS, is_key=True),
    Field("segment", int, outputs=TABLE | RECORDS, form="{}", is_key=True),
    Field("metric", outputs=RECORDS),
    Field("score", float, text=lambda row: format_score(row.score, row.shown_scale)),
    Field("signature", outputs=RECORDS, request=_FULL),
]


def describe_segments(evaluation: Evaluation, table: ScoreTable, *, full_records: bool = False) -> Document:
    """Describe every segment's score under every metric for every system; full records have signatures."""
    scores = {column.label: _segment_scores(evaluation, column, table) for column in table.columns}
    # segments are not resampled, so the signatures do not mention resampling
    signatures = {
        column.label: column.metric.segment_signature(evaluation.signature(column.label))
        for column in table.columns
    }

    def rows() -> Iterator[list[SegmentScore]]:
        for i, system in enumerate(table.systems):
            for k in range(table.n_segments):
                yield [
                    SegmentScore(
                        system, k + 1, label, scores[label][i][k], signatures[label], column.shown_scale
                    )
                    for label, column in zip(scores, table.columns, strict=True)
                ]

    return Document(
        "segments",
        lambda: [
            make_wide_table(
                SEGMENT_FIELDS,
                LazyRows(rows),
                {column.label: column.title for column in table.columns},
                notes=_signature_notes(signatures),
            )
        ],
        lambda: make_records(
            select_fields(SEGMENT_FIELDS, {_FULL} if full_records else ()),
            LazyRows(lambda: (score for row in rows() for score in row)),
        ),
        lambda: _describe_segments(table, scores, signatures),
    )


def _segment_scores(evaluation: Evaluation, column: MetricColumn, table: ScoreTable) -> list[list[float]]:
    factor = column.metric.display_factor(table.scale)
    order = [evaluation.systems.index(system) for system in table.systems]  # tables may be sorted
    rows: list[list[float]] = (evaluation.segment_scores(column.label)[order] * factor).tolist()
    return rows


def _notes(table: ScoreTable, *, details: bool) -> list[Note]:
    """Explain the table: a legend, the verdict, what human judges think of such a difference, and where to find more.

    Details are the tests, pairs that tie, and signatures.
    """
    notes = [_legend(table)]
    notes += [Note(text) for text in (describe_verdict(table), table.remark) if text]
    notes += map(Note, _describe_texts(table))
    notes += [
        Note(f"{column.title}: {lack}") for column in table.columns if (lack := column.metric.missing())
    ]
    if details:
        signed = [Note(f"{column.title}: {column.signature}") for column in table.columns]
        human = format_expected_agreement(table)
        return [*notes, *map(Note, [*human, *_test_notes(table)]), *signed]
    known = [column for column in table.columns if column.pairs and column.pairs[0].expected is not None]
    human = format_expected_agreement(replace(table, columns=tuple(known[:1])))
    tests = "" if table.comparison is None or len(table.systems) < 2 else "tests, ranks, "
    hint = Note(f"{argument('details')} shows {tests}parts of the scores and signatures", is_hint=True)
    signatures = _signature_notes({column.label: column.signature for column in table.columns})
    return [*notes, *map(Note, human), hint, *signatures]


def _legend(table: ScoreTable) -> Note:
    """Explain every symbol of the table."""
    arrows = {column.arrow for column in table.columns}
    facts = [
        f"{arrow} {explain_direction(higher_is_better=higher)}"
        for arrow, higher in (("↑", True), ("↓", False))
        if arrow in arrows
    ]
    head = f"{count_segments(table.n_segments)}; {', '.join(facts)}"
    symbols = list(_explain_symbols(table))
    has_best = any(cell.is_best for column in table.columns for cell in column.cells)
    if not has_best:
        return Note("; ".join([head, *symbols]))
    return Note(f"{head}, ", (Mark.BEST,), "".join(f"; {symbol}" for symbol in symbols))


def _explain_symbols(table: ScoreTable) -> Iterator[str]:
    if any(_write_faulty(column.cells[0]) for column in table.columns):
        yield "in brackets the segments with faults"
    comparison = table.comparison
    if comparison is None:
        return
    if table.shows_intervals:
        yield explain_interval(f"{comparison.analysis.level} confidence interval")
    if table.shows_intervals or table.has_p_values or table.tests_pairs:
        yield comparison.unit_note
    yield from _explain_tests(table)


def _explain_tests(table: ScoreTable) -> Iterator[str]:
    """Explain the p-values, which are adjusted like the letters or are sacreBLEU's, and the letters."""
    if table.has_p_values and table.comparison is not None:
        baseline = table.comparison.analysis.baseline
        how = (
            f", {ADJUSTED_OVER_PAIRS}"
            if table.tests_pairs
            else " by sacreBLEU's paired bootstrap, not adjusted"
        )
        yield f"p: test against {baseline}{how}"
    if table.tests_pairs:
        yield SHARED_LETTERS


def count_segments(n: int) -> str:
    """Write a number of segments.

    >>> count_segments(1), count_segments(2169)
    ('1 segment', '2,169 segments')
    """
    return f"{n:,} segment{'s' * (n != 1)}"


def _describe_texts(table: ScoreTable) -> list[str]:
    """Describe what was done to the texts before they were scored."""
    words = {
        "align": "outputs were re-segmented to match the references (align in the signature)",
        "unit": "whole documents were scored: each counts as one segment (unit in the signature)",
    }
    return [
        text
        for fact, text in words.items()
        if any(f"|{fact}:" in column.signature for column in table.columns)
    ]


def _interval_note(comparison: Comparison) -> Note:
    return Note(
        f"{explain_interval(f'{comparison.analysis.level} confidence interval')}; {comparison.unit_note}"
    )


def _signature_notes(signatures: Mapping[str, str]) -> list[Note]:
    return [Note(f"{label}: {signature}", is_signature=True) for label, signature in signatures.items()]


def _test_notes(table: ScoreTable) -> Iterator[str]:
    """Describe how intervals and tests were made, and the two best systems where they tie."""
    comparison = table.comparison
    if comparison is None:
        return
    analysis = comparison.analysis
    yield f"resampling: {analysis.n_samples:,} samples, seed {analysis.seed}"
    if not table.tests_pairs:
        return
    test = f"{PAIR_TESTS[analysis.test]} over {analysis.unit}s"
    yield f"test: {test}, all pairs of systems, {explain_level(analysis.alpha)}"
    yield from filter(None, (_describe_close_pair(column, analysis.alpha) for column in table.columns))


def _describe_close_pair(column: MetricColumn, alpha: float) -> str | None:
    """Describe the two best systems if their difference is not significant."""
    pair = column.pairs[0]
    if pair.p_adjusted is None or pair.p_adjusted < alpha:
        return None
    if pair.further_segments is None:
        return f"{column.title}: {pair.better} and {pair.worse} score the same"
    further = f"about {pair.further_segments:,} more segments"
    close = describe_close(pair.better, pair.worse, p_value=format_p(pair.p_adjusted), further=further)
    return f"{column.title}: {close}"


def _describe(table: ScoreTable) -> dict[str, Any]:
    """Make the JSON document: one schema for one or many systems."""
    low, high = table.n_references
    document: dict[str, Any] = {
        "schema_version": SCHEMA_VERSION,
        "tool": "tertium",
        "version": __version__,
        "scale": table.scale,
        "segments": table.n_segments,
        "references": {"min": low, "max": high},
        "metrics": [_describe_metric(column) for column in table.columns],
        "systems": [
            {"name": row[0].system, "scores": {cell.metric: make_object(SCORE_FIELDS, cell) for cell in row}}
            for row in _rows(table)
        ],
    }
    return document | _describe_test(table)


def _describe_segments(
    table: ScoreTable, scores: Mapping[str, list[list[float]]], signatures: Mapping[str, str]
) -> dict[str, Any]:
    data = _describe(table)
    for metric in data["metrics"]:
        metric["signature"] = signatures[metric["label"]]
    for i, system in enumerate(data["systems"]):
        system["segments"] = {label: rows[i] for label, rows in scores.items()}
    return data


def _describe_test(table: ScoreTable) -> dict[str, Any]:
    if (comparison := table.comparison) is None:
        return {}
    analysis = comparison.analysis
    test = {
        "name": analysis.test,
        "samples": analysis.n_samples,
        "seed": analysis.seed,
        "baseline": analysis.baseline,
        "adjustment": "holm" if table.tests_pairs else None,
    }
    groups = {} if analysis.unit == SEGMENT else {"unit": analysis.unit, "units": comparison.n_units}
    pairs = [
        {"metric": column.label, **make_object(_PAIR_FIELDS, pair)}
        for column in table.columns
        for pair in column.pairs
    ]
    return {"test": {**test, **groups}, "pairs": pairs}


def _describe_metric(column: MetricColumn) -> dict[str, Any]:
    described: dict[str, Any] = {
        "label": column.label,
        "name": column.metric.name,
        "signature": column.signature,
        "higher_is_better": column.metric.higher_is_better,
        "bounded": column.metric.bounded,
    }
    lack = column.metric.missing()
    return described if lack is None else {**described, "missing": lack}


MACRO, MICRO = "macro", "micro"
_UNKNOWN = "(none)"


@record
class SubsetScore:
    """A system's score under one metric on the segments of a subset; the mean of all subsets has no segments.

    `subset` is the value of the column, or the name of the summary, which may also be a value.
    """

    subset: str
    n_segments: int | None
    cell: ScoreCell
    summary: str | None = None
    """Macro or micro, for rows that are not of a value of the column."""


def describe_subsets(column: str, parts: Mapping[str, ScoreTable], whole: ScoreTable) -> Document:
    """Describe the scores for every value of a column, their mean and the scores of all segments."""
    # by subset, by metric, by system
    rows = [
        *map(_subset_rows, parts, parts.values()),
        _subset_rows(MICRO, whole, MICRO),
        _mean_rows(parts, whole),
    ]
    fields = _subset_fields(column, parts)

    def records(requests: set[str]) -> Records:
        every = [cell for subset in rows for metric in subset for cell in metric]
        return make_records(select_fields(fields, requests), every)

    def make_metric_table(at: int, metric: MetricColumn) -> Table:
        *subsets, micro, macro = [subset[at] for subset in rows]
        return make_wide_table(
            fields,
            [*subsets, macro, micro],
            {system: system for system in whole.systems},
            title=f"{metric.title} {metric.arrow}",
            notes=_subset_notes(column, parts, metric),
        )

    return Document(
        "subsets",
        lambda: [make_metric_table(at, metric) for at, metric in enumerate(whole.columns)],
        lambda: records(_find_requests([*parts.values()])),
        lambda: {
            "by": column,
            "scale": whole.scale,
            "scores": record_objects(records({_INTERVALS, _TEST})),
        },
    )


def _subset_fields(column: str, values: Collection[str]) -> list[Field[SubsetScore]]:
    """Name the subset instead of the system, which has a column of its own in tables.

    A column of the segments that has the name of one of our columns gets the prefix `column:`, and rows of a summary
    are marked if a value has its name.
    """
    others: list[Field[SubsetScore]] = [
        Field("segments", int, lambda row: row.n_segments),
        Field("summary", get=lambda row: row.summary, outputs=RECORDS),
        Field("system", get=lambda row: row.cell.system, outputs=RECORDS),
        *(field.within(lambda row: row.cell) for field in SCORE_FIELDS if field.name != "system"),
    ]
    name = f"column:{column}" if column in {other.name for other in others} else column

    def write(row: SubsetScore) -> str:
        is_ambiguous = row.summary is not None and row.summary in values
        return f"{row.subset} (all values)" if is_ambiguous else row.subset or _UNKNOWN

    return [
        Field(name, get=lambda row: row.subset, heading=column, text=write, is_key=True),
        *others,
    ]


def _subset_rows(subset: str, table: ScoreTable, summary: str | None = None) -> list[list[SubsetScore]]:
    return [
        [SubsetScore(subset, table.n_segments, cell, summary) for cell in column.cells]
        for column in table.columns
    ]


def _mean_rows(parts: Mapping[str, ScoreTable], whole: ScoreTable) -> list[list[SubsetScore]]:
    rows = []
    for at, column in enumerate(whole.columns):
        scores = [[cell.score for cell in table.columns[at].cells] for table in parts.values()]
        means: list[float] = np.mean(scores, axis=0).tolist()
        best = None if are_equal(np.array(means)) else (max if column.metric.higher_is_better else min)(means)
        cells = [
            ScoreCell(cell.system, cell.metric, mean, mean == best, cell.signature, cell.shown_scale)
            for cell, mean in zip(column.cells, means, strict=True)
        ]  # fmt: skip
        rows.append([SubsetScore(MACRO, None, cell, MACRO) for cell in cells])
    return rows


def _subset_notes(column: str, parts: Mapping[str, ScoreTable], metric: MetricColumn) -> list[Note]:
    means = f"{MACRO}: mean over the {len(parts):,} values of {column}; {MICRO}: all segments, "
    notes = [Note(means, (Mark.BEST,))]
    single = [value or _UNKNOWN for value, table in parts.items() if table.n_segments == 1]
    if single:
        more = f" and {len(single) - 3:,} more" if len(single) > 3 else ""
        notes.append(Note(f"only 1 segment: {', '.join(single[:3])}{more}; such a score is not reliable"))
    compared = [table.comparison for table in parts.values() if table.comparison and table.shows_intervals]
    notes += [_interval_note(comparison) for comparison in compared[:1]]
    tested = sorted(
        parts.values(), key=lambda table: not table.tests_pairs
    )  # the legend of a tested subset first
    notes += [Note(text) for text in _explain_tests(tested[0])]
    return [*notes, Note(f"{metric.label}: {metric.signature}", is_signature=True)]
