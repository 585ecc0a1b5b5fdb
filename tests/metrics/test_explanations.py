"""Explanations of lexical metrics: every edit is told, and links point at the words they join."""

from collections import Counter

import pytest

from reference.golden import golden_pairs
from tertium.errors import InputError
from tertium.metrics.base import Metric
from tertium.metrics.lexical.bleu import BLEU
from tertium.metrics.lexical.chrf import ChrF
from tertium.metrics.lexical.invwer import InvWER
from tertium.metrics.lexical.nist import NIST
from tertium.metrics.lexical.sentbleu import SentBLEU
from tertium.metrics.lexical.ter import TER
from tertium.metrics.lexical.wer import WER
from tertium.metrics.lexical.wordf import WordF
from tertium.metrics.lexical.yisi0 import YiSi0

PAIRS = golden_pairs().values()
METRICS = [WER(), InvWER(), TER(), TER(normalized=True, case_sensitive=True), TER(no_punct=True)]


@pytest.mark.parametrize("metric", METRICS, ids=str)
def test_facts_add_up_to_the_edits(metric: Metric) -> None:
    for hypothesis, reference, _ in PAIRS:
        facts = metric.explain(hypothesis, [reference]).facts
        kinds = ("substitutions", "deletions", "insertions", "inversions", "shifts")
        assert sum(float(facts.get(kind, 0)) for kind in kinds) == facts["edits"], hypothesis


@pytest.mark.parametrize("metric", METRICS, ids=str)
def test_links_join_equal_words_where_they_say_so(metric: Metric) -> None:
    for hypothesis, reference, _ in PAIRS:
        told = metric.explain(hypothesis, [reference])
        for i, j, kind in told.links:
            assert (told.hypothesis[i] == told.reference[j]) == (kind == "match")
        assert len({i for i, _, _ in told.links}) == len({j for _, j, _ in told.links}) == len(told.links)


@pytest.mark.parametrize("metric", METRICS, ids=str)
def test_the_score_is_the_segments(metric: Metric) -> None:
    for hypothesis, reference, second in PAIRS:
        references = [reference, second] if second else [reference]
        assert (
            metric.explain(hypothesis, references).score
            == metric.sentence_score(hypothesis, references).score
        )


@pytest.mark.parametrize("metric", METRICS, ids=str)
@pytest.mark.parametrize(("hypothesis", "reference"), [("", ""), ("a b", ""), ("", "a b")])
def test_empty_texts_have_explanations(metric: Metric, hypothesis: str, reference: str) -> None:
    told = metric.explain(hypothesis, [reference])
    assert len(told.steps) == int(hypothesis != reference)


def test_ter_tells_its_shifts_in_order() -> None:
    told = TER().explain("b c d a", ["a b c d"])
    assert list(told.steps) == ["shift    a: from word 4 to word 1", "keep     a b c d"]
    assert sorted(told.links) == [(0, 1, "match"), (1, 2, "match"), (2, 3, "match"), (3, 0, "match")]


@pytest.mark.parametrize("metric", [BLEU(), SentBLEU(), NIST(), WordF()], ids=str)
def test_links_join_common_ngrams(metric: Metric) -> None:
    for hypothesis, reference, _ in PAIRS:
        told = metric.explain(hypothesis, [reference])
        joined = {i: (j, kind) for i, j, kind in told.links}
        assert len({j for j, _ in joined.values()}) == len(joined) == len(told.links)
        common = Counter(told.hypothesis) & Counter(told.reference)
        assert len(joined) <= common.total()
        assert bool(joined) == bool(common)
        for i, (j, kind) in joined.items():
            order = int(kind.removesuffix("-gram"))
            assert told.hypothesis[i] == told.reference[j]
            assert any(
                all(joined.get(i + k) == (j + k, kind) for k in range(-back, order - back))
                for back in range(order)
            )


def test_the_longest_common_ngram_is_linked_first() -> None:
    told = BLEU(tokenizer="none").explain("b a b c", ["a b c b"])
    assert list(told.links) == [(0, 3, "1-gram"), (1, 0, "3-gram"), (2, 1, "3-gram"), (3, 2, "3-gram")]


@pytest.mark.parametrize("metric", [ChrF(), YiSi0()], ids=str)
def test_the_matrix_scores_every_pair_of_words(metric: Metric) -> None:
    told = metric.explain("the cats sat", ["a cat sat down"])
    (matrix,) = told.matrices.values()
    assert matrix.shape == (len(told.rows), len(told.columns)) == (3, 4)
    for i, word in enumerate(told.rows):
        for j, other in enumerate(told.columns):
            assert matrix[i, j] == pytest.approx(metric.sentence_score(word, [other]).value / 100)


def test_a_matrix_that_nobody_could_read_is_left_out() -> None:
    assert ChrF().explain("a " * 51, ["b " * 50]).matrices == {}
    assert ChrF().explain("", ["b"]).matrices == {}


def test_one_string_as_references_is_refused() -> None:
    with pytest.raises(InputError, match="references must be a list"):
        WER().explain("a", "b")
