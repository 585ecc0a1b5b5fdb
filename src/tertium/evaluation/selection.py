"""Parts of an evaluation: some of its segments."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from tertium.evaluation.statistics import Evaluation

__all__ = ["select_segments"]


def select_segments(evaluation: Evaluation, rows: Sequence[int] | npt.NDArray[np.intp]) -> Evaluation:
    """Keep some segments of an evaluation, in the order of `rows`."""
    chosen = np.asarray(rows, dtype=np.intp)
    tables = {label: np.asarray(table[:, chosen]) for label, table in evaluation.tables.items()}
    return Evaluation(evaluation.systems, evaluation.metrics, tables, evaluation.n_references)
