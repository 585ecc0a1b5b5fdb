"""p-values beside sacreBLEU's and textbook versions, and the laws of adjustment and further segments."""

from collections.abc import Callable, Sequence
from itertools import combinations, permutations
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.chrf import CHRF
from sacrebleu.significance import PairedTest
from scipy.stats import t as t_distribution
from scipy.stats import ttest_rel

from reference.draws import draw_kept
from tertium.errors import InputError, OptionError
from tertium.stats.resampling import confidence_interval, kept_totals, resampled_totals
from tertium.stats.significance import (
    MIN_BEYOND,
    PairTally,
    holm,
    holm_pairs,
    sacrebleu_bootstrap_p,
    segments_to_separate,
    tally_resamples,
    tally_shuffles,
)
from tertium.values import FloatArray

SEED = 12345
N_SAMPLES = 1000
SMALLEST_P = 1 / (N_SAMPLES + 1)


def combine_bleu(totals: FloatArray) -> FloatArray:
    lengths, references, matches, counts = np.split(totals, [1, 2, 6], axis=-1)
    assert matches.min() > 0, "the formula below has no smoothing"
    penalty = np.minimum(0, 1 - references / lengths)[..., 0]
    return np.asarray(100 * np.exp(penalty + np.log(matches / counts).mean(axis=-1)))


def combine_chrf(totals: FloatArray) -> FloatArray:
    hypotheses, references, matches = (totals[..., i::3] for i in range(3))
    precision = (matches / hypotheses).mean(axis=-1)
    recall = (matches / references).mean(axis=-1)
    return np.asarray(100 * 5 * precision * recall / (4 * precision + recall))


Combine = Callable[[FloatArray], FloatArray]

METRICS: dict[str, tuple[Any, Combine]] = {"BLEU": (BLEU(), combine_bleu), "chrF2": (CHRF(), combine_chrf)}


def make_texts() -> tuple[list[str], list[list[str]]]:
    """Write 60 references of made-up words, and three systems that err more and more."""
    rng = np.random.default_rng(7)
    letters = np.array(list("abcdefghij"))
    vocabulary = ["".join(rng.choice(letters, rng.integers(2, 8))) for _ in range(80)]
    references = [list(rng.choice(vocabulary, rng.integers(8, 20))) for _ in range(60)]

    def translate(error_rate: float) -> list[str]:
        return [
            " ".join(str(rng.choice(vocabulary)) if rng.random() < error_rate else word for word in words)
            for words in references
        ]

    return [" ".join(words) for words in references], [translate(rate) for rate in (0.20, 0.22, 0.25)]


REFERENCES, SYSTEMS = make_texts()
PAIRS = list(combinations(range(len(SYSTEMS)), 2))


def tables_of(metric: Any) -> FloatArray:
    rows = [metric._extract_corpus_statistics(system, [REFERENCES]) for system in SYSTEMS]
    return np.array(rows, dtype=np.float64)


def run_sacrebleu(systems: list[list[str]], test_type: str) -> dict[str, Any]:
    named: list[tuple[str, Sequence[str]]] = [(f"system {i}", texts) for i, texts in enumerate(systems)]
    metrics = {name: metric for name, (metric, _) in METRICS.items()}
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SACREBLEU_SEED", str(SEED))
        _, results = PairedTest(named, metrics, [REFERENCES], test_type, N_SAMPLES)()
    return dict(results)


def sacrebleu_p_values(test_type: str, name: str) -> list[float]:
    return [run_sacrebleu([SYSTEMS[a], SYSTEMS[b]], test_type)[name][1].p_value for a, b in PAIRS]


def bootstrap_scores(name: str) -> FloatArray:
    metric, combine = METRICS[name]
    return combine(resampled_totals(tables_of(metric), N_SAMPLES, np.random.default_rng(SEED)))


def randomization_p(tables: FloatArray, combine: Combine) -> FloatArray:
    totals, kept = tables.sum(axis=1), kept_totals(tables, N_SAMPLES, np.random.default_rng(SEED))
    return tally_shuffles(totals, kept, combine).p_values(differences(combine(totals)))


def bootstrap_p(tables: FloatArray, combine: Combine) -> FloatArray:
    scores = combine(tables.sum(axis=1))
    resampled = combine(resampled_totals(tables, N_SAMPLES, np.random.default_rng(SEED)))
    return tally_resamples(scores, resampled).p_values(differences(scores), tables.shape[1] - 1)


def differences(scores: FloatArray) -> FloatArray:
    return np.subtract.outer(scores, scores)


