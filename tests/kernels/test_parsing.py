"""The compiled parser equals its slow twin, and every tree that it makes is one."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reference.arc_parser import Tables, parse_sentence, random_tables
from tertium.kernels.strings import Vocabulary
from tertium.kernels.syntax import label_texts, make_parser_model, parse_texts
from tertium.kernels.threads import use_threads
from tertium.resources.trees.core_parser import FILE, read_parser_file
from tertium.text import Texts
from tertium.values import TokenColumn

REAL = read_parser_file(FILE)[0].tables
REFERENCES = Path(__file__).parents[2] / "examples" / "data" / "reference.en.txt"

sentences_strategy = st.lists(
    st.lists(st.text(st.characters(exclude_categories=["Cs"])), max_size=12), max_size=4
)


def column(sentences: Sequence[Sequence[str]]) -> TokenColumn:
    vocabulary = Vocabulary()
    ids = vocabulary.intern_all([word for words in sentences for word in words])
    offsets = np.concatenate([[0], np.cumsum([len(words) for words in sentences])]).astype(np.int64)
    return TokenColumn(ids, offsets, vocabulary)


def flat(sentences: Sequence[Sequence[str]], tables: Tables) -> list[list[int]]:
    """What the twin makes of sentences: heads, tags and relations, each in one list."""
    parses = [parse_sentence(words, tables) for words in sentences]
    return [[number for parse in parses for number in parse[k]] for k in range(3)]


def parse(sentences: TokenColumn, tables: Tables) -> list[list[int]]:
    """What the kernels make of sentences."""
    model = make_parser_model(tables)
    heads = parse_texts(sentences, model)
    return [part.tolist() for part in (heads, *label_texts(sentences, heads, model))]


def is_projective_tree(heads: Sequence[int]) -> bool:
    arcs = [(min(i, head), max(i, head)) for i, head in enumerate(heads) if head >= 0]
    crosses = any(a < c < b < d for a, b in arcs for c, d in arcs)
    return heads.count(-1) == 1 and not crosses and all(_reaches_root(heads, i) for i in range(len(heads)))


def _reaches_root(heads: Sequence[int], at: int) -> bool:
    for _ in heads:
        if at == -1:
            return True
        at = heads[at]
    return at == -1


@settings(max_examples=30, deadline=None)
@given(sentences_strategy, st.integers(0, 2**32 - 1))
def test_a_random_model_gives_the_twins_trees(sentences: list[list[str]], seed: int) -> None:
    known = [word for words in sentences for word in words[::2]]  # the others are unknown words
    tables = random_tables(np.random.default_rng(seed), known)
    assert parse(column(sentences), tables) == flat(sentences, tables)


@pytest.mark.slow
def test_real_text_gets_the_twins_trees() -> None:
    tokens = Texts(REFERENCES.read_text(encoding="utf-8").splitlines()[:25]).tokens("13a")
    sentences = [tokens.words(i) for i in range(len(tokens))]
    assert parse(tokens, REAL) == flat(sentences, REAL)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.sampled_from(["the", "cat", "sat", "on", "a", ".", ",", "and", "not", "Paris", "1.5", "²", "x̂"]),
        min_size=1,
        max_size=90,
    )
)
def test_every_tree_is_projective_with_one_root(words: list[str]) -> None:
    heads = parse_texts(column([words]), make_parser_model(REAL))
    assert is_projective_tree(heads.tolist())


@pytest.mark.parametrize("n_words", [0, 1, 2, 1000])
def test_any_length_has_a_tree(n_words: int) -> None:
    words = [("a", "dog")[i % 2] for i in range(n_words)]
    heads, tags, relations = parse(column([words]), REAL)
    assert (len(heads), len(tags), len(relations)) == (n_words, n_words, n_words)
    assert heads.count(-1) == relations.count(-1) == min(n_words, 1)


def test_threads_do_not_change_the_trees() -> None:
    tokens = Texts(REFERENCES.read_text(encoding="utf-8").splitlines() * 4).tokens("13a")
    with use_threads(1):
        alone = parse(tokens, REAL)
    with use_threads(5):
        assert parse(tokens, REAL) == alone


def test_a_tree_does_not_depend_on_the_other_texts() -> None:
    texts = REFERENCES.read_text(encoding="utf-8").splitlines()[:8]
    model = make_parser_model(REAL)
    together = parse_texts(Texts(texts).tokens("13a"), model)
    alone = [parse_texts(Texts([text]).tokens("13a"), model) for text in reversed(texts)]
    np.testing.assert_array_equal(together, np.concatenate(alone[::-1]))


@pytest.mark.parametrize("name", [name for name in REAL if name != "keys"])
def test_a_table_of_the_wrong_size_is_refused(name: str) -> None:
    tables = dict(REAL) | {name: REAL[name].reshape(-1)[:-1]}
    with pytest.raises(ValueError, match="the parser's tables do not fit together"):
        make_parser_model(tables)


def test_ids_outside_the_vocabulary_are_refused() -> None:
    tokens = column([["a", "dog"]])
    foreign = TokenColumn(tokens.ids + np.int32(1), tokens.offsets, tokens.vocabulary)
    with pytest.raises(IndexError, match="no such token id"):
        parse_texts(foreign, make_parser_model(REAL))


@pytest.mark.parametrize("heads", [[1, 0], [2, -1], [-2, -1]])
def test_labels_are_given_to_trees_only(heads: list[int]) -> None:
    with pytest.raises(ValueError, match="heads must be tokens of their sentence, without cycles"):
        label_texts(column([["a", "dog"]]), np.array(heads, dtype=np.int32), make_parser_model(REAL))
