"""Intervals, tests and clusters of an evaluation, against sacreBLEU's own command line numbers."""

import time

import numpy as np
import pytest
from sacrebleu.metrics import BLEU as PEER_BLEU
from sacrebleu.significance import PairedTest

from tertium.catalog import parse_metrics
from tertium.engines import evaluate
from tertium.errors import OptionError, UnknownNameError
from tertium.evaluation.comparison import compare
from tertium.evaluation.statistics import Evaluation
from tertium.types import Corpus

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


@pytest.mark.parametrize(("test", "kind"), [("bootstrap", "bs"), ("randomization", "ar")])
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
    ours = compare(evaluation, test=test, n_samples=500, baseline="base").metrics["bleu"]  # type: ignore[arg-type]
    assert ours.p_values is not None
    assert np.isnan(ours.p_values[0])
    assert [r.p_value for r in results["BLEU"][1:]] == ours.p_values[1:].tolist()
    if (
        test == "bootstrap"
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
def test_clusters_part_what_differs_and_join_what_does_not(evaluation: Evaluation, test: str) -> None:
    for compared in compare(evaluation, test=test, n_samples=1000).metrics.values():  # type: ignore[arg-type]
        assert compared.clusters.tolist() == [1, 1, 2]


def test_the_same_seed_gives_the_same_numbers(evaluation: Evaluation) -> None:
    first, second, other = (compare(evaluation, seed=seed).metrics["wer"] for seed in (1, 1, 2))
    np.testing.assert_array_equal(first.resampled_scores, second.resampled_scores)
    assert not np.array_equal(first.resampled_scores, other.resampled_scores)


def test_more_segments_separate_what_the_estimate_says_they_would() -> None:
    systems, references = make_systems(60, {"a": 0.30, "b": 0.38})
    few = evaluate(Corpus([[text] for text in references], systems), parse_metrics(["wer"]))
    needed = compare(few).metrics["wer"].further_segments(0, 1)
    assert needed is not None
    systems, references = make_systems(60 + 4 * max(needed, 60), {"a": 0.30, "b": 0.38})
    many = evaluate(Corpus([[text] for text in references], systems), parse_metrics(["wer"]))
    assert compare(many).metrics["wer"].clusters.tolist() == [1, 2]


def test_many_systems_get_enough_samples_for_holm() -> None:
    systems, references = make_systems(150, {f"s{i}": 0.02 + 0.07 * i for i in range(12)})
    evaluation = evaluate(Corpus([[text] for text in references], systems), parse_metrics(["wer"]))
    assert compare(evaluation).metrics["wer"].clusters.max() > 5


def test_a_thousand_resamples_of_ten_systems_take_seconds_not_minutes() -> None:
    rng = np.random.default_rng(0)
    metrics = parse_metrics(["bleu,wer,per,bleu:lowercase=yes,wer:lowercase=yes"])
    widths = {"bleu": 10, "wer": 2, "per": 2, "bleu:lowercase=yes": 10, "wer:lowercase=yes": 2}
    tables = {label: rng.integers(1, 20, (10, 3000, k)).astype(float) for label, k in widths.items()}
    evaluation = Evaluation(tuple("abcdefghij"), tuple(metrics), tables, (1, 1))
    begin = time.perf_counter()
    compare(evaluation)
    assert time.perf_counter() - begin < 20  # about 0.3 s on an idle core; the machine may be busy


def test_an_unknown_baseline_is_refused(evaluation: Evaluation) -> None:
    with pytest.raises(UnknownNameError, match="'nobody' is not among the systems: base, close, worse"):
        compare(evaluation, baseline="nobody")


@pytest.mark.parametrize("options", [{"n_samples": 0}, {"seed": -1}])
def test_impossible_samples_and_seeds_are_refused(evaluation: Evaluation, options: dict[str, int]) -> None:
    with pytest.raises(OptionError):
        compare(evaluation, **options)  # type: ignore[arg-type]
