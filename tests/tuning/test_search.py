"""Search spaces read from text, and searches on objectives whose best point is known."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tertium.catalog import find_metric
from tertium.errors import OptionError, UnknownNameError
from tertium.tuning.search import (
    Dimension,
    Point,
    alternating_grid,
    coordinate_search,
    describe_point,
    full_grid,
    grid_size,
    label_of_parts,
    parse_dimensions,
    point_key,
    random_search,
    search_weights,
)

A = Dimension("a", (0, 1, 2, 3))
B = Dimension("b", (0, 1, 2, 3))
C = Dimension("c", (0, 1, 2, 3))
START = {"a": 0, "b": 0, "c": 0}
BEST = {"a": 2, "b": 3, "c": 1}


def counting(objective: Callable[[Point], float]) -> tuple[Callable[[Point], float], set[str]]:
    asked: set[str] = set()

    def ask(point: Point) -> float:
        asked.add(point_key(point))
        return objective(point)

    return ask, asked


def hill(point: Point) -> float:
    return -float(sum((point[name] - BEST[name]) ** 2 for name in "abc"))


def test_the_full_grid_tries_everything() -> None:
    objective, asked = counting(hill)
    assert full_grid(objective, [A, B, C], START) == BEST
    assert len(asked) == grid_size([A, B, C]) == 64


def test_a_grid_without_end_is_refused_before_the_first_trial() -> None:
    objective, asked = counting(hill)
    # 10,000 to the fifth does not fit into 64 bits
    endless = [Dimension(name, tuple(range(10_000))) for name in "abcde"]
    assert grid_size(endless) == 10**20
    with pytest.raises(OptionError, match="the full grid has 100,000,000,000,000,000,000 points, more than"):
        full_grid(objective, endless, START)
    assert not asked


def test_the_alternating_grid_finds_a_hill_with_fewer_trials() -> None:
    objective, asked = counting(hill)
    assert alternating_grid(objective, [A, B], [C], START) == BEST
    assert len(asked) < 64


def test_the_alternating_grid_stays_in_a_local_optimum() -> None:
    # the paper says so itself: it need not find the global optimum
    def two_hills(point: Point) -> float:
        return {(0, 0): 1.0, (1, 1): 2.0}.get((point["a"], point["c"]), 0.0)

    assert alternating_grid(two_hills, [A], [C], START) == START
    assert full_grid(two_hills, [A, C], START) == {"a": 1, "b": 0, "c": 1}


def test_an_empty_subset_is_refused() -> None:
    with pytest.raises(OptionError, match="needs at least one option in both subsets"):
        alternating_grid(hill, [A, B, C], [], START)


def test_the_coordinate_search_finds_a_hill() -> None:
    objective, asked = counting(hill)
    assert coordinate_search(objective, [A, B, C], START) == BEST
    assert len(asked) < 64


def test_the_coordinate_search_goes_on_while_a_round_changes_something() -> None:
    def valley(point: Point) -> float:
        return -float((point["a"] - point["b"]) ** 2 + (point["b"] - 3) ** 2)

    assert coordinate_search(valley, [A, B], START, n_iterations=1) == {"a": 0, "b": 1, "c": 0}
    assert coordinate_search(valley, [A, B], START) == {"a": 2, "b": 2, "c": 0}


def test_the_random_search_is_repeatable_and_never_worse_than_the_start() -> None:
    results = [
        random_search(hill, [A, B, C], BEST, n_trials=5, rng=np.random.default_rng(1)),
        random_search(hill, [A, B, C], START, n_trials=30, rng=np.random.default_rng(1)),
        random_search(hill, [A, B, C], START, n_trials=30, rng=np.random.default_rng(1)),
    ]
    assert results[0] == BEST
    assert results[1] == results[2]


def test_the_random_search_draws_between_bounds() -> None:
    drawn = [Dimension("x", low=0.5, high=0.75).draw(np.random.default_rng(i)) for i in range(50)]
    assert all(0.5 <= value < 0.75 for value in drawn)
    with pytest.raises(OptionError, match=r"x=0\.5:0\.75 has no step; write x=LOW:HIGH:STEP"):
        Dimension("x", low=0.5, high=0.75).listed()


BLEU = find_metric("bleu")


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("max_ngram_order=1:4:1", (1, 2, 3, 4)),
        ("smooth_value=0:0.3:0.1", (0.0, 0.1, 0.2, 0.3)),
        ("tokenizer=13a,intl", ("13a", "intl")),
        ("lowercase", (False, True)),
        ("lowercase=yes", (True,)),
        ("smooth_method", ("none", "floor", "add-k", "exp")),
    ],
)
def test_values_are_read_as_the_option_reads_them(text: str, values: tuple[Any, ...]) -> None:
    (dimension,) = parse_dimensions(BLEU, [text])
    assert set(map(repr, dimension.listed())) == set(map(repr, values))


@pytest.mark.parametrize(
    ("texts", "error", "message"),
    [
        (["beta=1"], UnknownNameError, "bleu has no option 'beta'; choose from"),
        (["max_ngram_order"], OptionError, "bleu declares no grid for max_ngram_order"),
        (["smooth_value=a:b"], OptionError, "is not a range; write LOW:HIGH:STEP"),
        (["smooth_value=0:1:1:1"], OptionError, "is not a range; write LOW:HIGH:STEP"),
        (["max_ngram_order=4:1:1"], OptionError, "is not a range; write LOW:HIGH:STEP"),
        (["max_ngram_order=1:4:0"], OptionError, "is not a range; write LOW:HIGH:STEP"),
        (["smooth_value=0:inf:1"], OptionError, "is not a range; write LOW:HIGH:STEP"),
        (["smooth_value=0:1:1e-9"], OptionError, "smooth_value=0:1:1e-9 has more than 10,000 values"),
        (["smooth_value=0:1:1e-4"], OptionError, "has more than 10,000 values; use a larger step"),
        (["max_ngram_order=1:2:0.5"], OptionError, "max_ngram_order must be a whole number"),
        (["smooth_value=-1:1"], OptionError, "smooth_value must be a number or none at least 0"),
        (["lowercase", "lowercase=yes"], OptionError, "option 'lowercase' is given twice"),
        ([], OptionError, "bleu declares no grid; name options with values"),
    ],
)
def test_a_bad_space_is_refused(texts: list[str], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        parse_dimensions(BLEU, texts)


def test_a_range_may_have_ten_thousand_values() -> None:
    (dimension,) = parse_dimensions(BLEU, ["smooth_value=0.0001:1:0.0001"])
    assert len(dimension.listed()) == 10_000


def test_points_are_written_as_the_command_line_writes_them() -> None:
    assert describe_point({"lowercase": True, "order": 3}) == "lowercase=yes,order=3"
    assert point_key({"a": 1, "b": 2}) == point_key({"b": 2, "a": 1})


def test_a_search_without_an_end_stops_after_its_iterations() -> None:
    ask, asked = counting(lambda point: point["a"] + point["b"])
    best = alternating_grid(ask, [A], [B], START, n_iterations=1)
    assert (best["a"], best["b"]) == (3, 3)
    assert len(asked) == 7


def test_points_of_a_random_search_are_expected_at_once() -> None:
    expected: list[Point] = []
    random_search(hill, [A, B, C], START, n_trials=3, rng=np.random.default_rng(0), expect=expected.extend)
    assert expected[0] == START
    assert len(expected) == 4


def test_a_mixture_of_one_metric_is_refused() -> None:
    with pytest.raises(OptionError, match="a mix has 2 to 10 metrics, not 1"):
        label_of_parts(["bleu"])


def test_mixtures_have_all_proportions_of_the_scaled_parts() -> None:
    points: list[Point] = []
    alone, best = search_weights(
        lambda point: point["weights"][0], np.array([1.0, 3.0]), expect=points.extend
    )
    assert alone == best == {"weights": (1.0, 0.0)}
    assert [point["weights"] for point in points[:2]] == [(1.0, 0.0), (0.0, 1.0)]
    assert {
        "weights": (0.75, 0.25)
    } in points  # equal shares of scores of which the second varies three times as much
    assert len(points) == len({point["weights"] for point in points})
