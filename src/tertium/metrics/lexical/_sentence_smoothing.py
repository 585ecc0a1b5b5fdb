"""Smoothed BLEU of single sentences: Moses' add-one and Chen & Cherry's methods 1 to 7.

The methods follow nltk 3.10's reading of the paper, to which they are compared in the tests: a total
of zero counts as one, and a sentence without a matching word scores 0.
"""

from typing import Literal

import numpy as np

from tertium.kernels.elementary import exp, log
from tertium.metrics.bleu_formula import brevity_penalty
from tertium.types import FloatArray

__all__ = ["SentenceSmoothing", "smooth_sentence_bleu"]

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
    """Average precisions geometrically over the orders for which the hypothesis is long enough."""
    has = totals > 0
    zero = (has & (matches == 0)).any(axis=1)
    logs = log(np.where(has & (matches > 0), matches / np.where(has, totals, 1), 1.0))
    return np.where(zero, 0.0, exp(logs.sum(axis=1) / np.maximum(has.sum(axis=1), 1)))


def _geometric_mean(precisions: FloatArray) -> FloatArray:
    """Average four precisions geometrically; one left at zero is skipped, as nltk does (method 4 on one word)."""
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
    """Smooth as method 3 does, with a smaller count for shorter sentences; K = 5 as in the paper."""
    missing = matches[:, :_ORDER] == 0
    shrunk = log(np.maximum(lengths, 1.0))[:, None] / (5.0 * np.ldexp(1.0, np.cumsum(missing, axis=1)))
    counts = np.where(missing & (lengths > 1)[:, None], shrunk, matches[:, :_ORDER])
    return counts / totals[:, :_ORDER]


def _method5(matches: FloatArray, totals: FloatArray, lengths: FloatArray) -> FloatArray:  # noqa: ARG001
    return _average_neighbours(matches / totals)


def _method6(matches: FloatArray, totals: FloatArray, lengths: FloatArray) -> FloatArray:
    """Interpolate orders 3 and 4 with an estimate from the two below; alpha = 5 as in the paper."""
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
