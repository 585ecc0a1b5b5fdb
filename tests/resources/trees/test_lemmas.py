"""Lemmas by rules and by the table of exceptions."""

import pytest

from tertium.resources.trees.core_parser import Lemmatizer

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
