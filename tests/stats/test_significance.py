"""p-values that equal sacreBLEU's, and the laws of adjustment, clusters and further segments."""

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

from reference.draws import draw_counts, draw_kept
from tertium.errors import InputError, OptionError
from tertium.stats.resampling import confidence_interval, kept_totals, resampled_totals
from tertium.stats.significance import (
    ScoreSpread,
    cluster_ranks,
    holm,
    holm_pairs,
    min_samples,
    paired_bootstrap_p,
    paired_randomization_p,
    segments_to_separate,
    shuffle_pair,
    tally_resamples,
    tally_shuffles,
)
from tertium.types import FloatArray

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


def randomization_p(tables: FloatArray, combine: Combine, *, count_ties: bool = False) -> FloatArray:
    """Test every pair, as sacreBLEU does or with ties counted."""
    totals, kept = tables.sum(axis=1), kept_totals(tables, N_SAMPLES, np.random.default_rng(SEED))
    if count_ties:
        return tally_shuffles(totals, kept, combine).p_values()
    matrix = np.ones((len(tables), len(tables)))
    for a, b in combinations(range(len(tables)), 2):
        difference = combine(totals[a]) - combine(totals[b])
        shuffled = shuffle_pair(totals, kept, combine, a, b)
        matrix[a, b] = matrix[b, a] = paired_randomization_p(*shuffled, difference)
    return matrix


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
    ours = [paired_bootstrap_p(resampled[a], resampled[b], scores[a] - scores[b]) for a, b in PAIRS]
    theirs = sacrebleu_p_values("bs", name)
    assert ours == theirs
    assert len(set(theirs)) == 3, "equal numbers would show less"


@pytest.mark.slow
@pytest.mark.parametrize("count_ties", (False, True))
@pytest.mark.parametrize("name", METRICS)
def test_randomization_p_values_of_all_pairs_equal_sacrebleus(name: str, *, count_ties: bool) -> None:
    metric, combine = METRICS[name]
    matrix = randomization_p(tables_of(metric), combine, count_ties=count_ties)
    theirs = sacrebleu_p_values("ar", name)
    assert [matrix[pair] for pair in PAIRS] == theirs
    assert len(set(theirs)) == 3, "equal numbers would show less"


@pytest.mark.parametrize(
    ("test_type", "test"),
    [pytest.param("ar", paired_randomization_p, id="ar"), pytest.param("bs", paired_bootstrap_p, id="bs")],
)
def test_equal_systems_get_p_1_where_sacrebleu_gives_its_smallest(test_type: str, test: Any) -> None:
    theirs = run_sacrebleu([SYSTEMS[0], SYSTEMS[0]], test_type)["BLEU"][1].p_value
    assert theirs == SMALLEST_P
    scores = bootstrap_scores("BLEU")[0]
    assert test(scores, scores, 0.0) == 1


def test_two_systems_that_differ_in_one_segment_are_only_kept_apart_by_not_counting_ties() -> None:
    changed = [REFERENCES[0], *SYSTEMS[0][1:]]
    theirs = run_sacrebleu([SYSTEMS[0], changed], "ar")["BLEU"][1].p_value
    metric, combine = METRICS["BLEU"]
    tables = tables_of(metric)[[0, 0]]
    tables[1, 0] = metric._extract_corpus_statistics([REFERENCES[0]], [[REFERENCES[0]]])[0]
    assert randomization_p(tables, combine)[0, 1] == theirs == SMALLEST_P
    assert randomization_p(tables, combine, count_ties=True)[0, 1] == 1


@pytest.mark.parametrize("count_ties", (False, True))
def test_equal_systems_are_equal_although_fractions_round(*, count_ties: bool) -> None:
    scores = np.random.default_rng(SEED).uniform(size=317)
    matrix = randomization_p(mean_tables(scores, scores), mean_score, count_ties=count_ties)
    np.testing.assert_array_equal(matrix, np.ones((2, 2)))


def test_counting_ties_gives_the_exact_tests_p() -> None:
    # of the 8 ways to exchange 3 segments, 2 are as far apart as the systems: none swapped, and all
    better = np.array([0.9, 0.8, 0.7])
    matrix = randomization_p(mean_tables(better, better - [0.1, 0.2, 0.3]), mean_score, count_ties=True)
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
        assert matrix[a, b] == paired_randomization_p(shuffled_a, shuffled_b, scores[a] - scores[b])


@pytest.mark.parametrize("test_type", ("ar", "bs"))
def test_a_matrix_of_p_values_is_symmetric_with_a_diagonal_of_ones(test_type: str) -> None:
    tables = mean_tables(*np.random.default_rng(SEED).normal(size=(5, 40)))
    if test_type == "ar":
        matrix = randomization_p(tables, mean_score)
    else:
        resampled = mean_score(resampled_totals(tables, N_SAMPLES, np.random.default_rng(SEED)))
        tally = tally_resamples(mean_score(tables.sum(axis=1)), resampled, ScoreSpread.of(resampled))
        matrix = tally.p_values()
    np.testing.assert_array_equal(matrix, matrix.T)
    np.testing.assert_array_equal(np.diag(matrix), np.ones(5))
    assert len(np.unique(matrix)) > 5


