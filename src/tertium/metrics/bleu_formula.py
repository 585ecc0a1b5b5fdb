"""The formula of BLEU over its statistics, vectorised: precisions, smoothing and brevity penalty."""

from typing import Literal

import numpy as np

from tertium.kernels.elementary import exp, log
from tertium.records import record
from tertium.values import FloatArray

Smoothing = Literal["none", "floor", "add-k", "exp"]

# Chen & Cherry (2014), with sacreBLEU's defaults.
SMOOTH_DEFAULTS: dict[str, float] = {"none": 0.0, "floor": 0.1, "add-k": 1.0, "exp": 0.0}

# sacreBLEU's logarithm of 0: so low that exp gives 0 for any precisions of the other orders.
_LOG_ZERO = -9999999999.0


@record
class BLEUParts:
    """BLEU and the numbers behind it, for each row of statistics."""

    score: FloatArray
    precisions: FloatArray
    brevity_penalty: FloatArray


def brevity_penalty(length: FloatArray, reference_length: FloatArray) -> FloatArray:
    """Compute exp(1 − r/h) if the hypothesis is shorter than the reference, 0 if it is empty, otherwise 1."""
    short = length < reference_length
    known = np.where(length > 0, length, 1.0)
    with np.errstate(under="ignore"):  # one word for a whole book: the penalty is 0
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
    # sacreBLEU stops at the first order without any n-gram.
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


# Smoothed BLEU of single sentences: Moses' add-one and Chen & Cherry's methods 1 to 7.
#
# The methods follow nltk 3.10's interpretation of the paper, with which the tests compare them: a total
# of zero counts as one, and a sentence without a matching word scores 0.

SentenceSmoothing = Literal[
    "moses", "none", "method1", "method2", "method3", "method4", "method5", "method6", "method7"
]

_ORDER = 4


def smooth_sentence_bleu(counts: FloatArray, smoothing: SentenceSmoothing) -> FloatArray:
    """Compute sentence BLEU in 0..1 from rows of BLEU statistics of order 5."""
    lengths, matches, totals = counts[:, 0], counts[:, 2:7], counts[:, 7:12]
    penalty = brevity_penalty(lengths, counts[:, 1]) * (lengths > 0)
    if smoothing == "moses":
        return penalty * _geometric_mean((matches + 1)[:, :_ORDER] / (totals + 1)[:, :_ORDER])
    if smoothing == "none":
        return penalty * _unsmoothed(matches[:, :_ORDER], totals[:, :_ORDER])
    precisions = _SMOOTHERS[smoothing](matches, np.maximum(totals, 1), lengths)
    return np.where(matches[:, 0] > 0, penalty * _geometric_mean(precisions), 0.0)


def _unsmoothed(matches: FloatArray, totals: FloatArray) -> FloatArray:
    """Compute the geometric mean of the precisions of the orders for which the hypothesis is long enough."""
    has = totals > 0
    zero = (has & (matches == 0)).any(axis=1)
    logs = log(np.where(has & (matches > 0), matches / np.where(has, totals, 1), 1.0))
    return np.where(zero, 0.0, exp(logs.sum(axis=1) / np.maximum(has.sum(axis=1), 1)))


def _geometric_mean(precisions: FloatArray) -> FloatArray:
    """Compute the geometric mean of four precisions; skip zeros, as nltk does (method 4 on one word)."""
    logs = log(np.where(precisions > 0, precisions, 1.0))
    return np.where((precisions < 0).any(axis=1), 0.0, exp(logs.sum(axis=1) / _ORDER))


def _method1(matches: FloatArray, totals: FloatArray, lengths: FloatArray) -> FloatArray:  # noqa: ARG001
    return (np.where(matches == 0, 0.1, matches) / totals)[:, :_ORDER]


def _method2(matches: FloatArray, totals: FloatArray, lengths: FloatArray) -> FloatArray:  # noqa: ARG001
    added = np.arange(_ORDER) > 0
    return (matches[:, :_ORDER] + added) / (totals[:, :_ORDER] + added)


def _method3(matches: FloatArray, totals: FloatArray, lengths: FloatArray) -> FloatArray:  # noqa: ARG001
    missing = matches == 0
    return (np.where(missing, np.ldexp(1.0, -np.cumsum(missing, axis=1)), matches) / totals)[:, :_ORDER]


def _method4(matches: FloatArray, totals: FloatArray, lengths: FloatArray) -> FloatArray:
    """Smooth as method 3 does, but with smaller counts for shorter sentences; K = 5 as in the paper."""
    missing = matches[:, :_ORDER] == 0
    shrunk = log(np.maximum(lengths, 1.0))[:, None] / (5.0 * np.ldexp(1.0, np.cumsum(missing, axis=1)))
    counts = np.where(missing & (lengths > 1)[:, None], shrunk, matches[:, :_ORDER])
    return counts / totals[:, :_ORDER]


def _method5(matches: FloatArray, totals: FloatArray, lengths: FloatArray) -> FloatArray:  # noqa: ARG001
    return _average_neighbours(matches / totals)


def _method6(matches: FloatArray, totals: FloatArray, lengths: FloatArray) -> FloatArray:
    """Interpolate orders 3 and 4 with an estimate from the two lower orders; alpha = 5 as in the paper."""
    precisions = (matches / totals)[:, :_ORDER]
    defined = precisions[:, 2] > 0
    for n in (2, 3):
        below = np.where(precisions[:, n - 2] > 0, precisions[:, n - 2], 1.0)
        estimate = np.where(precisions[:, n - 2] > 0, precisions[:, n - 1] ** 2 / below, 0.0)
        ngrams = np.maximum(lengths - n, 0)
        precisions[:, n] = (matches[:, n] + 5.0 * estimate) / (ngrams + 5.0)
    return np.where(defined[:, None], precisions, -1.0)


def _method7(matches: FloatArray, totals: FloatArray, lengths: FloatArray) -> FloatArray:
    return _average_neighbours(
        np.concatenate([_method4(matches, totals, lengths), (matches / totals)[:, _ORDER:]], axis=1)
    )


def _average_neighbours(precisions: FloatArray) -> FloatArray:
    averaged = precisions[:, :_ORDER].copy()
    before = precisions[:, 0] + 1.0
    for n in range(_ORDER):
        averaged[:, n] = before = (before + precisions[:, n] + precisions[:, n + 1]) / 3.0
    return averaged


_SMOOTHERS = {
    "method1": _method1,
    "method2": _method2,
    "method3": _method3,
    "method4": _method4,
    "method5": _method5,
    "method6": _method6,
    "method7": _method7,
}
