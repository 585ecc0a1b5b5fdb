"""How alike metrics judge: a matrix of their correlations."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from tertium.report.charts.matrix import Matrix, matrix_specification
from tertium.report.charts.model import Chart

__all__ = ["draw_agreement"]


def draw_agreement(
    metrics: Sequence[str],
    correlations: npt.ArrayLike,
    *,
    title: str,
    statistic: str = "Pearson’s r",
    subtitle: str = "",
) -> Chart:
    """Draw the correlation of every metric (row) with every other (column); dark means much agreement.

    Colours run from 0 to 1, or from −1 to 1 if a correlation is negative, so that charts can be compared.
    """
    values = np.asarray(correlations, dtype=float)
    low = -1.0 if (values < 0).any() else 0.0
    matrix = Matrix(
        values, metrics, metrics, statistic, row_title="metric", column_title="metric", low=low, high=1.0
    )
    return Chart.of(matrix_specification(matrix, title=title, subtitle=subtitle))
