"""Tables of statistics, and the scores, intervals and tests that are computed from them."""

from tertium.evaluation.statistics import Evaluation, SegmentBatch, compute_statistics, fit_metrics

__all__ = ["Evaluation", "SegmentBatch", "compute_statistics", "fit_metrics"]
