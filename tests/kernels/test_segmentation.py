"""Cutting streams into segments, against the textbook version that tries every cut."""

import itertools
from collections import Counter
from collections.abc import Sequence
from math import inf

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference.edits import levenshtein
from reference.segmentation import least_cost, least_cost_of_long_stream, segmentation_cost
from tertium.errors import InputError
from tertium.kernels.edits import levenshtein_distances
from tertium.kernels.segmentation import SOFT_STEPS, StreamCuts, cut_stream, spelling_costs
from tertium.kernels.strings import decode_texts
from tertium.values import IdRows, TokenColumn

Segments = Sequence[Sequence[Sequence[int]]]

TOKENS = st.lists(st.integers(0, 4), max_size=20)  # past 8 and 16 tokens, the widths of the strips
SEGMENTS = st.lists(st.lists(TOKENS, min_size=1, max_size=2), min_size=1, max_size=6)


class _NoWords:
    def __len__(self) -> int:
        return 10

    def words(self, ids: object) -> list[str]:
        raise AssertionError(ids)


def column(rows: Sequence[Sequence[int]]) -> TokenColumn:
    listed = IdRows.of(rows)
    return TokenColumn(listed.ids, listed.offsets, _NoWords())


def cut(
    stream: Sequence[int],
    segments: Segments,
    costs: Sequence[Sequence[float]] = (),
    substitutions: np.ndarray | None = None,
    words: float = 0.0,
) -> StreamCuts:
    """Cut a stream; `costs` has a row per cut."""
    flat = [reference for references in segments for reference in references]
    rows = [*costs, [0.0] * (len(stream) + 1)] if costs else [[0.0] * (len(stream) + 1)] * len(segments)
    return cut_stream(
        np.array(stream, dtype=np.int32),
        column(flat),
        np.cumsum([0, *map(len, segments)]),
        cut_costs=[np.array(row) for row in rows],
        kinds=np.arange(len(segments), dtype=np.int32),
        substitutions=substitutions,
        words=words,
    )


@given(stream=st.lists(st.integers(0, 4), max_size=24), segments=SEGMENTS, data=st.data())
def test_the_total_cost_is_the_least_possible(
    stream: list[int], segments: Segments, data: st.DataObject
) -> None:
    price = st.sampled_from([0.0, 0.0, 0.5, 1.0, 2.0, inf])
    row = st.lists(price, min_size=len(stream) + 1, max_size=len(stream) + 1)
    costs = [[0.0, *data.draw(row)[1:]] for _ in segments[1:]]
    positions = cut(stream, segments, costs).positions.tolist()
    assert positions[0] == 0
    assert positions[-1] == len(stream)
    assert positions == sorted(positions)
    assert segmentation_cost(stream, segments, positions, costs) == least_cost(stream, segments, costs)


@given(stream=st.lists(st.integers(0, 3), max_size=20), segments=SEGMENTS, seed=st.integers(0, 99))
def test_soft_substitutions_reach_the_least_cost(stream: list[int], segments: Segments, seed: int) -> None:
    table = np.random.default_rng(seed).integers(0, SOFT_STEPS + 1, (5, 5)).astype(np.uint8)
    np.fill_diagonal(table, 0)
    costs = [[0.0] * (len(stream) + 1)] * (len(segments) - 1)

    def substitution(token: int, other: int) -> float:
        return float(table[other, token]) / SOFT_STEPS

    positions = cut(stream, segments, substitutions=table).positions.tolist()
    found = segmentation_cost(stream, segments, positions, costs, substitution)
    assert found == pytest.approx(
        least_cost(stream, segments, costs, substitution), abs=1e-9
    )  # sums of 1/250


def make_long_stream(seed: int, n_segments: int = 150) -> tuple[list[int], list[list[list[int]]]]:
    """Make segments of about 12 tokens and a noisy copy of them, long enough for many kept rows."""
    rng = np.random.default_rng(seed)
    segments = [[rng.integers(0, 60, rng.integers(0, 25)).tolist()] for _ in range(n_segments)]
    stream = [
        int(rng.integers(0, 60)) if rng.random() < 0.3 else token
        for (reference,) in segments
        for token in reference
        if rng.random() > 0.1
    ]
    return stream, segments


