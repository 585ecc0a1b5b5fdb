"""Two systems: by how much they differ, how surely, and on which segments."""

import numpy as np
import pytest

from tertium.catalog import parse_metrics
from tertium.errors import OptionError, UnknownNameError
from tertium.evaluation.comparison import compare
from tertium.evaluation.differences import (
    bucket_by_number,
    compare_buckets,
    compare_two,
    find_disagreements,
    measure_segment_gains,
    rows_of_values,
)
from tertium.evaluation.evaluation import Evaluation
from tertium.evaluation.selection import select_metric, select_segments, select_systems
from tertium.stats.analysis import Analysis
from tertium.stats.significance import holm

N = 120


@pytest.fixture(scope="module")
def evaluation() -> Evaluation:
    """Systems a, b and c, of which b is the best and c the worst."""
    rng = np.random.default_rng(7)
    lengths = rng.integers(5, 20, N)
    edits = [rng.binomial(lengths, rate) for rate in (0.3, 0.2, 0.5)]
    wer = np.array([np.stack([counts, lengths], axis=1) for counts in edits], dtype=np.float64)
    scores = np.array([100 - 100 * counts / lengths for counts in edits])
    tables = {"wer": wer, "sentbleu": np.stack([scores, np.ones_like(scores)], axis=2)}
    return Evaluation(("a", "b", "c"), tuple(parse_metrics(["wer,sentbleu"])), tables, (1, 1))


def test_a_gain_is_positive_where_the_second_system_is_better(evaluation: Evaluation) -> None:
    wer, sentbleu = compare_two(evaluation, "a", "b", Analysis.of(n_samples=200))
    assert wer.difference < 0 < wer.gain
    assert wer.gain == -wer.difference
    assert sentbleu.gain == sentbleu.difference > 0
    for difference in (wer, sentbleu):
        assert 0 < difference.interval[0] < difference.gain < difference.interval[1]
        assert difference.is_significant(0.05)
        gains = measure_segment_gains(evaluation, "a", "b")[difference.label]
        assert np.corrcoef(difference.influence, gains)[0, 1] > 0.8


def test_changing_sides_changes_signs(evaluation: Evaluation) -> None:
    for forth, back in zip(compare_two(evaluation, "a", "b"), compare_two(evaluation, "b", "a"), strict=True):
        assert forth.scores == back.scores[::-1]
        assert forth.gain == -back.gain
        assert forth.p_value == back.p_value
        np.testing.assert_allclose(forth.interval, [-back.interval[1], -back.interval[0]])
        np.testing.assert_allclose(forth.influence, -back.influence, atol=1e-12)


def test_other_systems_do_not_matter(evaluation: Evaluation) -> None:
    alone = compare_two(select_systems(evaluation, ["a", "b"]), "a", "b")
    among = compare_two(evaluation, "a", "b")
    assert [difference.p_value for difference in alone] == [difference.p_value for difference in among]


def test_too_few_segments_have_no_p_value(evaluation: Evaluation) -> None:
    for n in (1, 2, 49):
        found = compare_two(select_segments(evaluation, range(n)), "a", "b")[0]
        assert found.p_value is None
        assert not found.is_significant(0.99)
        assert len(found.influence) == n
    assert compare_two(select_segments(evaluation, range(50)), "a", "b")[0].p_value is not None


def test_a_single_segment_has_all_the_influence(evaluation: Evaluation) -> None:
    found = compare_two(select_segments(evaluation, [3]), "a", "b")[0]
    assert found.decisive is None
    assert found.influence == [found.gain]


@pytest.mark.parametrize(
    ("names", "error"), [(("a", "a"), OptionError), (("a", "z"), UnknownNameError)], ids=["same", "unknown"]
)
def test_names_must_be_two_that_are_known(
    evaluation: Evaluation, names: tuple[str, str], error: type[Exception]
) -> None:
    with pytest.raises(error):
        compare_two(evaluation, *names)


@pytest.mark.parametrize("label", ["wer", "sentbleu"])
def test_buckets_are_tested_alone_and_adjusted_together(evaluation: Evaluation, label: str) -> None:
    buckets = {"first": np.arange(60), "second": np.arange(60, N), "few": np.arange(5)}
    found = compare_buckets(evaluation, label, "a", "b", kind="half", buckets=buckets)
    alone = []
    for subset, rows in zip(found, buckets.values(), strict=True):
        part = select_segments(select_systems(evaluation, ["a", "b"]), rows)
        assert subset.scores == tuple(part.system_scores(label))
        assert subset.n_segments == len(rows)
        difference = subset.scores[1] - subset.scores[0]
        assert subset.gain == (difference if label == "sentbleu" else -difference)
        alone.append(compare(select_metric(part, label)).metrics[label].adjusted_p[0, 1])
    assert [subset.p_adjusted for subset in found] == [*holm(np.array(alone[:2])), None]


def test_numbers_fall_into_ranges_that_hold_their_upper_end() -> None:
    found = bucket_by_number(np.array([1.0, 10.0, 10.5, 30.0, 31.0]), [10, 20, 30])
    assert {name: rows.tolist() for name, rows in found.items()} == {
        "≤ 10": [0, 1],
        "11–20": [2],
        "21–30": [3],
        "> 30": [4],
    }
    assert list(bucket_by_number(np.array([50.0]), [10])) == ["> 10"]


def test_values_keep_their_order_and_segments() -> None:
    found = rows_of_values(["news", "chat", "news", ""], column="domain")
    assert {name: rows.tolist() for name, rows in found.items()} == {"news": [0, 2], "chat": [1], "": [3]}
    with pytest.raises(UnknownNameError, match="domain"):
        rows_of_values([], column="domain")


def test_segment_gains_are_positive_where_the_second_system_is_better(evaluation: Evaluation) -> None:
    gains = measure_segment_gains(evaluation, "a", "b")
    np.testing.assert_allclose(gains["wer"], gains["sentbleu"])  # made from each other
    assert gains["wer"].mean() > 0


def test_metrics_disagree_only_where_they_prefer_different_systems() -> None:
    gains = [np.array([2.0, 2.0, -2.0, 0.0]), np.array([10.0, -10.0, 10.0, 30.0])]
    found = find_disagreements(gains)
    assert found[0] == found[3] == 0
    assert found[1] > 0
    assert found[1] == pytest.approx(2 / gains[0].std() + 10 / gains[1].std())
    np.testing.assert_array_equal(find_disagreements([np.zeros(3), np.ones(3)]), [0, 0, 0])
