"""Agreement on pairs: pairwise accuracy, accuracy with calibrated ties, soft pairwise accuracy.

Kocmi et al. (2021), To Ship or Not to Ship; Deutsch, Foster & Freitag (2023), Ties Matter; Thompson et al.
(2024), Improving Statistical Significance in Human Evaluation. Values are mt-metrics-eval's.
"""

from functools import cache
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from tertium.kernels.elementary import tanh
from tertium.stats.correlation import Grouping, count_pairs
from tertium.values import FloatArray

# With more pairs than this, a random sample of them is used; mt-metrics-eval always uses a tenth.
_MAX_PAIRS = 4_000_000
_N_FOLDS = 5
TieRule = float | Literal["optimal", "held-out"]
"""The tie threshold of acc-eq: a number, the best threshold, or the best threshold on the segments of the other folds."""

_SMALL = 64  # groups up to this size (the systems of a segment) are numerous, and their pairs are cached


def pairwise_accuracy(human: FloatArray, metric: FloatArray, *, epsilon: float = 0.0) -> FloatArray:
    """The share of pairs, (..., n), in the same order on both sides; a tie agrees with a tie.

    Metric scores that differ by at most `epsilon` are tied. NaN if there is no pair.
    """
    pairs = count_pairs(human, metric, epsilon=epsilon)
    total = pairs.total
    return np.where(total > 0, (pairs.concordant + pairs.tied_both) / np.maximum(total, 1), np.nan)


class PairTable(NamedTuple):
    """Pairs of judged cells of a (systems, segments) table, and the weight of each pair in the average."""

    first: npt.NDArray[np.int64]
    second: npt.NDArray[np.int64]
    weights: FloatArray


class TieCalibration(NamedTuple):
    """The highest accuracy, and its tie threshold: the largest difference of metric scores that counts as a tie."""

    accuracy: float
    epsilon: float


def pairs_in_groups(
    human: FloatArray, *, by: Grouping = "none", rng: np.random.Generator | None = None
) -> PairTable:
    """List the pairs of judged cells within each group; all groups have the same weight.

    Cells are numbered row by row. If there are more than four million pairs, a sample of this size is drawn with `rng`
    (or a fixed seed), as in mt-metrics-eval.
    """
    cells = np.arange(human.size).reshape(human.shape)
    rows = {"none": cells.reshape(1, -1), "item": cells.T, "system": cells}[by]
    judged = ~np.isnan(human).reshape(-1)
    groups = [group[judged[group]] for group in rows]
    groups = [group for group in groups if len(group) > 1]
    n_pairs = sum(len(group) * (len(group) - 1) // 2 for group in groups)
    if not groups:
        return PairTable(np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0))
    share = min(1.0, _MAX_PAIRS / n_pairs)
    parts = [_pairs_of(group, share, rng or np.random.default_rng(0)) for group in groups]
    weights = [np.full(len(first), 1 / (max(1, len(first)) * len(groups))) for first, _ in parts]
    first, second = (np.concatenate(side) for side in zip(*parts, strict=True))
    return PairTable(first, second, np.concatenate(weights))


def calibrate_ties(
    human: FloatArray, metric: FloatArray, *, by: Grouping = "none", pairs: PairTable | None = None
) -> TieCalibration:
    """Find the tie threshold with the highest pairwise accuracy of a metric (acc*_eq).

    Both sides are (systems, segments), and human scores may be NaN. `pairs` is the result of `pairs_in_groups`, if it
    was computed before.
    """
    pairs = pairs or pairs_in_groups(human, by=by)
    if not len(pairs.first):
        return TieCalibration(np.nan, 0.0)
    human_gaps, gaps = (
        side.reshape(-1)[pairs.first] - side.reshape(-1)[pairs.second] for side in (human, metric)
    )
    right_now = np.sign(human_gaps) == np.sign(gaps)
    gain = pairs.weights * (
        (human_gaps == 0) * 1.0 - right_now
    )  # the change of accuracy if the pair becomes a tie
    order = np.argsort(np.abs(gaps), kind="stable")
    thresholds, gained = np.abs(gaps)[order], np.cumsum(gain[order])
    is_last = np.append(thresholds[1:] != thresholds[:-1], True)
    accuracies = np.sum(pairs.weights * right_now) + np.append(0.0, gained[is_last])
    best = int(
        np.argmax(np.round(accuracies, 12))
    )  # rounded: of equal accuracies, use the smallest threshold
    return TieCalibration(float(accuracies[best]), float(np.append(0.0, thresholds[is_last])[best]))


class TieDecisions(NamedTuple):
    """Pairs of outputs, whether a metric with tie thresholds decides each of them as the human judges, and the thresholds."""

    pairs: PairTable
    is_right: npt.NDArray[np.bool_]
    thresholds: FloatArray

    @property
    def accuracy(self) -> float:
        """The weighted share of right decisions; NaN without pairs."""
        return float(np.sum(self.pairs.weights * self.is_right)) if len(self.pairs.first) else float("nan")

    @property
    def epsilon(self) -> float:
        """The threshold, or the median if there is one per fold."""
        return float(np.median(np.unique(self.thresholds))) if len(self.thresholds) else float("nan")


