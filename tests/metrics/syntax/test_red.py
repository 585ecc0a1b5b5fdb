"""RED on the paper's example and on cases worked by hand."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reference.dependency_ngrams import red
from reference.trees import HandTrees, heads_strategy
from tertium.catalog import parse_metrics
from tertium.catalog.labels import format_label
from tertium.errors import OptionError, ResourceError
from tertium.metrics.syntax.red import RED

ANT = "I saw an ant with a magnifier"
TREES = HandTrees({ANT: [1, -1, 3, 1, 1, 6, 4]})
SHORT = "I saw an ant with magnifier"


def test_the_papers_example_by_hand() -> None:
    # 7 words, 6 match. Two words: 6 chains + 3 structures; matched are saw-I, saw-ant, saw-with, ant-an
    # fully, with-magnifier at distance 1 for 2; and "I saw", "an ant". Three words: 3 chains + 2
    # structures; saw-ant-an, saw-with-magnifier at exp(-1/2); and "saw an ant".
    matches = [6, 4 + math.exp(-1) + 2, 1 + math.exp(-0.5) + 1]
    counts = [7, 9, 5]
    f_scores = [m / (0.5 * 6 + 0.5 * c) for m, c in zip(matches, counts, strict=True)]
    score = RED(trees=TREES).sentence_score(SHORT, [ANT])
    assert score.value == pytest.approx(100 * sum(f_scores) / 3, rel=1e-12)
    assert score.details["ngrams"] == counts
    assert score.details["matches"] == pytest.approx(matches, rel=1e-12)


def test_alpha_moves_from_precision_to_recall() -> None:
    precision = RED(trees=TREES, alpha=0.0, weights=(1.0,)).sentence_score(SHORT, [ANT]).value
    recall = RED(trees=TREES, alpha=1.0, weights=(1.0,)).sentence_score(SHORT, [ANT]).value
    assert [precision, recall] == pytest.approx([100 * 6 / 6, 100 * 6 / 7])


def test_weights_say_how_long_ngrams_are() -> None:
    score = RED(trees=TREES, weights=(0.6, 0.5, 0.1, 0.2)).sentence_score(SHORT, [ANT])
    assert len(score.details["ngrams"]) == 4  # type: ignore[arg-type]


def test_an_order_that_the_reference_lacks_is_left_out() -> None:
    assert RED(trees=HandTrees()).sentence_score("cat", ["cat"]).value == pytest.approx(100)


def test_an_ngram_in_other_capitals_earns_half() -> None:
    matches = RED(trees=TREES).sentence_score("i saw an ant with magnifier", [ANT]).details["matches"]
    # Of the six words "i" alone is written differently; of longer n-grams saw-I and "I saw".
    assert matches == pytest.approx([5.5, 3.5 + math.exp(-1) + 1.5, 2 + math.exp(-0.5)])


@pytest.mark.parametrize(("capitals", "words"), [(0.0, 3.0), (0.25, 2.25), (1.0, 0.0)])
def test_capitals_say_what_other_case_costs(capitals: float, words: float) -> None:
    score = RED(trees=TREES, capitals=capitals).sentence_score("SAW AN ANT", [ANT])
    assert score.details["matches"][0] == words  # type: ignore[index]


@pytest.mark.parametrize("capitals", [0.0, 0.5, 1.0])
def test_lowercase_ignores_capitals_wholly(capitals: float) -> None:
    metric = RED(trees=TREES, lowercase=True, capitals=capitals)
    assert metric.sentence_score(SHORT.upper(), [ANT]) == metric.sentence_score(SHORT, [ANT])


def test_english_is_cut_into_meteors_tokens_and_other_languages_into_13a() -> None:
    assert [RED(trees=TREES, language=language).tokenizer for language in ("en", "fr")] == ["meteor", "13a"]
    assert RED(trees=TREES, tokenizer="13a").tokenizer == "13a"


def test_the_papers_preset_ignores_case_and_has_13a() -> None:
    (labelled,) = parse_metrics(["red@paper"])
    assert (labelled.metric.tokenizer, labelled.metric.lowercase) == ("13a", True)  # type: ignore[attr-defined]


def test_the_system_score_is_the_mean_or_pooled() -> None:
    texts = ["a b c", "d e"]
    hypotheses = ["a b x", "e d e"]
    mean = RED(trees=HandTrees())
    parts = [mean.sentence_score(h, [r]).value for h, r in zip(hypotheses, texts, strict=True)]
    assert mean.corpus_score(hypotheses, [texts], orientation="streams").value == pytest.approx(
        np.mean(parts)
    )
    pooled = RED(trees=HandTrees(), system="pooled")
    alone = [pooled.sentence_score(h, [r]).value for h, r in zip(hypotheses, texts, strict=True)]
    assert alone == pytest.approx(parts)
    assert pooled.corpus_score(hypotheses, [texts], orientation="streams").value != pytest.approx(
        np.mean(parts)
    )


def test_the_best_reference_counts() -> None:
    metric = RED(trees=TREES)
    together = metric.sentence_score(SHORT, ["nothing like it", ANT, "x"]).value
    assert together == metric.sentence_score(SHORT, [ANT]).value


@settings(max_examples=100, deadline=None)
@given(
    heads=heads_strategy(max_size=7),
    hypothesis=st.lists(st.sampled_from("abcAB"), max_size=8),
    data=st.data(),
)
def test_scores_equal_the_twin(heads: list[int], hypothesis: list[str], data: st.DataObject) -> None:
    reference = data.draw(st.lists(st.sampled_from("abcAB"), min_size=len(heads), max_size=len(heads)))
    capitals = data.draw(st.sampled_from([0.0, 0.5, 1.0]))
    metric = RED(trees=HandTrees({" ".join(reference): heads}), capitals=capitals)
    score = metric.sentence_score(" ".join(hypothesis), [" ".join(reference)]).value
    expected = red(hypothesis, reference, heads, capitals=capitals)
    assert score == pytest.approx(100 * expected, rel=1e-12, abs=1e-12)


def test_the_explanation_shows_the_tree_and_every_ngram() -> None:
    explanation = RED(trees=TREES).explain(SHORT, ["x y", ANT])
    assert list(explanation.reference) == ANT.split()
    assert explanation.score == RED(trees=TREES).sentence_score(SHORT, [ANT]).value
    matched = explanation.steps.index("matched:")
    missing = explanation.steps.index("not matched:")
    assert "          - a (dep, 6)" not in explanation.steps[matched:]
    assert "        - a (dep, 6)" in explanation.steps[:matched]
    assert "  chain saw > with > magnifier: 0.607" in explanation.steps[matched:missing]
    assert "  structure a magnifier: 0.000" in explanation.steps[missing:]


@pytest.mark.parametrize("weights", [(0.0, 0.0), (0.1,) * 10], ids=["all zero", "too many"])
def test_weights_that_mean_nothing_are_refused(weights: tuple[float, ...]) -> None:
    with pytest.raises(OptionError, match="weights must be 1 to 9 numbers, not all zero"):
        RED(trees=TREES, weights=weights)


def test_trees_must_be_given_to_the_class() -> None:
    with pytest.raises(ResourceError, match="red needs "):
        RED()


def test_a_star_tree_can_pass_100_by_its_precision() -> None:
    # Nine children beside their head make more structures than there are words.
    words = "a b c d e f g h i j"
    metric = RED(trees=HandTrees({words: [*[9] * 9, -1]}))
    assert metric.sentence_score(words, [words]).value > 100
    assert not RED.stays_in_range


@settings(max_examples=100, deadline=None)
@given(heads=heads_strategy(max_size=12), hypothesis=st.lists(st.sampled_from("abcdefghijkl"), max_size=12))
def test_recall_alone_never_passes_100(heads: list[int], hypothesis: list[str]) -> None:
    reference = list("abcdefghijkl")[: len(heads)]
    trees = HandTrees({" ".join(reference): heads})
    metric = RED(trees=trees, alpha=1.0)
    for text in (hypothesis, reference):
        assert 0 <= metric.sentence_score(" ".join(text), [" ".join(reference)]).value <= 100 + 1e-9


@pytest.mark.parametrize("weights", [(1 / 3, 1 / 3, 1 / 3), (0.6, 0.5, 0.1), (2.0,)])
def test_two_blank_lines_score_100_whatever_the_weights(weights: tuple[float, ...]) -> None:
    assert RED(trees=HandTrees(), weights=weights).sentence_score(" ", [""]).value == 100


@pytest.mark.parametrize("language", ["de", "xx"])
@pytest.mark.parametrize("metric", ["red", "redp"])
def test_a_language_that_the_parser_does_not_know_is_refused(metric: str, language: str) -> None:
    with pytest.raises(
        OptionError,
        match=f"{metric}: the parser supports en, but language is '{language}'; pass language={language}",
    ):
        parse_metrics([f"{metric}:language={language}"])


@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_label_leaves_out_the_usual_tokenizer_of_the_language(language: str) -> None:
    assert "tokenizer" not in format_label(RED(trees=TREES, language=language))
    assert "tokenizer=intl" in format_label(RED(trees=TREES, language=language, tokenizer="intl"))
