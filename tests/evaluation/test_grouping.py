"""Groups such as documents: drawn and exchanged whole, and wider intervals where segments go together."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from tertium.catalog import parse_metrics
from tertium.errors import InputError
from tertium.evaluation.comparison import compare, unite_segments
from tertium.evaluation.evaluation import Evaluation
from tertium.evaluation.units import Units
from tertium.stats.analysis import Analysis

METRICS = tuple(parse_metrics(["wer"]))


def make_evaluation(scores: Any, weight: float = 10.0, groups: Any = None) -> Evaluation:
    """Two systems whose segments have this many errors in ten words, and belong to documents."""
    errors = np.asarray(scores, dtype=np.float64)
    table = np.stack([errors, np.full(errors.shape, weight)], axis=-1)
    units = Units() if groups is None else Units("document", list(groups))
    return Evaluation(("a", "b"), METRICS, {"wer": table}, (1, 1), units)


def document_scores(n_documents: int, size: int, seed: int) -> Any:
    """Errors that depend on the document more than on the segment."""
    rng = np.random.default_rng(seed)
    by_document = np.repeat(rng.normal(50, 10, (2, n_documents)), size, axis=1)
    return by_document + rng.normal(0, 2, by_document.shape)


def test_a_group_is_the_sum_of_its_segments_in_the_order_of_first_segments() -> None:
    united = unite_segments(make_evaluation([[1, 2, 3, 4, 5], [6, 7, 8, 9, 0]], groups="zazba"))
    assert united.tables["wer"].tolist() == [
        [[4, 20], [7, 20], [4, 10]],
        [[14, 20], [7, 20], [9, 10]],
    ]


def test_a_group_for_each_segment_changes_nothing() -> None:
    scores = document_scores(60, 1, seed=0)
    for test in ("bootstrap", "randomization"):
        analysis = Analysis(test=test, n_samples=300, baseline="a")
        plain = compare(make_evaluation(scores), analysis).metrics["wer"]
        grouped = compare(make_evaluation(scores, groups=range(60)), analysis).metrics["wer"]
        np.testing.assert_array_equal(plain.resampled_scores, grouped.resampled_scores)
        if test == "randomization":  # the bootstrap of groups allows for their small number
            np.testing.assert_array_equal(plain.adjusted_p, grouped.adjusted_p)


@pytest.mark.parametrize("test", ["bootstrap", "randomization"])
def test_groups_are_drawn_and_exchanged_whole(test: Any) -> None:
    errors = document_scores(60, 5, seed=1)
    groups = np.repeat(np.arange(60), 5)
    analysis = Analysis(test=test, n_samples=300, baseline="a")
    by_hand = make_evaluation(errors.reshape(2, 60, 5).sum(axis=2), weight=50, groups=range(60))
    expected = compare(by_hand, analysis).metrics["wer"]
    comparison = compare(make_evaluation(errors, groups=groups), analysis)
    found = comparison.metrics["wer"]
    np.testing.assert_allclose(found.resampled_scores, expected.resampled_scores, rtol=1e-12)
    # the sums of ten-word segments are rounded in another order
    np.testing.assert_allclose(found.adjusted_p, expected.adjusted_p, rtol=1e-12)
    np.testing.assert_allclose(found.pair_p, expected.pair_p, rtol=1e-12)
    assert (comparison.n_units, comparison.analysis.unit, found.n_segments) == (60, "document", 300)


def test_intervals_widen_where_segments_of_a_document_go_together() -> None:
    scores = document_scores(60, 20, seed=2)
    segments, documents = (
        compare(make_evaluation(scores, groups=groups)).metrics["wer"].intervals
        for groups in (None, np.repeat(np.arange(60), 20))
    )
    ratio = (documents.high - documents.low) / (segments.high - segments.low)
    # 20 segments that nearly repeat each other are worth one: the interval widens by about √20 = 4.5
    np.testing.assert_allclose(ratio, np.sqrt(20), rtol=0.25)


@pytest.mark.slow
def test_equal_systems_are_called_different_too_often_unless_documents_are_drawn_whole() -> None:
    found = {"segments": 0, "documents": 0}
    for seed in range(60):
        scores = document_scores(60, 10, seed=seed)
        for name, groups in (("segments", None), ("documents", np.repeat(np.arange(60), 10))):
            compared = compare(make_evaluation(scores, groups=groups), Analysis.of(n_samples=200)).metrics[
                "wer"
            ]
            found[name] += set(compared.letters) != {"a"}
    assert found["segments"] > 20  # of 60
    assert found["documents"] <= 9  # 3 are expected; more than 9 in one case of a thousand


@pytest.mark.parametrize(("test", "n_documents"), [("bootstrap", 40), (None, 5)])
def test_few_documents_are_not_tested_however_many_segments_they_have(test: Any, n_documents: int) -> None:
    groups = np.repeat(np.arange(n_documents), 20)
    evaluation = make_evaluation(document_scores(n_documents, 20, seed=0), groups=groups)
    comparison = compare(evaluation, Analysis.of(test=test))
    assert comparison.untested is not None
    assert f"too few documents for tests ({n_documents})" in comparison.untested


def test_documents_are_exchanged_at_random_unless_the_user_chooses_a_test() -> None:
    evaluation = make_evaluation(document_scores(20, 5, seed=3), groups=np.repeat(np.arange(20), 5))
    assert (compare(evaluation).analysis.test, compare(evaluation).analysis.n_samples) == (
        "randomization",
        10_000,
    )
    assert compare(evaluation, Analysis.of(n_samples=70)).analysis.n_samples == 70
    assert compare(evaluation, Analysis.of(test="bootstrap")).analysis.test == "bootstrap"
    assert compare(replace(evaluation, units=Units())).analysis.test == "bootstrap"


@pytest.mark.parametrize("n_documents", [6, 10, 20])
def test_intervals_of_few_documents_are_as_wide_as_those_of_student(n_documents: int) -> None:
    scores = document_scores(n_documents, 10, seed=4)[0]
    groups = np.repeat(np.arange(n_documents), 10)
    interval = (
        compare(make_evaluation([scores, scores], groups=groups), Analysis.of(n_samples=20_000))
        .metrics["wer"]
        .intervals
    )
    means = 10 * scores.reshape(n_documents, 10).mean(axis=1)
    error = means.std(ddof=1) / np.sqrt(n_documents)
    expected = 2 * error * {6: 2.571, 10: 2.262, 20: 2.093}[n_documents]
    np.testing.assert_allclose(interval.high[0] - interval.low[0], expected, rtol=0.1)


def test_groups_that_do_not_fit_the_segments_are_refused() -> None:
    with pytest.raises(InputError, match="3 segments have a group, but 5 were scored"):
        compare(make_evaluation(np.ones((2, 5)), groups="abc"))
