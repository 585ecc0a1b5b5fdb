"""Fit calibration tables on judged data, and validate them on collections left out of the fit."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np
import numpy.typing as npt

from tertium.errors import InputError
from tertium.metaeval.calibration import CalibratedMetric, Calibration, JudgedPairs, fit_pairs
from tertium.metaeval.judged_sets import JudgedSet
from tertium.metaeval.scoring import MetricScores
from tertium.records import record
from tertium.stats.agreement_curve import AgreementCurve, calibration_error, draw_agreements, errors_by_chance
from tertium.stats.analysis import DEFAULT_ALPHA, DEFAULT_SEED
from tertium.stats.human import rank_sum_p
from tertium.values import FloatArray

# A metric with fewer pairs of systems than this has no curve.
_MIN_PAIRS = 10
# Number of random draws of judgments from which the error by chance is computed.
_DRAWS = 500

BoolArray = npt.NDArray[np.bool_]


def calibrate(
    sets: Sequence[JudgedSet], scored: Sequence[Mapping[str, MetricScores]], *, collection: str
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
        tested = _test_systems(judged)
        for label, scores in by_label.items():
            if judged.system_scores is not None and scores.system_scores is not None:
                metric = scores.sign * scores.system_scores
                found = _collect(collection, judged.pair, judged.system_scores, metric, tested)
                pairs.setdefault(label, []).append(found)
                signatures.setdefault(label, {})[scores.signature or f"{label}|given"] = None
    return _fit_all({label: (tuple(signatures[label]), tuple(found)) for label, found in pairs.items()})


def pool_calibrations(tables: Sequence[Calibration]) -> Calibration:
    """Combine the pairs of several tables and fit the curves again; metrics are matched by name."""
    named: dict[str, tuple[tuple[str, ...], tuple[JudgedPairs, ...]]] = {}
    for metric in (metric for table in tables for metric in table.metrics):
        signatures, pairs = named.get(metric.name, ((), ()))
        all_signatures = tuple(dict.fromkeys([*signatures, *metric.signatures]))
        named[metric.name] = all_signatures, (*pairs, *metric.pairs)
    return _fit_all(named)


@record
class HeldOutResult:
    """The error of a curve, fitted to the other years or language pairs, on a collection that was left out.

    Attributes
    ----------
    error
        The expected calibration error: |predicted − observed| in five bins of equally many pairs, averaged.
    chance, chance_high
        The error of the true probabilities on this collection: its mean, and its 95th percentile.
    predicted, seen
        The rate of human agreement over all pairs: predicted with the curve's margin, and observed.
    fitted
        The predicted rate without the margin.
    covered
        The share of test sets of which the observed rate is in the interval.
    """

    metric: str
    collection: str
    n_pairs: int
    error: float
    chance: float
    chance_high: float
    predicted: float
    fitted: float
    seen: float
    covered: float


_Part = tuple[JudgedPairs, AgreementCurve]
"""A test set, and a curve that was fitted without it."""


def leave_out_collections(metric: CalibratedMetric) -> list[HeldOutResult]:
    """Predict each collection from those of other years, and each language pair from the other language pairs.

    There is a row per collection, a row over all of them, and a row over all language pairs.
    """
    by_year = _leave_out(metric, lambda pairs: _year(pairs.collection))
    by_pair = _leave_out(metric, lambda pairs: pairs.language_pair)
    rows = [
        _validate(metric.name, collection, [part for part in by_year if part[0].collection == collection])
        for collection in dict.fromkeys(pairs.collection for pairs, _ in by_year)
    ]
    if by_year:
        rows.append(_validate(metric.name, "all years", by_year))
    if by_pair:
        rows.append(_validate(metric.name, "all language pairs", by_pair))
    return rows


def _leave_out(metric: CalibratedMetric, key: Callable[[JudgedPairs], str]) -> list[_Part]:
    parts: list[_Part] = []
    for left_out in dict.fromkeys(map(key, metric.pairs)):
        others = [pair for pair in metric.pairs if key(pair) != left_out]
        if any(other.differences for other in others):
            curve = replace(fit_pairs(others), margin=metric.curve.margin)
            parts += [(pair, curve) for pair in metric.pairs if key(pair) == left_out and pair.differences]
    return parts


def _year(collection: str) -> str:
    """Return the year of a collection of WMT, such as `wmt21` for `wmt21mqm`; other collections stand for themselves."""
    found = re.match(r"wmt\d\d", collection)
    return found.group() if found else collection


def _validate(metric: str, collection: str, parts: Sequence[_Part]) -> HeldOutResult:
    expected = [curve(np.array(pairs.differences)) for pairs, curve in parts]
    fitted = [replace(curve, margin=1.0)(np.array(pairs.differences)) for pairs, curve in parts]
    predicted = np.concatenate(expected)
    agreed = np.concatenate([np.array(pairs.agreed, dtype=bool) for pairs, _ in parts])
    drawn = _draw([(pairs, probabilities) for (pairs, _), probabilities in zip(parts, expected, strict=True)])
    return HeldOutResult(
        metric,
        collection,
        len(agreed),
        calibration_error(predicted, agreed),
        *errors_by_chance(predicted, drawn),
        float(predicted.mean()),
        float(np.concatenate(fitted).mean()),
        float(agreed.mean()),
        float(np.mean([_is_covered(*part) for part in parts])),
    )


def _is_covered(pairs: JudgedPairs, curve: AgreementCurve) -> bool:
    low, high = (float(bound.mean()) for bound in curve.bounds(np.array(pairs.differences)))
    return low <= float(np.mean(pairs.agreed)) <= high


def _draw(parts: Sequence[tuple[JudgedPairs, FloatArray]]) -> BoolArray:
    """Draw human judgments from the predicted probabilities, one test set after another."""
    rng = np.random.default_rng(DEFAULT_SEED)
    drawn = [
        draw_agreements(predicted, np.array(pairs.differences), n_samples=_DRAWS, rng=rng)
        for pairs, predicted in parts
    ]
    return np.concatenate(drawn, axis=1)


def _test_systems(judged: JudgedSet) -> BoolArray | None:
    """Test each pair of systems on the human scores of their segments, as WMT did (rank-sum test, p < 0.05)."""
    scores = judged.segment_scores
    if scores is None:
        return None
    found = np.zeros((len(scores), len(scores)), dtype=bool)
    for a, b in combinations(range(len(scores)), 2):
        found[a, b] = rank_sum_p(scores[a], scores[b]) < DEFAULT_ALPHA
    return found


def _collect(
    collection: str, pair: str, human: FloatArray, metric: FloatArray, tested: BoolArray | None
) -> JudgedPairs:
    known = np.flatnonzero(~np.isnan(human + metric)).tolist()
    untied = [(a, b) for a, b in combinations(known, 2) if human[a] != human[b] and metric[a] != metric[b]]
    gaps = [metric[a] - metric[b] for a, b in untied]
    agreed = [bool((human[a] - human[b]) * gap > 0) for (a, b), gap in zip(untied, gaps, strict=True)]
    return JudgedPairs(
        collection,
        pair,
        tuple(float(f"{abs(gap):.5g}") for gap in gaps),
        tuple(agreed),
        () if tested is None else tuple(bool(tested[a, b]) for a, b in untied),
    )


def _fit_all(named: Mapping[str, tuple[tuple[str, ...], tuple[JudgedPairs, ...]]]) -> Calibration:
    metrics = [
        CalibratedMetric(name, signatures, pairs, fit_pairs(pairs))
        for name, (signatures, pairs) in named.items()
        if sum(len(pair.differences) for pair in pairs) >= _MIN_PAIRS
    ]
    if not metrics:
        raise InputError(
            f"calibration needs at least {_MIN_PAIRS} judged pairs of systems; add systems or test sets"
        )
    return Calibration.of(metrics)
