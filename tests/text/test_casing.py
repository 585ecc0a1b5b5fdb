"""Lower-casing of tokens."""

from hypothesis import given
from hypothesis import strategies as st

from tertium.kernels.strings import Vocabulary
from tertium.text import Texts
from tertium.text.columns import lower_column, lower_tokens

WORDS = st.text(st.sampled_from("abzABZ09.ßÄéΣςİ中"), min_size=1, max_size=12)


@given(texts=st.lists(st.lists(WORDS, max_size=70), max_size=5))
def test_tokens_become_lower_case_as_in_python(texts: list[list[str]]) -> None:
    column = Texts([" ".join(words) for words in texts])
    tokens = column.tokens("none")
    for lowered in (lower_tokens(column, "none"), lower_column(tokens, Vocabulary())):
        assert [lowered.words(i) for i in range(len(texts))] == [
            [w.lower() for w in words] for words in texts
        ]


@given(texts=st.lists(st.lists(WORDS, max_size=70), max_size=5))
def test_meteors_tokens_become_lower_case_after_they_are_cut(texts: list[list[str]]) -> None:
    lines = [" ".join(words) for words in texts]
    cased, lowered = Texts(lines).tokens("meteor"), Texts(lines).tokens("meteor", lowercase=True)
    words = [[word.lower() for word in cased.words(i)] for i in range(len(texts))]
    assert [lowered.words(i) for i in range(len(texts))] == words
    different = dict.fromkeys(word for text in words for word in text)
    assert lowered.vocabulary.words(lowered.distinct) == list(different)
    assert len(lowered.vocabulary) == len(different)


@given(words=st.lists(WORDS, max_size=70))
def test_words_are_numbered_in_the_order_in_which_they_come(words: list[str]) -> None:
    column = Texts([" ".join(words)])
    vocabulary = Vocabulary()
    lowered = lower_column(column.tokens("none"), vocabulary)
    different = list(dict.fromkeys(word.lower() for word in words))
    assert [vocabulary.intern(word) for word in different] == list(range(len(different)))
    assert len(lowered.vocabulary) == len(different)
