"""Segments without a score: systems are compared on the segments that all of them have a score for.

A program that prints `null`, or a file of scores with gaps, leaves segments without a score. Means over different segments
say nothing about systems, so every comparison takes the common segments, and says how many there are.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from tertium.errors import InputError
from tertium.evaluation.evaluation import Evaluation, LazyTables, SystemTotals
from tertium.evaluation.selection import NamedEvaluation, Rows, select_metric, select_metrics, select_segments
from tertium.kernels.sums import sum_rows
from tertium.metrics.base import Metric
from tertium.values import FloatArray


def find_common(evaluation: Evaluation, label: str) -> Rows | None:
    """Find the segments that every system has a score for; None if no score is missing."""
    if not _count_missing(evaluation, label):
        return None
    has_scores = evaluation.metric(label).count_scores(evaluation.tables[label])
    assert has_scores is not None  # noqa: S101 - some score is missing
    return np.flatnonzero(np.all(has_scores > 0, axis=0))


def select_common(evaluation: Evaluation, label: str) -> Evaluation:
    """Keep one metric, and the segments that every system has a score for by it.

    Raises
    ------
    InputError
        If there are none.
    """
    rows, chosen = find_common(evaluation, label), select_metric(evaluation, label)
    if rows is None:
        return chosen
    _check_common(evaluation, label, len(rows))
    return select_segments(chosen, rows)


def _check_common(evaluation: Evaluation, label: str, n_common: int) -> None:
    if not n_common:
        raise InputError(f"{describe_missing(evaluation, label)}: leave the metric or the system out")


def limit_groups(evaluation: Evaluation, label: str, groups: Mapping[str, Rows]) -> Mapping[str, Rows]:
    """Keep the segments of each group that every system has a score for, and the groups that have any."""
    common = find_common(evaluation, label)
    if common is None:
        return groups
    limited = {name: rows[np.isin(rows, common)] for name, rows in groups.items()}
    return {name: rows for name, rows in limited.items() if len(rows)}


def keep_common(evaluation: Evaluation) -> Evaluation:
    """Keep the scores of the segments that every system has a score for; the other segments keep their numbers only.

    Raises
    ------
    InputError
        If there are several systems, and no segment has a score of all of them.
    """
    changed: dict[str, FloatArray] = {}
    for label in evaluation.tables:
        rows = find_common(evaluation, label) if len(evaluation.systems) > 1 else None
        if rows is not None:
            _check_common(evaluation, label, len(rows))
            changed[label] = drop_partial(evaluation.metric(label), evaluation.tables[label])
    if not changed:
        return evaluation
    sums = {
        label: sum_rows(changed[label]) if label in changed else evaluation.totals(label)
        for label in evaluation.tables
    }

    def load(label: str) -> FloatArray:
        return changed[label] if label in changed else evaluation.tables[label]

    return replace(evaluation, tables=LazyTables(evaluation.n_segments, sums, load))


def drop_partial(metric: Metric, table: FloatArray) -> FloatArray:
    """Set the statistics (systems, segments, k) of segments to zero for which a system has no score."""
    counts = metric.count_scores(table)
    if counts is None or np.all(counts > 0):
        return table
    return np.where(np.all(counts > 0, axis=0)[:, None], table, 0.0)


def divide_by_gaps(evaluation: Evaluation) -> list[Evaluation]:
    """Divide an evaluation into metrics with all scores, and each other metric with its common segments."""
    partial = [label for label in evaluation.tables if _count_missing(evaluation, label)]
    if not partial:
        return [evaluation]
    whole = [label for label in evaluation.tables if label not in partial]
    parts = [select_metrics(NamedEvaluation("", evaluation), whole).evaluation] if whole else []
    return [*parts, *(select_common(evaluation, label) for label in partial)]


def describe_gaps(evaluation: SystemTotals) -> list[str]:
    """Describe which systems have segments without a score, in one line per metric."""
    lines = []
    for label in evaluation.labels:
        if not _count_missing(evaluation, label):
            continue
        lines.append(f"{describe_missing(evaluation, label)}; {_describe_use(evaluation, label)}")
    return lines


def list_gaps(evaluation: SystemTotals) -> list[str]:
    """Say which systems have segments without a score, for commands that compare no systems."""
    return [
        describe_missing(evaluation, label)
        for label in evaluation.labels
        if _count_missing(evaluation, label)
    ]


def describe_missing(evaluation: SystemTotals, label: str) -> str:
    """Describe which systems have segments without a score by a metric."""
    missing = dict(zip(evaluation.systems, _count_missing(evaluation, label), strict=True))
    listed = ", ".join(f"{n:,} of {name}" for name, n in missing.items() if n)
    return f"{label}: of {evaluation.n_segments:,} segments, there is no score for {listed}"


def _describe_use(evaluation: SystemTotals, label: str) -> str:
    if len(evaluation.systems) == 1:
        return "the system score is the mean over the others"
    if isinstance(evaluation, Evaluation) and (rows := find_common(evaluation, label)) is not None:
        n_common = len(rows)
    else:  # sums of parts have the common segments only
        n_common = evaluation.n_segments - max(_count_missing(evaluation, label))
    segments = "1 segment" if n_common == 1 else f"{n_common:,} segments"
    return f"scores and tests use the {segments} that every system has a score for"


def _count_missing(evaluation: SystemTotals, label: str) -> Sequence[int]:
    """Count the segments without a score of each system; empty if there are none."""
    counts = evaluation.metric(label).count_scores(evaluation.totals(label))
    if counts is None or np.all(counts == evaluation.n_segments):
        return ()
    return [round(n) for n in (evaluation.n_segments - counts).tolist()]