def counted_p(gaps: FloatArray, difference: float) -> float:
    """Count the samples beyond a difference, and the test set as one more sample."""
    return (np.count_nonzero(gaps >= abs(difference) - 1e-9) + 1) / (len(gaps) + 1)


def mean_score(totals: FloatArray) -> FloatArray:
    return np.asarray(totals[..., 0] / totals[..., 1])


def mean_tables(*systems: FloatArray) -> FloatArray:
    return np.array([np.column_stack([scores, np.ones_like(scores)]) for scores in systems])


@pytest.mark.parametrize("name", METRICS)
def test_means_and_intervals_equal_sacrebleus(name: str) -> None:
    interval = confidence_interval(bootstrap_scores(name))
    theirs = run_sacrebleu(SYSTEMS, "bs")[name]
    # sacreBLEU sums and divides in float32
    np.testing.assert_allclose(interval.mean, [result.mean for result in theirs], atol=1e-3, rtol=0)
    half_widths = (interval.high - interval.low) / 2
    np.testing.assert_allclose(half_widths, [result.ci for result in theirs], atol=1e-3, rtol=0)


@pytest.mark.slow
@pytest.mark.parametrize("name", METRICS)
def test_bootstrap_p_values_of_all_pairs_equal_sacrebleus(name: str) -> None:
    metric, combine = METRICS[name]
    scores, resampled = combine(tables_of(metric).sum(axis=1)), bootstrap_scores(name)
    ours = [sacrebleu_bootstrap_p(resampled[a], resampled[b], scores[a] - scores[b]) for a, b in PAIRS]
    theirs = sacrebleu_p_values("bs", name)
    assert ours == theirs
    assert len(set(theirs)) == 3, "equal numbers would show less"


@pytest.mark.slow
@pytest.mark.parametrize("name", METRICS)
def test_randomization_p_values_of_all_pairs_equal_sacrebleus_unless_they_are_very_small(name: str) -> None:
    metric, combine = METRICS[name]
    matrix = randomization_p(tables_of(metric), combine)
    theirs = sacrebleu_p_values("ar", name)
    for pair, p_value in zip(PAIRS, theirs, strict=True):
        if p_value > (MIN_BEYOND + 1) * SMALLEST_P:
            assert matrix[pair] == p_value
        else:
            assert matrix[pair] == pytest.approx(p_value, abs=0.004)  # √10 / 1,000
    assert len(set(theirs)) == 3, "equal numbers would show less"


@pytest.mark.parametrize("test_type", ("ar", "bs"))
def test_equal_systems_get_p_1_where_sacrebleu_gives_its_smallest(test_type: str) -> None:
    theirs = run_sacrebleu([SYSTEMS[0], SYSTEMS[0]], test_type)["BLEU"][1].p_value
    assert theirs == SMALLEST_P
    metric, combine = METRICS["BLEU"]
    tables, scores = tables_of(metric)[[0, 0]], bootstrap_scores("BLEU")[0]
    ours = randomization_p if test_type == "ar" else bootstrap_p
    assert ours(tables, combine)[0, 1] == 1
    assert sacrebleu_bootstrap_p(scores, scores, 0.0) == 1


def test_two_systems_that_differ_in_one_segment_do_not_differ_significantly() -> None:
    changed = [REFERENCES[0], *SYSTEMS[0][1:]]
    theirs = run_sacrebleu([SYSTEMS[0], changed], "ar")["BLEU"][1].p_value
    assert theirs == SMALLEST_P, "sacreBLEU does not count ties"
    metric, combine = METRICS["BLEU"]
    tables = tables_of(metric)[[0, 0]]
    tables[1, 0] = metric._extract_corpus_statistics([REFERENCES[0]], [[REFERENCES[0]]])[0]
    assert randomization_p(tables, combine)[0, 1] == 1
    assert bootstrap_p(tables, combine)[0, 1] > 0.1


@pytest.mark.parametrize("test", (randomization_p, bootstrap_p))
def test_equal_systems_are_equal_although_fractions_round(test: Any) -> None:
    scores = np.random.default_rng(SEED).uniform(size=317)
    matrix = test(mean_tables(scores, scores), mean_score)
    np.testing.assert_array_equal(matrix, np.ones((2, 2)))


def test_counting_ties_gives_the_exact_tests_p() -> None:
    # of the 8 ways to exchange 3 segments, 2 are as far apart as the systems: none swapped, and all
    better = np.array([0.9, 0.8, 0.7])
    matrix = randomization_p(mean_tables(better, better - [0.1, 0.2, 0.3]), mean_score)
    assert matrix[0, 1] == pytest.approx(2 / 8, abs=0.05)  # 3.6 standard errors of 1,000 draws


