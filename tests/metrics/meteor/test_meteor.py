"""METEOR against the scores and alignments that METEOR 1.5 gave, and by hand."""

from typing import Any

import numpy as np
import pytest

from reference.golden import golden_pairs, golden_table
from reference.meteor_words import GOLDEN_PARAPHRASES, GOLDEN_WORDS, HandParaphrases, HandSynonyms, HandWords
from tertium.errors import InputError, OptionError, ResourceError, UnknownNameError
from tertium.files.extras import install_hint
from tertium.metrics.meteor.meteor import METEOR
from tertium.resources.synonyms import load_wordnet
from tertium.text import References, Texts

OPTIONS: dict[str, dict[str, Any]] = {
    "en_norm": {},
    "en_lower": {"normalize": False},
    "en_exact": {"modules": ("exact",)},
    "en_exact_stem": {"modules": ("exact", "stem")},
    "en_exact_stem_syn": {"modules": ("exact", "stem", "synonym")},
    "en_adq_norm": {"task": "adq"},
    "de_exact_stem": {"language": "de", "modules": ("exact", "stem")},
}
SETS = ("raw", "tok", "multi_raw", "multi_tok")


def golden_meteor(**options: Any) -> METEOR:
    return METEOR(word_lists=GOLDEN_WORDS, synonyms=load_wordnet(), paraphrases=GOLDEN_PARAPHRASES, **options)


def plain(**options: Any) -> METEOR:
    return METEOR(word_lists=HandWords(frozenset({"the", "."})), **options)


def golden_texts(name: str) -> tuple[list[str], list[str], list[list[str]]]:
    pairs = golden_pairs(tokenized=name.endswith("tok"))
    if name.startswith("multi"):
        pairs = {key: texts for key, texts in pairs.items() if texts[2]}
    groups = [[r, *([second] if name.startswith("multi") else [])] for _, r, second in pairs.values()]
    return list(pairs), [h for h, _, _ in pairs.values()], groups


@pytest.mark.parametrize("column", OPTIONS)
@pytest.mark.parametrize("name", SETS)
def test_scores_equal_meteor(name: str, column: str) -> None:
    expected = golden_table(f"meteor/{name}")
    ids, hypotheses, groups = golden_texts(name)
    metric = golden_meteor(**OPTIONS[column])
    references = References(groups)
    rows = metric.fit(references).statistics(Texts(hypotheses, references.vocabulary), references)
    # METEOR prints seventeen digits; both sides add and multiply the same numbers in another order.
    np.testing.assert_allclose(
        metric.segment_scores(rows) / 100, [float(expected[key][column]) for key in ids], rtol=1e-12
    )
    system = float(metric.combine(rows.sum(axis=0))) / 100
    assert system == pytest.approx(float(expected["#corpus"][column]), rel=1e-12)


@pytest.mark.parametrize("kind", ["synonym", "paraphrase"])
@pytest.mark.parametrize("name", SETS)
def test_alignments_equal_meteor(name: str, kind: str) -> None:
    expected = golden_table("meteor/alignments")
    metric = golden_meteor(**({"modules": ("exact", "stem", "synonym")} if kind == "synonym" else {}))
    ids, hypotheses, groups = golden_texts(name)
    for key, hypothesis, group in zip(ids, hypotheses, groups, strict=True):
        row = expected[f"{name}/{kind}/{key}"]
        explanation = metric.explain(hypothesis, group)
        assert " ".join(explanation.hypothesis) == row["hypothesis"]
        assert " ".join(explanation.reference) == row["reference"]
        assert sorted(explanation.links) == sorted(_links(row["matches"]))


def _links(text: str) -> list[tuple[int, int, str]]:
    links = []
    for match in text.split():
        reference, hypothesis, kind = match.split(",")
        (r, r_length), (h, h_length) = (map(int, span.split(":")) for span in (reference, hypothesis))
        name = ("exact", "stem", "synonym", "paraphrase")[int(kind)]
        links += [(h + i, r + j, name) for i in range(h_length) for j in range(r_length)]
    return links


