"""REDp on the paper's example, by hand and against its formulas in plain Python."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reference.meteor_words import HandParaphrases, HandSynonyms, HandWords
from reference.redp import DEFAULTS, TABLE_1, redp
from reference.trees import HandTrees, heads_strategy
from tertium.catalog import build_metric, parse_metrics
from tertium.errors import OptionError
from tertium.metrics.syntax.redp import REDp

ANT = "I saw an ant with a magnifier"
TREES = HandTrees({ANT: [1, -1, 3, 1, 1, 6, 4]})
SHORT = "I saw an ant with magnifier"


def make(words: frozenset[str] = frozenset(), **options: Any) -> REDp:
    return REDp(trees=options.pop("trees", TREES), word_lists=HandWords(words), **options)


def make_papers(words: frozenset[str] = frozenset(), **options: Any) -> REDp:
    """REDp as the paper has it: Table 1, recall over numbers of n-grams, and no case."""
    return make(words, **{**TABLE_1, "recall": "plain", "lowercase": True, **options})


def test_the_papers_example_by_hand() -> None:
    # The n-grams that match are RED's; all words are equal (0.9) and content words (0.8).
    matches = [6, 4 + math.exp(-1) + 2, 1 + math.exp(-0.5) + 1]
    earned = [0.9 * 0.8 * m for m in matches]
    counts = [7, 9, 5]
    f_scores = [e / (0.9 * c + 0.1 * 6) for e, c in zip(earned, counts, strict=True)]
    score = make_papers().sentence_score(SHORT, [ANT])
    assert score.value == pytest.approx(
        100 * sum(w * f for w, f in zip([0.6, 0.5, 0.1], f_scores, strict=True))
    )
    assert score.details["matches"] == pytest.approx(earned)
    assert score.details["ngrams"] == counts


def test_an_ngram_counts_in_recall_what_it_could_earn() -> None:
    # Each word hangs under the one before: words 0.2 + 0.8 + 0.8; the chain "the cat" 0.5, "cat sat" 0.8 as a
    # chain and as a structure; the whole 0.6, as both. All words are equal.
    metric = make(frozenset({"the"}), trees=HandTrees())
    could = [1.8, 2.1, 1.2]
    f_scores = [0.9 * weight / (0.9 * weight + 0.1 * 3) for weight in could]
    expected = 100 * sum(w * f for w, f in zip([0.6, 0.3, 0.1], f_scores, strict=True))
    assert metric.sentence_score("the cat sat", ["the cat sat"]).value == pytest.approx(expected)


def test_the_papers_preset_is_table_1_with_plain_recall() -> None:
    (labelled,) = parse_metrics(["redp@paper"])
    assert {name: getattr(labelled.metric, name) for name in TABLE_1} == TABLE_1
    assert labelled.metric.recall == "plain"  # type: ignore[attr-defined]
    assert labelled.metric.lowercase  # type: ignore[attr-defined]


def test_an_equal_word_in_other_capitals_earns_a_quarter_less() -> None:
    matches = make().sentence_score("i saw an ant with magnifier", [ANT]).details["matches"]
    # "i" earns three quarters; so saw-I and "I saw" earn the mean of 1 and 3/4.
    earned = [5.75, 3.875 + math.exp(-1) + 1.875, 2 + math.exp(-0.5)]
    assert matches == pytest.approx([0.9 * 0.8 * credit for credit in earned])


@pytest.mark.parametrize("capitals", [0.0, 0.5, 1.0])
def test_lowercase_ignores_capitals_wholly(capitals: float) -> None:
    metric = make(lowercase=True, capitals=capitals)
    assert metric.sentence_score(SHORT.upper(), [ANT]) == metric.sentence_score(SHORT, [ANT])


def test_capitals_of_the_right_reference_are_compared() -> None:
    together = make(trees=HandTrees()).corpus_score(
        ["a b", "C d"], [["A x", "C d"], ["a b", "c"]], orientation="streams"
    )
    apart = [make(trees=HandTrees()).sentence_score(text, [text]).value for text in ("a b", "C d")]
    assert together.value == pytest.approx(np.mean(apart))


def test_modules_have_their_weights() -> None:
    metric = make_papers(
        trees=HandTrees(), synonyms=HandSynonyms((("car", "automobile"),)), one=1.0, two=0.0, three=0.0
    )
    by_module = {"car": 0.9, "cars": 0.6, "automobile": 0.6, "house": 0.0}
    for word, weight in by_module.items():
        assert metric.sentence_score(word, ["car"]).value == pytest.approx(100 * 0.8 * weight)


def test_resources_of_another_language_are_not_used() -> None:
    english = HandSynonyms((("car", "automobile"),)), HandParaphrases((("gave up", "stopped trying"),))
    metric = make(trees=HandTrees(), synonyms=english[0], paraphrases=english[1], language="de")
    assert "|synonyms:none|paraphrases:none|" in metric.signature((1, 1))
    assert metric.sentence_score("automobile", ["car"]).value == 0
    vouched = make(trees=HandTrees(), paraphrases=HandParaphrases(language=None), language="de")
    assert "|paraphrases:none|" not in vouched.signature((1, 1))


def test_function_words_weigh_less() -> None:
    metric = make_papers(frozenset({"the"}), trees=HandTrees(), one=1.0, two=0.0, three=0.0, exact=1.0)
    assert metric.sentence_score("the", ["the"]).value == pytest.approx(20)
    assert metric.sentence_score("the cat", ["the cat"]).value == pytest.approx(50)


def test_a_paraphrase_is_an_ngram_of_its_own() -> None:
    table = HandParaphrases((("gave up", "stopped trying"),))
    metric = make(trees=HandTrees(), paraphrases=table)
    score = metric.sentence_score("he gave up", ["he stopped trying"])
    # Of two words: two chains, one structure and the paraphrase, which alone matches.
    assert score.details["ngrams"] == [3, 4, 2]
    assert score.details["matches"] == pytest.approx([0.9 * 0.8, 0.6 * 0.8, 0])


def test_order_and_neighbourhood_are_required() -> None:
    metric = make(trees=HandTrees({"a b": [-1, 0]}))
    assert metric.sentence_score("b a", ["a b"]).details["matches"] == pytest.approx([1.44, 0, 0])
    # The chain a > b matches at distance 2 for 1, the structure "a b" does not.
    apart = metric.sentence_score("a x b", ["a b"]).details["matches"]
    assert apart == pytest.approx([1.44, 0.72 * math.exp(-1), 0])


@pytest.mark.slow
@settings(max_examples=100, deadline=None)
@given(heads=heads_strategy(max_size=7), hypothesis=st.permutations("abcdefg"), data=st.data())
def test_scores_equal_the_twin(heads: list[int], hypothesis: list[str], data: st.DataObject) -> None:
    # Words occur once, so that the alignment is known.
    reference = data.draw(st.permutations("abcdefg"))[: len(heads)]
    hypothesis = hypothesis[: data.draw(st.integers(0, 7))]
    words = frozenset(data.draw(st.sets(st.sampled_from("abcdefg"))))
    links = {i: (hypothesis.index(word), "exact") for i, word in enumerate(reference) if word in hypothesis}
    trees = HandTrees({" ".join(reference): heads})
    for metric, weights in ((make_papers(words, trees=trees), TABLE_1), (make(words, trees=trees), DEFAULTS)):
        score = metric.sentence_score(" ".join(hypothesis), [" ".join(reference)]).value
        weighed = metric.recall == "weighed"
        expected = redp(
            hypothesis, reference, heads, links, function_words=words, given=weights, weighed=weighed
        )
        assert score == pytest.approx(100 * expected, rel=1e-12, abs=1e-12)


def test_the_best_reference_counts() -> None:
    metric = make()
    together = metric.sentence_score(SHORT, ["nothing like it", ANT]).value
    assert together == metric.sentence_score(SHORT, [ANT]).value


def test_the_system_score_is_the_mean() -> None:
    metric = make(trees=HandTrees())
    hypotheses, references = ["a b x", "e d e"], ["a b c", "d e"]
    parts = [metric.sentence_score(h, [r]).value for h, r in zip(hypotheses, references, strict=True)]
    system = metric.corpus_score(hypotheses, [references], orientation="streams").value
    assert system == pytest.approx(np.mean(parts))


def test_every_parameter_of_table_1_can_be_tuned() -> None:
    tunable = {option.name for option in REDp.options() if option.grid}
    assert tunable == {
        "alpha",
        "function",
        "exact",
        "stem",
        "synonym",
        "paraphrase",
        "one",
        "two",
        "three",
    }


def test_the_explanation_shows_tree_ngrams_and_alignment() -> None:
    metric = make(paraphrases=HandParaphrases((("with magnifier", "a magnifier"),)))
    explanation = metric.explain(SHORT, ["x y", ANT])
    assert explanation.score == pytest.approx(metric.sentence_score(SHORT, [ANT]).value)
    assert "  chain saw > with > magnifier: 0.437" in explanation.steps  # exp(-0.5) · 0.9 · 0.8
    aligned = explanation.steps[explanation.steps.index("aligned words:") :]
    assert "  exact: magnifier (6) – magnifier (7)" in aligned
    assert "  paraphrase: with magnifier (5–6) – a magnifier (6–7)" in aligned


def test_weights_that_mean_nothing_are_refused() -> None:
    with pytest.raises(OptionError, match="the weights one, two and three are all 0"):
        make(one=0.0, two=0.0, three=0.0)


def test_two_blank_lines_score_100() -> None:
    assert make(trees=HandTrees()).sentence_score(" ", [""]).value == 100
    assert make(trees=HandTrees()).sentence_score("a", [""]).value == 0


@pytest.mark.slow
@settings(max_examples=80, deadline=None)
@given(
    heads=heads_strategy(max_size=12),
    hypothesis=st.lists(st.sampled_from("abcdefghijkl"), max_size=12),
    functional=st.frozensets(st.sampled_from("abc")),
)
def test_no_tree_lifts_a_score_above_100(
    heads: list[int], hypothesis: list[str], functional: frozenset[str]
) -> None:
    # An n-gram earns at most 0.9 of what it counts, and the size is at least 0.9 of the counts.
    reference = list("abcdefghijkl")[: len(heads)]
    table = HandParaphrases((("a", "b"), ("c d", "d e"), ("f g h", "a")))
    metric = make(functional, trees=HandTrees({" ".join(reference): heads}), paraphrases=table)
    for text in (hypothesis, reference):
        score = metric.sentence_score(" ".join(text), [" ".join(reference)]).value
        assert 0 <= score <= 100 + 1e-9


def test_english_is_cut_into_meteors_tokens_and_other_languages_into_13a() -> None:
    by_name = {code: build_metric("redp", {"language": code, "trees": HandTrees()}) for code in ("en", "fr")}
    assert [metric.tokenizer for metric in by_name.values()] == ["meteor", "13a"]  # type: ignore[attr-defined]
    assert "|tok:meteor|" in by_name["en"].signature((1, 1))
    assert build_metric("redp", {"tokenizer": "13a"}).tokenizer == "13a"  # type: ignore[attr-defined]


@pytest.mark.parametrize(("weight", "is_missing"), [(0.5, True), (0.0, False)])
def test_paraphrases_are_missed_where_they_count(weight: float, is_missing: bool) -> None:
    assert ("paraphrases" in (make(paraphrase=weight).missing() or "")) == is_missing
