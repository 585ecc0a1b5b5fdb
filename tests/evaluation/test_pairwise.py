"""Scores of all pairs equal the scores of single pairs; averaged references equal a textbook version."""

from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference.toy_resources import TOY_PROVIDERS
from tertium.catalog import build_metric, find_metric, self_contained_names
from tertium.errors import OptionError
from tertium.evaluation.decoding import ChoiceJournal, Decoding
from tertium.evaluation.pairwise import (
    CandidateGroup,
    aggregated_utilities,
    fit_references,
    score_groups,
    score_pairs,
)
from tertium.metrics import BLEU, NIST, WER, ChrF
from tertium.text import References

HYPOTHESES = ["the cat sat on the mat", "a cat sat", "", "the cat sat on the mat", "İstanbul 我昨天 !"]
REFERENCES = ["the cat is on the mat", "the cat sat on the mat", "dogs"]

TEXTS = st.lists(st.text("ab c", max_size=12), min_size=1, max_size=5)


@pytest.mark.parametrize(
    "name", [name for name in self_contained_names() if "source" not in find_metric(name).reads]
)
def test_all_pairs_equal_single_pairs(name: str) -> None:
    references = References([[text] for text in REFERENCES])
    metric = build_metric(name, {}, TOY_PROVIDERS).fit(references)
    matrix = score_pairs(metric, HYPOTHESES, REFERENCES)
    for i, hypothesis in enumerate(HYPOTHESES):
        for j, reference in enumerate(REFERENCES):
            single = score_pairs(metric, [hypothesis], [reference])
            assert matrix[i, j] == pytest.approx(single[0, 0], rel=1e-12, abs=1e-9)


def test_sentence_scores_are_the_same_numbers() -> None:
    matrix = score_pairs(BLEU(), HYPOTHESES, REFERENCES)
    assert matrix[0, 1] == BLEU().sentence_score(HYPOTHESES[0], [REFERENCES[1]]).score
    assert matrix.shape == (5, 3)


@given(first=TEXTS, second=TEXTS)
def test_sources_do_not_depend_on_each_other(first: list[str], second: list[str]) -> None:
    together = score_groups(ChrF(), [CandidateGroup(first, second), CandidateGroup(second, second)])
    np.testing.assert_array_equal(together[0], score_pairs(ChrF(), first, second))
    np.testing.assert_array_equal(together[1], score_pairs(ChrF(), second, second))


def _average_ngrams(texts: list[str], order: int) -> Counter[str]:
    counts = Counter[str]()
    for text in texts:
        for start in range(len(text) - order + 1):
            counts[text[start : start + order]] += 1 / len(texts)  # type: ignore[assignment]
    return counts


def _chrf_by_hand(candidate: str, references: list[str]) -> float:
    candidate, references = candidate.replace(" ", ""), [text.replace(" ", "") for text in references]
    precisions, recalls = [], []
    for order in range(1, 7):
        ours, theirs = _average_ngrams([candidate], order), _average_ngrams(references, order)
        if ours and theirs:
            matches = sum(min(count, theirs[ngram]) for ngram, count in ours.items())
            precisions.append(matches / sum(ours.values()))
            recalls.append(matches / sum(theirs.values()))
    if not precisions:
        return 0.0
    p, r = sum(precisions) / len(precisions), sum(recalls) / len(recalls)
    return 100 * 5 * p * r / (4 * p + r) if p + r > 0 else 0.0


@given(candidates=TEXTS, references=TEXTS)
def test_averaged_references_equal_the_textbook(candidates: list[str], references: list[str]) -> None:
    (utilities,) = aggregated_utilities(ChrF(), [CandidateGroup(candidates, references)])
    expected = [_chrf_by_hand(candidate, references) for candidate in candidates]
    np.testing.assert_allclose(utilities, expected, atol=1e-9)


@pytest.mark.parametrize("metric", [ChrF(), ChrF(word_order=2), BLEU()], ids=["chrf", "chrf++", "bleu"])
def test_the_average_of_one_reference_is_that_reference(metric: ChrF | BLEU) -> None:
    candidates = ["the cat sat on the mat", "a cat sat on it", "the the the"]
    group = CandidateGroup(candidates, ["the cat is on the mat"])
    (utilities,) = aggregated_utilities(metric, [group])
    np.testing.assert_allclose(utilities, score_groups(metric, [group])[0][:, 0], rtol=1e-12)


@pytest.mark.parametrize("name", ["chrf", "bleu"])
def test_averaged_references_know_the_options_that_all_metrics_share(name: str) -> None:
    group = CandidateGroup(["Ba\u0308ume am Ufer", "Häuser am Ufer"], ["Bäume am Ufer"])
    for options in ({"normalize": "nfc"}, {"system": "mean"}, {"normalize": "nfc", "system": "mean"}):
        metric = build_metric(name, options)
        (utilities,) = aggregated_utilities(metric, [group])
        np.testing.assert_allclose(utilities, score_groups(metric, [group])[0][:, 0], rtol=1e-12)


def test_only_overlaps_of_ngrams_can_be_averaged() -> None:
    with pytest.raises(OptionError, match="references can be averaged for chrf and bleu only, not for wer"):
        aggregated_utilities(WER(), [CandidateGroup(["a"], ["a"])])


def test_a_metric_learns_from_the_references_of_all_sources() -> None:
    groups = [CandidateGroup(["x"], ["the cat", "a cat"]), CandidateGroup(["y"], ["the dog"])]
    together = NIST().fit(References([["the cat"], ["a cat"], ["the dog"]]))
    learnt = fit_references(NIST(), iter(groups))
    np.testing.assert_array_equal(
        score_pairs(learnt, ["the cat sat"], ["the cat"]), score_pairs(together, ["the cat sat"], ["the cat"])
    )
    assert fit_references(BLEU(), iter(groups)) == BLEU()
    assert fit_references(NIST(), iter(())) == NIST()


def test_aggregated_candidates_are_chosen_by_their_aggregated_utility() -> None:
    batch = [(0, CandidateGroup(["a b c", "x y z"], ["a b c d", "a b c"]))]
    ((index, values, matrix),) = Decoding(aggregate=True).choose([ChrF()], batch)
    np.testing.assert_array_equal(values, aggregated_utilities(ChrF(), [batch[0][1]])[0])
    assert (index, matrix) == (0, None)


def test_a_journal_continues_after_the_finished_sources(tmp_path: Path) -> None:
    groups = [CandidateGroup(["a", "b"], ["a"])] * 3
    task: dict[str, object] = {"metric": "chrf"}
    path = tmp_path / "choices"
    path.write_bytes(b"")  # a disk was full before the first line
    journal = ChoiceJournal.start(path, task, groups)
    assert len(journal) == 0
    journal.append([(0, np.array([1.0, 0.0]), None)] * 3)
    again = ChoiceJournal.start(path, task, groups)
    assert [index for index, *_ in again.choices] == [0, 0, 0]
    path.write_text(path.read_text(encoding="utf-8")[:-5], encoding="utf-8")
    assert len(ChoiceJournal.start(path, task, groups)) == 2
