"""Explanations of the lexical metrics: what is told adds up to what the kernels count."""

import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reference.golden import golden_pairs
from reference.toy_resources import TOY_PROVIDERS
from tertium.catalog import build_metric
from tertium.metrics.lexical.bleu import BLEU
from tertium.metrics.lexical.character import CharacTER
from tertium.metrics.lexical.chrf import ChrF
from tertium.metrics.lexical.nist import NIST
from tertium.metrics.lexical.per import PER
from tertium.metrics.lexical.ribes import RIBES
from tertium.metrics.lexical.sentbleu import SentBLEU
from tertium.text import References, Texts
from tertium.values import Explanation

PAIRS = list(golden_pairs().values())
FEW = st.lists(st.sampled_from("ab"), max_size=20)
SOME = st.lists(st.sampled_from("abcdefg"), max_size=20)
SEQUENCES = st.one_of(FEW, SOME)
SPELLINGS = st.lists(
    st.sampled_from(["a", "b", "an", "and", "aunt", "bend", "bond", "bonds", "é", "中文"]), max_size=10
)


def numbers_in_steps(told: Explanation, unit: str) -> list[list[int]]:
    """The whole numbers of lines such as `2-grams: 3 of 5 match`: order, matches, n-grams."""
    lines = [line for line in told.steps if line.startswith(unit) and not line.startswith(" ")]
    return [[int(n) for n in re.findall(r"\d+", line.partition(" match")[0])] for line in lines]


@pytest.mark.parametrize("options", [{}, {"max_ngram_order": 2}, {"tokenizer": "char", "lowercase": True}])
def test_bleu_tells_the_matches_that_it_counts(options: dict[str, Any]) -> None:
    metric = BLEU(**options)
    for hypothesis, reference, second in PAIRS:
        references = [reference, second] if second else [reference]
        column = References([references])
        row = metric.statistics(Texts([hypothesis], column.vocabulary), column)[0]
        told = metric.explain(hypothesis, references)
        order = metric.max_ngram_order
        assert numbers_in_steps(told, "") == [
            [n + 1, row[2 + n], row[2 + order + n]] for n in range(order)
        ], hypothesis


def test_bleu_lists_what_matches_and_what_does_not() -> None:
    told = BLEU(max_ngram_order=2).explain("the the cat", ["a the cat", "the dog sat"])
    assert list(told.reference) == ["a", "the", "cat"]
    assert list(told.steps) == [
        "1-grams: 2 of 3 match",
        "  matched: the, cat",
        "  only in the hypothesis: the",
        "  only in the reference: a, dog, sat",
        "2-grams: 1 of 2 match",
        "  matched: the cat",
        "  only in the hypothesis: the the",
        "  only in the reference: a the, the dog, dog sat",
    ]
    assert told.facts["precision of order 1"] == pytest.approx(200 / 3)
    assert told.facts["brevity_penalty"] == 1


@pytest.mark.parametrize("references", [["a b c d e", "a b c"], ["a b c", "a b c d e"], ["a b c d e"]])
def test_sentence_bleu_tells_the_penalty_that_it_takes(references: list[str]) -> None:
    told = SentBLEU().explain("a b c d", references)
    bleu = BLEU(tokenizer="none").explain("a b c d", references)
    names = ("brevity_penalty", "hypothesis_length", "reference_length")
    assert [told.facts[name] for name in names] == [bleu.facts[name] for name in names]


@pytest.mark.parametrize("options", [{}, {"word_order": 2}, {"whitespace": True}, {"lowercase": True}])
def test_chrf_tells_the_matches_that_it_counts(options: dict[str, Any]) -> None:
    metric = ChrF(**options)
    for hypothesis, reference, _ in PAIRS:
        column = References([[reference]])
        row = metric.statistics(Texts([hypothesis], column.vocabulary), column)[0]
        told = metric.explain(hypothesis, [reference])
        found = numbers_in_steps(told, "character") + numbers_in_steps(told, "word")
        assert [matches for _, matches, _ in found] == row[2::3].tolist()


def test_chrf_lists_the_character_n_grams_and_their_rates() -> None:
    told = ChrF(char_order=2, whitespace=True).explain("ab c", ["ab d"])
    assert list(told.steps) == [
        "character 1-grams: 3 of 4 match; precision 75.00, recall 75.00",
        "  matched: a, b, ␣",
        "  only in the hypothesis: c",
        "  only in the reference: d",
        "character 2-grams: 2 of 3 match; precision 66.67, recall 66.67",
        "  matched: ab, b␣",
        "  only in the hypothesis: ␣c",
        "  only in the reference: ␣d",
    ]


