"""The probability of human agreement as a smooth, rising function of the score difference."""

from collections.abc import Iterable
from itertools import combinations
from math import isqrt

import numpy as np
import numpy.typing as npt

from tertium.kernels.elementary import expm1, power
from tertium.records import record
from tertium.types import FloatArray

BoolArray = npt.NDArray[np.bool_]
IntArray = npt.NDArray[np.int64]

# The grid of the three parameters: the shape from almost flat to almost a step, the scale from the smallest to twice
# the largest difference. A finer grid does not change the percentages in tables.
_SHAPES = (0.4, 0.6, 0.8, 1.0, 1.25, 1.6, 2.0)
_N_SCALES = 40
_CEILINGS = tuple(np.linspace(0.5, 0.99, 50).tolist())

# Differences of similar size are binned before the search, so that its time does not depend on the number of pairs.
_N_SIZES = 80


@record
class AgreementCurve:
    """p(d) = 1/2 + (c - 1/2)·(1 - exp(-(d/s)^g)): one half at no difference, rising to the ceiling c.

    Without a difference the probability is one half, it never falls with a larger difference, and the ceiling can be
    below 1: human judges disagree with some metrics at any difference.

    >>> curve = AgreementCurve(ceiling=0.9, scale=2.0, shape=1.0)
    >>> curve(np.array([0.0, 2.0, 100.0])).round(3).tolist()
    [0.5, 0.753, 0.9]
    """

    ceiling: float
    scale: float
    shape: float

    def __call__(self, differences: FloatArray) -> FloatArray:
        """Return the probability that human judges prefer the same system, for sizes of differences."""
        risen: FloatArray = -expm1(-power(np.abs(differences) / self.scale, self.shape))
        return 0.5 + (self.ceiling - 0.5) * risen

    def reach(self, probability: float) -> float | None:
        """Return the smallest difference with this probability; None if the curve stays below it.

        >>> round(AgreementCurve(ceiling=0.9, scale=2.0, shape=1.0).reach(0.7), 9)
        1.386294361
        """
        share = (probability - 0.5) / (self.ceiling - 0.5) if self.ceiling > 0.5 else 1.0
        return float(self.scale * (-np.log1p(-share)) ** (1 / self.shape)) if share < 1 else None


def fit_curve(differences: FloatArray, agreed: BoolArray, weights: FloatArray) -> AgreementCurve:
    """Fit the curve by maximum likelihood.

    Parameters
    ----------
    differences
        Sizes of differences, one per pair of systems.
    agreed
        Whether the human judges preferred the system that the metric preferred.
    weights
        The weight of each pair.
    """
    return _fit(differences, agreed, weights[None, :])[0]


def resample_curves(
    differences: FloatArray,
    agreed: BoolArray,
    weights: FloatArray,
    groups: IntArray,
    *,
    n_samples: int,
    seed: int,
) -> list[AgreementCurve]:
    """Fit the curve to resampled groups of pairs: the pairs of a test set share its systems, so they stay together."""
    n_groups = int(groups.max(initial=-1)) + 1
    rng = np.random.default_rng(seed)
    drawn = [np.bincount(rng.integers(n_groups, size=n_groups), minlength=n_groups) for _ in range(n_samples)]
    return _fit(differences, agreed, np.array(drawn, dtype=np.float64)[:, groups] * weights)


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


def _fit(differences: FloatArray, agreed: BoolArray, weights: FloatArray) -> list[AgreementCurve]:
    """Fit one curve per row of weights."""
    sizes = np.abs(np.asarray(differences, dtype=np.float64))
    if not sizes.any():
        return [AgreementCurve(0.5, 1.0, 1.0)] * len(weights)  # no difference, no information
    parts = [part for part in np.array_split(np.argsort(sizes, kind="stable"), _N_SIZES) if len(part)]
    centres = np.array([sizes[part].mean() for part in parts])
    yes = np.stack([weights[:, part] @ agreed[part] for part in parts])  # (sizes, fits)
    no = np.stack([weights[:, part] @ ~agreed[part] for part in parts])
    scales = _scales(sizes)
    risen = -np.expm1(-((centres / np.array(scales)[:, None, None]) ** np.array(_SHAPES)[:, None]))
    predicted = 0.5 + (np.array(_CEILINGS)[:, None, None, None] - 0.5) * risen
    flat = predicted.reshape(-1, len(centres))
    best = (np.log(flat) @ yes + np.log1p(-flat) @ no).argmax(axis=0)
    places = zip(*np.unravel_index(best, predicted.shape[:3]), strict=True)
    return [AgreementCurve(_CEILINGS[c], scales[s], _SHAPES[g]) for c, s, g in places]


def _scales(sizes: FloatArray) -> list[float]:
    positive = sizes[sizes > 0]
    scales: list[float] = np.geomspace(np.quantile(positive, 0.02), positive.max() * 2, _N_SCALES).tolist()
    return scales


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
    found = [(_place(sizes, each), each) for each in tried]
    (places, misfit), kept = min(found, key=lambda each: each[0][1])
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

    leads = np.array([NormalDist().inv_cdf(each) for each in probabilities.tolist()])
    return np.asarray(leads + noise[:, placed.better] - noise[:, placed.worse] > 0)