@pytest.mark.parametrize("seed", range(3))
def test_the_edits_of_long_streams_are_those_of_the_whole_texts(seed: int) -> None:
    """With one reference and free cuts the total is the edit distance of the unsegmented texts."""
    stream, segments = make_long_stream(seed)
    positions = cut(stream, segments).positions.tolist()
    parts = [stream[start:end] for start, end in itertools.pairwise(positions)]
    references = [reference for (reference,) in segments]
    whole = levenshtein_distances([stream], [list(itertools.chain(*references))])[0]
    assert levenshtein_distances(parts, references).sum() == whole


@pytest.mark.parametrize("is_soft", [False, True], ids=["equal", "similar"])
@pytest.mark.parametrize("seed", range(4))
def test_pruning_never_loses_the_least_cost(seed: int, is_soft: bool) -> None:
    """Costs of cuts, several references, long segments, and parts of the text that are missing or in excess."""
    rng = np.random.default_rng(seed)
    stream, segments = make_long_stream(seed, n_segments=60)
    segments[20] = [rng.integers(0, 60, 700).tolist()]  # longer than a piece of the lower bound
    for i in range(0, 60, 7):
        segments[i] = [segments[i][0], rng.integers(0, 60, 15).tolist()]
    if seed % 2:
        stream = [*stream[:200], *rng.integers(0, 60, 400).tolist(), *stream[300:]]
    costs = rng.choice(
        [0.0, 0.5, 2.0, 6.0, inf], (len(segments), len(stream) + 1), p=[0.1, 0.2, 0.3, 0.2, 0.2]
    )
    costs[:, 0] = 0
    table = np.where(rng.random((60, 60)) < 0.2, rng.integers(0, SOFT_STEPS, (60, 60)), SOFT_STEPS)
    table = table if is_soft else np.full((60, 60), SOFT_STEPS)
    np.fill_diagonal(table, 0)
    found = cut(stream, segments, costs[:-1].tolist(), table.astype(np.uint8) if is_soft else None)
    positions = found.positions.tolist()
    total = segmentation_cost(
        stream, segments, positions, costs[:-1].tolist(), lambda one, other: table[other, one] / SOFT_STEPS
    )
    wanted = least_cost_of_long_stream(np.array(stream), segments, costs[:-1], table / SOFT_STEPS)
    assert total == pytest.approx(wanted, abs=1e-6)  # sums of 1/250


def test_a_stream_far_from_its_diagonal_is_cut_exactly() -> None:
    """All words belong to the last segments, so that windows of the way back must be doubled."""
    stream = list(range(400))
    segments = [[[500 + i]] for i in range(30)] + [[stream]]
    positions = cut(stream, segments).positions.tolist()
    costs = [[0.0] * 401] * 30
    assert segmentation_cost(stream, segments, positions, costs) == 30


def count_unmatched(tokens: Sequence[int], reference: Sequence[int]) -> int:
    """Count the words without a counterpart, in any order."""
    shared = sum((Counter(tokens) & Counter(reference)).values())
    return max(len(tokens), len(reference)) - shared


@given(stream=st.lists(st.integers(0, 4), max_size=16), segments=SEGMENTS, seed=st.integers(0, 99))
def test_no_cut_can_be_moved_at_a_profit(stream: list[int], segments: Segments, seed: int) -> None:
    """Edits, words without a counterpart and the cost of the cut, of the two segments beside it."""
    rng = np.random.default_rng(seed)
    costs = rng.choice([0.0, 0.5, 2.0], (len(segments) - 1, len(stream) + 1))
    positions = cut(stream, segments, costs.tolist(), words=1.0).positions.tolist()

    def cost(number: int, start: int, end: int) -> int:
        part = stream[start:end]
        return min(
            levenshtein(part, reference) + count_unmatched(part, reference) for reference in segments[number]
        )

    for s in range(1, len(segments)):
        first, last = positions[s - 1], positions[s + 1]
        totals = [
            cost(s - 1, first, at) + costs[s - 1, at] + cost(s, at, last) for at in range(first, last + 1)
        ]
        assert totals[positions[s] - first] == min(totals)


