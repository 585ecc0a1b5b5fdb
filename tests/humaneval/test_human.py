"""Human evaluations: campaigns, rankings, raters and error spans."""

import warnings
from collections.abc import Sequence

import numpy as np
import pytest

from tertium.corpus.judgments.readers import SegmentJudgments, SystemJudgments
from tertium.corpus.judgments.spans import ErrorSpan
from tertium.errors import InputError, OptionError
from tertium.humaneval.campaign import Campaign, make_campaigns
from tertium.humaneval.errors import agree_on_spans, measure_errors
from tertium.humaneval.ranking import Ranking, cluster_ranks, rank_systems
from tertium.humaneval.raters import examine_raters
from tertium.stats.analysis import Analysis
from tertium.values import FloatArray

ANALYSIS = Analysis(n_samples=100)


def judge(
    rows: Sequence[tuple[str, str, str, float]], *, documents: Sequence[str] | None = None
) -> SegmentJudgments:
    """Make judgments of system, segment, rater and score."""
    systems, segments, raters, scores = zip(*rows, strict=True)
    return SegmentJudgments(
        "h.tsv", range(2, len(rows) + 2), [""] * len(rows), systems, segments, np.array(scores, dtype=float),
        raters if any(raters) else None, documents,
    )  # fmt: skip


def campaign_of(table: FloatArray, raters: np.ndarray | None = None) -> Campaign:
    """Make a campaign of scores (systems, segments) and optionally the raters of the outputs."""
    rows = [
        (f"s{i}", str(j + 1), "" if raters is None else f"r{raters[i, j]}", float(score))
        for (i, j), score in np.ndenumerate(table)
        if not np.isnan(score)
    ]
    return make_campaigns([judge(rows)])[0]


def rank(campaign: Campaign, **options: object) -> Ranking:
    """Rank with few samples."""
    return rank_systems(campaign, ANALYSIS, **options)  # type: ignore[arg-type]


def test_the_mean_weighs_segments_equally_however_often_they_were_judged() -> None:
    """As the findings of WMT21 and WMT22 do: segment 1 of A was judged twice."""
    rows = [
        ("A", "1", "", 10.0),
        ("A", "1", "", 20.0),
        ("A", "2", "", 30.0),
        ("B", "1", "", 5.0),
        ("B", "2", "", 6.0),
    ]
    ranking = rank(make_campaigns([judge(rows)])[0])
    assert ranking.method == "mean"
    assert ranking.scores.tolist() == pytest.approx([22.5, 5.5])


def test_pseudo_values_of_an_incomplete_design_have_the_estimates_as_means() -> None:
    """Intervals are around the ranking's scores, whichever estimate is used."""
    rng = np.random.default_rng(0)
    table = rng.normal(size=(3, 40))
    table[rng.random(table.shape) < 0.3] = np.nan
    campaign = campaign_of(table, rng.integers(4, size=table.shape))
    assert rank(campaign, method="mean").scores == pytest.approx(np.nanmean(table, axis=1))
    by_model = rank(campaign, method="model")
    assert by_model.scores == pytest.approx(by_model.model.effects)
    assert by_model.comparison.intervals.mean == pytest.approx(by_model.scores, abs=0.1)


def test_a_balanced_design_is_ranked_by_means_and_a_confounded_one_by_the_model() -> None:
    """The reason is given in words."""
    rng = np.random.default_rng(1)
    strictness = np.array([0.0, -20.0, 10.0])
    balanced = np.broadcast_to(np.arange(60) % 3, (2, 60))
    confounded = rng.integers(3, size=(2, 60))
    noise = rng.normal(size=(2, 60))
    assert rank(campaign_of(noise + strictness[balanced], balanced)).method == "mean"
    ranking = rank(campaign_of(noise + strictness[confounded], confounded))
    assert ranking.method == "model"
    assert "unequally often" in ranking.reason


