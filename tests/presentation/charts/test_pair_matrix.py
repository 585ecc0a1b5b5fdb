"""Matrices of pairwise tests: the darker, the stronger; arrows towards the better system."""

import numpy as np

from reference.pictures import shapes, texts
from tertium.presentation.charts.matrix import draw_pair_matrix

P_VALUES = np.array([[np.nan, 0.2, 0.03], [0.2, np.nan, 0.0004], [0.03, 0.0004, np.nan]])


def test_p_values_are_written_and_the_diagonal_is_blank() -> None:
    svg = draw_pair_matrix(["a", "b", "c"], P_VALUES, title="t").svg()
    assert texts(svg, group="role-mark") == [".200", ".030", ".200", "<.001", ".030", "<.001"]
    assert texts(svg, group="role-legend-label") == [
        "below 0.001",
        "below 0.01",
        "below 0.05",
        "0.05 or more",
    ]
    assert texts(svg, group="role-legend-title") == ["p-value"]


def test_stronger_evidence_is_darker() -> None:
    svg = draw_pair_matrix(["a", "b", "c"], P_VALUES, title="t").svg()
    by_text = dict(
        zip(texts(svg, group="role-mark"), (cell.fill for cell in shapes(svg, "path")), strict=True)
    )
    assert [by_text[text] for text in (".200", ".030", "<.001")] == ["#fffae7", "#f2a477", "#3b0f50"]


def test_the_levels_follow_alpha_and_a_bound_itself_is_not_below() -> None:
    svg = draw_pair_matrix(["a", "b"], [[np.nan, 0.01], [0.009, np.nan]], title="t", alpha=0.01).svg()
    assert texts(svg, group="role-legend-label")[-1] == "0.01 or more"
    assert [cell.fill for cell in shapes(svg, "path")] == ["#fffae7", "#f2a477"]


def test_an_arrow_points_to_the_significantly_better_system() -> None:
    differences = np.array([[0, 1.5, 0], [-1.5, 0, -2], [0, 2, 0]])
    svg = draw_pair_matrix(["a", "b", "c"], P_VALUES, title="t", differences=differences).svg()
    assert texts(svg, group="role-mark") == [".200", ".030", ".200", "↑ <.001", ".030", "← <.001"]
    assert "← the row’s system is significantly better" in " ".join(texts(svg, group="role-title-subtitle"))


def test_a_test_without_a_p_value_is_called_so() -> None:
    svg = draw_pair_matrix(["a", "b"], np.full((2, 2), np.nan), title="t").svg()
    assert texts(svg, group="role-mark") == ["NaN", "NaN"]
    assert "no number" in texts(svg, group="role-legend-label")