@settings(max_examples=200, deadline=None)
@given(hypothesis=SEQUENCES, reference=SEQUENCES)
def test_ribes_places_the_words_that_the_kernel_places(hypothesis: list[str], reference: list[str]) -> None:
    told = RIBES().explain(" ".join(hypothesis), [" ".join(reference)])
    facts = {name: float(value) for name, value in told.facts.items()}
    assert facts["placed words"] == pytest.approx(facts["precision"] * len(hypothesis))
    if facts["pairs"]:
        assert facts["pairs in order"] / facts["pairs"] == pytest.approx(facts["rank_correlation"])
    assert all(hypothesis[i] == reference[j] for i, j, _ in told.links)


def test_ribes_says_by_which_words_it_knows_a_place() -> None:
    told = RIBES().explain("b a a b x", ["a a b a"])
    assert list(told.steps) == [
        "word 1 is word 3 of the reference: b, by: b a",
        "word 2 is word 4 of the reference: a, by: b a",
        "word 3 is word 2 of the reference: a, by: a a",
        "word 4 is word 3 of the reference: b, by: a b",
        "not placed: x (5)",
    ]


@settings(max_examples=200, deadline=None)
@given(hypothesis=SPELLINGS, reference=SPELLINGS, threshold=st.integers(0, 3))
def test_character_moves_what_the_kernel_moves(
    hypothesis: list[str], reference: list[str], threshold: int
) -> None:
    told = CharacTER(shift_threshold=threshold).explain(" ".join(hypothesis), [" ".join(reference)])
    edits = sum(float(told.facts[kind]) for kind in ("substitutions", "deletions", "insertions"))
    assert edits == told.facts["character_edits"]


def test_character_tells_moves_and_then_edits_of_characters() -> None:
    told = CharacTER().explain("we meet at noon today", ["at noon we meet todays"])
    assert list(told.steps) == [
        "shift    we meet: from word 1 to word 3",
        "keep     at noon we meet today",
        "insert   s",
    ]
    assert (told.facts["shifts"], told.facts["shift_costs"]) == (1, 3)


def test_per_tells_words_too_many_and_missing() -> None:
    told = PER().explain("a b b c", ["b d a", "x y z v w"])
    assert list(told.steps) == ["in both: a, b", "surplus: b, c", "missing: d"]
    assert sorted(told.links) == [(0, 2, "match"), (1, 0, "match")]
    assert told.facts["edits"] == max(float(told.facts[f"words {side}"]) for side in ("surplus", "missing"))


@settings(deadline=None)
@given(hypothesis=SEQUENCES, reference=SEQUENCES)
def test_pers_edits_are_the_larger_of_surplus_and_missing(
    hypothesis: list[str], reference: list[str]
) -> None:
    facts = PER().explain(" ".join(hypothesis), [" ".join(reference)]).facts
    assert facts["edits"] == max(float(facts["words surplus"]), float(facts["words missing"]))


def test_nist_tells_the_information_of_each_match_under_the_fitted_weights() -> None:
    references = [[row[1]] for row in PAIRS]
    metric = NIST().fit(References(references))
    for hypothesis, reference, _ in PAIRS:
        told = metric.explain(hypothesis, [reference])
        bits = [float(line.split(": ")[1].split()[0]) for line in told.steps if not line.startswith(" ")]
        counted = [float(told.facts[f"information of order {n}"]) for n in range(1, 6)]
        assert bits == pytest.approx(counted[: len(bits)], abs=1e-4), hypothesis  # four digits are shown


def test_nist_without_a_test_set_takes_the_segments_own_references() -> None:
    told = NIST().explain("the cat sat", ["the cat slept", "the dog"])
    assert told.score == NIST().sentence_score("the cat sat", ["the cat slept", "the dog"]).score
    assert list(told.steps)[:3] == [
        "1-grams: 3.6439 bits in 2 of 3",
        "  cat: 2.3219 bits",  # one of five words
        "  the: 1.3219 bits",  # two of five
    ]


def test_beers_contributions_sum_to_its_score() -> None:
    metric = build_metric("beer", {}, TOY_PROVIDERS)
    for hypothesis, reference, _ in PAIRS:
        told = metric.explain(hypothesis, [reference])
        total = float(told.facts["overlaps"]) + float(told.facts["penalties"])
        assert told.score == pytest.approx(max(total, 0.0), abs=1e-9)
        assert len(told.steps) == 5  # as many features have a weight
        costs = [float(line.rpartition("costs ")[2].rstrip(")")) for line in told.steps]
        assert costs == sorted(costs, reverse=True)
        assert 100 - sum(costs) == pytest.approx(total, abs=5e-3)  # three digits are shown