def test_a_clear_difference_is_significant_and_noise_is_not() -> None:
    """Two systems differ by 3 standard deviations from the third; the other two are equal up to noise."""
    rng = np.random.default_rng(2)
    table = rng.normal(size=(3, 100)) + np.array([[3.0], [3.0], [0.0]])
    ranking = rank(campaign_of(table))
    assert ranking.comparison.letters == ("a", "a", "b")
    assert ranking.comparison.ranks == ((1, 2), (1, 2), (3, 3))
    assert ranking.clusters.tolist() == [1, 1, 2]
    further = ranking.further_judgments(0, 1)
    assert further is None or further > 100


@pytest.mark.slow
@pytest.mark.parametrize("is_confounded", [False, True], ids=["by document", "by output"])
def test_equal_systems_differ_significantly_in_five_percent_of_evaluations(*, is_confounded: bool) -> None:
    """With strict and lenient raters; 1,000 trials of tools/simulate_human_tests.py gave 4.4 to 5.0 %."""
    rng = np.random.default_rng(3)
    alarms = 0
    n_trials = 300
    for _ in range(n_trials):
        raters = (
            rng.integers(5, size=(2, 60)) if is_confounded else np.broadcast_to(np.arange(60) % 5, (2, 60))
        )
        table = rng.normal(size=(2, 60)) + 2 * rng.normal(size=5)[raters] + rng.normal(size=(1, 60))
        alarms += bool(rank(campaign_of(table, raters), method="model").comparison.adjusted_p[0, 1] < 0.05)
    assert 0.02 < alarms / n_trials < 0.085


def test_documents_are_resampled_as_a_whole_if_there_are_enough() -> None:
    """Segments of a document are not independent; with five documents no pair could be significant."""
    rng = np.random.default_rng(4)
    rows = [(system, str(i), "", float(rng.normal())) for i in range(60) for system in "AB"]
    for n_documents, unit in ((20, "document"), (5, "segment")):
        documents = [f"d{int(segment) % n_documents}" for _, segment, _, _ in rows]
        ranking = rank(make_campaigns([judge(rows, documents=documents)])[0])
        assert (ranking.unit, ranking.n_units) == (unit, 20 if unit == "document" else 60)


def test_dependent_segments_of_a_document_widen_the_interval() -> None:
    """Copies of a segment carry no new information."""
    rng = np.random.default_rng(5)
    scores = {(system, d): float(rng.normal()) for system in "AB" for d in range(30)}
    rows = [
        (system, f"{d}-{i}", "", scores[system, d]) for d in range(30) for i in range(4) for system in "AB"
    ]
    documents = [f"d{segment.partition('-')[0]}" for _, segment, _, _ in rows]
    campaign = make_campaigns([judge(rows, documents=documents)])[0]
    by_document, by_segment = (
        rank(campaign, unit=unit).comparison.intervals for unit in ("document", "segment")
    )
    widths = [np.mean(intervals.high - intervals.low) for intervals in (by_document, by_segment)]
    assert widths[0] > 1.6 * widths[1]


def test_clusters_end_where_rank_ranges_do_not_overlap() -> None:
    """The third system bridges the second and the fourth, so they share a cluster."""
    ranks = ((1, 1), (2, 3), (2, 4), (3, 4))
    assert cluster_ranks(np.array([4.0, 3.0, 2.0, 1.0]), ranks).tolist() == [1, 2, 2, 2]


def test_z_scores_remove_the_strictness_of_raters() -> None:
    """The strict rater judged system 0 more often; on z-scores both systems are equal."""
    table = np.tile(np.arange(20.0), (2, 1))
    raters = np.array([[0] * 20, [1] * 20])
    ranking = rank(campaign_of(table - 50.0 * (raters == 0), raters), method="z")
    assert ranking.scores == pytest.approx([0, 0], abs=1e-12)


