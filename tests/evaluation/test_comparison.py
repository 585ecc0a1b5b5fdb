"""Intervals, tests and letters of an evaluation, against sacreBLEU's own command line numbers."""

import tracemalloc
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from sacrebleu.metrics import BLEU as PEER_BLEU
from sacrebleu.significance import PairedTest

from tertium.catalog import parse_metrics
from tertium.engines import evaluate
from tertium.errors import OptionError, UnknownNameError
from tertium.evaluation.comparison import compare
from tertium.evaluation.differences import compare_two
from tertium.evaluation.evaluation import Evaluation
from tertium.evaluation.units import Units
from tertium.progress import use_progress
from tertium.stats.analysis import Analysis
from tertium.stats.analysis import PairedTest as Test
from tertium.values import Corpus

WORDS = [
    "the",
    "cat",
    "dog",
    "sat",
    "ran",
    "on",
    "under",
    "mat",
    "table",
    "and",
    "then",
    "a",
    "red",
    "old",
    "house",
]


def make_systems(n_segments: int, errors: dict[str, float]) -> tuple[dict[str, list[str]], list[str]]:
    """References of random words, and systems that get a share of them wrong."""
    rng = np.random.default_rng(5)
    references = [list(rng.choice(WORDS, rng.integers(6, 20))) for _ in range(n_segments)]
    systems = {}
    for name, rate in errors.items():
        texts = []
        for words in references:
            wrong = rng.random(len(words)) < rate
            texts.append(" ".join(np.where(wrong, rng.choice(WORDS, len(words)), words)))
        systems[name] = texts
    return systems, [" ".join(words) for words in references]


SYSTEMS, REFERENCES = make_systems(80, {"base": 0.3, "close": 0.28, "worse": 0.5})


@pytest.fixture(scope="module")
def evaluation() -> Evaluation:
    return evaluate(Corpus([[text] for text in REFERENCES], SYSTEMS), parse_metrics(["bleu,wer"]))


@pytest.mark.parametrize(("test", "kind"), [("sacrebleu-bootstrap", "bs"), ("randomization", "ar")])
def test_p_values_and_intervals_equal_sacrebleus(evaluation: Evaluation, test: str, kind: str) -> None:
    peer = PairedTest(
        list(SYSTEMS.items()),
        {"BLEU": PEER_BLEU()},
        [REFERENCES],
        test_type=kind,
        n_samples=500,
        n_ar_confidence=0,
    )
    _, results = peer()
    ours = compare(evaluation, Analysis.of(test=test, n_samples=500, baseline="base")).metrics["bleu"]  # type: ignore[arg-type]
    assert ours.p_values is not None
    assert np.isnan(ours.p_values[0])
    close, worse = (r.p_value for r in results["BLEU"][1:])
    assert ours.p_values[1] == close
    if test == "sacrebleu-bootstrap":
        assert ours.p_values[2] == worse
    else:  # no shuffle is beyond the difference, and sacreBLEU gives its smallest p-value
        assert ours.p_values[2] < worse == 1 / 501
    if (
        test == "sacrebleu-bootstrap"
    ):  # with randomization sacreBLEU draws its intervals from what is left of the stream
        means, half_widths = zip(*((r.mean, r.ci) for r in results["BLEU"]), strict=True)
        np.testing.assert_allclose(ours.intervals.mean, means, atol=1e-3)  # sacreBLEU sums in float32
        np.testing.assert_allclose((ours.intervals.high - ours.intervals.low) / 2, half_widths, atol=1e-3)


def test_intervals_equal_those_of_sacrebleus_corpus_score(evaluation: Evaluation) -> None:
    ours = compare(evaluation).metrics["bleu"].intervals
    for i, texts in enumerate(SYSTEMS.values()):
        peer = PEER_BLEU().corpus_score(texts, [REFERENCES], n_bootstrap=1000)
        assert ours.mean[i] == pytest.approx(peer._mean, abs=1e-3)
        assert (ours.high[i] - ours.low[i]) / 2 == pytest.approx(peer._ci, abs=1e-3)


@pytest.mark.parametrize("test", ["bootstrap", "randomization"])
def test_letters_part_what_differs_and_join_what_does_not(evaluation: Evaluation, test: str) -> None:
    for compared in compare(evaluation, Analysis.of(test=test, n_samples=1000)).metrics.values():  # type: ignore[arg-type]
        assert compared.letters == ("a", "a", "b")
        assert compared.ranks == ((1, 2), (1, 2), (3, 3))


