"""Disabled-optimisation twins: searches give the same bytes without bounds, good guesses and fast paths.

Numbers that are sums of fractions in an order that depends on the search (flows of mass, costs of edits without a
common scale) are equal but for rounding.
"""

import math
from collections.abc import Callable, Sequence

import numpy as np
import pytest

from reference.shortcuts import disturb, draw_pairs, draw_text, without_shortcuts
from reference.trees import tree_column
from tertium.kernels.edits import (
    InversionCosts,
    count_character_edits,
    count_edit_sequences,
    count_inversions,
    count_levenshtein,
    count_translation_edits,
    inversion_derivation,
    trace_translation_edits,
)
from tertium.kernels.embedding import (
    EmbeddedTexts,
    TravelOptions,
    WordPairing,
    embed_texts,
    solve_assignments,
    solve_transports,
    travel_distances,
    word_alignment_similarities,
)
from tertium.kernels.meteor import WordAligner, make_phrase_table
from tertium.kernels.ngrams import count_bleu, count_overlaps
from tertium.kernels.segmentation import cut_stream
from tertium.kernels.strings import Vocabulary, number_pairs, tokenize_texts
from tertium.kernels.syntax import extract_dependency_ngrams, match_dependency_ngrams
from tertium.values import Embedding, FloatArray, IdRows, OffsetArray, TokenColumn, WordAlignments

Generator = np.random.Generator

LENGTHS = [8, 70, 150]
"""The longest texts; words of 64 bits and registers of 8 and 16 lanes end on the way."""


def both(compute: Callable[[Generator], FloatArray], seed: int) -> tuple[FloatArray, FloatArray]:
    """The results with and without short cuts."""
    found = compute(np.random.default_rng(seed))
    with without_shortcuts():
        return found, compute(np.random.default_rng(seed))


def assert_same_bytes(compute: Callable[[Generator], FloatArray], seeds: Sequence[int] = range(8)) -> None:
    for seed in seeds:
        found, expected = both(compute, seed)
        assert found.tobytes() == expected.tobytes(), seed


def assert_close(compute: Callable[[Generator], FloatArray], seeds: Sequence[int] = range(8)) -> None:
    for seed in seeds:
        found, expected = both(compute, seed)
        np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-14, err_msg=str(seed))


def flatten(arrays: Sequence[np.ndarray]) -> FloatArray:
    return np.concatenate([np.ravel(array).astype(np.float64) for array in arrays])


def test_without_short_cuts_a_search_has_no_budget() -> None:
    """The switch works: a pair that is far too hard for a budget of steps is solved without one."""
    rng = np.random.default_rng(0)
    first, second = number_pairs(*([rng.integers(0, 4, 56).tolist()] for _ in range(2)))

    def is_bound(max_steps: int) -> bool:
        costs = InversionCosts()
        rows = count_inversions(
            first, second, np.arange(2), costs=costs, max_steps=max_steps, takes_bounds=True
        )
        return bool(rows[0, 2])

    assert is_bound(1)
    with without_shortcuts():
        assert not is_bound(1)


EDITS: dict[str, Callable[[TokenColumn, TokenColumn, OffsetArray], np.ndarray]] = {
    "levenshtein": count_levenshtein,
    "sequences": count_edit_sequences,
    "ter": count_translation_edits,
    "bleu": lambda first, second, groups: count_bleu(first, second, groups, order=4),
    "overlaps": lambda first, second, groups: count_overlaps(first, second, groups, order=6),
}


