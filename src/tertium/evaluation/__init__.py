"""Tables of statistics, and what is asked of them: scores, intervals, tests and clusters."""

from tertium.evaluation.statistics import Evaluation, SegmentBatch, compute_statistics, fit_metrics

__all__ = ["Evaluation", "SegmentBatch", "compute_statistics", "fit_metrics"]
