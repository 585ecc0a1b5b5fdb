"""Systems are found from the sizes of their differences, and drawn judgments share what people make of a system."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium.stats.agreement_curve import draw_agreements, place_systems

SCORES = [17.25, 20.5, 11.0, 18.0, 25.75]


def sizes_of(scores: list[float]) -> np.ndarray:
    return np.array([abs(a - b) for a, b in combinations(scores, 2)])


@given(st.lists(st.integers(0, 10_000), min_size=2, max_size=25, unique=True))
def test_systems_are_placed_as_far_apart_as_their_scores(scores: list[int]) -> None:
    sizes = sizes_of([float(score) for score in scores])
    placed = place_systems(sizes)
    assert placed is not None
    assert placed.places[placed.better] - placed.places[placed.worse] == pytest.approx(sizes)


@pytest.mark.parametrize("missing", [0, 1, 2, 3, 4, 5, 6, 7, 9])
def test_one_pair_but_the_widest_may_be_missing(missing: int) -> None:
    sizes = sizes_of(SCORES)
    assert sizes.argmax() == 8
    placed = place_systems(np.delete(sizes, missing))
    assert placed is not None
    assert sorted(placed.places - placed.places.min()) in (
        pytest.approx(sorted(np.array(SCORES) - min(SCORES))),
        pytest.approx(sorted(max(SCORES) - np.array(SCORES))),
    )


@pytest.mark.parametrize(
    "sizes", [[], [1.0, 1.0, 5.0], sizes_of(SCORES)[2:].tolist()], ids=["none", "no line", "two missing"]
)
def test_sizes_that_fit_no_scores_place_nothing(sizes: list[float]) -> None:
    assert place_systems(np.array(sizes)) is None


def test_each_pair_is_agreed_with_as_often_as_its_probability_says() -> None:
    probabilities = np.linspace(0.55, 0.97, 10)
    rng = np.random.default_rng(1)
    drawn = draw_agreements(probabilities, sizes_of(SCORES), n_samples=40_000, rng=rng)
    assert drawn.mean(axis=0) == pytest.approx(probabilities, abs=0.01)  # four standard errors


def test_pairs_that_share_a_system_are_agreed_with_together() -> None:
    rng = np.random.default_rng(1)
    drawn = draw_agreements(np.full(10, 0.75), sizes_of(SCORES), n_samples=40_000, rng=rng)
    pairs = [set(pair) for pair in combinations(range(5), 2)]
    best = [
        i for i, pair in enumerate(pairs) if 4 in pair
    ]  # the system with the highest score wins all its pairs
    apart = [pairs.index({0, 1}), pairs.index({2, 3})]
    found = np.asarray(np.corrcoef(drawn.T))
    assert found[best[0], best[1]] > 0.2
    assert abs(found[apart[0], apart[1]]) < 0.02


def test_pairs_without_places_are_drawn_independently() -> None:
    rng = np.random.default_rng(1)
    drawn = draw_agreements(np.full(3, 0.75), np.array([1.0, 1.0, 5.0]), n_samples=40_000, rng=rng)
    assert np.abs(np.corrcoef(drawn.T) - np.eye(3)).max() < 0.02
