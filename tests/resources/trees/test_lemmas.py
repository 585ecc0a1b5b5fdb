"""Base forms by rule, by table, and lazily."""

import pytest

from tertium.resources.trees.lemmas import LazyLemmas, Lemmatizer

TABLE = {"AUX": {"was": "be"}, "NOUN": {"news": "news"}}


@pytest.mark.parametrize(
    ("word", "tag", "lemma"),
    [
        ("Cats", "NOUN", "cat"),
        ("boxes", "NOUN", "box"),
        ("cities", "NOUN", "city"),
        ("glass", "NOUN", "glass"),
        ("news", "NOUN", "news"),
        ("dolphinariums", "NOUN", "dolphinarium"),
        ("running", "VERB", "run"),
        ("falling", "VERB", "fall"),
        ("made", "VERB", "make"),
        ("hopes", "VERB", "hope"),
        ("was", "AUX", "be"),
        ("taller", "ADJ", "tall"),
        ("Paris", "PROPN", "Paris"),
        ("US", "PROPN", "US"),
        ("The", "DET", "the"),
        ("2,000", "NUM", "2,000"),
        ("s", "NOUN", "s"),
        ("", "NOUN", ""),
    ],
)
def test_the_base_form_fits_the_part_of_speech(word: str, tag: str, lemma: str) -> None:
    assert Lemmatizer(TABLE)(word, tag) == lemma


def test_lazy_lemmas_are_made_once_and_only_when_asked_for() -> None:
    calls = []
    lemmas = LazyLemmas(lambda: calls.append(1) or ["a", "b"])  # type: ignore[func-returns-value]
    assert calls == []
    assert (len(lemmas), lemmas[1], list(lemmas)) == (2, "b", ["a", "b"])
    assert calls == [1]
