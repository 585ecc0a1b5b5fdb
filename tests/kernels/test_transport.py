"""The transport kernel against POT, on easy and on degenerate problems, and by the laws of a flow."""

import numpy as np
import ot
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tertium._core as _core
from tertium.errors import InputError
from tertium.kernels.embedding import embed_texts, solve_transports
from tertium.kernels.strings import Vocabulary, tokenize_texts
from tertium.kernels.threads import use_threads
from tertium.values import Embedding, FloatArray

Problem = tuple[FloatArray, FloatArray, FloatArray]


def draw_problem(rng: np.random.Generator, sources: int, sinks: int, kind: str) -> Problem:
    costs = rng.random((sources, sinks))
    supply, demand = rng.dirichlet(np.ones(sources)), rng.dirichlet(np.ones(sinks))
    if kind == "even masses":
        supply, demand = np.full(sources, 1 / sources), np.full(sinks, 1 / sinks)
    if kind == "few costs":
        costs = rng.integers(0, 3, (sources, sinks)).astype(float)
    if kind == "whole masses":
        supply = rng.multinomial(20, np.full(sources, 1 / sources)) / 20
        demand = rng.multinomial(20, np.full(sinks, 1 / sinks)) / 20
    return supply, demand, costs


def check_flow(problem: Problem, flow: FloatArray, total: float) -> None:
    supply, demand, costs = problem
    assert (flow >= 0).all()
    np.testing.assert_allclose(flow.sum(axis=1), supply, atol=1e-12)
    np.testing.assert_allclose(flow.sum(axis=0), demand, atol=1e-12)
    assert total == pytest.approx((flow * costs).sum(), abs=1e-12)
    assert np.count_nonzero(flow) <= len(supply) + len(demand) - 1


@pytest.mark.parametrize("kind", ["line", "any", "few costs", "whole masses"])
@pytest.mark.parametrize(("sources", "sinks"), [(400, 201), (130, 130), (300, 3)])
def test_the_cost_of_a_large_problem_is_pots(sources: int, sinks: int, kind: str) -> None:
    supply, demand, costs = draw_problem(np.random.default_rng(5), sources, sinks, kind)
    if kind == "line":  # as of one word that is repeated: the cost depends on the positions alone
        supply, demand = np.full(sources, 1 / sources), np.full(sinks, 1 / sinks)
        costs = 0.3 + np.abs(np.subtract.outer(np.linspace(0, 1, sources), np.linspace(0, 1, sinks)))
    totals, flows = solve_transports([supply], [demand], [costs])
    assert totals[0] == pytest.approx(ot.emd2(supply, demand, costs), abs=1e-9)
    check_flow((supply, demand, costs), flows[0], totals[0])


@settings(max_examples=150, deadline=None)
@given(
    sources=st.integers(1, 110),
    sinks=st.integers(1, 110),
    kind=st.sampled_from(["any", "even masses", "few costs", "whole masses"]),
    seed=st.integers(0, 2**32 - 1),
)
def test_the_cost_is_pots(sources: int, sinks: int, kind: str, seed: int) -> None:
    problem = draw_problem(np.random.default_rng(seed), sources, sinks, kind)
    totals, flows = solve_transports([problem[0]], [problem[1]], [problem[2]])
    assert totals[0] == pytest.approx(ot.emd2(*problem), abs=1e-9)
    check_flow(problem, flows[0], totals[0])


@pytest.mark.parametrize(
    ("supply", "demand", "costs", "total"),
    [
        ([1.0], [1.0], [[0.25]], 0.25),
        ([1.0], [0.5, 0.5], [[1.0, 3.0]], 2.0),
        ([0.5, 0.5], [0.5, 0.5], [[0.0, 1.0], [1.0, 0.0]], 0.0),
        ([0.5, 0.5], [0.5, 0.5], [[1.0, 1.0], [1.0, 1.0]], 1.0),
        ([1.0, 0.0], [0.0, 1.0], [[9.0, 2.0], [9.0, 9.0]], 2.0),
        ([0.0, 0.0], [0.0], [[5.0], [5.0]], 0.0),
        ([0.25, 0.75], [0.75, 0.25], [[-1.0, 0.0], [0.0, -1.0]], -0.5),
    ],
    ids=["one arc", "one source", "matching", "all costs equal", "no mass at some", "no mass", "negative costs"],
)  # fmt: skip
def test_small_problems_by_hand(
    supply: list[float], demand: list[float], costs: list[list[float]], total: float
) -> None:
    totals, flows = solve_transports([supply], [demand], [costs])
    assert totals[0] == pytest.approx(total, abs=1e-15)
    check_flow((np.array(supply), np.array(demand), np.array(costs)), flows[0], total)