def test_the_formula_by_hand() -> None:
    # Five of six words match in two chunks; content words weigh 3/4, function words (the, the) 1/4.
    metric = plain(modules=("exact",))
    score = metric.sentence_score("the cat sat on the mat", ["the cat is on the mat"])
    precision = (0.75 * 3 + 0.25 * 2) / (0.75 * 4 + 0.25 * 2)
    assert score.value == pytest.approx(100 * precision * (1 - 0.6 * (2 / 5) ** 0.2), rel=1e-12)
    assert score.details["chunks"] == 2


def test_a_perfect_segment_has_no_chunk_in_the_system_score() -> None:
    metric = plain(modules=("exact",))
    pair = metric.corpus_score(["a b", "c d"], [["a b", "d c"]])
    # Two chunks of four matched words, not three.
    assert pair.value == pytest.approx(100 * (1 - 0.6 * (2 / 4) ** 0.2), rel=1e-12)


def test_options_take_the_place_of_the_tasks_parameters() -> None:
    metric = plain(modules=("exact",), alpha=0.5, beta=1.0, gamma=0.5, delta=0.5)
    tuned = plain(modules=("exact",), task="tune")
    assert metric.parameters == tuned.parameters.__class__(0.5, 1.0, 0.5, 0.5, (1.0, 0.6, 0.8, 0.6))
    assert metric.sentence_score("a b x", ["b a"]).value == tuned.sentence_score("a b x", ["b a"]).value


def test_weights_belong_to_modules_in_their_order() -> None:
    synonyms = HandSynonyms((("car", "automobile"),))
    metric = plain(modules=("exact", "synonym"), synonyms=synonyms)
    assert metric.sentence_score("car", ["automobile"]).value == pytest.approx(60)
    given = plain(modules=("synonym", "exact"), synonyms=synonyms, weights=(0.3, 1.0))
    assert given.sentence_score("car", ["automobile"]).value == pytest.approx(30)


def test_resources_of_another_language_are_not_used() -> None:
    metric = METEOR(
        word_lists=HandWords(), synonyms=HandSynonyms(), paraphrases=HandParaphrases(), language="de"
    )
    assert metric.kinds == ("exact", "stem")
    assert "paraphrases:none" in metric.signature((1, 1))
    vouched = METEOR(word_lists=HandWords(), paraphrases=HandParaphrases(language=None), language="de")
    assert vouched.kinds == ("exact", "stem", "paraphrase")


def test_languages_that_meteor_did_not_tune_have_its_general_parameters() -> None:
    metric = plain(language="fi")
    assert metric.parameters.alpha == 0.75
    assert metric.sentence_score("talossa", ["talossa on"]).value > 0


@pytest.mark.parametrize(
    ("language", "hypothesis", "reference", "kind"),
    [("fr", "n'", "le", "exact"), ("en", "f1", "do", "exact"), ("en", "doing", "f1", "stem")],
)
def test_words_with_the_same_hash_match_as_in_meteor(
    language: str, hypothesis: str, reference: str, kind: str
) -> None:
    metric = plain(language=language, modules=("exact", "stem"), normalize=False)
    explanation = metric.explain(hypothesis, [reference])
    assert list(explanation.links) == [(0, 0, kind)]
    assert explanation.steps[0].endswith("(1), which METEOR treats as the same word: equal hashes") == (
        kind == "exact"
    )


def test_synonyms_and_function_words_are_known_by_their_letters() -> None:
    synonyms = HandSynonyms((("do", "make"),))
    metric = plain(modules=("exact", "synonym"), synonyms=synonyms)
    assert metric.sentence_score("make", ["do"]).value > 0
    assert metric.sentence_score("make", ["f1"]).value == 0


def test_the_explanation_names_every_match_and_what_is_left() -> None:
    explanation = golden_meteor().explain(*_pair("mr2"))
    assert "paraphrase: action which (6–7) – action that (6–7)" in explanation.steps
    assert explanation.steps[-2].startswith("without a match in the hypothesis: obeys (13)")
    assert explanation.facts["paraphrase matches"] == 2
    precision, recall, penalty = (
        float(explanation.facts[name]) for name in ("precision", "recall", "penalty")
    )
    mean = precision * recall / (0.85 * precision + 0.15 * recall)
    assert explanation.score == pytest.approx(100 * mean * (1 - penalty), rel=1e-12)
    assert explanation.score == pytest.approx(43.494652259776, rel=1e-12)


