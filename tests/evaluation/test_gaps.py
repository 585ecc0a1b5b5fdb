"""Systems are compared on the segments that all of them have a score for, whatever else was scored."""

from collections.abc import Sequence

import numpy as np
import pytest

from tertium.catalog import LabelledMetric, parse_metrics
from tertium.errors import InputError
from tertium.evaluation.comparison import compare
from tertium.evaluation.differences import compare_buckets, compare_two, find_disagreements
from tertium.evaluation.evaluation import Evaluation
from tertium.evaluation.gaps import describe_gaps, drop_partial, keep_common, list_gaps, select_common
from tertium.evaluation.history import measure_history
from tertium.evaluation.labels import compare_segment_groups
from tertium.evaluation.planning import Deviation, measure_deviation
from tertium.evaluation.selection import select_segments, select_systems
from tertium.evaluation.streaming import StreamedEvaluation, StreamedSums
from tertium.metrics.means import make_external, tabulate_scores
from tertium.stats.analysis import Analysis
from tertium.values import FloatArray

N = 240
SYSTEMS = ("one", "two", "three")
MISSING = {"one": range(90), "two": range(60, 140), "three": ()}
COMMON = list(range(140, N))
ANALYSIS = Analysis(n_samples=200)


def make(missing: dict[str, Sequence[int]] | None = None) -> Evaluation:
    """Three systems that a judge did not score everywhere, and SentBLEU of all segments.

    The segments that only some systems have a score for would reverse the order of the systems.
    """
    rng = np.random.default_rng(5)
    scores = rng.normal(50, 10, (3, N)) + np.array([[0.0], [4.0], [8.0]])
    scores[0, 90:140] += 60
    for row, name in enumerate(SYSTEMS):
        scores[row, list((MISSING if missing is None else missing).get(name, ()))] = np.nan
    whole = np.stack([np.nan_to_num(scores, nan=40.0), np.full((3, N), 100.0)], axis=2)
    metrics = (LabelledMetric("judge", make_external("judge", "")), *parse_metrics(["sentbleu"]))
    return Evaluation(SYSTEMS, metrics, {"judge": tabulate_scores(scores), "sentbleu": whole}, (1, 1))


def common_only(evaluation: Evaluation) -> Evaluation:
    return select_segments(evaluation, COMMON)


@pytest.mark.parametrize("test", ["bootstrap", "randomization"])
def test_tests_and_intervals_are_those_of_the_common_segments_alone(test: str) -> None:
    analysis = Analysis.of(test=test, n_samples=300)  # type: ignore[arg-type]
    found, alone = (
        compare(evaluated, analysis).metrics["judge"] for evaluated in (make(), common_only(make()))
    )
    np.testing.assert_array_equal(found.scores, alone.scores)
    np.testing.assert_array_equal(found.pair_p, alone.pair_p)
    np.testing.assert_array_equal(found.intervals, alone.intervals)
    assert (found.letters, found.n_segments) == (alone.letters, len(COMMON))


def test_a_metric_without_gaps_is_compared_as_if_it_were_alone() -> None:
    evaluation = make()
    alone = Evaluation(SYSTEMS, evaluation.metrics[1:], {"sentbleu": evaluation.tables["sentbleu"]}, (1, 1))
    found, expected = (compare(evaluated, ANALYSIS).metrics["sentbleu"] for evaluated in (evaluation, alone))
    np.testing.assert_array_equal(found.pair_p, expected.pair_p)
    np.testing.assert_array_equal(found.intervals, expected.intervals)


def test_every_kind_of_comparison_uses_the_common_segments() -> None:
    evaluation, alone = make(), common_only(make())
    pair = [compare_two(evaluated, "one", "three", ANALYSIS)[0] for evaluated in (evaluation, alone)]
    # "two" has no part in a comparison of "one" and "three", so its gaps do not matter.
    expected = compare_two(select_segments(evaluation, range(90, N)), "one", "three", ANALYSIS)[0]
    assert (pair[0].scores, pair[0].p_value) == (expected.scores, expected.p_value)
    assert pair[0].scores != pair[1].scores
    assert measure_deviation(evaluation, "judge", "one", "two").observed == pytest.approx(
        measure_deviation(alone, "judge", "one", "two").observed
    )
    releases = [measure_history({"": evaluated}, ANALYSIS) for evaluated in (evaluation, alone)]
    judged = [
        [number for row in rows if row.metric == "judge" for number in (row.score, row.p_value or 0.0)]
        for rows in releases
    ]
    assert judged[0] == pytest.approx(judged[1])


