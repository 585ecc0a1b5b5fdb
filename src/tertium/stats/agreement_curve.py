"""The probability of human agreement as a smooth, rising function of the score difference."""

from collections.abc import Iterable
from itertools import combinations
from math import isqrt

import numpy as np
import numpy.typing as npt

from tertium.kernels.elementary import exp, log, log1p, power, tanh
from tertium.records import record
from tertium.values import FloatArray

BoolArray = npt.NDArray[np.bool_]
IntArray = npt.NDArray[np.int64]

# No difference is a certain one: human judges disagree with every metric now and then. Chosen from 0.9, 0.95, 0.97, 0.98,
# 0.99 and 1 by leaving out years of WMT10–15 and of WMT21–22; 0.97 to 0.99 are equally good.
CEILING = 0.98

# The grid of the two parameters. Shapes above 1 have a threshold below which a difference says nothing; they do not
# predict years that were left out better. A finer grid does not change the percentages in tables.
_SHAPES = (0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
_N_SCALES = 80

# The standard deviation of the logarithm of the scale from one test set to another. With it, intervals contain the
# observed agreement of four of five test sets whose year or language pair was left out of the fit (WMT21–22).
BETWEEN_TEST_SETS = 0.9

# Intervals contain 80 % of test sets.
_QUANTILE = 1.2816

# Differences of similar size are binned before the search, so that its time does not depend on the number of pairs.
_N_SIZES = 80


@record
class AgreementCurve:
    """p(d) = 1/2 + (c - 1/2)·tanh((d / (m·s))^g / 2): a logistic curve of the score difference.

    Without a difference the probability is one half, it never falls with a larger difference, and it stays below the
    ceiling c.

    Attributes
    ----------
    scale, shape
        s and g, fitted by maximum likelihood. With g = 1 this is logistic regression on the difference; with a smaller
        g the curve is flatter.
    deviation
        Standard deviation of the logarithm of the scale of a new test set.
    margin
        m, a factor of caution: with a margin of 1.6, differences must be 1.6 times as large as in the data.

    >>> curve = AgreementCurve(scale=2.0, shape=1.0)
    >>> curve(np.array([0.0, 2.0, 100.0])).round(3).tolist()
    [0.5, 0.722, 0.98]
    """

    scale: float
    shape: float
    deviation: float = BETWEEN_TEST_SETS
    margin: float = 1.0

    def __call__(self, differences: FloatArray) -> FloatArray:
        """Return the probability that human judges prefer the same system, for sizes of differences."""
        return self._at(differences, self.scale * self.margin)

    def bounds(self, differences: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the interval of the probability over test sets, without margin."""
        factor = float(exp(_QUANTILE * self.deviation))
        low, high = (self._at(differences, self.scale * share) for share in (factor, 1 / factor))
        return low, high

    def reach(self, probability: float) -> float | None:
        """Return the smallest difference with this probability; None if the curve stays below it.

        >>> round(AgreementCurve(scale=2.0, shape=1.0).reach(0.722), 2)
        2.0
        """
        share = (probability - 0.5) / (CEILING - 0.5)
        return (
            float(self.scale * self.margin * power(log1p(2 * share / (1 - share)), 1 / self.shape))
            if share < 1
            else None
        )

    def _at(self, differences: FloatArray, scale: float) -> FloatArray:
        odds = exp(-power(np.abs(differences) / scale, self.shape))
        risen: FloatArray = (1 - odds) / (1 + odds)
        return 0.5 + (CEILING - 0.5) * risen


def fit_curve(differences: FloatArray, agreed: BoolArray, weights: FloatArray) -> AgreementCurve:
    """Fit the curve by maximum likelihood.

    Parameters
    ----------
    differences
        Sizes of differences, one per pair of systems; not all of them 0.
    agreed
        Whether the human judges preferred the system that the metric preferred.
    weights
        The weight of each pair, of which the sum is the number of independent pairs: `weigh_pairs`.
    """
    sizes = np.abs(np.asarray(differences, dtype=np.float64))
    parts = [part for part in np.array_split(np.argsort(sizes, kind="stable"), _N_SIZES) if len(part)]
    centres = np.array([sizes[part].mean() for part in parts])
    yes = np.array([weights[part] @ agreed[part] for part in parts])
    no = np.array([weights[part] @ ~agreed[part] for part in parts])
    scales = _scales(sizes)
    powers = power(centres / scales[:, None, None], np.array(_SHAPES)[:, None])
    predicted = 0.5 + (CEILING - 0.5) * tanh(powers / 2)  # (scales, shapes, sizes)
    likelihood = (log(predicted) * yes + log1p(-predicted) * no).sum(axis=-1)
    scale, shape = np.unravel_index(likelihood.argmax(), likelihood.shape)
    uncertainty = _deviation(log(scales), likelihood[:, shape])
    return AgreementCurve(
        round(float(scales[scale]), 9),
        _SHAPES[shape],
        round(float(np.hypot(uncertainty, BETWEEN_TEST_SETS)), 9),
    )


def weigh_pairs(n_pairs: int) -> float:
    """Return the weight of each of the pairs of one test set.

    n pairs of k systems contain k - 1 independent differences; (k - 1) / n is about the square root of 2 / n.

    >>> weigh_pairs(10 * 9 // 2) * 45  # ten systems
    9.0
    """
    n_systems = (1 + np.sqrt(1 + 8 * n_pairs)) / 2
    return float((n_systems - 1) / max(n_pairs, 1))


def calibration_error(probabilities: FloatArray, agreed: BoolArray, *, n_bins: int = 5) -> float:
    """Compute the expected calibration error: |predicted − observed| in bins of equally many pairs, averaged.

    >>> calibration_error(np.array([0.6, 0.6, 0.9, 0.9]), np.array([True, False, True, True]), n_bins=2)
    0.1
    """
    order = np.argsort(probabilities, kind="stable")
    parts = [part for part in np.array_split(order, n_bins) if len(part)]
    gaps = [abs(float(probabilities[part].mean() - agreed[part].mean())) * len(part) for part in parts]
    return round(sum(gaps) / max(len(order), 1), 12)


def errors_by_chance(
    probabilities: FloatArray, draws: Iterable[BoolArray], *, n_bins: int = 5
) -> tuple[float, float]:
    """Compute the calibration error of true probabilities over drawn judgments: its mean and its 95th percentile."""
    errors = [calibration_error(probabilities, drawn, n_bins=n_bins) for drawn in draws]
    return float(np.mean(errors)), float(np.quantile(errors, 0.95))


def _scales(sizes: FloatArray) -> FloatArray:
    """Return scales from the smallest differences to ten times the largest."""
    positive = sizes[sizes > 0]
    return np.geomspace(np.quantile(positive, 0.02), positive.max() * 10, _N_SCALES)


def _deviation(values: FloatArray, log_likelihood: FloatArray) -> float:
    """Compute the standard deviation of a parameter on a grid, of which all values are equally likely beforehand."""
    shares = exp(log_likelihood - log_likelihood.max())
    shares /= shares.sum()
    return float(np.sqrt(shares @ (values - shares @ values) ** 2))


# Sizes have five digits, so positions computed from them are wrong by at most this share of the largest.
_TOLERANCE = 1e-4


@record(eq=False)
class PlacedPairs:
    """The scores of systems up to a shift and a sign, and for each pair the better system and the worse."""

    places: FloatArray
    better: IntArray
    worse: IntArray


def place_systems(sizes: FloatArray) -> PlacedPairs | None:
    """Compute the scores of systems from the sizes of their differences, given in the order of `combinations`.

    One pair may be missing (a human tie), but not the pair with the largest difference. Return None if no scores have
    these differences.

    >>> place_systems(np.array([1.0, 3.0, 2.0])).places.tolist()
    [0.0, 1.0, 3.0]
    """
    n_systems = (1 + isqrt(1 + 8 * len(sizes))) // 2
    complete = n_systems * (n_systems - 1) // 2 == len(sizes)
    pairs = np.array(list(combinations(range(n_systems + (not complete)), 2)), dtype=np.int64).reshape(-1, 2)
    if len(sizes) == 0 or len(pairs) - len(sizes) > 1:
        return None
    tried = [pairs] if complete else [np.delete(pairs, i, axis=0) for i in range(len(pairs))]
    found = [(_place(sizes, pairs), pairs) for pairs in tried]
    (places, misfit), kept = min(found, key=lambda placed: placed[0][1])
    if misfit > _TOLERANCE * sizes.max():
        return None
    first, second = kept.T
    rises = places[first] < places[second]
    return PlacedPairs(places, np.where(rises, second, first), np.where(rises, first, second))


def _place(sizes: FloatArray, pairs: IntArray) -> tuple[FloatArray, float]:
    """Place the two systems with the largest difference at the ends; return the places and their largest error."""
    n_systems = int(pairs.max()) + 1
    distances = np.full((n_systems, n_systems), np.nan)
    distances[pairs[:, 0], pairs[:, 1]] = distances[pairs[:, 1], pairs[:, 0]] = sizes
    np.fill_diagonal(distances, 0.0)
    start, end = pairs[int(sizes.argmax())]
    places = np.where(np.isnan(distances[start]), sizes.max() - distances[end], distances[start])
    misfit = np.abs(np.abs(places[:, None] - places) - distances)
    return places, float(np.nanmax(misfit))


def draw_agreements(
    probabilities: FloatArray, sizes: FloatArray, *, n_samples: int, rng: np.random.Generator
) -> BoolArray:
    """Draw whether human judges agree with each pair of one test set, (samples, pairs).

    The human score of each system has a random error, which all its pairs share; each pair has the given probability of
    agreement. If the systems cannot be placed, pairs are drawn independently.
    """
    placed = place_systems(sizes)
    if placed is None:
        return rng.random((n_samples, len(sizes))) < probabilities
    noise = rng.standard_normal((n_samples, len(placed.places))) / np.sqrt(2.0)
    from statistics import NormalDist  # noqa: PLC0415 - it imports fractions and decimal

    leads = np.array([NormalDist().inv_cdf(probability) for probability in probabilities.tolist()])
    return np.asarray(leads + noise[:, placed.better] - noise[:, placed.worse] > 0)
