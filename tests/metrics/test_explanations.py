"""Explanations of error rates: every edit is told, and links point at the words they join."""

import pytest

from reference.golden import golden_pairs
from tertium.errors import InputError
from tertium.metrics.base import Metric
from tertium.metrics.lexical.invwer import InvWER
from tertium.metrics.lexical.ter import TER
from tertium.metrics.lexical.wer import WER

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


def test_one_string_as_references_is_refused() -> None:
    with pytest.raises(InputError, match="references must be a list"):
        WER().explain("a", "b")
