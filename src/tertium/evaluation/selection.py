"""Parts of an evaluation: some of its segments, or one of its metrics."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from tertium.evaluation.statistics import Evaluation

__all__ = ["select_metric", "select_segments"]


def select_segments(evaluation: Evaluation, rows: Sequence[int] | npt.NDArray[np.intp]) -> Evaluation:
    """Keep some segments of an evaluation, in the order of `rows`."""
    chosen = np.asarray(rows, dtype=np.intp)
    tables = {label: np.asarray(table[:, chosen]) for label, table in evaluation.tables.items()}
    return Evaluation(evaluation.systems, evaluation.metrics, tables, evaluation.n_references)


def select_metric(evaluation: Evaluation, label: str) -> Evaluation:
    """Keep one metric of an evaluation."""
    evaluation.metric(label)  # which refuses a label that is not there
    metrics = tuple(each for each in evaluation.metrics if each.label == label)
    return Evaluation(evaluation.systems, metrics, {label: evaluation.tables[label]}, evaluation.n_references)