def test_the_same_seed_gives_the_same_numbers(evaluation: Evaluation) -> None:
    first, second, other = (compare(evaluation, Analysis.of(seed=seed)).metrics["wer"] for seed in (1, 1, 2))
    np.testing.assert_array_equal(first.resampled_scores, second.resampled_scores)
    assert not np.array_equal(first.resampled_scores, other.resampled_scores)


def test_more_segments_separate_what_the_estimate_says_they_would() -> None:
    systems, references = make_systems(60, {"a": 0.30, "b": 0.38})
    few = evaluate(Corpus([[text] for text in references], systems), parse_metrics(["wer"]))
    needed = compare(few).metrics["wer"].further_segments(0, 1)
    assert needed is not None
    systems, references = make_systems(60 + 4 * max(needed, 60), {"a": 0.30, "b": 0.38})
    many = evaluate(Corpus([[text] for text in references], systems), parse_metrics(["wer"]))
    assert compare(many).metrics["wer"].letters == ("a", "b")


def test_clear_differences_of_many_systems_have_small_p_values_with_few_samples() -> None:
    systems, references = make_systems(150, {f"s{i:02}": 0.02 + 0.07 * i for i in range(13)})
    evaluation = evaluate(Corpus([[text] for text in references], systems), parse_metrics(["wer"]))
    comparison = compare(evaluation)
    compared = comparison.metrics["wer"]
    assert comparison.analysis.n_samples == 1000
    assert len(set(compared.letters)) > 6
    assert compared.adjusted_p[0, 12] < 0.001  # of 78 pairs


@pytest.mark.parametrize("test", ["bootstrap", "randomization", "sacrebleu-bootstrap"])
def test_a_pair_has_the_same_p_value_among_few_and_many_systems(evaluation: Evaluation, test: Test) -> None:
    many = compare(evaluation, Analysis.of(test=test, baseline="base"))
    (two,) = [
        difference
        for difference in compare_two(evaluation, "base", "close", Analysis.of(test=test))
        if difference.label == "bleu"
    ]
    assert many.metrics["bleu"].p_values is not None
    assert two.p_value == many.metrics["bleu"].p_values[1]


@pytest.mark.parametrize(("test", "fewest"), [("bootstrap", 50), ("randomization", 7)])
def test_too_few_segments_are_not_tested_and_the_comparison_says_why(test: Any, fewest: int) -> None:
    for n_segments, is_tested in ((fewest, True), (fewest - 1, False)):
        systems, references = make_systems(n_segments, {"a": 0.0, "b": 0.9, "c": 0.9})
        evaluation = evaluate(Corpus([[text] for text in references], systems), parse_metrics(["wer"]))
        comparison = compare(evaluation, Analysis.of(test=test, baseline="a"))
        compared = comparison.metrics["wer"]
        assert (compared.letters != ("a", "a", "a")) == is_tested
        assert compared.p_values is not None
        assert bool(compared.p_values[1] < 0.02) == is_tested
        assert bool(np.isnan(compared.p_values[1])) != is_tested
        if is_tested:
            assert comparison.untested is None
        else:
            np.testing.assert_array_equal(compared.adjusted_p, np.ones((3, 3)))
            assert comparison.untested is not None
            assert f"too few segments for tests ({n_segments})" in comparison.untested
            assert f"fewer than {fewest} " in comparison.untested


@pytest.mark.slow
def test_pairwise_tests_in_blocks_are_those_of_one_block(
    evaluation: Evaluation, monkeypatch: pytest.MonkeyPatch
) -> None:
    tests: list[Test] = ["bootstrap", "randomization"]
    for test in tests:
        whole = compare(evaluation, Analysis.of(test=test, n_samples=600, baseline="base"))
        with monkeypatch.context() as patch:
            patch.setattr("tertium.kernels.resampling._WEIGHT_BYTES", 300)
            other = compare(evaluation, Analysis.of(test=test, n_samples=600, baseline="base"))
        for label, compared in whole.metrics.items():
            # the squares of shuffles are added block by block, which rounds differently
            np.testing.assert_allclose(compared.adjusted_p, other.metrics[label].adjusted_p, rtol=1e-9)
            np.testing.assert_array_equal(compared.resampled_scores, other.metrics[label].resampled_scores)


