"""Human scores and rankings: normalised raters, win ratios, and the agreement of metrics with rankings."""

from math import sqrt
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tertium.errors import OptionError
from tertium.kernels.elementary import erfc
from tertium.stats.correlation import average_ranks
from tertium.values import FloatArray, IdArray


class NormalisedScores(NamedTuple):
    """Scores of raters with mean 0 and variance 1 each, and the raters that cannot be normalised."""

    scores: FloatArray
    """NaN for the judgments of raters in `single` and `constant`."""
    single: IdArray
    """Raters with one judgment, which has no variance."""
    constant: IdArray
    """Raters who always gave the same score."""


def normalise_raters(scores: FloatArray, raters: IdArray) -> NormalisedScores:
    """Scale the judgments of each rater to mean 0 and variance 1 (Leusch et al. 2003, Experiment B).

    It is the population variance over all judgments of the rater.

    Parameters
    ----------
    scores
        (judgments,).
    raters
        The index of the rater of each judgment.

    Examples
    --------
    >>> normalise_raters(np.array([1.0, 3.0, 60.0, 80.0]), np.array([0, 0, 1, 1])).scores
    array([-1.,  1., -1.,  1.])
    """
    n_judged = np.bincount(raters)
    means = np.bincount(raters, weights=scores) / np.maximum(n_judged, 1)
    deviations = scores - means[raters]
    variances = np.bincount(raters, weights=deviations**2) / np.maximum(n_judged, 1)
    lowest, highest = np.full(len(n_judged), np.inf), np.full(len(n_judged), -np.inf)
    np.minimum.at(lowest, raters, scores)
    np.maximum.at(highest, raters, scores)
    usable = (highest > lowest) & (variances > 0)  # the square of a tiny deviation may be 0
    spreads = np.sqrt(np.where(usable, variances, 1.0))
    normalised = np.where(usable[raters], deviations / spreads[raters], np.nan)
    single, constant = n_judged == 1, (n_judged > 1) & ~usable
    return NormalisedScores(
        normalised, *(np.flatnonzero(kind).astype(np.int32) for kind in (single, constant))
    )


def average_judgments(
    scores: FloatArray,
    cells: npt.NDArray[np.int64],
    n_cells: int,
    *,
    at_least: int = 1,
    weights: FloatArray | None = None,
) -> FloatArray:
    """Average the judgments of each cell; cells with fewer than `at_least` judgments get NaN.

    `scores`, `cells` (the index of the cell) and `weights` (equal by default) have an entry per judgment; scores of
    NaN are ignored.
    """
    kept = ~np.isnan(scores)
    cells, scores = cells[kept], scores[kept]
    kept_weights = np.ones(len(scores)) if weights is None else weights[kept]
    n_judged = np.bincount(cells, minlength=n_cells)
    mass = np.bincount(cells, weights=kept_weights, minlength=n_cells)
    total = np.bincount(cells, weights=kept_weights * scores, minlength=n_cells)
    enough = (n_judged >= max(1, at_least)) & (mass > 0)
    return np.where(enough, total / np.where(enough, mass, 1.0), np.nan)


def score_systems(segment_scores: FloatArray, weights: FloatArray | None = None) -> FloatArray:
    """Average the judged segment scores of each system, (systems, segments); NaN for a system without judgments.

    `weights` has a value per segment, such as its length.
    """
    judged = ~np.isnan(segment_scores)
    cell_weights = judged * (1.0 if weights is None else weights)
    mass = cell_weights.sum(axis=1)
    total = np.where(judged, segment_scores, 0.0) * cell_weights
    return np.where(mass > 0, total.sum(axis=1) / np.where(mass > 0, mass, 1.0), np.nan)


def find_outliers(scores: FloatArray, *, cutoff: float = 2.5) -> npt.NDArray[np.bool_]:
    """Find outlier systems (Mathur, Baldwin & Cohn 2020).

    An outlier is more than `cutoff` times 1.483 median absolute deviations from the median. NaN is not an outlier.

    >>> find_outliers(np.array([0.1, 0.2, 0.15, 0.12, -1.5, np.nan])).tolist()
    [False, False, False, False, True, False]
    """
    known = scores[~np.isnan(scores)]
    if not len(known):
        return np.zeros(len(scores), dtype=bool)
    deviations = np.abs(scores - np.median(known))
    spread = 1.483 * float(np.median(deviations[~np.isnan(scores)]))
    return np.asarray(deviations > cutoff * spread) if spread > 0 else np.zeros(len(scores), dtype=bool)


def rank_sum_p(first: FloatArray, second: FloatArray) -> float:
    """Compute the two-sided p-value of Wilcoxon's rank-sum test, WMT's test of two systems' direct assessments.

    It is the normal approximation with the correction for ties; NaN is left out.

    >>> round(rank_sum_p(np.array([1.0, 2.0, 3.0, 4.0, 5.0]), np.array([4.0, 5.0, 6.0, 7.0, 8.0])), 4)
    0.0273
    """
    a, b = first[~np.isnan(first)], second[~np.isnan(second)]
    n = len(a) + len(b)
    if not (len(a) and len(b)):
        return 1.0
    ranks = average_ranks(np.concatenate([a, b]))
    ties = np.unique(ranks, return_counts=True)[1].astype(np.float64)
    variance = len(a) * len(b) / 12 * (n + 1 - (ties**3 - ties).sum() / (n * (n - 1)))
    if variance <= 0:
        return 1.0  # all scores are equal
    z = (ranks[: len(a)].sum() - len(a) * (n + 1) / 2) / sqrt(variance)
    return float(erfc(abs(z) / sqrt(2.0)))


