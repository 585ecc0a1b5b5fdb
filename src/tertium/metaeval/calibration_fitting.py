"""Fit calibration tables on judged data, and validate them on collections left out of the fit."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
import numpy.typing as npt

from tertium.errors import InputError
from tertium.metaeval.calibration import CalibratedMetric, Calibration, FittedCurve, JudgedPairs
from tertium.metaeval.judged_sets import JudgedSet
from tertium.metaeval.scoring import MetricScores
from tertium.stats.agreement_curve import (
    calibration_error,
    draw_agreements,
    errors_by_chance,
    fit_curve,
    resample_curves,
)
from tertium.stats.analysis import DEFAULT_SEED
from tertium.text.languages import language_of_pair
from tertium.types import FloatArray

# Fewer pairs of systems than this say too little about a target language of its own.
_FEWEST_PAIRS = 40
# A curve is not drawn through fewer pairs of systems than this.
_FEWEST_IN_ALL = 10
# How much a pair of the target language counts beside one of another language in its curve, and how fast the pairs of
# a large test set lose weight: with n pairs each counts n^-0.5. Chosen among 1, 3, 10 and 0, 0.5, 1 by leaving out
# a year of WMT at a time (bleu, chrf, ter, wer).
_OWN_LANGUAGE = 10.0
_LARGE_SETS = -0.5
_KNOTS = 24
# How often judgments are drawn to see what chance does.
_DRAWS = 500
_SEED = DEFAULT_SEED

BoolArray = npt.NDArray[np.bool_]


def calibrate(
    sets: Sequence[JudgedSet],
    scored: Sequence[Mapping[str, MetricScores]],
    *,
    collection: str,
    n_samples: int = 1000,
    seed: int = DEFAULT_SEED,
) -> Calibration:
    """Learn from judged sets how often people agree with differences of every size, for each metric.

    Pairs of systems that people or the metric call equal are left out.

    Raises
    ------
    InputError
        If so few pairs of systems were judged that nothing can be learnt.
    """
    pairs: dict[str, list[JudgedPairs]] = {}
    signatures: dict[str, dict[str, None]] = {}
    for judged, by_label in zip(sets, scored, strict=True):
        for label, scores in by_label.items():
            if judged.system_scores is not None and scores.system_scores is not None:
                human, metric = judged.system_scores, scores.sign * scores.system_scores
                pairs.setdefault(label, []).append(_collect(collection, judged.pair, human, metric))
                signatures.setdefault(label, {})[scores.signature or f"{label}|given"] = None
    made = [_join(label, tuple(signatures[label]), tuple(found)) for label, found in pairs.items()]
    return _fit_all([each for each in made if each is not None], n_samples, seed)


def pool_calibrations(
    tables: Sequence[Calibration], *, n_samples: int = 1000, seed: int = DEFAULT_SEED
) -> Calibration:
    """Put the pairs of several tables together and fit their curves again; metrics are the same if their names are."""
    named: dict[str, CalibratedMetric] = {}
    for metric in (each for table in tables for each in table.metrics):
        known = named.get(metric.name)
        named[metric.name] = metric if known is None else _add(known, metric)
    return _fit_all(list(named.values()), n_samples, seed)


@dataclass(frozen=True)
class HeldOutResult:
    """How well a metric's table made from the other collections promised what people said in this one.

    Attributes
    ----------
    error
        The expected calibration error: |promised - seen| in five bins of equally many pairs, averaged.
    chance, chance_high
        What a table of true probabilities would get here, on average and at most in 95 % of cases.
    promised, seen
        How often people would agree over all pairs, and did.
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
    """Make the metric's table without each collection in turn, and judge it there; the last row is over all of them."""
    rows, every = [], []
    for collection in metric.collections:
        others = [each for each in metric.pairs if each.collection != collection]
        if others:
            left_out = [each for each in metric.pairs if each.collection == collection]
            parts = [(each, _expect(others, each)) for each in left_out]
            every += parts
            rows.append(_judge(metric.name, collection, parts))
    return [*rows, _judge(metric.name, "all", every)] if rows else []


def _expect(known: Sequence[JudgedPairs], new: JudgedPairs) -> FloatArray:
    target = language_of_pair(new.language_pair)
    curve = fit_curve(*_gather(known), _weigh(known, target))
    return curve(np.array(new.differences))


