"""Scores of error spans: WMT25's character F1, matched spans, error-free detection."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium.corpus.judgments.spans import NOWHERE, ErrorSpan
from tertium.stats.span_scores import SpanScore, SpanTotals, count_characters, match_spans, score_error_free

SPANS = st.lists(
    st.builds(
        lambda start, length, severity: ErrorSpan(start, start + length, severity),
        st.integers(0, 20),
        st.integers(1, 12),
        st.sampled_from(["minor", "major", "critical"]),
    ),
    max_size=5,
)


def textbook_credit(gold: list[ErrorSpan], predicted: list[ErrorSpan]) -> tuple[float, int, int]:
    """Go through the characters one by one, as WMT25's script does."""
    credit, n_gold, n_predicted = 0.0, 0, 0
    for place in range(40):
        counts = {}
        for side, spans in (("gold", gold), ("own", predicted)):
            here = [span.severity for span in spans if span.start <= place < span.end]
            counts[side, "minor"] = here.count("minor")
            counts[side, "major"] = len(here) - here.count("minor")
        n_gold += counts["gold", "minor"] + counts["gold", "major"]
        n_predicted += counts["own", "minor"] + counts["own", "major"]
        credit += sum(min(counts["gold", kind], counts["own", kind]) for kind in ("minor", "major"))
        left = [
            sum(max(0, counts[one, kind] - counts[other, kind]) for kind in ("minor", "major"))
            for one, other in (("gold", "own"), ("own", "gold"))
        ]
        credit += 0.5 * min(left)
    return credit, n_predicted, n_gold


@given(SPANS, SPANS)
def test_characters_equal_the_textbook_version(gold: list[ErrorSpan], predicted: list[ErrorSpan]) -> None:
    """Overlapping spans of all severities."""
    credit, n_predicted, n_gold = textbook_credit(gold, predicted)
    assert count_characters(gold, predicted) == (credit, credit, n_predicted, n_gold)


@given(SPANS)
def test_a_judge_that_repeats_the_rater_is_perfect(spans: list[ErrorSpan]) -> None:
    """Also if there are no errors."""
    assert count_characters(spans, spans).score() == SpanScore(1, 1, 1)
    assert match_spans(spans, spans).score() == pytest.approx((1, 1, 1))


@given(SPANS, SPANS)
def test_precision_and_recall_change_places_with_the_sides(
    gold: list[ErrorSpan], predicted: list[ErrorSpan]
) -> None:
    """Characters are counted symmetrically."""
    one, other = count_characters(gold, predicted).score(), count_characters(predicted, gold).score()
    assert (one.precision, one.recall) == (other.recall, other.precision)
    assert one.f1 == other.f1


@pytest.mark.parametrize(
    ("predicted", "expected"),
    [
        ([ErrorSpan(0, 10, "major")], (1, 1, 1)),
        ([ErrorSpan(0, 5, "major")], (1, 1 / 2, 2 / 3)),
        ([ErrorSpan(0, 10, "minor")], (1 / 2, 1 / 2, 1 / 2)),
        ([ErrorSpan(5, 15, "major")], (1 / 2, 1 / 2, 1 / 2)),
        ([ErrorSpan(20, 25, "major")], (0, 0, 0)),
        ([], (1, 0, 0)),
        ([ErrorSpan(NOWHERE, NOWHERE, "major")], (1, 0, 0)),
        ([ErrorSpan(0, 10, "critical")], (1, 1, 1)),
        ([ErrorSpan(0, 10, "major", in_source=True)], (1, 0, 0)),
    ],
    ids=["exact", "half", "severity", "shifted", "elsewhere", "nothing", "missing", "critical", "source"],
)
def test_characters_of_one_major_error(predicted: list[ErrorSpan], expected: tuple[float, ...]) -> None:
    """The gold standard is a major error over the characters 0 to 10."""
    assert count_characters([ErrorSpan(0, 10, "major")], predicted).score() == pytest.approx(expected)


def test_matched_spans_are_used_once() -> None:
    """Two predictions of the same error: one matches, the other is a false alarm."""
    gold = [ErrorSpan(0, 10, "major")]
    predicted = [ErrorSpan(0, 8, "major"), ErrorSpan(1, 10, "minor")]
    totals = match_spans(gold, predicted)
    assert totals == (0.5, 0.5 * 0.9, 2, 1)  # the larger overlap, with the wrong severity


def test_totals_add_up() -> None:
    """Outputs are pooled, not averaged."""
    whole = SpanTotals(1, 1, 2, 4).add(SpanTotals(3, 3, 3, 4))
    assert whole.score() == pytest.approx((4 / 5, 1 / 2, 2 * 0.8 * 0.5 / 1.3))


def test_error_free_detection_with_one_outcome_is_undefined() -> None:
    """All outputs have errors."""
    found = score_error_free([False, False], [False, False], np.array([1.0, 2.0]))
    assert all(np.isnan(value) for value in found)


def test_the_area_under_the_curve_counts_ties_half() -> None:
    """Free outputs have the scores 0 and -1, the others 0 and -5."""
    found = score_error_free(
        [True, True, False, False], [True, False, True, False], np.array([0.0, -1.0, 0.0, -5.0])
    )
    assert found.auc == (0.5 + 1 + 0 + 1) / 4
    assert (found.f1, found.mcc) == (0.5, 0)


def test_a_span_without_a_severity_marks_no_character() -> None:
    assert count_characters([ErrorSpan(0, 10, "neutral")], []).score() == (1, 1, 1)


def test_spans_of_the_source_match_none_of_the_target() -> None:
    totals = match_spans([ErrorSpan(0, 10, "major")], [ErrorSpan(0, 10, "major", in_source=True)])
    assert totals == (0, 0, 1, 1)