def test_pairwise_randomization_equals_shuffling_each_pair() -> None:
    rng = np.random.default_rng(SEED)
    tables = mean_tables(*rng.normal(50, 5, (4, 30)) + np.array([[0], [1], [2], [2]]))
    scores = mean_score(tables.sum(axis=1))
    keep = draw_kept(30, N_SAMPLES, np.random.default_rng(SEED)) * 1.0
    matrix = randomization_p(tables, mean_score)
    for a, b in permutations(range(4), 2):
        shuffled_a = mean_score(keep @ tables[a] + (1 - keep) @ tables[b])
        shuffled_b = mean_score((1 - keep) @ tables[a] + keep @ tables[b])
        assert matrix[a, b] == counted_p(np.abs(shuffled_a - shuffled_b), scores[a] - scores[b])


def test_pairwise_bootstrap_centres_signed_differences() -> None:
    rng = np.random.default_rng(SEED)
    tables = mean_tables(*rng.normal(50, 5, (4, 60)) + np.array([[0], [0.3], [0.6], [0.6]]))
    scores = mean_score(tables.sum(axis=1))
    resampled = mean_score(resampled_totals(tables, N_SAMPLES, np.random.default_rng(SEED)))
    matrix = bootstrap_p(tables, mean_score)
    for a, b in permutations(range(4), 2):
        gaps = resampled[a] - resampled[b]
        assert matrix[a, b] == counted_p(np.abs(gaps - gaps.mean()), scores[a] - scores[b])


@pytest.mark.parametrize("test", (randomization_p, bootstrap_p))
def test_a_matrix_of_p_values_is_symmetric_with_a_diagonal_of_ones(test: Any) -> None:
    matrix = test(mean_tables(*np.random.default_rng(SEED).normal(size=(5, 40))), mean_score)
    np.testing.assert_array_equal(matrix, matrix.T)
    np.testing.assert_array_equal(np.diag(matrix), np.ones(5))
    assert len(np.unique(matrix)) > 5


@pytest.mark.parametrize("test", (randomization_p, bootstrap_p))
@pytest.mark.parametrize("gain", (0.5, 0.7, 1.0))
def test_a_small_p_value_is_that_of_the_t_test(test: Any, gain: float) -> None:
    scores = np.random.default_rng(SEED).normal(size=100)
    gains = np.random.default_rng(SEED + 1).normal(size=100)
    tables = mean_tables(scores + gain + gains - gains.mean(), scores)
    t = gain / (np.std(gains, ddof=1) / 10)
    expected = 2 * t_distribution.sf(t, 99)
    assert expected < 1e-5
    ratio = np.log10(test(tables, mean_score)[0, 1] / max(expected, 1e-10))
    if test is bootstrap_p:
        assert abs(ratio) < 0.7  # the standard error of 1,000 samples is uncertain by 2 %
    else:
        assert ratio > -0.5  # randomization is conservative far from the null hypothesis


def test_p_values_decrease_with_the_difference_where_counting_ends() -> None:
    size, error = (2, 2), 1.0
    sizes = np.linspace(1.5, 4, 60)
    p_values = []
    for gap in sizes:
        n_beyond = round(float(2000 * t_distribution.sf(gap, 99)))
        tally = PairTally(np.full(size, n_beyond), np.full(size, 1000), np.full(size, 999 * error), 1000)
        p_values.append(tally.p_values(np.full(size, gap), 99)[0, 1])
    assert np.all(np.diff(p_values) <= 0)
    assert p_values[-1] < 2e-4


def test_the_bootstrap_calls_equal_systems_different_as_seldom_as_alpha_says_and_sacrebleus_does_not() -> (
    None
):
    rng = np.random.default_rng(SEED)
    ours, theirs = [], []
    for _ in range(500):
        tables = mean_tables(*rng.normal(size=(2, 100)))
        resampled = mean_score(resampled_totals(tables, 300, rng))
        scores = mean_score(tables.sum(axis=1))
        ours.append(tally_resamples(scores, resampled).p_values(differences(scores), 99)[0, 1])
        theirs.append(float(sacrebleu_bootstrap_p(resampled[0], resampled[1], scores[0] - scores[1])))
    assert np.mean(np.array(ours) < 0.1) == pytest.approx(0.1, abs=0.045)  # three standard errors
    assert np.mean(np.array(theirs) < 0.1) > 0.145


