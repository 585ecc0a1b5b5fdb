"""Agreement of error spans: character F1 with credit for the severity, matched spans, and error-free detection.

The character F1 is that of WMT23's to WMT25's tasks of error span detection: every marked character counts once for each
span over it, a character marked with the other severity counts half, and characters are summed over all outputs.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple, Protocol

import numpy as np

from tertium.values import FloatArray

SEVERITY_CREDIT = 0.5  # WMT's credit for the right characters with the wrong severity
_MAJOR = ("major", "critical")
_MINOR = ("minor",)


class Marked(Protocol):
    """An error span: positions in a text and a severity."""

    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...
    @property
    def severity(self) -> str: ...
    @property
    def in_source(self) -> bool: ...
    @property
    def has_position(self) -> bool: ...


class SpanScore(NamedTuple):
    """Precision, recall and their harmonic mean."""

    precision: float
    recall: float
    f1: float


class SpanTotals(NamedTuple):
    """Counts that can be added over outputs: the credit for precision and for recall, and the two denominators."""

    credit_precision: float = 0.0
    credit_recall: float = 0.0
    n_predicted: float = 0.0
    n_gold: float = 0.0

    def add(self, other: "SpanTotals") -> "SpanTotals":
        return SpanTotals(*(one + two for one, two in zip(self, other, strict=True)))

    def score(self) -> SpanScore:
        """Compute the scores; without predicted (or gold) errors, precision (or recall) is 1, as in WMT25."""
        precision = self.credit_precision / self.n_predicted if self.n_predicted else 1.0
        recall = self.credit_recall / self.n_gold if self.n_gold else 1.0
        total = precision + recall
        return SpanScore(precision, recall, 2 * precision * recall / total if total else 0.0)


def count_characters(gold: Sequence[Marked], predicted: Sequence[Marked]) -> SpanTotals:
    """Count the marked characters of an output for WMT's character F1.

    Spans without a position, in the source, or of another severity than minor, major and critical do not count.
    """
    length = max((span.end for span in (*gold, *predicted)), default=0)
    (gold_major, gold_minor), (own_major, own_minor) = (_cover(spans, length) for spans in (gold, predicted))
    exact = np.minimum(gold_major, own_major) + np.minimum(gold_minor, own_minor)
    gold_left = np.maximum(gold_major - own_major, 0) + np.maximum(gold_minor - own_minor, 0)
    own_left = np.maximum(own_major - gold_major, 0) + np.maximum(own_minor - gold_minor, 0)
    credit = float(exact.sum() + SEVERITY_CREDIT * np.minimum(gold_left, own_left).sum())
    return SpanTotals(
        credit, credit, float((own_major + own_minor).sum()), float((gold_major + gold_minor).sum())
    )


def _cover(spans: Iterable[Marked], length: int) -> tuple[FloatArray, FloatArray]:
    """Count the spans over each character, by severity."""
    major, minor = np.zeros(length), np.zeros(length)
    for span in spans:
        if span.has_position and not span.in_source:
            side = major if span.severity in _MAJOR else minor if span.severity in _MINOR else None
            if side is not None:
                side[span.start : span.end] += 1
    return major, minor


def match_spans(gold: Sequence[Marked], predicted: Sequence[Marked]) -> SpanTotals:
    """Match spans one to one, beginning with the largest overlap, with credit for the overlapping share.

    A matched span counts for precision with the share of its characters that its partner covers, for recall with the
    covered share of the gold span, and half of that if the severities differ.
    """
    own, right = ([span for span in spans if span.has_position] for spans in (predicted, gold))
    pairs = sorted(
        ((_overlap(one, other), i, j) for i, one in enumerate(own) for j, other in enumerate(right)),
        key=lambda pair: (-pair[0], pair[1], pair[2]),
    )
    precision = recall = 0.0
    used_own: set[int] = set()
    used_right: set[int] = set()
    for overlap, i, j in pairs:
        if overlap <= 0 or i in used_own or j in used_right:
            continue
        used_own.add(i)
        used_right.add(j)
        credit = 1.0 if _same_severity(own[i], right[j]) else SEVERITY_CREDIT
        precision += credit * overlap / (own[i].end - own[i].start)
        recall += credit * overlap / (right[j].end - right[j].start)
    return SpanTotals(precision, recall, float(len(own)), float(len(right)))


def _overlap(one: Marked, other: Marked) -> int:
    if one.in_source != other.in_source:
        return 0
    return min(one.end, other.end) - max(one.start, other.start)


def _same_severity(one: Marked, other: Marked) -> bool:
    return one.severity == other.severity or {one.severity, other.severity} <= set(_MAJOR)


class ErrorFreeScore(NamedTuple):
    """How well outputs without errors are found: F1 of that class, Matthews' correlation, and the area under the ROC."""

    f1: float
    mcc: float
    auc: float


def score_error_free(gold: Sequence[bool], predicted: Sequence[bool], scores: FloatArray) -> ErrorFreeScore:
    """Compare which outputs are free of errors; `scores` of the judge, higher is better, rank them for the AUC.

    NaN where a value is undefined because an outcome does not occur.

    >>> score_error_free([True, True, False], [True, False, False], np.array([3.0, 2.0, 1.0]))
    ErrorFreeScore(f1=0.6666666666666666, mcc=0.5, auc=1.0)
    """
    is_free, is_found = np.array(gold, dtype=bool), np.array(predicted, dtype=bool)
    hit = float(np.count_nonzero(is_free & is_found))
    miss, alarm = float(np.count_nonzero(is_free & ~is_found)), float(np.count_nonzero(~is_free & is_found))
    right = float(np.count_nonzero(~is_free & ~is_found))
    product = (hit + alarm) * (hit + miss) * (right + alarm) * (right + miss)
    return ErrorFreeScore(
        2 * hit / (2 * hit + miss + alarm) if hit + miss + alarm else float("nan"),
        (hit * right - alarm * miss) / product**0.5 if product else float("nan"),
        _area(scores[is_free], scores[~is_free]),
    )


def _area(positive: FloatArray, negative: FloatArray) -> float:
    """Compute the chance that a positive is ranked above a negative; ties count half."""
    if not len(positive) or not len(negative):
        return float("nan")
    ordered = np.sort(negative)
    below = np.searchsorted(ordered, positive, side="left")
    up_to = np.searchsorted(ordered, positive, side="right")
    return float((below + up_to).sum() / (2 * len(positive) * len(negative)))