def test_the_signed_bootstrap_calls_systems_of_one_kind_different_as_seldom_as_alpha_says() -> None:
    rng = np.random.default_rng(SEED)
    n_pairs, n_segments = 400, 100
    scores_a, scores_b = rng.normal(size=(2, n_pairs, n_segments))
    drawn = draw_counts(n_segments, N_SAMPLES, rng).T
    differences = (scores_a - scores_b).sum(axis=1)
    p_values = paired_bootstrap_p(scores_a @ drawn, scores_b @ drawn, differences, signed=True)
    assert np.mean(p_values < 0.1) == pytest.approx(0.1, abs=0.045)  # three standard errors of 400 pairs
    assert np.mean(paired_bootstrap_p(scores_a @ drawn, scores_b @ drawn, differences) < 0.1) > 0.145


def test_systems_of_one_kind_are_called_different_as_seldom_as_alpha_says() -> None:
    rng = np.random.default_rng(SEED)
    n_pairs, n_segments = 400, 50
    scores_a, scores_b = rng.normal(size=(2, n_pairs, n_segments))
    keep = draw_kept(n_segments, N_SAMPLES, rng).T * 1.0
    shuffled_a, shuffled_b = scores_a @ keep + scores_b @ (1 - keep), scores_b @ keep + scores_a @ (1 - keep)
    p_values = paired_randomization_p(shuffled_a, shuffled_b, (scores_a - scores_b).sum(axis=1))
    assert np.mean(p_values < 0.1) == pytest.approx(0.1, abs=0.045)  # three standard errors of 400 pairs


def test_the_bootstrap_calls_systems_of_one_kind_different_twice_as_often_as_alpha_says() -> None:
    rng = np.random.default_rng(SEED)
    n_pairs, n_segments = 2000, 100
    scores_a, scores_b = rng.normal(size=(2, n_pairs, n_segments))
    weights = draw_counts(n_segments, 400, rng).T
    p_values = paired_bootstrap_p(scores_a @ weights, scores_b @ weights, (scores_a - scores_b).sum(axis=1))
    assert np.mean(p_values < 0.05) == pytest.approx(0.11, abs=0.021)  # three standard errors


def test_paired_tests_work_on_stacks_of_pairs() -> None:
    rng = np.random.default_rng(SEED)
    scores_a, scores_b = rng.normal(30, 1, (2, 6, 400))
    differences = rng.normal(0, 1.5, 6)
    for test in (paired_bootstrap_p, paired_randomization_p):
        one_by_one = [test(scores_a[i], scores_b[i], differences[i]) for i in range(6)]
        np.testing.assert_array_equal(test(scores_a, scores_b, differences), one_by_one)


@pytest.mark.parametrize("test", (paired_bootstrap_p, paired_randomization_p))
def test_a_score_that_is_not_finite_is_refused_rather_than_called_significant(test: Any) -> None:
    scores = np.arange(10.0)
    spoilt = np.where(scores == 3, np.nan, scores)
    for a, b, difference in ((spoilt, scores, 1.0), (scores, scores + 1, np.nan)):
        with pytest.raises(InputError, match="not a finite number"):
            test(a, b, difference)


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


@given(st.integers(2, 40), st.sampled_from((0.05, 0.01, 0.1, 0.001)))
def test_the_fewest_samples_are_just_enough_for_the_smallest_p(n_systems: int, alpha: float) -> None:
    n_samples = min_samples(n_systems, alpha=alpha)

    def adjusted_smallest(n: int) -> float:
        return float(holm_pairs(np.full((n_systems, n_systems), 1 / (n + 1)))[0, 1])

    assert adjusted_smallest(n_samples) < alpha
    assert adjusted_smallest(n_samples - 1) > alpha * (1 - 1e-12)


def symmetric(n: int, pairs: dict[tuple[int, int], float], otherwise: float) -> FloatArray:
    matrix = np.full((n, n), otherwise)
    np.fill_diagonal(matrix, 1)
    for (a, b), p in pairs.items():
        matrix[a, b] = matrix[b, a] = p
    return matrix


