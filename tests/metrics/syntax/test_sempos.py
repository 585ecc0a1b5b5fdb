"""SEMPOS on lemmas and parts of speech given by hand."""

import pytest

from reference.trees import HandTrees
from tertium.errors import OptionError, UnknownNameError
from tertium.metrics.syntax.sempos import SEMPOS

TREES = HandTrees(
    tags={
        "cat": "NOUN",
        "cats": "NOUN",
        "dog": "NOUN",
        "runs": "VERB",
        "ran": "VERB",
        "the": "DET",
        "of": "ADP",
    },
    lemmas={"cats": "cat", "runs": "run", "ran": "run"},
)


@pytest.mark.parametrize(
    ("hypothesis", "reference", "macro", "micro"),
    [
        ("the cats ran", "cat runs", 1, 1),
        ("cat cat runs", "cat runs", (1 / 2 + 1) / 2, 2 / 3),
        ("dog ran", "cat ran", (0 + 1) / 2, 1 / 3),
        ("cat dog", "cat ran", (1 / 2 + 0) / 2, 1 / 3),
        ("of", "the", 0, 0),
        ("the of", "the", 1 / 2, 1 / 2),
        ("", "the", 0, 0),
        ("cat", "the", 0, 0),
    ],
    ids=[
        "lemmas",
        "repeat",
        "one noun",
        "a missing part",
        "function words",
        "half of them",
        "empty",
        "none left",
    ],
)
def test_overlap_by_hand(hypothesis: str, reference: str, macro: float, micro: float) -> None:
    scores = [
        SEMPOS(trees=TREES, average=average).sentence_score(hypothesis, [reference]).value
        for average in ("macro", "micro")
    ]
    assert scores == pytest.approx([100 * macro, 100 * micro])


def test_the_system_score_sums_counts_first() -> None:
    score = SEMPOS(trees=TREES).corpus_score(["cat", "dog ran"], [["cat", "cat ran"]], orientation="streams")
    assert score.value == pytest.approx(100 * (1 / 3 + 1 / 1) / 2)


def test_the_same_lemma_in_another_part_of_speech_does_not_count() -> None:
    trees = HandTrees(tags={"walk": "NOUN", "walks": "VERB"}, lemmas={"walks": "walk"})
    assert SEMPOS(trees=trees).sentence_score("walk", ["walks"]).value == 0


def test_parts_are_an_option() -> None:
    assert SEMPOS(trees=TREES, parts=("VERB",)).sentence_score("dog ran", ["cat ran"]).value == 100


def test_the_best_of_several_references_counts() -> None:
    metric = SEMPOS(trees=TREES)
    hypotheses, references = ["cat ran", "dog"], [["dog", "cat runs", "the"], ["dog"]]
    assert metric.corpus_score(hypotheses, references, orientation="segments").value == pytest.approx(100)


def test_case_of_lemmas_is_an_option() -> None:
    trees = HandTrees(tags={"Cat": "NOUN", "cat": "NOUN"})
    assert SEMPOS(trees=trees).sentence_score("Cat", ["cat"]).value == 100
    assert SEMPOS(trees=trees, lowercase=False).sentence_score("Cat", ["cat"]).value == 0


def test_a_part_named_twice_is_refused() -> None:
    with pytest.raises(OptionError, match="parts contains a part of speech twice: NOUN/NOUN"):
        SEMPOS(trees=TREES, parts=("NOUN", "NOUN"))


@pytest.mark.parametrize(
    ("part", "hint"),
    [("noun", "did you mean NOUN"), ("VREB", "did you mean VERB"), ("12", "choose from ADJ")],
)
def test_an_unknown_part_is_refused_with_a_suggestion(part: str, hint: str) -> None:
    with pytest.raises(UnknownNameError, match=f"sempos: unknown part of speech '{part}'; {hint}"):
        SEMPOS(trees=TREES, parts=("NOUN", part))


def test_the_explanation_lists_lemmas_by_part() -> None:
    told = SEMPOS(trees=TREES).explain("dog ran", ["nothing", "cat ran"])
    assert list(told.steps) == [
        "NOUN: 0 of 2",
        "  only in the hypothesis: dog",
        "  only in the reference: cat",
        "VERB: 1 of 1",
        "  in both: run",
    ]
    assert told.facts["VERB"] == 1
