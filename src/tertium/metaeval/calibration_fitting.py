"""Fit calibration tables on judged data, and validate them on collections left out of the fit."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np
import numpy.typing as npt

from tertium.errors import InputError
from tertium.metaeval.calibration import CalibratedMetric, Calibration, FittedCurve, JudgedPairs
from tertium.metaeval.judged_sets import JudgedSet
from tertium.metaeval.scoring import MetricScores
from tertium.records import record
from tertium.stats.agreement_curve import (
    calibration_error,
    draw_agreements,
    errors_by_chance,
    fit_curve,
    resample_curves,
)
from tertium.stats.analysis import DEFAULT_SAMPLES, DEFAULT_SEED
from tertium.text.languages import language_of_pair
from tertium.types import FloatArray

# A target language with fewer pairs of systems than this has no curve.
_MIN_LANGUAGE_PAIRS = 40
# A metric with fewer pairs of systems than this has no curve.
_MIN_PAIRS = 10
# The weight of a pair of the target language relative to pairs of other languages in its curve, and the exponent that
# reduces the weight of pairs in large test sets: with n pairs each has weight n^-0.5. Chosen from 1, 3, 10 and 0, 0.5,
# 1 by leaving out one year of WMT at a time (bleu, chrf, ter, wer).
_OWN_LANGUAGE = 10.0
_LARGE_SETS = -0.5
_KNOTS = 24
# Number of random draws of judgments from which the error by chance is computed.
_DRAWS = 500
# The level of the interval of a curve is part of the file format.
_INTERVAL = (0.025, 0.975)

BoolArray = npt.NDArray[np.bool_]


def calibrate(
    sets: Sequence[JudgedSet],
    scored: Sequence[Mapping[str, MetricScores]],
    *,
    collection: str,
    n_samples: int = DEFAULT_SAMPLES["bootstrap"],
    seed: int = DEFAULT_SEED,
) -> Calibration:
    """Fit the probability of human agreement as a function of the score difference, for each metric.

    Pairs of systems with equal human scores or equal metric scores are left out.

    Raises
    ------
    InputError
        If there are too few judged pairs of systems for a curve.
    """
    pairs: dict[str, list[JudgedPairs]] = {}
    signatures: dict[str, dict[str, None]] = {}
    for judged, by_label in zip(sets, scored, strict=True):
        for label, scores in by_label.items():
            if judged.system_scores is not None and scores.system_scores is not None:
                human, metric = judged.system_scores, scores.sign * scores.system_scores
                pairs.setdefault(label, []).append(_collect(collection, judged.pair, human, metric))
                signatures.setdefault(label, {})[scores.signature or f"{label}|given"] = None
    made = [_make_metric(label, tuple(signatures[label]), tuple(found)) for label, found in pairs.items()]
    return _fit_all([each for each in made if each is not None], n_samples, seed)


def pool_calibrations(
    tables: Sequence[Calibration],
    *,
    n_samples: int = DEFAULT_SAMPLES["bootstrap"],
    seed: int = DEFAULT_SEED,
) -> Calibration:
    """Combine the pairs of several tables and fit the curves again; metrics are matched by name."""
    named: dict[str, CalibratedMetric] = {}
    for metric in (each for table in tables for each in table.metrics):
        known = named.get(metric.name)
        named[metric.name] = metric if known is None else _add(known, metric)
    return _fit_all(list(named.values()), n_samples, seed)


@record
class HeldOutResult:
    """The error of a table, fitted on the other collections, on a collection that was left out.

    Attributes
    ----------
    error
        The expected calibration error: |predicted − observed| in five bins of equally many pairs, averaged.
    chance, chance_high
        The error of the true probabilities on this collection: its mean, and its 95th percentile.
    predicted, seen
        The rate of human agreement over all pairs: predicted, and observed.
    """

    metric: str
    collection: str
    n_pairs: int
    error: float
    chance: float
    chance_high: float
    predicted: float
    seen: float


def leave_out_collections(metric: CalibratedMetric) -> list[HeldOutResult]:
    """Leave out each collection in turn, fit on the others and validate on it; the last row is over all collections."""
    rows, all_parts = [], []
    for collection in metric.collections:
        others = [each for each in metric.pairs if each.collection != collection]
        if others:
            left_out = [each for each in metric.pairs if each.collection == collection]
            parts = [(each, _expect(others, each)) for each in left_out]
            all_parts += parts
            rows.append(_validate(metric.name, collection, parts))
    return [*rows, _validate(metric.name, "all", all_parts)] if rows else []


def _expect(known: Sequence[JudgedPairs], new: JudgedPairs) -> FloatArray:
    target = language_of_pair(new.language_pair)
    curve = fit_curve(*_gather(known), _weigh(known, target))
    return curve(np.array(new.differences))


def _validate(metric: str, collection: str, parts: Sequence[tuple[JudgedPairs, FloatArray]]) -> HeldOutResult:
    predicted = np.concatenate([each for _, each in parts])
    agreed = _gather([pairs for pairs, _ in parts])[1]
    error = calibration_error(predicted, agreed)
    chance = errors_by_chance(predicted, _draw(parts))
    means = float(predicted.mean()), float(agreed.mean())
    return HeldOutResult(metric, collection, len(agreed), error, *chance, *means)


def _draw(parts: Sequence[tuple[JudgedPairs, FloatArray]]) -> BoolArray:
    """Draw human judgments from the predicted probabilities, one test set after another."""
    rng = np.random.default_rng(DEFAULT_SEED)
    drawn = [
        draw_agreements(predicted, np.array(pairs.differences), n_samples=_DRAWS, rng=rng)
        for pairs, predicted in parts
    ]
    return np.concatenate(drawn, axis=1)


def _collect(collection: str, pair: str, human: FloatArray, metric: FloatArray) -> JudgedPairs:
    known = np.flatnonzero(~np.isnan(human + metric)).tolist()
    both = [(human[a] - human[b], metric[a] - metric[b]) for a, b in combinations(known, 2)]
    untied = [(human_gap, gap) for human_gap, gap in both if human_gap != 0 and gap != 0]
    sizes = tuple(float(f"{abs(gap):.5g}") for _, gap in untied)
    return JudgedPairs(collection, pair, sizes, tuple(bool(human_gap * gap > 0) for human_gap, gap in untied))


def _make_metric(
    name: str, signatures: tuple[str, ...], pairs: tuple[JudgedPairs, ...]
) -> CalibratedMetric | None:
    n_pairs = sum(len(each.differences) for each in pairs)
    return CalibratedMetric(name, signatures, pairs, {}) if n_pairs >= _MIN_PAIRS else None


def _add(known: CalibratedMetric, more: CalibratedMetric) -> CalibratedMetric:
    signatures = tuple(dict.fromkeys([*known.signatures, *more.signatures]))
    return replace(known, signatures=signatures, pairs=(*known.pairs, *more.pairs))


def _fit_all(metrics: Sequence[CalibratedMetric], n_samples: int, seed: int) -> Calibration:
    if not metrics:
        raise InputError(
            f"calibration needs at least {_MIN_PAIRS} judged pairs of systems; add systems or test sets"
        )
    return Calibration.of(replace(each, curves=_fit_curves(each, n_samples, seed)) for each in metrics)


def _fit_curves(metric: CalibratedMetric, n_samples: int, seed: int) -> dict[str, FittedCurve]:
    counts: dict[str, int] = {}
    for each in metric.pairs:
        target = language_of_pair(each.language_pair) or ""
        counts[target] = counts.get(target, 0) + len(each.differences)
    targets = [target for target, n_pairs in counts.items() if target and n_pairs >= _MIN_LANGUAGE_PAIRS]
    return {target: _fit(metric.pairs, target, n_samples, seed) for target in ("", *targets)}


def _fit(pairs: Sequence[JudgedPairs], target: str, n_samples: int, seed: int) -> FittedCurve:
    differences, agreed = _gather(pairs)
    weights = _weigh(pairs, target)
    groups = np.repeat(np.arange(len(pairs)), [len(each.differences) for each in pairs])
    curve = fit_curve(differences, agreed, weights)
    drawn = resample_curves(differences, agreed, weights, groups, n_samples=n_samples, seed=seed)
    knots = np.unique(np.quantile(differences, np.linspace(0, 1, _KNOTS)))
    low, high = np.quantile([each(knots) for each in drawn], _INTERVAL, axis=0).round(4).tolist()
    return FittedCurve(curve, tuple(knots.tolist()), tuple(low), tuple(high))


def _weigh(pairs: Sequence[JudgedPairs], target: str | None) -> FloatArray:
    """Weight each pair: higher for the target language, lower in large test sets."""
    counts = [len(each.differences) for each in pairs]
    own = [target and language_of_pair(each.language_pair) == target for each in pairs]
    weights = [
        max(n, 1) ** _LARGE_SETS * (_OWN_LANGUAGE if is_own else 1.0)
        for n, is_own in zip(counts, own, strict=True)
    ]
    return np.repeat(np.array(weights), counts)


def _gather(pairs: Sequence[JudgedPairs]) -> tuple[FloatArray, BoolArray]:
    differences = [size for part in pairs for size in part.differences]
    agreed = [each for part in pairs for each in part.agreed]
    return np.array(differences, dtype=np.float64), np.array(agreed, dtype=bool)