@pytest.mark.parametrize("longest", [*LENGTHS, 600])
@pytest.mark.parametrize("name", EDITS)
def test_edits_and_matches_of_ngrams(name: str, longest: int) -> None:
    count = max(1, 600 // longest)
    assert_same_bytes(lambda rng: EDITS[name](*draw_pairs(rng, count, longest)))


def test_shifts_and_edits_of_ter() -> None:
    def trace(rng: Generator) -> FloatArray:
        text = draw_text(rng, 90)
        pair, _ = number_pairs([text, disturb(rng, text)], [[], []])
        shifts, order, edits = trace_translation_edits(pair)
        return np.array([str([shifts, order, edits])])

    assert_same_bytes(trace, range(20))


def draw_spellings(rng: Generator, n_words: int) -> TokenColumn:
    """A different word for each number, over few letters, so that many words are alike."""
    n_letters = int(rng.choice([2, 3, 26]))
    spellings: dict[tuple[int, ...], None] = {}
    while len(spellings) < n_words:
        length = int(rng.integers(1, 3 + len(spellings).bit_length()))
        spellings[tuple(rng.integers(97, 97 + n_letters, length).tolist())] = None
    rows = IdRows.of(list(spellings))
    return TokenColumn(rows.ids, rows.offsets, Vocabulary())


@pytest.mark.parametrize("longest", [*LENGTHS, 200])
@pytest.mark.parametrize("threshold", [0, 1])
def test_moves_of_phrases_in_character(longest: int, threshold: int) -> None:
    def count(rng: Generator) -> FloatArray:
        first, second, groups = draw_pairs(rng, 2, longest)
        n_words = int(max(first.ids.max(initial=0), second.ids.max(initial=0))) + 1
        return count_character_edits(first, second, groups, draw_spellings(rng, n_words), threshold=threshold)

    assert_same_bytes(count)


WHOLE_COSTS = [
    InversionCosts(),
    InversionCosts(inversion=0.5),
    InversionCosts(1, 2, 1.5, 0.7),
    InversionCosts(inversion=0),
    InversionCosts(insertion=0, deletion=1),
]


def draw_inversions(rng: Generator, count: int, longest: int, costs: InversionCosts) -> FloatArray:
    return count_inversions(*draw_pairs(rng, count, longest), costs=costs)


@pytest.mark.slow
@pytest.mark.parametrize("costs", WHOLE_COSTS, ids=str)
def test_inversions(costs: InversionCosts) -> None:
    assert_same_bytes(lambda rng: draw_inversions(rng, 20, 24, costs), range(20))


def test_inversions_at_costs_without_a_common_scale() -> None:
    costs = InversionCosts(math.sqrt(2), math.pi / 3, 1, 0.6)
    assert_close(lambda rng: draw_inversions(rng, 10, 20, costs))


@pytest.mark.slow
def test_inversions_of_long_texts() -> None:
    def count(rng: Generator) -> FloatArray:
        text = draw_text(rng, 68, shortest=65)
        first, second = number_pairs([text], [disturb(rng, text)])
        return count_inversions(first, second, np.arange(2), costs=InversionCosts())

    assert_same_bytes(count, range(4))


@pytest.mark.parametrize("inversion", [1, 0.5, 0])
def test_derivations_with_inversions(inversion: float) -> None:
    def derive(rng: Generator) -> FloatArray:
        text = draw_text(rng, 20)
        return np.array([str(inversion_derivation(text, disturb(rng, text), inversion=inversion))])

    assert_same_bytes(derive, range(40))


def draw_cuts(rng: Generator, n_segments: int, *, words: float, is_soft: bool) -> FloatArray:
    """Cut a disturbed text; some cuts are forbidden, some cost something, some segments have two references."""
    n_symbols = int(rng.choice([2, 5, 60]))
    segments = [
        [rng.integers(0, n_symbols, rng.integers(0, 25)).tolist() for _ in range(int(rng.integers(1, 3)))]
        for _ in range(n_segments)
    ]
    stream = disturb(rng, [word for references in segments for word in references[0] if rng.random() < 0.9])
    stream = [word % n_symbols for word in stream]
    costs = [
        np.where(rng.random(len(stream) + 1) < 0.1, np.inf, rng.choice([0, 0.001, 0.5, 1], len(stream) + 1))
        for _ in range(2)
    ]
    for row in costs:
        row[0] = 0  # so that there is always a way
    rows = IdRows.of([reference for references in segments for reference in references])
    table = rng.integers(0, 251, (n_symbols, n_symbols)).astype(np.uint8)
    np.fill_diagonal(table, 0)
    found = cut_stream(
        np.array(stream, dtype=np.int32),
        TokenColumn(rows.ids, rows.offsets, Vocabulary()),
        np.cumsum([0, *map(len, segments)]).astype(np.int64),
        cut_costs=costs,
        kinds=rng.integers(0, 2, n_segments).astype(np.int32),
        substitutions=table if is_soft else None,
        words=words,
    )
    return flatten([found.positions, found.margins])


@pytest.mark.parametrize("n_segments", [1, 6, 70])
@pytest.mark.parametrize(("words", "is_soft"), [(0.0, False), (0.5, False), (0.0, True)])
def test_cuts_of_streams(n_segments: int, words: float, is_soft: bool) -> None:
    assert_same_bytes(lambda rng: draw_cuts(rng, n_segments, words=words, is_soft=is_soft))


def draw_transports(rng: Generator, *, longest: int, is_whole: bool) -> FloatArray:
    """Draw problems with many equal costs in whole numbers, or with none equal in fractions."""
    supplies: list[np.ndarray] = []
    demands: list[np.ndarray] = []
    costs: list[np.ndarray] = []
    for _ in range(4):
        sources, sinks = rng.integers(1, longest, 2)
        if is_whole:
            supplies.append(rng.integers(0, 50, sources))
            demands.append(rng.multinomial(supplies[-1].sum(), np.full(sinks, 1 / sinks)))
            costs.append(rng.integers(0, int(rng.choice([2, 9, 1000])), (sources, sinks)))
        else:
            supplies.append(rng.dirichlet(np.ones(sources)))
            demands.append(rng.dirichlet(np.ones(sinks)))
            costs.append(rng.random((sources, sinks)))
    totals, flows = solve_transports(supplies, demands, costs)
    return totals if is_whole else flatten([totals, *flows])  # equal costs leave a choice of flows


@pytest.mark.parametrize("longest", [*LENGTHS, 300])
def test_transports_of_whole_numbers(longest: int) -> None:
    assert_same_bytes(lambda rng: draw_transports(rng, longest=longest, is_whole=True))


@pytest.mark.parametrize("longest", LENGTHS)
def test_transports_of_fractions(longest: int) -> None:
    assert_close(lambda rng: draw_transports(rng, longest=longest, is_whole=False))


def draw_assignments(rng: Generator, *, longest: int, is_whole: bool) -> FloatArray:
    shapes = [rng.integers(1, longest, 2) for _ in range(8)]
    most = int(rng.choice([2, 9, 1000]))
    weights = [rng.integers(0, most, shape) if is_whole else rng.random(shape) for shape in shapes]
    totals, matches = solve_assignments(weights)
    return totals if is_whole else flatten([totals, *matches])  # equal weights leave a choice of matches


@pytest.mark.parametrize("is_whole", [True, False])
@pytest.mark.parametrize("longest", LENGTHS)
def test_assignments(longest: int, is_whole: bool) -> None:
    assert_same_bytes(lambda rng: draw_assignments(rng, longest=longest, is_whole=is_whole))


def draw_embedded(rng: Generator, longest: int) -> tuple[EmbeddedTexts, EmbeddedTexts, OffsetArray]:
    first, second, groups = draw_pairs(rng, 8, longest)
    n_words = int(max(first.ids.max(initial=0), second.ids.max(initial=0))) + 1
    matrix = rng.normal(size=(n_words, int(rng.choice([2, 5, 16])))).astype(np.float32)

    def embed(column: TokenColumn) -> EmbeddedTexts:
        rows = np.where(rng.random(len(column.ids)) < 0.1, -1, column.ids)  # some words have no vector
        return embed_texts(column, Embedding(rows.astype(np.int32), matrix))

    return embed(first), embed(second), groups


@pytest.mark.parametrize(
    "options",
    [
        TravelOptions(),
        TravelOptions(cancels=False),
        TravelOptions(price=0.3),
        TravelOptions(similarity_mass=False, occurrences=True),
    ],
    ids=["default", "all mass moves", "partial", "occurrences"],
)
def test_semantic_travel(options: TravelOptions) -> None:
    assert_close(lambda rng: travel_distances(*draw_embedded(rng, 80), orders=[1, 2, 3], options=options))


@pytest.mark.parametrize("kind", ["whole", "maximum", "hungarian"])
def test_word_alignments(kind: WordPairing) -> None:
    assert_close(lambda rng: word_alignment_similarities(*draw_embedded(rng, 80), kind=kind, threshold=0.1))


def draw_alignments(rng: Generator, longest: int, beam: int) -> FloatArray:
    """Align texts whose words share stems and synsets at random, with phrases of up to three words."""
    n_words = int(rng.choice([3, 10, 60, 300]))

    def draw_phrase() -> list[int]:
        phrase: list[int] = rng.integers(0, n_words, rng.integers(1, 4)).tolist()
        return phrase

    def spell(numbers: Sequence[int]) -> str:
        return " ".join(f"w{number}" for number in numbers)

    first = [rng.integers(0, n_words, rng.integers(0, longest + 1)).tolist() for _ in range(4)]
    vocabulary = Vocabulary()
    one = tokenize_texts([spell(text) for text in first], "none", vocabulary)
    other = tokenize_texts([spell(disturb(rng, text)) for text in first], "none", vocabulary)
    stems = rng.integers(0, max(1, n_words // 2), len(vocabulary)).astype(np.int32)
    synsets = IdRows.of(
        [sorted(rng.choice(n_words + 3, rng.integers(0, 4), replace=False)) for _ in range(len(vocabulary))]
    )
    phrases = [(spell(draw_phrase()), spell(draw_phrase())) for _ in range(int(rng.integers(0, 40)))]
    table = make_phrase_table(phrases)
    aligner = WordAligner(WordAlignments.KINDS, stems=stems, synsets=synsets, phrases=table, beam=beam)
    found = aligner.align(one, other, np.arange(5, dtype=np.int64))
    return flatten([found.matches, found.offsets, found.chunks])


@pytest.mark.parametrize("longest", LENGTHS)
@pytest.mark.parametrize("beam", [1, 40, 400])
def test_alignments_of_meteor(longest: int, beam: int) -> None:
    assert_same_bytes(lambda rng: draw_alignments(rng, longest, beam), range(6))


@pytest.mark.parametrize("longest", LENGTHS)
def test_matches_of_dependency_ngrams(longest: int) -> None:
    def match(rng: Generator) -> FloatArray:
        first, second, groups = draw_pairs(rng, 5, longest)
        heads = []
        for length in second.lengths.tolist():
            order = rng.permutation(length)
            heads.append([-1] * length)
            for place in range(1, length):
                heads[-1][order[place]] = int(order[rng.integers(0, place)])
        ngrams = extract_dependency_ngrams(tree_column(heads), order=3)
        return match_dependency_ngrams(first, second, groups, ngrams)

    assert_same_bytes(match)