def test_randomization_calls_equal_systems_different_as_seldom_as_alpha_says() -> None:
    rng = np.random.default_rng(SEED)
    p_values = []
    for _ in range(400):
        tables = mean_tables(*rng.normal(size=(2, 50)))
        totals, kept = tables.sum(axis=1), kept_totals(tables, 300, rng)
        p_values.append(
            tally_shuffles(totals, kept, mean_score).p_values(differences(mean_score(totals)))[0, 1]
        )
    assert np.mean(np.array(p_values) < 0.1) == pytest.approx(0.1, abs=0.045)  # three standard errors


def test_sacrebleus_bootstrap_works_on_stacks_of_pairs() -> None:
    rng = np.random.default_rng(SEED)
    scores_a, scores_b = rng.normal(30, 1, (2, 6, 400))
    gaps = rng.normal(0, 1.5, 6)
    one_by_one = [sacrebleu_bootstrap_p(scores_a[i], scores_b[i], gaps[i]) for i in range(6)]
    np.testing.assert_array_equal(sacrebleu_bootstrap_p(scores_a, scores_b, gaps), one_by_one)


def test_a_score_that_is_not_finite_is_rejected_rather_than_called_significant() -> None:
    scores = np.arange(10.0)
    broken = np.where(scores == 3, np.nan, scores)
    for a, b, difference in ((broken, scores, 1.0), (scores, scores + 1, np.nan)):
        with pytest.raises(InputError, match="not a finite number"):
            sacrebleu_bootstrap_p(a, b, difference)
    with pytest.raises(InputError, match="not a finite number"):
        tally_resamples(np.array([1.0, np.nan]), np.ones((2, 100)))


p_arrays = hnp.arrays(np.float64, hnp.array_shapes(max_dims=2, max_side=8), elements=st.floats(0, 1))


@pytest.mark.parametrize(
    ("raw", "adjusted"),
    [
        pytest.param([1 / 20], [1 / 20], id="a single test"),
        pytest.param([1 / 100, 4 / 100, 3 / 100, 1 / 200], [3 / 100, 6 / 100, 6 / 100, 2 / 100], id="steps"),
        pytest.param([1 / 4, 1 / 4, 1 / 4], [3 / 4, 3 / 4, 3 / 4], id="ties"),
        pytest.param([9 / 10, 1 / 2], [1, 1], id="capped at one"),
        pytest.param([], [], id="none"),
    ],
)
def test_holms_method_on_hand_computed_cases(raw: list[float], adjusted: list[float]) -> None:
    np.testing.assert_allclose(holm(np.array(raw, dtype=np.float64)), adjusted, rtol=1e-14)


@given(p_arrays)
def test_holm_keeps_the_shape_and_never_lowers_a_p_value_nor_passes_one(p_values: FloatArray) -> None:
    adjusted = holm(p_values)
    assert adjusted.shape == p_values.shape
    assert np.all((p_values <= adjusted) & (adjusted <= 1))


@given(p_arrays)
def test_holm_keeps_the_order_of_p_values(p_values: FloatArray) -> None:
    adjusted_by_raw = holm(p_values).ravel()[np.argsort(p_values.ravel())]
    assert np.all(np.diff(adjusted_by_raw) >= 0)


@given(p_arrays, st.randoms(use_true_random=False))
def test_holm_does_not_depend_on_the_order_of_tests(p_values: FloatArray, random: Any) -> None:
    shuffle = random.sample(range(p_values.size), p_values.size)
    np.testing.assert_array_equal(holm(p_values.ravel()[shuffle]), holm(p_values).ravel()[shuffle])


@pytest.mark.parametrize("wrong", (np.nan, -0.1, 1.1))
def test_holm_refuses_what_is_not_a_p_value(wrong: float) -> None:
    with pytest.raises(InputError, match="not a number from 0 to 1"):
        holm(np.array([0.5, wrong]))


def test_a_pair_counts_once_in_the_adjustment_of_a_matrix() -> None:
    matrix = np.array([[1, 0.01, 0.04], [0.01, 1, 0.03], [0.04, 0.03, 1]])
    expected = [[1, 0.03, 0.06], [0.03, 1, 0.06], [0.06, 0.06, 1]]
    np.testing.assert_allclose(holm_pairs(matrix), expected, rtol=1e-14)