def _pair(key: str) -> tuple[str, list[str]]:
    hypothesis, reference, second = golden_pairs()[key]
    return hypothesis, [reference, second]


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"language": "xx"}, UnknownNameError, "unknown language 'xx'; METEOR supports cs, da, de"),
        (
            {"modules": ("paraphrase",)},
            ResourceError,
            "module paraphrase needs a table: pass paraphrases=FILE",
        ),
        ({"modules": ("synonym",)}, OptionError, "there are no synonyms for en"),
        ({"modules": ("exact", "exact")}, OptionError, "a module is given twice"),
        ({"modules": ("stem",), "language": "cs"}, OptionError, "there is no stemmer for cs"),
        ({"task": "adq", "language": "de"}, OptionError, "not tuned to task adq for de"),
        ({"modules": ("exact", "stem"), "weights": (1.0,)}, OptionError, "1 weights for 2 modules"),
        ({"task": "util"}, OptionError, "task must be rank, adq, hter, li or tune"),
    ],
)
def test_options_that_cannot_be_are_refused(options: dict[str, Any], error: type, message: str) -> None:
    with pytest.raises(error, match=message):
        plain(**options)


def test_a_segment_that_would_exhaust_memory_is_refused_before_the_search() -> None:
    words = " ".join(["again"] * 5000)
    with pytest.raises(InputError, match=r"5,000 words .* 25,000,000 possible matches, .* 29 GB; split them"):
        plain().sentence_score(words, [words])
    synonyms = HandSynonyms((("car", "automobile"),))
    cars, automobiles = " ".join(["car"] * 5000), " ".join(["automobile"] * 5000)
    with pytest.raises(InputError, match="25,000,000 possible matches"):
        METEOR(word_lists=HandWords(), synonyms=synonyms).sentence_score(cars, [automobiles])


def test_a_long_segment_of_different_words_is_aligned() -> None:
    words = " ".join(f"w{i}x" for i in range(6000))
    assert plain().sentence_score(words, [words]).value == pytest.approx(100)


OURS = HandWords(frozenset({"the"}), identity="tertium[1f3a9c02]")


@pytest.mark.parametrize(
    ("metric", "missing"),
    [
        (METEOR(word_lists=OURS), "paraphrases and function words"),
        (METEOR(word_lists=OURS, paraphrases=GOLDEN_PARAPHRASES), "function words"),
        (METEOR(word_lists=GOLDEN_WORDS), "paraphrases"),
        (METEOR(word_lists=GOLDEN_WORDS, modules=("exact", "stem")), None),
        (METEOR(word_lists=GOLDEN_WORDS, paraphrases=GOLDEN_PARAPHRASES), None),
    ],
)
def test_what_is_missing_of_meteors_distribution_is_said(metric: METEOR, missing: str | None) -> None:
    said = None if missing is None else f"computed without METEOR's {missing}; to add them: "
    assert metric.missing() == (None if said is None else said + install_hint("meteor"))


def test_paraphrases_of_other_languages_are_asked_for_by_file() -> None:
    missing = METEOR(word_lists=GOLDEN_WORDS, language="de").missing()
    assert missing == "computed without METEOR's paraphrases; to add them: paraphrases=FILE"


def test_synonyms_where_meteor_has_none_weigh_as_its_general_ones() -> None:
    synonyms = HandSynonyms((("haus", "heim"),), language="de")
    metric = plain(language="de", synonyms=synonyms)
    assert metric.kinds == ("exact", "stem", "synonym")
    own = plain(language="de").parameters.weights
    assert metric.parameters.weights == (*own[:2], 0.5, *own[2:])


def test_a_task_that_meteor_was_not_tuned_to_takes_the_given_parameters() -> None:
    given = {"alpha": 0.5, "beta": 1.0, "gamma": 0.5, "delta": 0.5, "weights": (1.0, 0.5, 0.5, 0.5)}
    metric = plain(language="de", task="adq", **given)
    general = plain(language="de", task="tune")
    assert (
        metric.sentence_score("haus x", ["x haus"]).value
        == general.sentence_score("haus x", ["x haus"]).value
    )