def _judge(metric: str, collection: str, parts: Sequence[tuple[JudgedPairs, FloatArray]]) -> HeldOutResult:
    predicted = np.concatenate([each for _, each in parts])
    agreed = _gather([pairs for pairs, _ in parts])[1]
    error = calibration_error(predicted, agreed)
    chance = errors_by_chance(predicted, _draw(parts))
    means = float(predicted.mean()), float(agreed.mean())
    return HeldOutResult(metric, collection, len(agreed), error, *chance, *means)


def _draw(parts: Sequence[tuple[JudgedPairs, FloatArray]]) -> BoolArray:
    """Draw people's judgments as the promises say, test set by test set."""
    rng = np.random.default_rng(_SEED)
    drawn = [
        draw_agreements(predicted, np.array(pairs.differences), n_samples=_DRAWS, rng=rng)
        for pairs, predicted in parts
    ]
    return np.concatenate(drawn, axis=1)


def _collect(collection: str, pair: str, human: FloatArray, metric: FloatArray) -> JudgedPairs:
    known = np.flatnonzero(~np.isnan(human + metric)).tolist()
    both = [(human[a] - human[b], metric[a] - metric[b]) for a, b in combinations(known, 2)]
    told = [(people, ours) for people, ours in both if people != 0 and ours != 0]
    sizes = tuple(float(f"{abs(ours):.5g}") for _, ours in told)
    return JudgedPairs(collection, pair, sizes, tuple(bool(people * ours > 0) for people, ours in told))


def _join(name: str, signatures: tuple[str, ...], pairs: tuple[JudgedPairs, ...]) -> CalibratedMetric | None:
    n_pairs = sum(len(each.differences) for each in pairs)
    return CalibratedMetric(name, signatures, pairs, {}) if n_pairs >= _FEWEST_IN_ALL else None


def _add(known: CalibratedMetric, more: CalibratedMetric) -> CalibratedMetric:
    signatures = tuple(dict.fromkeys([*known.signatures, *more.signatures]))
    return replace(known, signatures=signatures, pairs=(*known.pairs, *more.pairs))


def _fit_all(metrics: Sequence[CalibratedMetric], n_samples: int, seed: int) -> Calibration:
    if not metrics:
        raise InputError(
            f"fewer than {_FEWEST_IN_ALL} pairs of systems were judged, which tells nothing about differences; give more"
            " systems or test sets"
        )
    return Calibration(tuple(replace(each, curves=_fit_curves(each, n_samples, seed)) for each in metrics))


def _fit_curves(metric: CalibratedMetric, n_samples: int, seed: int) -> dict[str, FittedCurve]:
    counts: dict[str, int] = {}
    for each in metric.pairs:
        target = language_of_pair(each.language_pair) or ""
        counts[target] = counts.get(target, 0) + len(each.differences)
    targets = [target for target, n_pairs in counts.items() if target and n_pairs >= _FEWEST_PAIRS]
    return {target: _fit(metric.pairs, target, n_samples, seed) for target in ("", *targets)}


def _fit(pairs: Sequence[JudgedPairs], target: str, n_samples: int, seed: int) -> FittedCurve:
    differences, agreed = _gather(pairs)
    weights = _weigh(pairs, target)
    groups = np.repeat(np.arange(len(pairs)), [len(each.differences) for each in pairs])
    curve = fit_curve(differences, agreed, weights)
    drawn = resample_curves(differences, agreed, weights, groups, n_samples=n_samples, seed=seed)
    knots = np.unique(np.quantile(differences, np.linspace(0, 1, _KNOTS)))
    low, high = np.quantile([each(knots) for each in drawn], [0.025, 0.975], axis=0).round(4).tolist()
    return FittedCurve(curve, tuple(knots.tolist()), tuple(low), tuple(high))


def _weigh(pairs: Sequence[JudgedPairs], target: str | None) -> FloatArray:
    """Say how much each pair counts: those of the target language more, those of large test sets less."""
    counts = [len(each.differences) for each in pairs]
    own = [target and language_of_pair(each.language_pair) == target for each in pairs]
    weights = [
        max(n, 1) ** _LARGE_SETS * (_OWN_LANGUAGE if is_own else 1.0)
        for n, is_own in zip(counts, own, strict=True)
    ]
    return np.repeat(np.array(weights), counts)


def _gather(pairs: Sequence[JudgedPairs]) -> tuple[FloatArray, BoolArray]:
    differences = [size for each in pairs for size in each.differences]
    agreed = [told for each in pairs for told in each.agreed]
    return np.array(differences, dtype=np.float64), np.array(agreed, dtype=bool)
