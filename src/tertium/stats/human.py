"""Human scores made comparable: raters normalised, judgments averaged, systems scored from segments."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tertium.types import FloatArray, IdArray

__all__ = ["NormalisedScores", "average_judgments", "find_outliers", "normalise_raters", "score_systems"]


class NormalisedScores(NamedTuple):
    """Scores with each rater's mean at 0 and variance at 1, and the raters for whom that cannot be done."""

    scores: FloatArray
    """NaN for the judgments of the raters below."""
    single: IdArray
    """Raters with one judgment: it has no variance."""
    constant: IdArray
    """Raters who gave the same score each time."""


def normalise_raters(scores: FloatArray, raters: IdArray) -> NormalisedScores:
    """Bring each rater's judgments to mean 0 and variance 1 (Leusch et al. 2003, Experiment B).

    The variance is the population's, over everything the rater judged.

    Parameters
    ----------
    scores
        (judgments,).
    raters
        Who gave each, numbered from 0.

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
    usable = highest > lowest
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
    """Average the judgments of each cell; cells with fewer than `at_least` of them get NaN.

    `scores`, `cells` (which cell each is about, from 0) and `weights` (equal by default) have an entry per
    judgment; a score of NaN takes no part.
    """
    kept = ~np.isnan(scores)
    cells, scores = cells[kept], scores[kept]
    heights = np.ones(len(scores)) if weights is None else weights[kept]
    n_judged = np.bincount(cells, minlength=n_cells)
    mass = np.bincount(cells, weights=heights, minlength=n_cells)
    total = np.bincount(cells, weights=heights * scores, minlength=n_cells)
    enough = (n_judged >= max(1, at_least)) & (mass > 0)
    return np.where(enough, total / np.where(enough, mass, 1.0), np.nan)


def score_systems(segment_scores: FloatArray, weights: FloatArray | None = None) -> FloatArray:
    """Average each system's segment scores, (systems, segments), over the judged ones.

    `weights` are per segment, such as its length; NaN for a system without judgments.
    """
    judged = ~np.isnan(segment_scores)
    heights = judged * (1.0 if weights is None else weights)
    mass = heights.sum(axis=1)
    total = np.where(judged, segment_scores, 0.0) * heights
    return np.where(mass > 0, total.sum(axis=1) / np.where(mass > 0, mass, 1.0), np.nan)


def find_outliers(scores: FloatArray, *, cutoff: float = 2.5) -> npt.NDArray[np.bool_]:
    """Find systems whose score is far from the rest (Mathur, Baldwin & Cohn 2020).

    A score is far if it is more than `cutoff` times 1.483 median absolute deviations from the median. NaN is not.

    >>> find_outliers(np.array([0.1, 0.2, 0.15, 0.12, -1.5, np.nan])).tolist()
    [False, False, False, False, True, False]
    """
    known = scores[~np.isnan(scores)]
    if not len(known):
        return np.zeros(len(scores), dtype=bool)
    deviations = np.abs(scores - np.median(known))
    spread = 1.483 * float(np.median(deviations[~np.isnan(scores)]))
    return np.asarray(deviations > cutoff * spread) if spread > 0 else np.zeros(len(scores), dtype=bool)