# Relative rankings: the agreement of a metric with human preferences, and the win ratios of systems.
#
# Callison-Burch et al. (2012) for the ratios and the first Kendall variant; Macháček & Bojar (2013, 2014)
# for the others. All three ignore human ties; they differ in the ties of the metric.


RANKING_YEARS = (2012, 2013, 2014)

DARR_POINTS = 25
"""From this difference on, direct assessments of 0 to 100 count as a preference (Bojar, Graham & Kamran 2017)."""


class Comparisons(NamedTuple):
    """Human preferences between the outputs of two systems for the same segment, a row per judgment.

    `preferences` is 1 if the first system is better, -1 if the second is better, and 0 for a tie.
    """

    segments: IdArray
    first: IdArray
    second: IdArray
    preferences: IdArray

    def decided(self) -> "Comparisons":
        """Return the comparisons without ties, with the better system first."""
        kept = self.preferences != 0
        first, second, preferences = self.first[kept], self.second[kept], self.preferences[kept]
        better, worse = np.where(preferences > 0, (first, second), (second, first))
        return Comparisons(self.segments[kept], better, worse, np.abs(preferences))


def relative_rankings(scores: FloatArray, *, points: float = DARR_POINTS) -> Comparisons:
    """Turn direct assessments, (systems, segments) with NaN, into preferences: pairs that differ by `points` or more.

    >>> relative_rankings(np.array([[90.0, 10.0], [65.0, 30.0]])).preferences.tolist()
    [1]
    """
    first, second = np.triu_indices(len(scores), k=1)
    gaps = scores[first] - scores[second]
    pairs, segments = np.nonzero(np.abs(gaps) >= points)  # NaN is not
    columns = (segments, first[pairs], second[pairs], np.sign(gaps[pairs, segments]))
    return Comparisons(*(column.astype(np.int32) for column in columns))


class WinRatios(NamedTuple):
    """System scores from rankings; a system without comparisons has NaN."""

    human_gt: FloatArray
    """Wins over wins and losses."""
    human_ge: FloatArray
    """Wins and ties over all comparisons."""
    expected_wins: FloatArray
    """The share of wins against another system, averaged over all other systems (Koehn 2012)."""


def ranking_kendall(comparisons: Comparisons, scores: FloatArray, *, year: int) -> FloatArray:
    """Kendall's τ over human rankings, as the WMT task of that year computed it.

    `scores` are metric scores where higher is better, (..., systems, segments). NaN if all comparisons are ignored.
    """
    marks = concordance(comparisons, scores, year=year)
    counted = ~np.isnan(marks)
    n_counted = counted.sum(axis=-1)
    total = np.where(counted, marks, 0.0).sum(axis=-1)
    return np.where(n_counted > 0, total / np.maximum(n_counted, 1), np.nan)


def concordance(comparisons: Comparisons, scores: FloatArray, *, year: int) -> FloatArray:
    """Mark each decided comparison, (..., comparisons): 1 concordant, -1 discordant, NaN ignored.

    The mean of the marks that are not NaN is the τ of the year.
    """
    if year not in RANKING_YEARS:
        raise OptionError(
            f"WMT {year} has no variant of Kendall's τ; choose from {', '.join(map(str, RANKING_YEARS))}"
        )
    segments, better, worse, _ = comparisons.decided()
    signs = np.sign(scores[..., better, segments] - scores[..., worse, segments])
    of_tie = {2012: -1.0, 2013: np.nan, 2014: 0.0}[year]
    return np.where(signs == 0, of_tie, signs)


def count_wins(comparisons: Comparisons, n_systems: int) -> npt.NDArray[np.int64]:
    """Count how often the system of the row was preferred to the system of the column."""
    _, better, worse, _ = comparisons.decided()
    wins = np.zeros((n_systems, n_systems), dtype=np.int64)
    np.add.at(wins, (better, worse), 1)
    return wins


def win_ratios(comparisons: Comparisons, n_systems: int) -> WinRatios:
    """Turn rankings into the system scores that WMT10 to WMT13 used."""
    wins = count_wins(comparisons, n_systems)
    is_tie = comparisons.preferences == 0
    ties = sum(
        np.bincount(side[is_tie], minlength=n_systems) for side in (comparisons.first, comparisons.second)
    )
    won, lost = wins.sum(axis=1), wins.sum(axis=0)
    shares = _share(wins, wins + wins.T)
    return WinRatios(_share(won, won + lost), _share(won + ties, won + lost + ties), _mean_defined(shares))


def _share(part: npt.NDArray[np.int64], whole: npt.NDArray[np.int64]) -> FloatArray:
    return np.where(whole > 0, part / np.maximum(whole, 1), np.nan)


def _mean_defined(shares: FloatArray) -> FloatArray:
    exists = ~np.isnan(shares)
    n_met = exists.sum(axis=-1)
    return np.where(n_met > 0, np.where(exists, shares, 0.0).sum(axis=-1) / np.maximum(n_met, 1), np.nan)
