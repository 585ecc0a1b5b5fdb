"""The history of a system: its scores in many releases, with intervals, and the changes that are significant."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from tertium.evaluation.comparison import Comparison, compare
from tertium.evaluation.evaluation import Evaluation
from tertium.evaluation.gaps import keep_common
from tertium.evaluation.many_sets import add_sets
from tertium.evaluation.selection import select_systems
from tertium.records import record
from tertium.stats.analysis import Analysis
from tertium.stats.significance import holm


@record(eq=False)
class Release:
    """The score of a release by one metric, and its change since the release before.

    Attributes
    ----------
    title
        The metric's name for readers.
    test_set
        The name of the test set; None for the average, or if there is only one test set.
    gain
        The change with its sign such that positive means better.
    p_value
        Adjusted by Holm's method over the changes of the metric on all test sets; the p-values of the average are
        one family. None for the first release, and where there were too few segments for a test.
    """

    metric: str
    title: str
    test_set: str | None
    release: str
    score: float
    interval: tuple[float, float]
    change: float | None
    gain: float | None
    p_value: float | None
    is_significant: bool


def measure_history(sets: Mapping[str, Evaluation], analysis: Analysis) -> list[Release]:
    """Measure the scores of all releases and test the change of each from the one before.

    The average over several test sets comes first. Its changes are tested by a stratified bootstrap.

    Parameters
    ----------
    sets
        By test set, the statistics of the releases, oldest first, as systems; all with the same systems.
    """
    scored = [_ReleaseSet(name, evaluation, analysis) for name, evaluation in sets.items()]
    labels = [
        label
        for label in scored[0].evaluation.labels
        if all(label in release_set.evaluation.labels for release_set in scored)
    ]
    rows: list[Release] = []
    for label in labels:
        if len(scored) > 1:
            rows += _measure_average(scored, label, analysis)
        rows += _measure_sets(scored, label, analysis.alpha)
    return rows


class _ReleaseSet:
    """The intervals of the releases on a test set, and the tests of their changes."""

    def __init__(self, name: str, evaluation: Evaluation, analysis: Analysis) -> None:
        self.name, self.evaluation = name, keep_common(evaluation)
        self.comparison: Comparison = compare(self.evaluation, analysis)
        pairs = [select_systems(self.evaluation, pair) for pair in pairwise(evaluation.systems)]
        self.changes = [compare(pair, replace(analysis, baseline=pair.systems[0])) for pair in pairs]

    def p_values(self, label: str) -> list[float | None]:
        found = [change.metrics[label].p_values for change in self.changes]
        return [
            None if p_values is None or np.isnan(p_values[1]) else float(p_values[1]) for p_values in found
        ]


def _measure_sets(scored: Sequence[_ReleaseSet], label: str, alpha: float) -> Iterator[Release]:
    adjusted = iter(_adjust([p_value for release_set in scored for p_value in release_set.p_values(label)]))
    for release_set in scored:
        compared = release_set.comparison.metrics[label]
        p_values = [next(adjusted) for _ in release_set.changes]
        intervals = list(zip(compared.intervals.low.tolist(), compared.intervals.high.tolist(), strict=True))
        name = release_set.name if len(scored) > 1 else None
        yield from _make_rows(
            release_set.evaluation, label, name, compared.scores.tolist(), intervals, p_values, alpha
        )


def _measure_average(scored: Sequence[_ReleaseSet], label: str, analysis: Analysis) -> Iterator[Release]:
    plain = replace(analysis, test="bootstrap")
    is_plain = analysis.test == "randomization" and all(
        release_set.evaluation.units.groups is None for release_set in scored
    )
    sets = (
        (
            release_set.name,
            release_set.evaluation,
            compare(release_set.evaluation, plain) if is_plain else release_set.comparison,
        )
        for release_set in scored
    )
    systems = {release_set.name: release_set.evaluation.systems for release_set in scored}
    many = add_sets(systems, sets, alpha=analysis.alpha, seed=analysis.seed)
    averages, intervals = many.average(label)
    p_values = many.pair_p_values(label)
    raw = [None if many.too_small else float(p_values[k, k + 1]) for k in range(len(averages) - 1)]
    yield from _make_rows(
        scored[0].evaluation, label, None, averages.tolist(), intervals, _adjust(raw), analysis.alpha
    )


def _adjust(p_values: Sequence[float | None]) -> list[float | None]:
    """Adjust the p-values that are known."""
    adjusted = iter(holm(np.array([value for value in p_values if value is not None])).tolist())
    return [None if value is None else next(adjusted) for value in p_values]


def _make_rows(
    evaluation: Evaluation,
    label: str,
    test_set: str | None,
    scores: Sequence[float],
    intervals: Sequence[tuple[float, float]],
    p_values: Sequence[float | None],
    alpha: float,
) -> Iterator[Release]:
    metric = evaluation.metric(label)
    sign = 1 if metric.higher_is_better else -1
    for k, release in enumerate(evaluation.systems):
        change = None if k == 0 else scores[k] - scores[k - 1]
        p_value = None if k == 0 else p_values[k - 1]
        yield Release(
            metric=label,
            title=metric.write_title(label),
            test_set=test_set,
            release=release,
            score=scores[k],
            interval=intervals[k],
            change=change,
            gain=None if change is None else sign * change,
            p_value=p_value,
            is_significant=p_value is not None and p_value < alpha,
        )