@pytest.mark.parametrize(
    ("scores", "p_values", "ranks"),
    [
        pytest.param([30], symmetric(1, {}, 1), [1], id="one system"),
        pytest.param([30, 20], symmetric(2, {}, 0.01), [1, 2], id="clearly different"),
        pytest.param([20, 30], symmetric(2, {}, 0.01), [2, 1], id="in their own order"),
        pytest.param([30, 20], symmetric(2, {}, 0.05), [1, 1], id="alpha itself is not enough"),
        pytest.param([30, 30], symmetric(2, {}, 0.001), [1, 1], id="equal scores whatever the p"),
        pytest.param([20, 30, 25], symmetric(3, {}, 0), [3, 1, 2], id="all different"),
        pytest.param(
            [3, 2, 1], symmetric(3, {(0, 1): 0.2, (1, 2): 0.2}, 0.01), [1, 1, 1], id="a chain has no gap"
        ),
        pytest.param([4, 3, 2, 1], symmetric(4, {(0, 3): 0.2}, 0.01), [1, 1, 1, 1], id="far pair bridges"),
        pytest.param([4, 3, 2, 1], symmetric(4, {(1, 2): 0.2}, 0.01), [1, 2, 2, 3], id="middle pair"),
    ],
)
def test_clusters_of_hand_made_cases(scores: list[float], p_values: FloatArray, ranks: list[int]) -> None:
    assert cluster_ranks(np.array(scores, dtype=np.float64), p_values).tolist() == ranks


@st.composite
def rankings(draw: st.DrawFn) -> tuple[FloatArray, FloatArray]:
    n = draw(st.integers(1, 7))
    scores = draw(hnp.arrays(np.float64, n, elements=st.integers(0, 12)))
    p_values = draw(hnp.arrays(np.float64, (n, n), elements=st.sampled_from((0, 0.01, 0.04, 0.06))))
    return scores, np.maximum(p_values, p_values.T)


@given(rankings())
def test_systems_of_different_clusters_differ_significantly_and_in_the_order_of_scores(
    ranking: tuple[FloatArray, FloatArray],
) -> None:
    scores, p_values = ranking
    ranks = cluster_ranks(scores, p_values)
    for a, b in permutations(range(len(scores)), 2):
        if ranks[a] < ranks[b]:
            assert scores[a] > scores[b]
            assert p_values[a, b] < 0.05
    assert set(ranks) == set(range(1, max(ranks) + 1))


@given(rankings())
def test_no_cluster_could_be_split(ranking: tuple[FloatArray, FloatArray]) -> None:
    scores, p_values = ranking
    ranks = cluster_ranks(scores, p_values)
    for threshold in set(scores):
        above, below = scores >= threshold, scores < threshold
        if np.any(below) and np.all(p_values[np.ix_(above, below)] < 0.05):
            assert max(ranks[above]) < min(ranks[below])


@given(rankings(), st.randoms(use_true_random=False))
def test_clusters_do_not_depend_on_the_order_of_systems(
    ranking: tuple[FloatArray, FloatArray], random: Any
) -> None:
    scores, p_values = ranking
    shuffle = random.sample(range(len(scores)), len(scores))
    shuffled = cluster_ranks(scores[shuffle], p_values[np.ix_(shuffle, shuffle)])
    np.testing.assert_array_equal(shuffled, cluster_ranks(scores, p_values)[shuffle])


@given(rankings())
def test_an_error_rate_ranks_as_its_negative_does(ranking: tuple[FloatArray, FloatArray]) -> None:
    scores, p_values = ranking
    error_ranks = cluster_ranks(-scores, p_values, higher_is_better=False)
    np.testing.assert_array_equal(error_ranks, cluster_ranks(scores, p_values))


def test_equal_systems_share_a_cluster_and_a_clearly_worse_one_does_not() -> None:
    tables = tables_of(METRICS["BLEU"][0])[[2, 0, 0]]
    tables[0, :, 2:6] -= np.minimum(tables[0, :, 2:6], 2)
    p_values = holm_pairs(randomization_p(tables, combine_bleu))
    assert cluster_ranks(combine_bleu(tables.sum(axis=1)), p_values).tolist() == [2, 1, 1]


@pytest.mark.parametrize(
    ("difference", "error", "further"),
    [
        pytest.param(0.5, 0.3, 3652, id="2,000 × (2.80158 × 0.6)² = 5,651.2"),
        pytest.param(-0.5, 0.3, 3652, id="the sign does not matter"),
        pytest.param(0.5, 0.1, 0, id="enough already"),
        pytest.param(0.5, 0.0, 0, id="no doubt at all"),
        pytest.param(0.0, 0.3, None, id="no difference"),
        pytest.param(5e-324, 0.3, None, id="no difference to speak of"),
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
        cluster_ranks(np.zeros(2), np.ones((2, 2)), alpha=wrong)
    with pytest.raises(OptionError, match="alpha must be between 0 and 1"):
        min_samples(3, alpha=wrong)
    with pytest.raises(OptionError, match="alpha must be between 0 and 1"):
        segments_to_separate(1.0, 1.0, 10, alpha=wrong)
    with pytest.raises(OptionError, match="power must be between 0 and 1"):
        segments_to_separate(1.0, 1.0, 10, power=wrong)