def test_nobody_leads_without_tests() -> None:
    few = rank(campaign_of(np.arange(8.0).reshape(2, 4)), test="bootstrap")
    assert few.untested is not None
    assert few.leaders == ()


def test_z_scores_need_raters() -> None:
    """The option is named."""
    with pytest.raises(OptionError, match="ranking=z needs judgments that name their raters"):
        rank(campaign_of(np.arange(8.0).reshape(2, 4)), method="z")


def test_a_rater_with_one_score_throughout_gives_no_z_scores_and_no_warning() -> None:
    """Other estimates remain, and a ranking by z-scores names the system."""
    table = np.array([np.arange(12.0), np.full(12, 5.0)])
    campaign = campaign_of(table, np.repeat([[0], [1]], 12, axis=1))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        z_means = rank(campaign, method="mean").z_means
        assert z_means is not None
        assert np.isnan(z_means).tolist() == [False, True]
        with pytest.raises(OptionError, match="ranking=z: s1 has no z-scores, because each of its raters"):
            rank(campaign, method="z")


def test_scores_that_the_model_explains_wholly_give_no_warning() -> None:
    """The variance of a difference is 0 then, or a little less by rounding."""
    rows = [(s, str(i), r, 50.0 + i) for s in ("a", "b") for i in range(1, 13) for r in ("x", "y")]
    rows[7], rows[37] = ("a", "13", "y", 54.0), ("b", "14", "y", 57.0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert rank(make_campaigns([judge(rows)])[0]).method in ("mean", "model")


def test_one_system_cannot_be_ranked() -> None:
    """Two are needed."""
    with pytest.raises(InputError, match="has judgments of one system, s0; give two or more"):
        rank(campaign_of(np.arange(4.0).reshape(1, 4)))


def test_documents_that_are_not_named_cannot_be_resampled() -> None:
    """The option and the file are named."""
    with pytest.raises(OptionError, match=r"unit=document: h.tsv does not name documents"):
        rank(campaign_of(np.arange(8.0).reshape(2, 4)), unit="document")


def test_excluded_raters_and_language_pairs_must_exist() -> None:
    """A misspelt name would silently exclude nobody."""
    judged = judge([("A", "1", "anna", 1.0), ("B", "1", "ben", 2.0), ("A", "2", "ben", 1.5)])
    assert len(make_campaigns([judged], exclude=["anna"])[0]) == 2
    with pytest.raises(OptionError, match="exclude=ana is not in these files; there are anna, ben"):
        make_campaigns([judged], exclude=["ana"])
    with pytest.raises(OptionError, match="pairs=de-en is not in these files"):
        make_campaigns([judged], pairs=["de-en"])


def test_scores_of_whole_systems_are_no_human_evaluation() -> None:
    """A file of system scores has no judgments of segments."""
    with pytest.raises(InputError, match=r"s.tsv has no judgments of segments"):
        make_campaigns([SystemJudgments("s.tsv", [2], [""], ["A"], np.array([1.0]))])


def test_a_campaign_without_judgments_of_systems_says_why() -> None:
    """All raters are excluded, or all judgments check the attention of raters."""
    judged = judge([("A", "1", "anna", 1.0), ("B", "1", "anna", 2.0)])
    with pytest.raises(InputError, match="no judgments are left; exclude fewer raters"):
        make_campaigns([judged], exclude=["anna"])
    checks = SegmentJudgments(**{**vars(judged), "checks": ["bad", "bad"]})
    with pytest.raises(InputError, match=r"h.tsv: no judgments of systems are left for this evaluation"):
        make_campaigns([checks])


def test_times_of_one_file_are_kept_beside_a_file_without_times() -> None:
    rows = [("A", "1", "anna", 1.0), ("B", "1", "anna", 2.0)]
    timed = SegmentJudgments(**{**vars(judge(rows)), "seconds": np.array([3.0, 5.0])})
    (campaign,) = make_campaigns([timed, judge([("A", "2", "ben", 1.0), ("B", "2", "ben", 3.0)])])
    anna, ben = examine_raters(campaign, seed=0).raters
    assert (anna.seconds, ben.seconds) == (4.0, None)


def test_repeated_judgments_are_reported_with_both_lines() -> None:
    """One line; the judgments are averaged."""
    rows = [("A", "1", "anna", 1.0), ("B", "1", "anna", 2.0), ("A", "1", "anna", 3.0)]
    (warning,) = make_campaigns([judge(rows)])[0].warnings
    assert warning == (
        "h.tsv: line 4 judges system 'A', segment '1' again by rater 'anna' (first in line 2);"
        " 1 such judgments are averaged"
    )


def test_overlapping_spans_are_reported_with_their_place() -> None:
    """They count, because MQM allows them."""
    rows = [("A", "1", "anna", 1.0), ("B", "1", "anna", 2.0)]
    spans = [(ErrorSpan(0, 5, "minor"), ErrorSpan(3, 9, "major")), ()]
    judged = judge(rows)
    (warning,) = make_campaigns([SegmentJudgments(**{**vars(judged), "spans": spans})])[0].warnings
    assert warning.startswith("h.tsv: line 2 has overlapping error spans, 0:5 and 3:9; 1 judgments")


def test_files_without_raters_and_spans_join_those_with_them() -> None:
    """A column that a file lacks gets empty values."""
    one = judge([("A", "1", "anna", 1.0), ("B", "1", "anna", 2.0)])
    other = judge([("A", "2", "", 1.0), ("B", "2", "", 2.0)])
    (campaign,) = make_campaigns([one, other])
    assert campaign.raters == ("anna", "")
    assert len(campaign) == 4


def rated(n_raters: int = 4, seed: int = 6) -> list[tuple[str, str, str, float]]:
    """Draw scores of 2 systems × 40 segments by every rater, with a common signal."""
    rng = np.random.default_rng(seed)
    signal = rng.normal(70, 10, size=(2, 40))
    return [
        (f"s{i}", str(j), f"r{rater}", float(round(signal[i, j] + rng.normal(0, 5))))
        for rater in range(n_raters)
        for i in range(2)
        for j in range(40)
    ]


def test_careful_raters_agree() -> None:
    """The signal has twice the standard deviation of the noise."""
    report = examine_raters(make_campaigns([judge(rated())])[0], seed=0)
    assert 0.7 < report.alpha < 0.9
    assert report.n_shared == 80
    assert all(facts.agreement is not None and facts.agreement > 0.7 for facts in report.raters)


def test_careless_raters_are_described_but_kept() -> None:
    """One always gives the same score, one gives scores at random."""
    rng = np.random.default_rng(7)
    rows = rated()
    rows = [
        (
            system,
            segment,
            rater,
            50.0 if rater == "r0" else float(rng.integers(100)) if rater == "r1" else score,
        )
        for system, segment, rater, score in rows
    ]
    campaign = make_campaigns([judge(rows)])[0]
    facts = {rater.name: rater for rater in examine_raters(campaign, seed=0).raters}
    assert (facts["r0"].sd, facts["r0"].agreement) == (0, None)
    assert abs(facts["r1"].agreement or 0) < 0.3
    assert len(campaign) == len(rows)


def test_repeated_outputs_measure_the_consistency_of_a_rater() -> None:
    """The two judgments differ by 6 and by 2."""
    rows = [*rated(), ("s0", "0", "r0", 0.0), ("s0", "1", "r0", 0.0)]
    own = {(system, segment): score for system, segment, rater, score in rated() if rater == "r0"}
    report = examine_raters(make_campaigns([judge(rows)])[0], seed=0)
    assert report.raters[0].repeat_difference == pytest.approx((own["s0", "0"] + own["s0", "1"]) / 2)


def test_degraded_outputs_with_high_scores_are_failed_checks() -> None:
    """The rater scores the degraded output of segment 0 above the genuine one, that of segment 1 below."""
    rows = rated()
    judged = judge([*rows, ("s0", "0", "r0", 100.0), ("s0", "1", "r0", 0.0)])
    checks = [""] * len(rows) + ["bad", "bad"]
    campaign = make_campaigns([SegmentJudgments(**{**vars(judged), "checks": checks})])[0]
    facts = examine_raters(campaign, seed=0).raters[0]
    assert (facts.failed_checks, facts.n_checks) == (1, 2)


def test_raters_must_be_named() -> None:
    """The remedy is a column."""
    with pytest.raises(InputError, match=r"h.tsv does not name the raters; add a column rater"):
        examine_raters(campaign_of(np.arange(8.0).reshape(2, 4)), seed=0)


def marked(rate_a: float, rate_b: float, n: int = 100) -> SegmentJudgments:
    """Draw outputs of two systems with major errors at these rates."""
    rng = np.random.default_rng(8)
    rows = [(system, str(i), "r", 0.0) for i in range(n) for system in "AB"]
    rates = {"A": rate_a, "B": rate_b}
    spans = [
        (ErrorSpan(0, 4, "major", "accuracy"),) if rng.random() < rates[system] else () for system, *_ in rows
    ]
    scores = np.array([-5.0 * len(errors) for errors in spans])
    facts = {"spans": spans, "scores": scores, "targets": ["word and more words"] * len(rows)}
    return SegmentJudgments(**{**vars(judge(rows)), **facts})


def test_error_rates_count_errors_per_output_and_per_thousand_words() -> None:
    """Every output has 4 words."""
    rates = measure_errors(rank(make_campaigns([marked(0.5, 0.1)])[0]))
    found = {(rate.severity, rate.category, rate.system): rate for rate in rates}
    worse = found["major", "accuracy", "A"]
    assert worse.per_segment == pytest.approx(worse.count / 100)
    assert worse.per_1000_words == pytest.approx(1000 * worse.count / 400)
    assert worse.difference > 0
    assert worse.p_adjusted < 0.001
    assert found["major", "", "B"].p_adjusted < 0.001


def test_equal_error_rates_are_not_significant() -> None:
    """The same rate for both systems."""
    assert all(rate.p_adjusted > 0.05 for rate in measure_errors(rank(make_campaigns([marked(0.3, 0.3)])[0])))


def test_a_perfect_judge_of_spans_has_f1_of_one() -> None:
    """And finds all outputs without errors."""
    judged = marked(0.5, 0.1)
    ranking = rank(make_campaigns([judged])[0])
    (found,) = agree_on_spans(ranking, [judged])
    assert found.characters == (1, 1, 1)
    assert found.error_free == (1, 1, 1)
    assert found.n_outputs == 200


def test_a_judge_of_other_outputs_is_refused() -> None:
    """Systems and segments must have the same names."""
    judged = marked(0.5, 0.1)
    other = SegmentJudgments(**{**vars(judged), "systems": ["C"] * len(judged), "path": "x.jsonl"})
    with pytest.raises(InputError, match=r"x.jsonl judges none of the raters' outputs, such as system 'C'"):
        agree_on_spans(rank(make_campaigns([judged])[0]), [other])


def test_raters_are_compared_with_each_other_where_they_share_outputs() -> None:
    """Two raters who mark the same spans."""
    judged = marked(0.5, 0.1)
    second = SegmentJudgments(**{**vars(judged), "raters": ["q"] * len(judged)})
    (found,) = agree_on_spans(rank(make_campaigns([judged, second])[0]), [])
    assert (found.judge, found.characters.f1, found.n_outputs) == ("pairs of raters", 1.0, 200)


def test_judgments_without_spans_have_no_error_table() -> None:
    """The message names the file."""
    with pytest.raises(InputError, match=r"h.tsv has no error spans"):
        measure_errors(rank(campaign_of(np.arange(8.0).reshape(2, 4))))