def test_words_count_in_any_order_if_they_cost_something() -> None:
    """The first words of the first reference come last in the stream: 4 edits wherever the cut is."""
    stream, segments = [5, 6, 7, 8, 0, 1, 3, 9, 9], [[[0, 1, 5, 6, 7, 8]], [[3, 9, 9]]]
    costs = [[2.0] * 10]
    costs[0][4], costs[0][6] = 0.0, 0.5
    assert cut(stream, segments, costs).positions.tolist()[1] == 4
    assert cut(stream, segments, costs, words=0.5).positions.tolist()[1] == 6


def test_unmatched_words_go_where_cuts_are_cheap() -> None:
    stream = [0, 1, 9, 9, 2, 3]
    segments = [[[0, 1]], [[2, 3]]]
    for position in (2, 3, 4):
        costs = [[0.001] * 7]
        costs[0][position] = 0.0
        assert cut(stream, segments, costs).positions.tolist() == [0, position, 6]


def test_a_forbidden_cut_is_never_made() -> None:
    costs = [[inf] * 7]
    costs[0][0] = costs[0][5] = 0.0
    assert cut([0, 1, 2, 3, 4, 5], [[[0, 1, 2]], [[3, 4, 5]]], costs).positions.tolist() == [0, 5, 6]


def test_margins_are_the_edits_that_the_second_best_cut_adds() -> None:
    found = cut([0, 1, 2, 3], [[[0, 1]], [[2, 3]]])
    assert found.margins.tolist() == [inf, 2.0]  # a word too many there, a word missing here
    tied = cut([0, 9, 1], [[[0]], [[1]]])
    assert tied.margins.tolist() == [inf, 0.0]


def test_an_empty_stream_gives_every_segment_nothing() -> None:
    assert cut([], [[[1, 2]], [[]], [[3]]]).positions.tolist() == [0, 0, 0, 0]


def test_the_closest_reference_of_each_segment_counts() -> None:
    found = cut([1, 2, 3, 4], [[[9, 9], [1, 2, 3]], [[4], [9]]])
    assert found.positions.tolist() == [0, 3, 4]


def test_baseline_instructions_are_not_needed_for_the_total() -> None:
    """Streams around the widths of the strips; the textbook sees every length."""
    for length in (7, 8, 9, 15, 16, 17, 31, 33):
        stream = [i % 3 for i in range(length)]
        segments = [[[i % 4 for i in range(length)]], [[1] * (length % 5)]]
        costs = [[0.0] * (length + 1)]
        positions = cut(stream, segments).positions.tolist()
        assert segmentation_cost(stream, segments, positions, costs) == least_cost(stream, segments, costs)


def test_texts_that_are_too_long_are_rejected_with_a_remedy() -> None:
    ids = np.zeros(600_000, dtype=np.int32)
    long = TokenColumn(ids, np.array([0, 600_000]), _NoWords())
    with pytest.raises(InputError, match="too many to cut in one piece; divide the texts into documents"):
        cut_stream(ids, long, np.array([0, 1]), cut_costs=[np.zeros(600_001)])


@given(
    words=st.lists(st.text("abc", max_size=9), min_size=1, max_size=5),
    others=st.lists(st.text("abc", max_size=9), min_size=1, max_size=5),
)
def test_spelling_costs_are_edits_over_the_longer_word(words: list[str], others: list[str]) -> None:
    costs = spelling_costs(decode_texts(words, keep_space=True), decode_texts(others, keep_space=True))
    for word, row in zip(words, costs.tolist(), strict=True):
        for other, cost in zip(others, row, strict=True):
            edits, longer = levenshtein(word, other), max(len(word), len(other), 1)
            is_similar = 2 * edits <= longer
            assert cost == (edits * SOFT_STEPS // longer if is_similar else SOFT_STEPS)
