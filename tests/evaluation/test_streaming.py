"""Streams: what batches in any order give, and what the tables in memory give."""

import itertools
import pickle
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tertium.catalog import parse_metrics
from tertium.errors import InputError, OptionError, UnknownNameError
from tertium.evaluation.comparison import compare
from tertium.evaluation.evaluation import Evaluation
from tertium.evaluation.streaming import StreamedEvaluation, StreamedSums
from tertium.stats.analysis import Analysis

METRICS = tuple(parse_metrics(["bleu,wer,sentbleu"]))
WIDTHS = {"bleu": 10, "wer": 2, "sentbleu": 2}
SYSTEMS = ("a", "b", "c")
N_SEGMENTS = 70


def make_evaluation() -> Evaluation:
    rng = np.random.default_rng(0)
    tables = {
        label: np.concatenate(
            [rng.random((3, N_SEGMENTS, width - 1)) * 10, np.full((3, N_SEGMENTS, 1), 10.0)], axis=-1
        )
        for label, width in WIDTHS.items()
    }
    return Evaluation(SYSTEMS, METRICS, tables, (1, 1))


EVALUATION = make_evaluation()


def new_sums(n_samples: int = 200) -> StreamedSums:
    return StreamedSums(len(SYSTEMS) * sum(WIDTHS.values()), n_samples=n_samples, seed=12345)


def streamed(sums: StreamedSums) -> StreamedEvaluation:
    return StreamedEvaluation(SYSTEMS, METRICS, WIDTHS, sums)


def rows(begin: int, end: int) -> list[Any]:
    return [table[:, begin:end] for table in EVALUATION.tables.values()]


@pytest.mark.slow
@settings(deadline=None, max_examples=30)
@given(st.lists(st.integers(0, N_SEGMENTS), max_size=6), st.integers(1, 3), st.randoms(use_true_random=False))
def test_any_batches_on_any_machines_give_the_scores_and_tests_of_the_tables(
    cuts: list[int], n_machines: int, random: Any
) -> None:
    bounds = [0, *sorted(cuts), N_SEGMENTS]
    batches = list(itertools.pairwise(bounds))
    random.shuffle(batches)
    machines = [new_sums() for _ in range(n_machines)]
    for i, (begin, end) in enumerate(batches):
        machines[i % n_machines].add(begin, rows(begin, end))
    merged = new_sums()
    for machine in machines:
        merged.merge(pickle.loads(pickle.dumps(machine)))
    found = streamed(merged)
    analysis = Analysis(n_samples=200, baseline="b")
    comparison = compare(found, analysis)
    expected = compare(EVALUATION, analysis, resampling="poisson")
    assert found.n_segments == N_SEGMENTS
    assert comparison.signature_facts() == {"bs": "poisson", "samples": 200, "seed": 12345}
    for label in WIDTHS:
        np.testing.assert_array_equal(found.totals(label), EVALUATION.totals(label))
        np.testing.assert_array_equal(found.system_scores(label), EVALUATION.system_scores(label))
        ours, theirs = comparison.metrics[label], expected.metrics[label]
        np.testing.assert_array_equal(ours.resampled_scores, theirs.resampled_scores)
        np.testing.assert_array_equal(ours.adjusted_p, theirs.adjusted_p)
        np.testing.assert_array_equal(ours.p_values, theirs.p_values)


def test_a_stream_without_samples_has_scores_only() -> None:
    sums = new_sums(0)
    sums.add(0, rows(0, N_SEGMENTS))
    found = streamed(StreamedSums.from_bytes(sums.to_bytes()))
    np.testing.assert_array_equal(found.system_scores("bleu"), EVALUATION.system_scores("bleu"))
    with pytest.raises(OptionError, match="1,000 samples are needed, but only 0 were drawn during scoring"):
        compare(found)


def test_what_does_not_fit_together_is_refused() -> None:
    with pytest.raises(InputError, match="with and without bootstrap samples cannot be merged"):
        new_sums().merge(new_sums(0))
    with pytest.raises(InputError, match="differ in their samples"):
        new_sums().merge(new_sums(100))
    with pytest.raises(InputError, match="not exact sums"):
        StreamedSums.from_bytes(b"")
    with pytest.raises(UnknownNameError, match="no metric 'ter' was computed; did you mean wer"):
        streamed(new_sums()).metric("ter")
    with pytest.raises(UnknownNameError, match="not among the systems"):
        compare(streamed(new_sums()), Analysis(baseline="z"))


def test_sums_without_samples_can_be_merged() -> None:
    first, second = new_sums(0), new_sums(0)
    first.add(0, rows(0, 30))
    second.add(30, rows(30, N_SEGMENTS))
    first.merge(pickle.loads(pickle.dumps(second)))
    np.testing.assert_array_equal(streamed(first).totals("wer"), EVALUATION.totals("wer"))


def test_parts_cannot_be_shuffled() -> None:
    sums = new_sums()
    sums.add(0, rows(0, N_SEGMENTS))
    with pytest.raises(OptionError, match="scored in parts cannot be shuffled 200 times"):
        compare(streamed(sums), Analysis(test="randomization", n_samples=200))
