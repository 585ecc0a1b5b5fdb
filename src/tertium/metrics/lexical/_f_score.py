"""The F-score of n-gram overlap over its statistics, vectorised, as sacreBLEU 2.6 computes it."""

import numpy as np

from tertium.types import FloatArray

__all__ = ["average_rates", "averaged_f_score", "smoothed_f_score"]

_EPSILON = 1e-16  # chrF++.py's


def averaged_f_score(totals: FloatArray, beta: float) -> FloatArray:
    """Compute 100 · F_β of the precision and the recall, each averaged over the orders that both sides have.

    `totals` is (..., 3·order): for each order hypothesis n-grams, reference n-grams, matches.
    """
    precision, recall = average_rates(totals)
    factor = beta**2
    return 100.0 * _ratio((1 + factor) * precision * recall, factor * precision + recall, 0.0)


def average_rates(totals: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Average precision and recall over the orders that both sides have."""
    shape = totals.shape[:-1]
    precision, recall, n_orders = np.zeros(shape), np.zeros(shape), np.zeros(shape)
    for hypothesis, reference, matches in _orders(totals):  # summed in sacreBLEU's order, for equal digits
        used = (hypothesis > 0) & (reference > 0)
        precision += np.where(used, _ratio(matches, hypothesis, 0.0), 0.0)
        recall += np.where(used, _ratio(matches, reference, 0.0), 0.0)
        n_orders += used
    return precision / np.maximum(n_orders, 1), recall / np.maximum(n_orders, 1)


def smoothed_f_score(totals: FloatArray, beta: float) -> FloatArray:
    """Compute 100 · the mean over all orders of F_β, where a ratio without a denominator is 10⁻¹⁶."""
    factor = beta**2
    total = np.zeros(totals.shape[:-1])
    for hypothesis, reference, matches in _orders(totals):
        precision = _ratio(matches, hypothesis, _EPSILON)
        recall = _ratio(matches, reference, _EPSILON)
        total += _ratio((1 + factor) * precision * recall, factor * precision + recall, _EPSILON)
    mean: FloatArray = 100 * total / (totals.shape[-1] // 3)
    return mean


def _orders(totals: FloatArray) -> list[tuple[FloatArray, FloatArray, FloatArray]]:
    return [(totals[..., i], totals[..., i + 1], totals[..., i + 2]) for i in range(0, totals.shape[-1], 3)]


def _ratio(numerator: FloatArray, denominator: FloatArray, otherwise: float) -> FloatArray:
    known = denominator > 0
    return np.where(known, numerator / np.where(known, denominator, 1.0), otherwise)
