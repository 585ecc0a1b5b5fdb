"""Resampling behind a table: the tests between metrics, and the intervals around their values."""

from collections.abc import Callable
from functools import partial

import numpy as np
import numpy.typing as npt

from tertium.agreement.judged_sets import JudgedSet
from tertium.agreement.statistics import COEFFICIENTS, RANKING_KENDALLS, StatisticSpec, human_scores
from tertium.stats.agreement import calibrate_ties, pairs_in_groups
from tertium.stats.correlation import average_over_groups
from tertium.stats.item_permutation import permute_by_group
from tertium.stats.metric_tests import bootstrap_pearson, bootstrap_rankings, bootstrap_statistic
from tertium.stats.permutation import (
    Permutations,
    permute_marks,
    permute_pearson,
    permute_rankings,
)
from tertium.stats.resampling import confidence_interval
from tertium.types import FloatArray

__all__ = ["find_intervals", "permute_metrics"]


def permute_metrics(
    spec: StatisticSpec, judged: JudgedSet, metrics: FloatArray, n_samples: int, rng: np.random.Generator
) -> Permutations | None:
    """Run the permutation test that fits the statistic; None for one that has none.

    `metrics` is (metrics, systems) or (metrics, systems, segments), of metrics where higher is better.
    """
    if spec.name in RANKING_KENDALLS and judged.comparisons is not None:
        year = RANKING_KENDALLS[spec.name]
        return permute_rankings(judged.comparisons, metrics, n_samples, rng, year=year)
    if spec.name == "spa":
        return None  # it has a permutation test inside; exchanging its p-values has no published meaning
    human = human_scores(spec, judged)
    if spec.name == "acc-eq":
        return _permute_accuracies(human, metrics, spec, n_samples, rng)
    cells = ~np.isnan(human).reshape(-1)
    judged_only = metrics.reshape(len(metrics), -1)[:, cells]
    if spec.name == "pearson" and spec.by == "none":
        return permute_pearson(human.reshape(-1)[cells], judged_only, n_samples, rng)
    statistic = _row_statistic(spec, human, cells)
    table = metrics.reshape(len(metrics), len(human), -1)  # a system's score stands alone in its row
    return permute_by_group(
        spec.name, human.reshape(len(human), -1), table, statistic, n_samples, rng, by=spec.by
    )


def find_intervals(
    spec: StatisticSpec, judged: JudgedSet, metrics: FloatArray, n_samples: int, rng: np.random.Generator
) -> list[tuple[float, float] | None]:
    """Find 95 % bootstrap intervals: over systems at system level, over segments at segment level."""
    if spec.name in RANKING_KENDALLS and judged.comparisons is not None:
        year = RANKING_KENDALLS[spec.name]
        return _intervals(bootstrap_rankings(judged.comparisons, metrics, n_samples, rng, year=year))
    if spec.name not in COEFFICIENTS:
        return [None] * len(metrics)
    human = human_scores(spec, judged)
    coefficient = COEFFICIENTS[spec.name]
    if spec.level == "system":
        known = ~np.isnan(human)
        human, metrics = human[known], metrics[:, known]
        return _intervals(bootstrap_statistic(coefficient, human, metrics, n_samples, rng))
    if spec.name == "pearson" and spec.by == "none":
        return _intervals(bootstrap_pearson(human, metrics, n_samples, rng))
    statistic = partial(average_over_groups, coefficient, by=spec.by)
    return _intervals(bootstrap_statistic(statistic, human, metrics, n_samples, rng))


def _intervals(drawn: FloatArray) -> list[tuple[float, float] | None]:
    """Cut tails; a resample without a value (all systems the same) takes no part."""
    found: list[tuple[float, float] | None] = []
    for row in drawn:
        values = row[~np.isnan(row)]
        if not len(values):
            found.append(None)
            continue
        interval = confidence_interval(values)
        found.append((float(interval.low), float(interval.high)))
    return found


def _row_statistic(
    spec: StatisticSpec, human: FloatArray, cells: npt.NDArray[np.bool_]
) -> Callable[[FloatArray], FloatArray]:
    coefficient = COEFFICIENTS[spec.name]
    if human.ndim == 1 or spec.by == "none":
        return partial(coefficient, human.reshape(-1)[cells])

    def statistic(rows: FloatArray) -> FloatArray:
        whole = np.full((*rows.shape[:-1], human.size), np.nan)
        whole[..., cells] = rows
        return average_over_groups(
            coefficient, human, whole.reshape(*rows.shape[:-1], *human.shape), by=spec.by
        )

    return statistic


def _permute_accuracies(
    human: FloatArray, metrics: FloatArray, spec: StatisticSpec, n_samples: int, rng: np.random.Generator
) -> Permutations:
    pairs = pairs_in_groups(human, by=spec.by)
    flat = human.reshape(-1)
    human_gaps = flat[pairs.first] - flat[pairs.second]
    marks = []
    for metric in metrics:
        epsilon = calibrate_ties(human, metric, pairs=pairs).epsilon
        gaps = metric.reshape(-1)[pairs.first] - metric.reshape(-1)[pairs.second]
        decided = np.where(np.abs(gaps) <= epsilon, 0.0, np.sign(gaps))
        marks.append(np.sign(human_gaps) == decided)
    return permute_marks(np.array(marks, dtype=np.float64), pairs.weights, n_samples, rng)
