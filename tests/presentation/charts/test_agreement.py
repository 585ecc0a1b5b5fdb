"""Agreement of metrics: the same colours for the same correlation."""

import numpy as np

from reference.pictures import shapes, texts
from tertium.presentation.charts.matrix import draw_agreement


def test_correlations_are_written_with_their_statistic() -> None:
    svg = draw_agreement(["bleu", "ter"], [[1, 0.25], [0.25, 1]], title="t", statistic="Kendall’s τ").svg()
    assert texts(svg, group="role-mark") == ["1.00", "0.25", "0.25", "1.00"]
    assert texts(svg, group="role-legend-title") == ["Kendall’s τ"]
    assert texts(svg, group="role-axis-label") == ["bleu", "ter"] * 2


def test_the_same_correlation_has_the_same_colour_in_every_chart() -> None:
    fills = [
        shapes(draw_agreement(["a", "b"], [[1, 0.5], [0.5, other]], title="t").svg(), "path")[1].fill
        for other in (1, 0.2)
    ]
    assert fills[0] == fills[1]


def test_disagreement_is_told_from_agreement() -> None:
    svg = draw_agreement(["a", "b"], np.array([[1, -0.5], [0.5, 1]]), title="t").svg()
    cells = shapes(svg, "path")
    assert cells[1].fill != cells[2].fill
    assert "−0.50" in texts(svg)