def test_masses_that_differ_by_rounding_only_are_no_trouble() -> None:
    supply = np.full(3, 1 / 3)
    demand = np.full(7, 1 / 7)
    demand[0] += 3e-17
    totals, _ = solve_transports([supply], [demand], [np.ones((3, 7))])
    assert totals[0] == pytest.approx(1.0, abs=1e-12)


def test_a_batch_gives_what_its_problems_give_alone_on_any_number_of_threads() -> None:
    rng = np.random.default_rng(5)
    sizes = rng.integers(1, 30, (300, 2)).tolist()
    problems = [draw_problem(rng, sources, sinks, "any") for sources, sinks in sizes]
    supplies, demands, costs = zip(*problems, strict=True)
    with use_threads(1):
        totals, flows = solve_transports(supplies, demands, costs)
    with use_threads(3):
        again, _ = solve_transports(supplies, demands, costs)
    np.testing.assert_array_equal(totals, again)
    for i in (0, 150, 299):
        alone, (flow,) = solve_transports([supplies[i]], [demands[i]], [costs[i]])
        assert alone[0] == totals[i]
        np.testing.assert_array_equal(flow, flows[i])


def test_costs_of_another_shape_are_refused() -> None:
    with pytest.raises(InputError, match=r"problem 2: costs must be 1 by 2, not \(2, 1\)"):
        solve_transports([[1.0], [1.0]], [[1.0], [0.5, 0.5]], [[[1.0]], [[1.0], [1.0]]])


def test_no_problem_is_no_problem() -> None:
    totals, flows = solve_transports([], [], [])
    assert totals.size == 0
    assert flows == []


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf, -1e301])
@pytest.mark.parametrize("noun", ["supplies", "demands", "costs"])
def test_numbers_that_cannot_be_added_up_are_refused(noun: str, value: float) -> None:
    """They made the search read outside its tables, or never end."""
    problem = {"supplies": np.full(40, 1 / 40), "demands": np.full(40, 1 / 40), "costs": np.eye(40)}
    problem[noun].flat[-1] = value
    with pytest.raises(InputError, match=f"problem 1: {noun} must be finite and at most 1e300, not"):
        solve_transports(*([side] for side in problem.values()))


def test_the_core_itself_refuses_what_cannot_be_added_up() -> None:
    """So that no other way leads into the search."""
    one, ends = np.ones(1), np.array([0, 1], dtype=np.int64)
    with pytest.raises(ValueError, match="costs must be finite"):
        _core.solve_transports(one, ends, one, ends, one * np.nan, ends, 1)
    with pytest.raises(ValueError, match="weights must be finite"):
        _core.solve_assignments(one * np.nan, np.array([1, 1], dtype=np.int64), ends, ends, 1)


def test_large_costs_have_an_answer() -> None:
    rng = np.random.default_rng(3)
    costs = rng.choice([-1e300, 1e300, 1.0], size=(30, 30))
    mass = np.full(30, 1 / 30)
    totals, _ = solve_transports([mass], [mass], [costs])
    assert totals[0] == pytest.approx(ot.emd2(mass, mass, costs / 1e300) * 1e300, rel=1e-9)


@pytest.mark.parametrize("scale", [np.nan, np.inf, 1e30, 1e-30])
def test_vectors_that_cannot_be_multiplied_are_refused_by_their_word(scale: float) -> None:
    tokens = tokenize_texts(["the cat sat"], "none", Vocabulary())
    matrix = np.ones((3, 8), dtype=np.float32)
    matrix[1] *= scale
    embedding = Embedding(np.arange(3, dtype=np.int32), matrix)
    with pytest.raises(InputError, match="the largest value of the vector of 'cat' is"):
        embed_texts(tokens, embedding)


def test_a_vector_that_no_text_uses_may_be_anything() -> None:
    tokens = tokenize_texts(["the cat sat"], "none", Vocabulary())
    matrix = np.array([[1, 2], [np.nan, 1], [0, 0]], dtype=np.float32)
    assert len(embed_texts(tokens, Embedding(np.array([0, 2, -1], dtype=np.int32), matrix))) == 1
