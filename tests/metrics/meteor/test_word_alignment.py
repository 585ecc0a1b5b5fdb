"""The aligner against METEOR's beam search in plain Python and against all alignments there are."""

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from reference.match_counts import count_pair
from reference.word_alignment import Match, align, all_alignments, count_chunks, coverage, find_matches
from tertium.kernels.meteor import WordAligner, make_phrase_table
from tertium.kernels.strings import Vocabulary, hash_vocabulary, hash_words, tokenize_texts
from tertium.kernels.threads import use_threads
from tertium.values import IdArray, IdRows, PhrasePairs, WordAlignments

# Words a1, a2, … share a stem; those with the same number share a synset.
WORDS = [letter + digit for letter in "abc" for digit in "123"]
PAIRS = st.lists(
    st.tuples(*[st.lists(st.sampled_from(WORDS), min_size=1, max_size=3).map(tuple)] * 2), max_size=6
)
ALL = WordAlignments.KINDS
Pairs = Sequence[tuple[tuple[str, ...], tuple[str, ...]]]


def texts(max_size: int) -> st.SearchStrategy[list[str]]:
    return st.lists(st.sampled_from(WORDS), max_size=max_size)


def classes(vocabulary: Vocabulary) -> tuple[IdArray, IdRows]:
    words = vocabulary.words(np.arange(len(vocabulary), dtype=np.int32))
    stems = np.array([ord(word[0]) for word in words], dtype=np.int32)
    synsets = np.array([int(word[1]) for word in words], dtype=np.int32)
    return stems, IdRows(synsets, np.arange(len(words) + 1, dtype=np.int64))


def run(
    hypotheses: list[list[str]],
    references: list[list[str]],
    pairs: Pairs,
    *,
    kinds: tuple[str, ...] = ALL,
    beam: int = 40,
) -> WordAlignments:
    vocabulary = Vocabulary()
    one = tokenize_texts([" ".join(text) for text in hypotheses], "none", vocabulary)
    other = tokenize_texts([" ".join(text) for text in references], "none", vocabulary)
    stems, synsets = classes(vocabulary)
    phrases: PhrasePairs = make_phrase_table([(" ".join(a), " ".join(b)) for a, b in pairs])
    groups = np.arange(len(references) + 1, dtype=np.int64)
    aligner = WordAligner(kinds, stems=stems, synsets=synsets, phrases=phrases, beam=beam)
    return aligner.align(one, other, groups)


def matches_of(
    hypothesis: list[str],
    reference: list[str],
    pairs: Pairs,
    kinds: tuple[str, ...] = ALL,
) -> list[Match]:
    found = find_matches(hypothesis, reference, lambda w: w[0], lambda w: {int(w[1])}, pairs)
    return [match for match in found if ALL[match[4]] in kinds]


def rows(found: WordAlignments, i: int = 0) -> list[Match]:
    return [tuple(row) for row in found.of(i).tolist()]


@pytest.mark.slow
@settings(max_examples=300, deadline=None)
@given(
    hypothesis=texts(9), reference=texts(9), pairs=PAIRS, beam=st.sampled_from([1, 2, 5, 40]),
    kinds=st.sets(st.sampled_from(ALL), min_size=1).map(lambda chosen: tuple(k for k in ALL if k in chosen)),
)  # fmt: skip
def test_the_alignment_is_that_of_the_beam_search(
    hypothesis: list[str],
    reference: list[str],
    pairs: Pairs,
    beam: int,
    kinds: tuple[str, ...],
) -> None:
    found = run([hypothesis], [reference], pairs, kinds=kinds, beam=beam)
    matches = matches_of(hypothesis, reference, pairs, kinds)
    expected = align(matches, len(reference), beam)
    assert rows(found) == expected
    assert found.chunks[0] == count_chunks(expected)


@settings(max_examples=60, deadline=None)
@given(hypothesis=texts(5), reference=texts(5), pairs=PAIRS)  # a beam without end keeps every path there is
@example([], [], [])
def test_ranks_too_large_for_one_number_choose_alike(
    hypothesis: list[str], reference: list[str], pairs: Pairs
) -> None:
    endless = 1 << 62
    found = run([hypothesis], [reference], pairs, beam=endless)
    assert rows(found) == align(matches_of(hypothesis, reference, pairs), len(reference), endless)


@settings(max_examples=25, deadline=None)
@given(hypothesis=texts(90), reference=texts(80), pairs=PAIRS, beam=st.sampled_from([2, 10, 40]))
def test_long_texts_are_aligned_alike(
    hypothesis: list[str], reference: list[str], pairs: Pairs, beam: int
) -> None:
    found = run([hypothesis], [reference], pairs, beam=beam)
    assert rows(found) == align(matches_of(hypothesis, reference, pairs), len(reference), beam)


