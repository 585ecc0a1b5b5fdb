"""N-grams and words that two systems get right: what counting them one by one gives."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tertium.evaluation.text_differences import count_ngram_gains, recall_by_frequency
from tertium.values import Corpus

Ngram = tuple[str, ...]
texts = st.lists(st.sampled_from(["a", "b", "c", "d"]), max_size=8).map(" ".join)
segments = st.tuples(st.lists(texts, min_size=1, max_size=3), texts, texts)
corpora = st.lists(segments, min_size=1, max_size=6).map(
    lambda rows: Corpus(
        [references for references, _, _ in rows],
        {"one": [first for _, first, _ in rows], "two": [second for _, _, second in rows]},
    )
)


def ngrams(text: str, n: int) -> Counter[Ngram]:
    words = text.split()
    return Counter(tuple(words[i : i + n]) for i in range(len(words) - n + 1))


def most_of_references(corpus: Corpus, segment: int, n: int) -> Counter[Ngram]:
    most: Counter[Ngram] = Counter()
    for reference in corpus.references[segment]:
        most |= ngrams(reference, n)
    return most


def matches(corpus: Corpus, system: str, n: int) -> Counter[Ngram]:
    found: Counter[Ngram] = Counter()
    for i, text in enumerate(corpus.systems[system]):
        found += ngrams(text, n) & most_of_references(corpus, i, n)
    return found


@pytest.mark.slow
@settings(max_examples=100, deadline=None)
@given(corpora)
def test_gains_are_those_of_a_textbook(corpus: Corpus) -> None:
    better, worse = count_ngram_gains(corpus, "one", "two", tokenizer="none", order=3, most=10_000)
    found = {ngram.words: ngram.matches for ngram in [*better, *worse]}
    expected: dict[Ngram, tuple[int, int]] = {}
    for n in (1, 2, 3):
        one, two = matches(corpus, "one", n), matches(corpus, "two", n)
        expected |= {gram: (one[gram], two[gram]) for gram in one | two if one[gram] != two[gram]}
    assert found == expected
    assert all(ngram.gain > 0 for ngram in better)
    assert all(ngram.gain < 0 for ngram in worse)


@settings(max_examples=100, deadline=None)
@given(corpora)
def test_recall_is_that_of_a_textbook(corpus: Corpus) -> None:
    frequency = Counter(word for group in corpus.references for text in group for word in text.split())
    totals: Counter[Ngram] = Counter()
    for i in range(len(corpus)):
        totals += most_of_references(corpus, i, 1)
    one, two = (matches(corpus, name, 1) for name in ("one", "two"))
    expected = {}
    for name, low, high in (("once", 1, 1), ("2 to 5 times", 2, 5), ("6 to 20 times", 6, 20)):
        words = [gram for gram in totals if low <= frequency[gram[0]] <= high]
        n = sum(totals[gram] for gram in words)
        if n:
            expected[name] = (n, *(sum(side[gram] for gram in words) / n for side in (one, two)))
    rows = recall_by_frequency(corpus, "one", "two", tokenizer="none")
    found = {row.name: (row.n_words, *row.recalls) for row in rows if row.name in expected}
    assert found == expected
    assert sum(row.n_words for row in rows) == sum(totals.values())


def test_the_most_telling_go_first_and_longer_ones_before_shorter() -> None:
    corpus = Corpus([["x x x y z"]], {"one": ["y"], "two": ["x x x q y z"]})
    better, worse = count_ngram_gains(corpus, "one", "two", most=3)
    assert [ngram.words for ngram in better] == [("x",), ("x", "x"), ("x", "x", "x")]
    assert [ngram.gain for ngram in better] == [3, 2, 1]
    assert worse == []


def test_no_words_have_no_gains() -> None:
    corpus = Corpus([[""], [""]], {"one": ["", ""], "two": ["", ""]})
    assert count_ngram_gains(corpus, "one", "two") == ([], [])
    assert recall_by_frequency(corpus, "one", "two") == []


def test_an_n_gram_does_not_cross_the_border_of_a_text() -> None:
    corpus = Corpus([["a b"], ["c d"]], {"one": ["", ""], "two": ["a b", "c d"]})
    better, _ = count_ngram_gains(corpus, "one", "two", most=100)
    assert ("b", "c") not in {ngram.words for ngram in better}
    assert max(len(ngram.words) for ngram in better) == 2
