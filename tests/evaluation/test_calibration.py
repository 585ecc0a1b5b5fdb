"""Simulations: intervals cover, tests keep their level, and further segments separate what they should.

tools/simulate_tests.py does the same on real test sets, with more trials.
"""

import numpy as np
import pytest

from tertium.catalog import parse_metrics
from tertium.engines import evaluate
from tertium.evaluation.comparison import compare
from tertium.evaluation.evaluation import Evaluation, Resampling
from tertium.stats.analysis import Analysis
from tertium.stats.significance import min_units
from tertium.values import Corpus, FloatArray

METRICS = tuple(parse_metrics(["wer"]))


def make_evaluation(errors: FloatArray) -> Evaluation:
    """Systems whose segments have so many errors in a hundred words, (systems, segments)."""
    table = np.stack([errors, np.full(errors.shape, 100.0)], axis=-1)
    return Evaluation(tuple(f"s{i}" for i in range(len(errors))), METRICS, {"wer": table}, (1, 1))


@pytest.mark.slow
def test_shuffled_segments_and_other_batches_give_the_same_scores_to_the_last_bit() -> None:
    rng = np.random.default_rng(0)
    words = [f"w{i}" for i in range(40)]
    texts = [[" ".join(rng.choice(words, rng.integers(3, 25))) for _ in range(300)] for _ in range(2)]
    metrics = parse_metrics(["sentbleu,avgbleu,nist,ribes,beer,character,chrf,bleu"])
    order = rng.permutation(300)
    plain = Corpus([[text] for text in texts[0]], {"a": texts[1]})
    shuffled = Corpus([[texts[0][i]] for i in order], {"a": [texts[1][i] for i in order]})
    for label in (metric.label for metric in metrics):
        scores = [
            evaluate(corpus, metrics, batch_size=size).system_scores(label).item()
            for corpus, size in ((plain, 300), (shuffled, 300), (plain, 7))
        ]
        assert len(set(scores)) == 1, label


@pytest.mark.slow
@pytest.mark.parametrize("resampling", ["index", "poisson"])
def test_intervals_hold_the_true_score_in_95_of_100_cases(resampling: Resampling) -> None:
    rng = np.random.default_rng(1)
    n_trials, n_held = 300, 0
    for trial in range(n_trials):
        evaluation = make_evaluation(rng.gamma(4, 5, size=(1, 150)))  # skewed, of mean 20
        interval = (
            compare(evaluation, Analysis.of(seed=trial, n_samples=400), resampling=resampling)
            .metrics["wer"]
            .intervals
        )
        n_held += bool(interval.low[0] <= 20 <= interval.high[0])
    assert 0.915 <= n_held / n_trials <= 0.98  # three standard errors below the 95 % and above


def test_both_bootstraps_find_the_same_spread() -> None:
    evaluation = make_evaluation(np.random.default_rng(2).gamma(4, 5, size=(2, 400)))
    both: list[Resampling] = ["index", "poisson"]
    errors = [
        compare(evaluation, Analysis.of(n_samples=4000), resampling=resampling)
        .metrics["wer"]
        .standard_errors[0, 1]
        for resampling in both
    ]
    assert errors[0] == pytest.approx(errors[1], rel=0.05)  # 4,000 samples know it to about 1.1 %


@pytest.mark.slow
@pytest.mark.parametrize(("n_segments", "is_calibrated"), [(5, False), (min_units("bootstrap", 2), True)])
def test_the_bootstrap_calls_equal_systems_different_too_often_below_the_limit(
    n_segments: int, is_calibrated: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tertium.stats.significance._BOOTSTRAP_UNITS", 1)
    rng = np.random.default_rng(3)
    n_trials = 400
    p_values = [
        compare(make_evaluation(rng.gamma(4, 5, size=(2, n_segments))), Analysis.of(seed=trial, n_samples=300))
        .metrics["wer"].adjusted_p[0, 1]
        for trial in range(n_trials)
    ]  # fmt: skip
    rate = np.mean(np.array(p_values) < 0.05)
    assert (
        rate < 0.09 if is_calibrated else rate > 0.11
    )  # 5 to 6 % and 16 % are expected; error 1.2 and 1.8 %


@pytest.mark.slow
@pytest.mark.parametrize("n_systems", [2, 11])
def test_further_segments_separate_a_pair_in_four_cases_of_five(n_systems: int) -> None:
    rng = np.random.default_rng(4)
    n_segments, found = 100, []
    for trial in range(200):
        errors = rng.normal(20, 5, size=(n_systems, n_segments)) + 0.5 * np.arange(n_systems)[:, None]
        few = compare(make_evaluation(errors), Analysis.of(seed=trial)).metrics["wer"]
        pairs = [(a, b) for a in range(n_systems) for b in range(a) if few.adjusted_p[a, b] >= 0.05]
        a, b = pairs[rng.integers(len(pairs))] if pairs else (0, 0)
        further = few.further_segments(a, b)
        if further is None or not 0 < further < 3000:
            continue
        # segments drawn from those there are: the true difference is what it looks like now
        drawn = errors[:, rng.integers(n_segments, size=n_segments + further)]
        found.append(
            compare(make_evaluation(drawn), Analysis.of(seed=trial)).metrics["wer"].adjusted_p[a, b] < 0.05
        )
    assert len(found) > 60
    assert np.mean(found) == pytest.approx(0.8, abs=0.15)  # three standard errors of 64 trials