@settings(max_examples=60, deadline=None)
@given(
    texts=st.lists(st.tuples(texts(30), texts(30)), min_size=1, max_size=4),
    pairs=st.lists(
        st.tuples(*[st.lists(st.sampled_from(WORDS), min_size=1, max_size=5).map(tuple)] * 2), max_size=150
    ),
)
def test_every_paraphrase_of_a_large_table_is_found(
    texts: list[tuple[list[str], list[str]]], pairs: Pairs
) -> None:
    hypotheses, references = ([list(pair[side]) for pair in texts] for side in (0, 1))
    found = run(hypotheses, references, pairs, kinds=("paraphrase",), beam=5)
    for i, (hypothesis, reference) in enumerate(texts):
        matches = matches_of(hypothesis, reference, pairs, ("paraphrase",))
        assert rows(found, i) == align(matches, len(reference), 5)


@settings(max_examples=100, deadline=None)
@given(
    texts=st.lists(st.tuples(texts(70), st.lists(texts(20), min_size=1, max_size=3)), min_size=1, max_size=4),
    pairs=PAIRS,
    functional=st.sets(st.sampled_from(WORDS)),
)
def test_matched_words_are_counted_one_by_one(
    texts: list[tuple[list[str], list[list[str]]]], pairs: Pairs, functional: set[str]
) -> None:
    vocabulary = Vocabulary()
    flat = [reference for _, references in texts for reference in references]
    one, other = (
        tokenize_texts([" ".join(text) for text in side], "none", vocabulary)
        for side in ([hypothesis for hypothesis, _ in texts], flat)
    )
    groups = np.concatenate([[0], np.cumsum([len(references) for _, references in texts])])
    stems, synsets = classes(vocabulary)
    phrases = make_phrase_table([(" ".join(a), " ".join(b)) for a, b in pairs])
    aligner = WordAligner(ALL, stems=stems, synsets=synsets, phrases=phrases)
    found = aligner.align(one, other, groups)
    words = vocabulary.words(np.arange(len(vocabulary), dtype=np.int32))
    flags = np.array([word in functional for word in words], dtype=bool)
    counts = aligner.count(one, other, groups, flags)
    owners = [i for i, (_, references) in enumerate(texts) for _ in references]
    for r, i in enumerate(owners):
        sides = [
            column.ids[column.offsets[k] : column.offsets[k + 1]] for column, k in ((one, i), (other, r))
        ]
        expected = count_pair(
            (list(sides[0]), list(sides[1])), rows(found, r), int(found.chunks[r]), flags.tolist()
        )
        assert counts[r].tolist() == expected


@pytest.mark.parametrize("side", [0, 1])
def test_every_word_needs_an_entry_among_the_function_words(side: int) -> None:
    vocabulary = Vocabulary()
    short, long = (tokenize_texts([text], "none", vocabulary) for text in ("a1", "a1 b1"))
    columns = (long, short) if side == 0 else (short, long)
    with pytest.raises(ValueError, match="is_function_word needs an entry for every word"):
        WordAligner(["exact"]).count(*columns, np.array([0, 1]), np.zeros(1, dtype=bool))


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(hypothesis=texts(5), reference=texts(5), pairs=PAIRS)
def test_a_wide_beam_finds_the_best_of_all_alignments(
    hypothesis: list[str], reference: list[str], pairs: Pairs
) -> None:
    matches = matches_of(hypothesis, reference, pairs)
    if len(matches) > 14:
        return  # too many subsets
    best = min((-coverage(chosen), count_chunks(chosen)) for chosen in all_alignments(matches))
    found = rows(run([hypothesis], [reference], pairs, beam=100_000))
    assert (-coverage(found), count_chunks(found)) == best


# What METEOR 1.5 was seen to do: hypothesis, reference, (reference word, hypothesis word) pairs.
OBSERVED = [
    ("a1", "a1 a1", [(1, 0)], "the first place loses where nothing is passed over"),
    ("x a1", "a1 a1", [(0, 1)], "the first place wins where a distance is saved"),
    ("a1 b1", "a1 b1 r a1 b1", [(3, 0), (4, 1)], "later of two equal chunks"),
    ("a1 a1", "a1 a1 r a1 a1", [(0, 0), (1, 1)], "earlier of two chunks of one word"),
    ("a1 a1", "a1", [(0, 0)], "the hypothesis's first"),
]


@pytest.mark.parametrize(
    ("hypothesis", "reference", "links"), [case[:3] for case in OBSERVED], ids=[case[3] for case in OBSERVED]
)
def test_ties_fall_as_in_meteor(hypothesis: str, reference: str, links: list[tuple[int, int]]) -> None:
    vocabulary = Vocabulary()
    one, other = (tokenize_texts([text], "none", vocabulary) for text in (hypothesis, reference))
    found = WordAligner(["exact"]).align(one, other, np.array([0, 1]))
    assert [(row[0], row[2]) for row in rows(found)] == links


def test_an_inexact_match_with_a_rival_is_left_out_unless_it_joins_a_chunk() -> None:
    # a1 and a2 share a stem and nothing else; the second a1 makes the match compete.
    assert rows(run([["a1", "a1"]], [["a2"]], [], kinds=("stem",))) == []
    joined = run([["b1", "a1", "x1", "a1"]], [["b1", "a2"]], [], kinds=("exact", "stem"))
    assert [row[4] for row in rows(joined)] == [0, 1]


