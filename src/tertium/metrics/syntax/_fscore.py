"""The F-scores of RED and REDp, whose precision divides by words and whose recall divides by n-grams.

Yu et al. (2014), Formulas 5 and 6.
"""

import numpy as np

from tertium.types import DependencyNgrams, FloatArray

__all__ = ["combine_orders", "sum_by_order"]


def sum_by_order(ngrams: DependencyNgrams, order: int, scores: FloatArray | None = None) -> FloatArray:
    """Sum the n-grams' scores (or count the n-grams) per text and length: an (n, order) array."""
    bins = ngrams.texts * order + ngrams.lengths - 1
    return np.bincount(bins, scores, minlength=len(ngrams) * order).astype(np.float64).reshape(-1, order)


def combine_orders(
    matches: FloatArray, counts: FloatArray, lengths: FloatArray, *, alpha: float, weights: FloatArray
) -> FloatArray:
    """Compute 100 · Σ w_n F_n, where F = P·R / (α·P + (1 − α)·R).

    Parameters
    ----------
    matches, counts
        Per order (..., N): the n-grams' summed scores and how many the reference has.
    lengths
        The hypotheses' lengths (...).

    Orders that the reference lacks are left out, and the other weights grow in proportion. Without any
    n-gram, the score is 100 for an empty hypothesis and 0 for any other, whatever the weights.
    """
    # With M the matches, P = M / length and R = M / count: F = M / (α·count + (1 − α)·length).
    sizes = alpha * counts + (1.0 - alpha) * lengths[..., None]
    f_scores = np.where(matches > 0, matches / np.where(sizes > 0, sizes, 1.0), 0.0)
    present = np.where(counts > 0, weights, 0.0)
    share = present.sum(axis=-1)
    mean = (present * f_scores).sum(axis=-1) / np.where(share > 0, share, 1.0)
    empty = np.where(lengths > 0, 0.0, 100.0)
    return np.where(share > 0, 100.0 * weights.sum() * mean, empty)
