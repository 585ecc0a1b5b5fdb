"""BLEU's formula over its statistics, vectorised: precisions, smoothing, brevity penalty."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from tertium.kernels.elementary import exp, log
from tertium.types import FloatArray

__all__ = ["SMOOTH_DEFAULTS", "BLEUParts", "Smoothing", "brevity_penalty", "compute_bleu"]

Smoothing = Literal["none", "floor", "add-k", "exp"]

# Chen & Cherry (2014), as sacreBLEU takes them.
SMOOTH_DEFAULTS: dict[str, float] = {"none": 0.0, "floor": 0.1, "add-k": 1.0, "exp": 0.0}

# sacreBLEU's logarithm of 0: far enough down for exp to give 0 whatever the other orders say.
_LOG_ZERO = -9999999999.0


@dataclass(frozen=True)
class BLEUParts:
    """BLEU and the numbers behind it, for as many rows as there were statistics."""

    score: FloatArray
    precisions: FloatArray
    brevity_penalty: FloatArray


def brevity_penalty(length: FloatArray, reference_length: FloatArray) -> FloatArray:
    """Compute exp(1 − r/h) where the hypothesis is shorter than the reference, 0 where it is empty, else 1."""
    short = length < reference_length
    known = np.where(length > 0, length, 1.0)
    with np.errstate(under="ignore"):  # a one-word output of a whole book: the penalty is 0
        penalty = np.where(length > 0, exp(1.0 - np.where(short, reference_length, known) / known), 0.0)
    return np.where(short, penalty, 1.0)


def compute_bleu(
    totals: FloatArray, *, smooth_method: Smoothing, smooth_value: float | None, effective_order: bool
) -> BLEUParts:
    """Compute BLEU as sacreBLEU 2.6 does.

    Parameters
    ----------
    totals
        (..., 2 + 2·order): hypothesis length, reference length, matches per order, totals per order.
    """
    order = (totals.shape[-1] - 2) // 2
    matches, counts = totals[..., 2 : 2 + order], totals[..., 2 + order :]
    penalty = brevity_penalty(totals[..., 0], totals[..., 1])
    some_match = np.asarray(matches.any(axis=-1))
    value = SMOOTH_DEFAULTS[smooth_method] if smooth_value is None else smooth_value
    if smooth_method == "add-k":
        added = np.where(np.arange(order) > 0, value, 0.0)
        matches, counts = matches + added, counts + added
    # sacreBLEU stops at the first order that has no n-gram at all.
    reached = np.logical_and.accumulate(counts > 0, axis=-1)
    precisions = np.where(reached, _precisions(matches, counts, reached, smooth_method, value), 0.0)
    precisions = np.where(some_match[..., None], precisions, 0.0)
    orders = reached.sum(axis=-1) if effective_order else np.full(reached.shape[:-1], order)
    used = np.arange(order) < orders[..., None]
    logs = np.where(precisions > 0, log(np.where(precisions > 0, precisions, 1.0)), _LOG_ZERO)
    with np.errstate(under="ignore"):
        mean = exp(np.where(used, logs, 0.0).sum(axis=-1) / np.maximum(orders, 1))
        score = np.where(some_match, penalty * mean, 0.0)
    return BLEUParts(score, precisions, penalty)


def _precisions(
    matches: FloatArray, counts: FloatArray, reached: FloatArray, smooth_method: Smoothing, value: float
) -> FloatArray:
    known = np.where(counts > 0, counts, 1.0)
    missing = (matches == 0) & reached
    plain = 100.0 * matches / known
    if smooth_method == "exp":
        halvings = np.cumsum(missing, axis=-1)  # each order without a match counts half of the one before
        return np.where(missing, 100.0 / (np.ldexp(1.0, halvings) * known), plain)
    if smooth_method == "floor":
        return np.where(missing, 100.0 * value / known, plain)
    return plain
