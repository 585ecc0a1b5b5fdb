"""Tables of statistics, and what is asked of them: scores, intervals, tests and clusters."""

from tertium.evaluation.statistics import Batch, Evaluation, compute_statistics, fit_metrics

__all__ = ["Batch", "Evaluation", "compute_statistics", "fit_metrics"]
