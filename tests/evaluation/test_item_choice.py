"""Choice of segments for human evaluation: ratings, budgets, documents and strata."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium.errors import InputError, OptionError
from tertium.evaluation.item_choice import ChoiceMethod, choose_items, rate_segments

SCORES = np.array([[[10.0, 50.0, 90.0, 30.0], [10.0, 50.0, 10.0, 40.0], [10.0, 50.0, 50.0, 35.0]]])
OUTPUTS = [["a b", "c d", "e f", "g"], ["a b", "c d", "x y", "g"], ["a b", "c d", "v w", "g h"]]


def rate(method: ChoiceMethod, scores: np.ndarray = SCORES) -> list[float]:
    """Rate the four segments."""
    ratings: list[float] = rate_segments(method, scores, OUTPUTS, np.random.default_rng(0)).tolist()
    return ratings


def test_variance_prefers_segments_where_systems_differ() -> None:
    """Segment 3 has the largest spread, segment 4 a small one, the others none."""
    ratings = rate("variance")
    assert np.argsort(ratings)[::-1].tolist()[:2] == [2, 3]
    assert ratings[0] == ratings[1] == pytest.approx(0)


def test_variance_does_not_depend_on_the_scale_of_a_metric() -> None:
    """A metric from 0 to 1 counts as much as one from 0 to 100."""
    other = SCORES[:, :, ::-1]
    both, scaled = (rate("variance", np.concatenate([SCORES, factor * other])) for factor in (1, 0.01))
    assert both == pytest.approx(scaled)


def test_disagreement_prefers_segments_where_metrics_differ() -> None:
    """The second metric turns the order in segment 4 only."""
    turned = SCORES.copy()
    turned[0, :, 3] = [90.0, 10.0, 50.0]
    assert int(np.argmax(rate("disagreement", np.concatenate([SCORES, turned])))) == 3


def test_consistency_prefers_segments_with_the_order_of_the_test_set() -> None:
    """Ten segments rank the systems 1, 2, 3; the last one turns the order."""
    scores = np.tile(np.array([[3.0], [2.0], [1.0]]), (1, 10))
    scores[:, 9] = [1.0, 2.0, 3.0]
    ratings = rate_segments("consistency", scores[None], [["x"] * 10] * 3, np.random.default_rng(0))
    assert int(np.argmin(ratings)) == 9
    assert ratings[0] == pytest.approx(1)


def test_diversity_prefers_segments_with_different_outputs() -> None:
    """Equal outputs have no diversity."""
    ratings = rate("diversity")
    assert int(np.argmax(ratings)) == 2
    assert ratings[0] == ratings[1] == pytest.approx(0)


def test_methods_that_compare_need_two_of_them() -> None:
    """Systems for all methods, metrics for their disagreement."""
    with pytest.raises(InputError, match="method=variance compares systems"):
        rate_segments("variance", SCORES[:, :1], OUTPUTS[:1], np.random.default_rng(0))
    with pytest.raises(OptionError, match="method=disagreement compares metrics"):
        rate("disagreement")


@given(
    st.lists(st.tuples(st.floats(0, 1), st.integers(1, 9), st.integers(0, 3)), min_size=1, max_size=40),
    st.integers(9, 100),
    st.booleans(),
    st.booleans(),
)
def test_a_choice_never_exceeds_its_budget(
    items: list[tuple[float, int, int]],
    budget: int,
    in_documents: bool,
    in_strata: bool,
) -> None:
    """Whole documents are chosen or left; an item of cost 9 always fits unless documents are larger."""
    ratings, costs = np.array([item[0] for item in items]), np.array([item[1] for item in items], dtype=float)
    labels = [str(item[2]) for item in items]
    try:
        chosen = choose_items(
            ratings,
            costs,
            budget,
            groups=labels if in_documents else None,
            strata=labels if in_strata else None,
        )
    except InputError:
        assert in_documents
        return
    assert costs[chosen].sum() <= budget + 1e-6
    assert sorted(set(chosen.tolist())) == chosen.tolist()
    if in_documents:
        whole = {labels[i] for i in chosen}
        assert chosen.tolist() == [i for i, label in enumerate(labels) if label in whole]


def test_each_stratum_gets_its_share() -> None:
    """The best segments are all news; half of the budget goes to chat."""
    ratings = np.array([9.0, 8.0, 7.0, 6.0, 1.0, 2.0, 3.0, 4.0])
    strata = ["news"] * 4 + ["chat"] * 4
    assert choose_items(ratings, np.ones(8), 4).tolist() == [0, 1, 2, 3]
    assert choose_items(ratings, np.ones(8), 4, strata=strata).tolist() == [0, 1, 6, 7]


def test_a_budget_that_is_too_small_is_refused() -> None:
    """The message says what the smallest item costs."""
    with pytest.raises(InputError, match="nothing fits the budget of 2; the smallest item costs 5"):
        choose_items(np.ones(2), np.array([5.0, 6.0]), 2)