def test_groups_of_segments_lose_the_segments_that_a_system_lacks() -> None:
    groups = {"none": np.arange(60, 90), "some": np.arange(130, N)}
    (bucket,) = compare_buckets(make(), "judge", "one", "two", kind="part", buckets=groups, analysis=ANALYSIS)
    (row,) = compare_segment_groups(keep_common(make()), "judge", "part", groups, ANALYSIS)
    expected = common_only(make()).system_scores("judge")
    assert (bucket.name, bucket.n_segments, bucket.scores) == ("some", len(COMMON), tuple(expected[:2]))
    assert (row.name, row.n_items, row.scores) == ("some", len(COMMON), tuple(expected))


def test_segments_keep_their_numbers_and_lose_partial_scores() -> None:
    evaluation, kept = make(), keep_common(make())
    assert kept.n_segments == N
    np.testing.assert_array_equal(
        np.flatnonzero(np.isfinite(kept.segment_scores("judge")[2])), np.array(COMMON)
    )
    np.testing.assert_allclose(kept.system_scores("judge"), common_only(evaluation).system_scores("judge"))
    np.testing.assert_array_equal(kept.tables["sentbleu"], evaluation.tables["sentbleu"])
    assert keep_common(make({})) is not kept
    whole = make({})
    assert keep_common(whole) is whole


def test_sums_of_parts_are_those_of_the_common_segments() -> None:
    evaluation = make()
    metric, table = evaluation.metric("judge"), evaluation.tables["judge"]
    parts = [drop_partial(metric, table[:, start : start + 50]).sum(axis=1) for start in range(0, N, 50)]
    np.testing.assert_allclose(
        metric.combine(np.sum(parts, axis=0)), common_only(evaluation).system_scores("judge")
    )


def test_the_note_counts_the_common_segments() -> None:
    (line,) = describe_gaps(make())
    assert line == (
        "judge: of 240 segments, there is no score for 90 of one, 80 of two; scores and tests use the 100 segments"
        " that every system has a score for"
    )
    (line,) = describe_gaps(make({"one": range(N), "two": range(1, N), "three": range(1, N)}))
    assert line.endswith("use the 0 segments that every system has a score for")
    (alone,) = describe_gaps(select_systems(make(), ["two"]))
    assert alone.endswith("no score for 80 of two; the system score is the mean over the others")
    assert describe_gaps(make({})) == list_gaps(make({})) == []
    assert list_gaps(make()) == ["judge: of 240 segments, there is no score for 90 of one, 80 of two"]


def test_systems_without_a_common_segment_cannot_be_compared() -> None:
    evaluation = make({"one": range(120), "two": range(120, N)})
    message = "judge: of 240 segments, there is no score for 120 of one, 120 of two: leave the metric or"
    for attempt in (lambda: compare(evaluation), lambda: select_common(evaluation, "judge")):
        with pytest.raises(InputError, match=message):
            attempt()


def test_metrics_do_not_disagree_on_a_segment_without_a_score() -> None:
    gains: list[FloatArray] = [np.array([1.0, np.nan, -2.0]), np.array([-1.0, -1.0, 2.0])]
    found = find_disagreements(gains)
    assert found[1] == 0
    assert np.all(found[[0, 2]] > 0)


def test_the_note_on_sums_of_parts_counts_the_segments_that_were_kept() -> None:
    """Sums of parts have the same gaps for every system: those of the common segments."""
    metrics = (LabelledMetric("judge", make_external("judge", "")),)
    table = drop_partial(metrics[0].metric, make().tables["judge"])
    sums = StreamedSums(table.shape[2] * len(SYSTEMS))
    sums.add(0, [table])
    (line,) = describe_gaps(StreamedEvaluation(SYSTEMS, metrics, {"judge": table.shape[2]}, sums))
    assert line.endswith("scores and tests use the 100 segments that every system has a score for")


def test_documents_are_counted_as_in_the_measured_test_set() -> None:
    """200 segments in 50 documents: 1,001 segments are 251 documents, and never fewer than 6."""
    measured = Deviation("bleu", "a and b", 20.0, 1.0, 200, "document", 50)
    assert measured.count_units(1001) == 251
    assert measured.count_units(4) == 6
    assert Deviation("bleu", "typical systems", 20.0).count_units(1001) is None
