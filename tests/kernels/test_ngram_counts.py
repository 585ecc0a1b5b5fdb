"""Counts of n-grams: added up in parts they weigh as those of the whole text."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tertium.kernels.ngrams import InformationWeights, count_all_ngrams, weigh_ngrams
from tertium.metrics import NIST
from tertium.text import References, Texts

SENTENCES = st.lists(st.lists(st.sampled_from("0abc"), max_size=7).map(" ".join), min_size=1, max_size=8)


def spelled(known: InformationWeights) -> dict[tuple[str, ...], float]:
    """List the weight of every n-gram by its words."""
    grams: list[tuple[str, ...]] = []
    for parent, token in zip(known.parents.tolist(), known.tokens.tolist(), strict=True):
        grams.append((*(grams[parent] if parent >= 0 else ()), known.words[token]))
    return dict(zip(grams, known.weights.tolist(), strict=True))


@given(SENTENCES, st.integers(0, 8), st.integers(1, 5))
def test_counts_of_two_parts_weigh_as_the_whole(sentences: list[str], cut: int, order: int) -> None:
    parts = [Texts(part).tokens("none") for part in (sentences[:cut], sentences[cut:])]
    first, second = (count_all_ngrams(part, order=order) for part in parts)
    whole = weigh_ngrams(Texts(sentences).tokens("none"), order=order)
    assert spelled(first.merge(second).weigh()) == spelled(whole)


@given(SENTENCES, st.integers(0, 8))
def test_counts_do_not_depend_on_where_a_text_was_cut(sentences: list[str], cut: int) -> None:
    whole = count_all_ngrams(Texts(sentences).tokens("none"), order=3)
    parts = [
        count_all_ngrams(Texts(part).tokens("none"), order=3) for part in (sentences[:cut], sentences[cut:])
    ]
    merged = parts[1].merge(parts[0])
    assert merged.words == whole.words
    for ours, theirs in (
        (merged.parents, whole.parents),
        (merged.tokens, whole.tokens),
        (merged.counts, whole.counts),
    ):
        assert all(np.array_equal(a, b) for a, b in zip(ours, theirs, strict=True))


@given(SENTENCES, st.integers(0, 8))
def test_nist_learns_the_same_in_parts(sentences: list[str], cut: int) -> None:
    metric = NIST(tokenizer="none")
    groups = [[sentence] for sentence in sentences]
    whole = metric.fit(References(groups))
    learnt = metric.learn(References(groups[:cut])).merge(metric.learn(References(groups[cut:])))
    references = References(groups)
    hypotheses = Texts(sentences[::-1], references.vocabulary)
    expected = whole.statistics(hypotheses, references)
    np.testing.assert_array_equal(metric.fit_learnt(learnt).statistics(hypotheses, references), expected)
