"""Correlation of metric scores with human scores: vectors in, coefficients out.

Every coefficient takes rows of scores, (..., n), and gives one number per row. A score of NaN takes no
part. A coefficient that does not exist (fewer than two scores, or one side constant) is NaN here;
whoever prints it says why.
"""

from collections.abc import Callable
from typing import Literal

import numpy as np
import numpy.typing as npt

from tertium.stats.pairs import count_distinct, count_pairs
from tertium.types import FloatArray

__all__ = [
    "Grouping",
    "Statistic",
    "average_over_groups",
    "average_ranks",
    "kendall_b",
    "kendall_c",
    "pearson",
    "rank_correlation",
    "red_tau",
    "spearman",
]

Statistic = Callable[[FloatArray, FloatArray], FloatArray]
"""(human, metric), (..., n) each, to one number per row."""

Grouping = Literal["none", "item", "system"]
"""All scores in one row; a row per segment, across systems; a row per system, across segments."""


def pearson(human: FloatArray, metric: FloatArray) -> FloatArray:
    """Pearson's r.

    Examples
    --------
    >>> pearson(np.array([1.0, 2.0, 3.0, np.nan]), np.array([1.0, 3.0, 2.0, 9.0]))
    array(0.5)
    """
    human, metric, judged = _pair_up(human, metric)
    n = judged.sum(axis=-1, keepdims=True)
    x, y = (
        np.where(judged, side - side.sum(axis=-1, keepdims=True) / np.maximum(n, 1), 0.0)
        for side in (human, metric)
    )
    spread = np.sqrt(np.sum(x * x, axis=-1)) * np.sqrt(np.sum(y * y, axis=-1))
    exists = _varies(human, judged) & _varies(metric, judged) & (spread > 0)
    r = np.sum(x * y, axis=-1) / np.where(exists, spread, 1.0)
    return np.where(exists, np.clip(r, -1.0, 1.0), np.nan)


def spearman(human: FloatArray, metric: FloatArray) -> FloatArray:
    """Spearman's ρ: Pearson's r of the ranks, tied scores sharing their average rank."""
    if not (np.isnan(human).any() or np.isnan(metric).any()):
        return pearson(average_ranks(human), average_ranks(metric))  # the human side is ranked only once
    human, metric, judged = _pair_up(human, metric)
    ranks = (
        np.where(judged, average_ranks(np.where(judged, side, np.nan)), np.nan) for side in (human, metric)
    )
    return pearson(*ranks)


def rank_correlation(human: FloatArray, metric: FloatArray) -> FloatArray:
    """The c_R of Leusch, Ueffing & Ney (2003), which is Spearman's ρ.

    The paper cites Kendall (1970) without saying which of his coefficients it means; the rankings it
    prints in Tables 2 and 4 give its numbers under ρ and not under τ.
    """
    return spearman(human, metric)


def kendall_b(human: FloatArray, metric: FloatArray) -> FloatArray:
    """Kendall's τ-b, which takes the ties of both sides out of the denominator."""
    pairs = count_pairs(human, metric)
    spread = np.sqrt((pairs.untied + pairs.tied_metric) * 1.0) * np.sqrt(
        (pairs.untied + pairs.tied_human) * 1.0
    )
    return _ratio(pairs.surplus, spread)


def kendall_c(human: FloatArray, metric: FloatArray) -> FloatArray:
    """Kendall's (Stuart's) τ-c, for sides with different numbers of values."""
    human, metric, judged = _pair_up(human, metric)
    n = judged.sum(axis=-1)
    sides = (np.where(judged, side, np.nan) for side in (human, metric))
    n_values = np.minimum(*(count_distinct(side) for side in sides))
    surplus = count_pairs(np.where(judged, human, np.nan), metric).surplus
    return _ratio(2 * surplus * n_values, n * n * (n_values - 1))


def red_tau(human: FloatArray, metric: FloatArray) -> FloatArray:
    """The τ of Yu et al. (2014): (concordant − discordant) / (concordant + discordant), ties left out."""
    pairs = count_pairs(human, metric)
    return _ratio(pairs.surplus, pairs.untied)


def average_over_groups(
    statistic: Statistic, human: FloatArray, metric: FloatArray, *, by: Grouping = "none"
) -> FloatArray:
    """Compute a statistic over all scores, or within groups, averaged over those where it exists.

    `human` is (systems, segments), NaN where nobody judged, and `metric` (..., systems, segments). Grouping
    by `item` compares the systems on each segment, by `system` the segments of each system.
    """
    if by == "none":
        return statistic(human.reshape(-1), metric.reshape(*metric.shape[:-2], -1))
    if by == "item":
        human, metric = np.swapaxes(human, -1, -2), np.swapaxes(metric, -1, -2)
    values = statistic(human, metric)
    exists = ~np.isnan(values)
    n_groups = exists.sum(axis=-1)
    return _ratio(np.where(exists, values, 0.0).sum(axis=-1), n_groups)


def average_ranks(scores: FloatArray) -> FloatArray:
    """Rank each row, (..., n), from 1; tied scores share the average of their ranks, NaN comes last.

    Examples
    --------
    >>> average_ranks(np.array([0.2, 0.7, 0.2, 0.5]))
    array([1.5, 4. , 1.5, 3. ])
    """
    rows = scores.reshape(-1, scores.shape[-1])
    order = np.argsort(rows, axis=-1, kind="stable")
    ordered = np.take_along_axis(rows, order, axis=-1)
    is_new = np.ones(rows.shape, dtype=bool)
    is_new[:, 1:] = ordered[:, 1:] != ordered[:, :-1]
    places = np.broadcast_to(np.arange(1.0, rows.shape[-1] + 1), rows.shape)
    if not is_new.all():
        group = np.cumsum(is_new) - 1
        means = np.bincount(group, weights=places.reshape(-1)) / np.maximum(np.bincount(group), 1)
        places = means[group].reshape(rows.shape)
    ranks = np.empty(rows.shape)
    np.put_along_axis(ranks, order, places, axis=-1)
    return ranks.reshape(scores.shape)


def _pair_up(human: FloatArray, metric: FloatArray) -> tuple[FloatArray, FloatArray, npt.NDArray[np.bool_]]:
    human, metric = np.broadcast_arrays(human, metric)
    judged = ~(np.isnan(human) | np.isnan(metric))
    return np.where(judged, human, 0.0), np.where(judged, metric, 0.0), judged


def _varies(scores: FloatArray, judged: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    highest = np.max(np.where(judged, scores, -np.inf), axis=-1, initial=-np.inf)
    lowest = np.min(np.where(judged, scores, np.inf), axis=-1, initial=np.inf)
    return np.asarray(highest > lowest)


def _ratio(numerator: npt.ArrayLike, denominator: npt.ArrayLike) -> FloatArray:
    exists = np.asarray(denominator) > 0
    return np.where(exists, np.asarray(numerator) / np.where(exists, denominator, 1), np.nan)
