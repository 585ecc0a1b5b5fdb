"""Which systems differ: a matrix of the p-values of pairwise tests."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from tertium.report.charts.matrix import Matrix, matrix_specification
from tertium.report.charts.model import Chart

__all__ = ["draw_pair_matrix"]


def draw_pair_matrix(
    systems: Sequence[str],
    p_values: npt.ArrayLike,
    *,
    title: str,
    differences: npt.ArrayLike | None = None,
    alpha: float = 0.05,
    subtitle: str = "p-values of pairwise tests",
) -> Chart:
    """Draw the p-value of each pair of systems; the darker, the stronger the evidence of a difference.

    Steps of colour are at `alpha`, a fifth and a fiftieth of it. `differences` (positive where the row's
    system is better) add an arrow towards the better system. The diagonal is left blank.
    """
    values = np.asarray(p_values, dtype=float)
    bounds = [alpha, alpha / 5, alpha / 50]
    strength = np.where(np.isnan(values), np.nan, sum((values < bound).astype(float) for bound in bounds))
    signs = np.zeros_like(values) if differences is None else np.sign(differences)
    matrix = Matrix(
        strength, systems, systems, "p-value", row_title="system", column_title="system",
        texts=[
            ["" if i == j else _describe(p, sign) for j, (p, sign) in enumerate(zip(*row, strict=True))]
            for i, row in enumerate(zip(values.tolist(), signs.tolist(), strict=True))
        ],
        levels=[f"{alpha:g} or more", *(f"below {bound:g}" for bound in bounds)],
    )  # fmt: skip
    if differences is not None and matrix.is_numbered:
        subtitle += "; ← the row’s system is better, ↑ the column’s"
    return Chart.of(matrix_specification(matrix, title=title, subtitle=subtitle))


def _describe(p_value: float, sign: float) -> str:
    if np.isnan(p_value):
        return "NaN"
    arrow = "← " if sign > 0 else "↑ " if sign < 0 else ""
    return arrow + ("<.001" if p_value < 0.001 else f"{p_value:.3f}".removeprefix("0"))