def test_samples_beyond_the_budget_are_refused_with_a_number_that_would_do(
    evaluation: Evaluation, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tertium.evaluation.resampling.KEPT_BYTES", 8 * 3 * 2 * 600)
    with pytest.raises(OptionError, match=r"601 samples of 3 systems and 2 metrics .* at most 600"):
        compare(evaluation, Analysis.of(n_samples=601))


def test_many_systems_are_compared_in_bounded_memory() -> None:
    rng = np.random.default_rng(0)
    tables = {"wer": rng.integers(1, 20, (40, 60, 2)).astype(float)}
    evaluation = Evaluation(tuple(f"s{i}" for i in range(40)), tuple(parse_metrics(["wer"])), tables, (1, 1))
    tracemalloc.start()
    try:
        compare(evaluation)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 60 * 2**20  # numpy's arrays; the kept scores are 5 MB


@pytest.mark.parametrize("test", ["bootstrap", "randomization"])
def test_progress_ends_at_the_number_of_samples_it_announced(evaluation: Evaluation, test: str) -> None:
    seen: list[tuple[int, int]] = []
    with use_progress(lambda _, done, total: seen.append((done, total))):
        compare(evaluation, Analysis.of(test=test, n_samples=1500))  # type: ignore[arg-type]
    assert seen[-1][0] == seen[-1][1] == (1500 if test == "bootstrap" else 1000 + 1500)


def test_alpha_decides_intervals_and_letters() -> None:
    systems, references = make_systems(100, {"a": 0.30, "b": 0.34})
    evaluation = evaluate(Corpus([[text] for text in references], systems), parse_metrics(["wer"]))
    lenient, strict = (
        compare(evaluation, Analysis.of(alpha=alpha)).metrics["wer"] for alpha in (0.2, 0.0001)
    )
    assert np.all(strict.intervals.low < lenient.intervals.low)
    assert (lenient.letters, strict.letters) == (("a", "b"), ("a", "a"))
    further = strict.further_segments(0, 1), lenient.further_segments(0, 1)
    assert further[0] is not None
    assert further[1] is not None
    assert further[0] > further[1]


@pytest.mark.parametrize("alpha", [0.0, 1.0])
def test_an_alpha_outside_zero_to_one_is_refused(evaluation: Evaluation, alpha: float) -> None:
    with pytest.raises(OptionError, match="alpha= must be at least 1e-09 and below 1"):
        compare(evaluation, Analysis.of(alpha=alpha))


def test_further_segments_reckon_with_the_number_of_pairs() -> None:
    rng = np.random.default_rng(3)
    table = rng.integers(1, 20, (11, 200, 2)).astype(float)
    metrics = tuple(parse_metrics(["wer"]))
    many = compare(Evaluation(tuple("abcdefghijk"), metrics, {"wer": table}, (1, 1))).metrics["wer"]
    a, b = int(many.scores.argmax()), int(many.scores.argmin())
    two = compare(Evaluation(("a", "b"), metrics, {"wer": table[[a, b]]}, (1, 1))).metrics["wer"]
    among_many, alone = many.further_segments(a, b), two.further_segments(0, 1)
    assert among_many is not None
    assert alone is not None
    # ((z(1 - 0.05 / 110) + z(0.8)) / (z(0.975) + z(0.8)))² = 2.2
    assert (among_many + 200) / (alone + 200) == pytest.approx(2.2, abs=0.1)


def test_one_sample_has_no_standard_error(evaluation: Evaluation) -> None:
    assert compare(evaluation, Analysis.of(n_samples=1)).metrics["wer"].further_segments(0, 1) is None


def test_signature_facts_say_how_samples_were_drawn(evaluation: Evaluation) -> None:
    groups = [i // 2 for i in range(80)]
    assert compare(evaluation).signature_facts() == {"bs": 1000, "seed": 12345}
    assert compare(evaluation, Analysis.of(test="randomization", seed=3)).signature_facts() == {
        "ar": 10_000,
        "seed": 3,
    }
    by_document = replace(evaluation, units=Units("document", groups))
    assert compare(by_document).signature_facts() == {"ar": 10_000, "seed": 12345, "resample": "document"}
    asked = Analysis.of(test="bootstrap")
    assert compare(by_document, asked, resampling="poisson").signature_facts() == {
        "bs": "poisson",
        "samples": 1000,
        "seed": 12345,
        "resample": "document",
    }


def test_an_unknown_baseline_is_refused(evaluation: Evaluation) -> None:
    with pytest.raises(UnknownNameError, match="'nobody' is not among the systems: base, close, worse"):
        compare(evaluation, Analysis.of(baseline="nobody"))


@pytest.mark.parametrize("options", [{"n_samples": 0}, {"seed": -1}])
def test_impossible_samples_and_seeds_are_refused(evaluation: Evaluation, options: dict[str, int]) -> None:
    with pytest.raises(OptionError):
        compare(evaluation, Analysis(**options))  # type: ignore[arg-type]