def decide_ties(human: FloatArray, metric: FloatArray, pairs: PairTable, rule: TieRule) -> TieDecisions:
    """Decide which output of each pair is better, or that they are tied, with the thresholds of a rule.

    With `held-out`, the segments are divided into five folds, and the threshold of a fold is the best one of the other four folds;
    pairs of segments of different folds, which exist without grouping by item, are left out.
    """
    if rule == "held-out":
        pairs, folds = _within_folds(pairs, human.shape[1])
        thresholds = np.zeros(len(folds))
        for fold in np.unique(folds):
            others = PairTable(*(column[folds != fold] for column in pairs))
            thresholds[folds == fold] = calibrate_ties(human, metric, pairs=others).epsilon
    else:
        epsilon = calibrate_ties(human, metric, pairs=pairs).epsilon if rule == "optimal" else rule
        thresholds = np.full(len(pairs.first), epsilon)
    human_gaps, gaps = (
        side.reshape(-1)[pairs.first] - side.reshape(-1)[pairs.second] for side in (human, metric)
    )
    signs = np.where(np.abs(gaps) <= thresholds, 0.0, np.sign(gaps))
    return TieDecisions(pairs, np.sign(human_gaps) == signs, thresholds)


def _within_folds(pairs: PairTable, n_segments: int) -> tuple[PairTable, npt.NDArray[np.int64]]:
    """Keep the pairs of cells whose segments are in the same fold; return the pairs and their folds."""
    fold_of = np.random.default_rng(0).permutation(n_segments) % _N_FOLDS
    first, second = fold_of[pairs.first % n_segments], fold_of[pairs.second % n_segments]
    kept = first == second
    weights = pairs.weights[kept]
    return PairTable(pairs.first[kept], pairs.second[kept], weights / max(weights.sum(), 1e-300)), first[kept]


def soft_pairwise_accuracy(
    human: FloatArray, metric: FloatArray, *, n_samples: int = 1000, seed: int = 4
) -> float:
    """One minus the mean difference of human and metric p-values of "a is better than b".

    Both sides are tested with the same sign flips; `seed` 4 gives the flips of mt-metrics-eval. That tool compares sums in
    single precision, so that rounding decides on a flip whose difference equals that of the systems; here such a flip
    always counts. With scores of many digits there is no difference. Both sides are (systems, segments) without NaN.
    """
    upper = np.triu_indices(len(human), k=1)
    if not len(upper[0]):
        return float("nan")
    p_human, p_metric = (sign_flip_p(side, n_samples=n_samples, seed=seed) for side in (human, metric))
    return float(1 - np.mean(np.abs(p_human - p_metric)[upper]))


def approximate_soft_accuracy(human: FloatArray, metric: FloatArray) -> FloatArray:
    """Compute soft pairwise accuracy with normal p-values, (..., systems, segments) against (systems, segments).

    With hundreds of segments it differs from `soft_pairwise_accuracy` by less than 0.01. It is fast enough for thousands
    of random exchanges.
    """
    upper = np.triu_indices(len(human), k=1)
    gaps = np.abs(_normal_p(human) - _normal_p(metric))[..., upper[0], upper[1]]
    return np.asarray(1 - gaps.mean(axis=-1))


def _normal_p(scores: FloatArray) -> FloatArray:
    """Approximate the p-values of `sign_flip_p`: random signs give a difference with the sum of squares as variance."""
    products = scores @ np.swapaxes(scores, -1, -2)
    squares = np.diagonal(products, axis1=-2, axis2=-1)
    totals = scores.sum(axis=-1)
    spread = np.sqrt(np.maximum(squares[..., :, None] + squares[..., None, :] - 2 * products, 1e-300))
    z = (totals[..., :, None] - totals[..., None, :]) / spread
    # Page's approximation of the normal distribution function, accurate to 0.0003
    return np.asarray(0.5 * (1 - tanh(0.7978845608 * (z + 0.044715 * z**3))))


def sign_flip_p(scores: FloatArray, *, n_samples: int = 1000, seed: int = 4) -> FloatArray:
    """Compute one-sided p-values, (systems, systems), that the mean of the row is higher than that of the column.

    A paired permutation test: the segments of two systems are exchanged at random. There is no +1 correction, as in
    mt-metrics-eval.
    """
    rng = np.random.default_rng(seed)
    signs = 2.0 * np.rint(rng.random(size=(n_samples, scores.shape[1]), dtype=np.float32)) - 1.0
    flipped = signs @ scores.T
    totals = scores.sum(axis=1)
    rounding = 1e-9 * np.abs(scores).sum(axis=1).max(initial=0.0)
    exceeds = (flipped[:, :, None] - flipped[:, None, :]) >= (totals[:, None] - totals[None, :]) - rounding
    return np.asarray(exceeds.mean(axis=0))


def _pairs_of(
    group: npt.NDArray[np.int64], share: float, rng: np.random.Generator
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    n = len(group)
    if share >= 1:
        first, second = _small_triangle(n) if n <= _SMALL else np.triu_indices(n, k=1)
        return group[first], group[second]
    n_drawn = max(1, round(share * n * (n - 1) / 2))
    first = rng.integers(n, size=n_drawn)
    second = (first + rng.integers(1, n, size=n_drawn)) % n
    return group[first], group[second]


@cache
def _small_triangle(n: int) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
    first, second = np.triu_indices(n, k=1)
    return first, second