@pytest.mark.parametrize(
    ("difference", "error", "further"),
    [
        pytest.param(0.5, 0.3, 3652, id="2,000 × (2.80158 × 0.6)² = 5,651.2"),
        pytest.param(-0.5, 0.3, 3652, id="the sign does not matter"),
        pytest.param(0.5, 0.1, 0, id="enough already"),
        pytest.param(0.5, 0.0, 0, id="no doubt at all"),
        pytest.param(0.0, 0.3, None, id="no difference"),
        pytest.param(5e-324, 0.3, None, id="no difference to speak of"),
        pytest.param(1e-160, 0.3, None, id="more segments than could ever be translated"),
    ],
)
def test_further_segments_of_hand_computed_cases(
    difference: float, error: float, further: int | None
) -> None:
    assert segments_to_separate(difference, error, 2000) == further


def test_with_the_further_segments_a_test_finds_the_difference_as_often_as_wanted() -> None:
    rng = np.random.default_rng(SEED)
    mean, deviation, n_segments = 0.1, 1.0, 100
    further = segments_to_separate(mean, deviation / np.sqrt(n_segments), n_segments, alpha=0.01, power=0.7)
    assert further is not None
    n_together = n_segments + further
    observed = rng.normal(mean, deviation, (2000, n_together)).mean(axis=1)
    found = np.abs(observed) * np.sqrt(n_together) / deviation > 2.5758  # z of 1 - 0.01 / 2
    assert np.mean(found) == pytest.approx(0.7, abs=0.04)  # four standard errors of 2,000 trials


@pytest.mark.parametrize("wrong", (0.0, 1.0, 5.0))
def test_an_alpha_or_a_power_outside_zero_to_one_is_refused(wrong: float) -> None:
    with pytest.raises(OptionError, match="alpha must be between 0 and 1"):
        segments_to_separate(1.0, 1.0, 10, alpha=wrong)
    with pytest.raises(OptionError, match="power must be between 0 and 1"):
        segments_to_separate(1.0, 1.0, 10, power=wrong)


def combine_first(totals: FloatArray) -> FloatArray:
    return totals[..., 0]


def test_tallies_of_two_halves_are_the_tally_of_all_samples() -> None:
    rng = np.random.default_rng(2)
    tables = rng.integers(0, 9, size=(3, 40, 1)).astype(float)
    totals, kept = tables.sum(axis=1), kept_totals(tables, 200, rng)
    halves = (tally_shuffles(totals, half, combine_first) for half in (kept[:, :100], kept[:, 100:]))
    joined, whole = next(halves).join(next(halves)), tally_shuffles(totals, kept, combine_first)
    np.testing.assert_array_equal(joined.n_beyond, whole.n_beyond)
    np.testing.assert_array_equal(joined.n_apart, whole.n_apart)
    np.testing.assert_allclose(joined.squares, whole.squares)
    assert joined.n_samples == whole.n_samples == 200


def test_few_samples_are_only_counted() -> None:
    """99 samples do not show the standard error, so p is not below 1 / 100."""
    tables = np.stack([np.zeros((30, 1)), np.ones((30, 1))])
    totals, kept = tables.sum(axis=1), kept_totals(tables, 99, np.random.default_rng(0))
    differences = np.subtract.outer(totals[:, 0], totals[:, 0])
    assert tally_shuffles(totals, kept, combine_first).p_values(differences)[0, 1] == 1 / 100


def test_the_exact_p_value_is_never_above_the_share_of_shuffles() -> None:
    """Eight documents: the systems' own difference has the probability 2 / 2⁸ among all shuffles."""
    tables = np.stack([np.zeros((8, 1)), np.arange(1.0, 9)[:, None]])
    totals, kept = tables.sum(axis=1), kept_totals(tables, 10_000, np.random.default_rng(0))
    differences = np.subtract.outer(totals[:, 0], totals[:, 0])
    tally = tally_shuffles(totals, kept, combine_first)
    assert tally.exact_p_values(differences)[0, 1] == pytest.approx(2 / 2**8, rel=0.4)  # about 78 of 10,000
    assert tally.exact_p_values(differences)[0, 0] == 1


def test_student_over_few_documents_corrects_the_spread_of_the_resamples() -> None:
    rng = np.random.default_rng(3)
    tables = rng.normal(size=(2, 12, 1)) + np.array([0.0, 1.0])[:, None, None]
    scores = tables.sum(axis=1)[:, 0]
    resampled = resampled_totals(tables, 20_000, rng)[..., 0]
    found = tally_resamples(scores, resampled).student_p_values(np.subtract.outer(scores, scores), 12)
    expected = ttest_rel(tables[0, :, 0], tables[1, :, 0]).pvalue
    assert found[0, 1] == pytest.approx(expected, rel=0.1)
    assert found[0, 0] == 1
