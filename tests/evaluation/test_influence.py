"""Influence of segments: what removing them from the corpus and scoring it again gives."""

import time
from dataclasses import replace

import numpy as np
import pytest

from tertium.catalog import parse_metrics
from tertium.engines import evaluate
from tertium.errors import InputError, OptionError, UnknownNameError
from tertium.evaluation.differences import find_decisive, measure_influence, measure_influence_on_difference
from tertium.evaluation.evaluation import Evaluation
from tertium.values import Corpus

WORDS = ["the", "cat", "dog", "sat", "ran", "on", "under", "mat", "a", "red", "old", "house"]
METRICS = "bleu,chrf,ter,wer,ribes,sentbleu"


def make_corpus(n_segments: int, seed: int = 0) -> Corpus:
    rng = np.random.default_rng(seed)
    references = [list(rng.choice(WORDS, rng.integers(4, 15))) for _ in range(n_segments)]
    systems = {
        name: [
            " ".join(np.where(rng.random(len(words)) < rate, rng.choice(WORDS, len(words)), words))
            for words in references
        ]
        for name, rate in {"a": 0.3, "b": 0.2, "c": 0.6}.items()
    }
    return Corpus([[" ".join(words)] for words in references], systems)


def without(corpus: Corpus, removed: list[int]) -> Corpus:
    kept = [i for i in range(len(corpus)) if i not in removed]
    systems = {name: [texts[i] for i in kept] for name, texts in corpus.systems.items()}
    return replace(corpus, references=[corpus.references[i] for i in kept], systems=systems)


@pytest.fixture(scope="module")
def evaluation() -> Evaluation:
    return evaluate(make_corpus(30), parse_metrics([METRICS]))


def test_influence_is_the_score_with_a_segment_minus_the_score_without_it(evaluation: Evaluation) -> None:
    corpus = make_corpus(30)
    again = [evaluate(without(corpus, [i]), parse_metrics([METRICS])) for i in range(30)]
    for label in evaluation.tables:
        expected = [evaluation.system_scores(label) - other.system_scores(label) for other in again]
        # totals minus a row round once more than a sum without the row
        np.testing.assert_allclose(measure_influence(evaluation, label), np.transpose(expected), atol=1e-10)


@pytest.mark.parametrize("label", METRICS.split(","))
def test_influence_on_a_difference_is_the_difference_of_influences(
    evaluation: Evaluation, label: str
) -> None:
    influence = measure_influence(evaluation, label)
    found = measure_influence_on_difference(evaluation, label, "c", "a")
    np.testing.assert_array_equal(found, influence[0] - influence[2])
    assert np.ptp(found) > 0


@pytest.mark.parametrize("share", [0.25, 0.5, 1.0])
@pytest.mark.parametrize("label", METRICS.split(","))
def test_without_the_decisive_segments_only_the_rest_of_the_difference_is_left(
    evaluation: Evaluation, label: str, share: float
) -> None:
    decisive = find_decisive(evaluation, label, "a", "b", share=share)
    scores = evaluation.system_scores(label)
    assert decisive.difference == scores[1] - scores[0]
    assert decisive.n_segments == 30
    rest = evaluate(without(make_corpus(30), decisive.segments.tolist()), parse_metrics([label]))
    left = float(rest.system_scores(label)[1] - rest.system_scores(label)[0])
    assert left == pytest.approx(decisive.left, abs=1e-10)
    assert left / decisive.difference <= 1 - share + 1e-10
    one_less = evaluate(without(make_corpus(30), decisive.segments[:-1].tolist()), parse_metrics([label]))
    assert np.diff(one_less.system_scores(label)[:2]) / decisive.difference > 1 - share
    assert np.all(np.diff(decisive.influence * np.sign(decisive.difference)) <= 0)


def test_one_segment_that_makes_the_whole_difference_is_found() -> None:
    table = np.tile([1.0, 10.0], (2, 50, 1))
    table[1, 17] = [9.0, 10.0]
    (metric,) = parse_metrics(["wer"])
    decisive = find_decisive(Evaluation(("a", "b"), (metric,), {"wer": table}, (1, 1)), "wer", "a", "b")
    assert decisive.segments.tolist() == [17]
    assert decisive.left == 0.0


def test_systems_that_do_not_differ_have_no_decisive_segment(evaluation: Evaluation) -> None:
    decisive = find_decisive(evaluation, "bleu", "a", "a")
    assert decisive.segments.tolist() == []
    assert decisive.left == decisive.difference == 0.0


def test_blocks_do_not_change_influence(evaluation: Evaluation, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = measure_influence(evaluation, "bleu")
    monkeypatch.setattr("tertium.evaluation.differences._BLOCK_VALUES", 40)
    np.testing.assert_array_equal(measure_influence(evaluation, "bleu"), whole)


def test_fourteen_systems_take_less_than_a_second() -> None:
    rng = np.random.default_rng(0)
    metrics = parse_metrics(["bleu,chrf,ter,wer,per"])
    widths = {"bleu": 10, "chrf": 18, "ter": 2, "wer": 2, "per": 2}
    tables = {label: rng.integers(1, 20, (14, 3000, k)).astype(float) for label, k in widths.items()}
    evaluation = Evaluation(tuple("abcdefghijklmn"), tuple(metrics), tables, (1, 1))
    begin = time.thread_time()
    for label in tables:
        measure_influence(evaluation, label)
    assert time.thread_time() - begin < 1


def test_what_has_no_influence_is_refused(evaluation: Evaluation) -> None:
    single = evaluate(make_corpus(1), parse_metrics(["bleu"]))
    with pytest.raises(InputError, match="two segments or more"):
        measure_influence(single, "bleu")
    with pytest.raises(UnknownNameError, match="no system 'z' was scored; there are a, b, c"):
        find_decisive(evaluation, "bleu", "a", "z")
    with pytest.raises(OptionError, match="share must lie above 0"):
        find_decisive(evaluation, "bleu", "a", "b", share=0)
