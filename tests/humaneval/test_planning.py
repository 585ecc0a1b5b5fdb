"""Planning of human evaluations: variance components of a campaign, and designs with the promised power."""

import numpy as np
import pytest

from tertium.corpus.judgments.readers import SegmentJudgments
from tertium.errors import InputError
from tertium.humaneval.campaign import make_campaigns
from tertium.humaneval.planning import HumanVariances, estimate_variances, plan_designs
from tertium.humaneval.ranking import Ranking, rank_systems
from tertium.stats.analysis import Analysis


def simulate(
    n_segments: int, *, n_raters: int = 2, difference: float = 0.0, document_sd: float = 0.0, seed: int = 0
) -> Ranking:
    """Draw a campaign with outputs of variance 9, judgments of variance 16 and raters of variance 4."""
    rng = np.random.default_rng(seed)
    strictness, level = rng.normal(0, 2, n_raters), np.array([difference, 0.0])
    items = rng.normal(0, 5, n_segments)
    outputs = (
        rng.normal(0, 3, (2, n_segments))
        + document_sd * rng.normal(size=(2, -(-n_segments // 10))).repeat(10, 1)[:, :n_segments]
    )
    scores = (
        70 + level[:, None, None] + items[None, :, None] + outputs[:, :, None] + strictness[None, None, :]
        + rng.normal(0, 4, (2, n_segments, n_raters))
    )  # fmt: skip
    systems, segments, raters = (indices.ravel() for indices in np.indices(scores.shape))
    judged = SegmentJudgments(
        "x", range(scores.size), [""] * scores.size, [f"s{i}" for i in systems], [str(i) for i in segments],
        scores.ravel(), [f"r{i}" for i in raters], [f"d{i // 10}" for i in segments],
    )  # fmt: skip
    return rank_systems(make_campaigns([judged])[0], Analysis(n_samples=50), method="model", unit="segment")


def test_the_components_of_a_campaign_are_recovered() -> None:
    """Outputs have the variance 9, judgments 16."""
    found = estimate_variances(simulate(2000))
    assert found.output == pytest.approx(9, abs=1)
    assert found.judgment == pytest.approx(16, abs=1)
    assert found.clustering == pytest.approx(1, abs=0.15)


def test_without_shared_outputs_only_their_sum_is_known() -> None:
    """One rater per output: further raters cannot be planned."""
    found = estimate_variances(simulate(2000, n_raters=1))
    assert found.output is None
    assert found.judgment == pytest.approx(25, abs=1.5)
    assert {design.raters for design in plan_designs(found, [2.0])} == {1}


def test_a_campaign_without_raters_is_planned_with_one() -> None:
    judged = simulate(200, n_raters=1).campaign.judged
    nameless = SegmentJudgments(**{**vars(judged), "raters": None})
    ranking = rank_systems(make_campaigns([nameless])[0], Analysis(n_samples=50), method="model")
    assert estimate_variances(ranking).rater == 0


def test_systems_that_share_no_segment_cannot_be_planned_from() -> None:
    rows = [(f"s{i % 2}", str(i), float(i * 7 % 5)) for i in range(20)]
    systems, segments, scores = zip(*rows, strict=True)
    judged = SegmentJudgments("x", range(20), [""] * 20, systems, segments, np.array(scores))
    ranking = rank_systems(make_campaigns([judged])[0], Analysis(n_samples=50), method="model")
    with pytest.raises(InputError, match="x has no segment that was judged for two systems"):
        estimate_variances(ranking)


def test_dependent_segments_of_a_document_enlarge_the_plan() -> None:
    """Documents with an effect of their own on each system."""
    assert estimate_variances(simulate(2000, document_sd=3.0)).clustering > 1.8


@pytest.mark.slow
def test_a_planned_campaign_finds_the_difference_in_four_of_five_cases() -> None:
    """200 campaigns of the planned size; the binomial error is 2.8 points."""
    known = HumanVariances(output=9.0, judgment=16.0, rater=4.0, segment=25.0, clustering=1.0)
    (design,) = [design for design in plan_designs(known, [2.0]) if design.raters == 2]
    found = [
        simulate(design.segments, difference=2.0, seed=seed).comparison.adjusted_p[0, 1] < 0.05
        for seed in range(200)
    ]
    assert 0.71 < np.mean(found) < 0.89


def test_smaller_differences_and_more_comparisons_need_more_segments() -> None:
    """Half of the difference needs four times as many."""
    known = HumanVariances(output=9.0, judgment=16.0, rater=4.0, segment=25.0, clustering=1.0)
    one, half = (plan_designs(known, [difference])[0].segments for difference in (2.0, 1.0))
    assert half == pytest.approx(4 * one, abs=4)
    assert plan_designs(known, [2.0], n_comparisons=45)[0].segments > one
    assert plan_designs(known, [2.0], n_systems=10)[0].judgments == 10 * one
    assert plan_designs(known, [2.0])[0].segments_other_raters > one


def test_a_difference_of_zero_cannot_be_planned() -> None:
    """No number of segments would show it."""
    known = HumanVariances(output=None, judgment=1.0, rater=0.0, segment=0.0, clustering=1.0)
    with pytest.raises(InputError, match="differences above 0"):
        plan_designs(known, [0.0])