def test_a_pair_that_stands_twice_in_the_table_competes_with_itself() -> None:
    once, twice = [(("a1",), ("b2",))], [(("a1",), ("b2",)), (("b2",), ("a1",))]
    assert len(rows(run([["a1"]], [["b2"]], once, kinds=("paraphrase",)))) == 1
    assert rows(run([["a1"]], [["b2"]], twice, kinds=("paraphrase",))) == []


def test_every_reference_of_a_segment_is_aligned() -> None:
    vocabulary = Vocabulary()
    one = tokenize_texts(["a b", "c"], "none", vocabulary)
    other = tokenize_texts(["b", "a b", "", "c c"], "none", vocabulary)
    found = WordAligner(["exact"]).align(one, other, np.array([0, 2, 4]))
    assert np.diff(found.offsets).tolist() == [1, 2, 0, 1]
    assert found.chunks.tolist() == [1, 1, 0, 1]


def test_the_number_of_threads_does_not_matter() -> None:
    rng = np.random.default_rng(7)
    sides = [[list(rng.choice(WORDS, rng.integers(0, 12))) for _ in range(400)] for _ in range(2)]
    results = []
    for threads in (1, 4):
        with use_threads(threads):
            results.append(run(sides[0], sides[1], [(("a1", "b1"), ("c2",))]))
    np.testing.assert_array_equal(results[0].matches, results[1].matches)
    np.testing.assert_array_equal(results[0].offsets, results[1].offsets)


def test_words_with_equal_codes_are_equal() -> None:
    # Words by their numbers: a1 and b1 are taken for equal, so they share no stem or synset besides.
    vocabulary = Vocabulary()
    one, other = (tokenize_texts([text], "none", vocabulary) for text in ("a1 b2", "b1 a2"))
    stems, synsets = classes(vocabulary)
    codes = np.array(
        [{"a1": 7, "b1": 7}.get(w, i) for i, w in enumerate(vocabulary.words(np.arange(4, dtype=np.int32)))],
        dtype=np.int32,
    )
    found = WordAligner(ALL, codes, stems, synsets).align(one, other, np.array([0, 1]))
    assert (0, 1, 0, 1, ALL.index("exact")) in rows(found)
    found = WordAligner(["synonym"], codes, synsets=synsets).align(one, other, np.array([0, 1]))
    assert [row[:3] for row in rows(found)] == [(1, 1, 1)]


def test_an_empty_beam_is_refused() -> None:
    column = tokenize_texts(["a b"], "none", Vocabulary())
    with pytest.raises(ValueError, match="the beam must not be empty"):
        WordAligner(["exact"], beam=0).align(column, column, np.array([0, 1]))


def test_words_without_a_code_are_refused() -> None:
    column = tokenize_texts(["a b"], "none", Vocabulary())
    with pytest.raises(ValueError, match="every word needs a code"):
        WordAligner(["exact"], codes=np.zeros(1, dtype=np.int32)).align(column, column, np.array([0, 1]))


def java_hash(word: str) -> int:
    hash_ = 0
    units = word.encode("utf-16-le")
    for at in range(0, len(units), 2):
        hash_ = hash_ * 31 + int.from_bytes(units[at : at + 2], "little")
    return (hash_ + 2**31) % 2**32 - 2**31


@given(words=st.lists(st.text()))
def test_a_hash_is_that_of_java(words: list[str]) -> None:
    assert hash_words(words).tolist() == [java_hash(word) for word in words]
    vocabulary = Vocabulary()
    vocabulary.intern_all(words)
    different = list(dict.fromkeys(words))
    assert hash_vocabulary(vocabulary, 1).tolist() == [java_hash(word) for word in different[1:]]


def test_known_hashes() -> None:
    # As Java prints them; the last is outside the basic plane.
    assert hash_words(["", "hello", "n'", "le", "😀"]).tolist() == [0, 99162322, 3449, 3449, 1772899]


def test_words_without_a_stem_are_refused() -> None:
    column = tokenize_texts(["a b"], "none", Vocabulary())
    with pytest.raises(ValueError, match="every word needs a code, a stem"):
        WordAligner(["stem"], stems=np.zeros(1, dtype=np.int32)).align(column, column, np.array([0, 1]))


@pytest.mark.parametrize(
    ("synset", "row", "message"),
    [(-1, 0, "synsets must not be negative"), (3, 1, "the synsets of a word are missing")],
)
def test_wrong_synsets_are_refused(synset: int, row: int, message: str) -> None:
    column = tokenize_texts(["a"], "none", Vocabulary())
    synsets = IdRows(np.array([synset], dtype=np.int32), np.array([0, 1]))
    aligner = WordAligner(["synonym"], synsets=synsets, rows=np.array([row], dtype=np.int32))
    with pytest.raises(ValueError, match=message):
        aligner.align(column, column, np.array([0, 1]))
