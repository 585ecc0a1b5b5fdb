"""Forest plots: a panel per metric, a dot and a line per system."""

from math import nan

from reference.pictures import shapes, texts
from tertium.presentation.charts.forest import ForestPanel, draw_forest

BLEU = ForestPanel("bleu", [30.0, 20.0], [28.0, 19.0], [32.0, 21.0])


def test_dots_lie_on_their_intervals_and_systems_in_the_order_given() -> None:
    svg = draw_forest(["b", "a"], [BLEU], title="t").svg()
    first, second = shapes(svg, "path", group="mark-symbol")
    lines = shapes(svg, "line")
    assert first.x > second.x
    assert first.y < second.y
    for dot, line in zip((first, second), lines, strict=True):
        assert line.y == dot.y
        assert line.x < dot.x < line.x + float(line.element.get("x2", "nan"))
    assert texts(svg, group="role-axis-label")[-2:] == ["b", "a"]


def test_a_metric_where_less_is_better_says_so() -> None:
    panels = [BLEU, ForestPanel("ter", [50.0, 60.0], [48.0, 58.0], [52.0, 62.0], lower_is_better=True)]
    svg = draw_forest(["a", "b"], panels, title="t").svg()
    assert texts(svg, group="role-axis-title") == ["bleu", "system", "ter (lower is better)"]
    assert texts(svg, group="role-title-subtitle") == ["dots: scores; lines: confidence intervals"]


def test_a_score_without_interval_is_a_bare_dot_and_no_score_leaves_a_blank_row() -> None:
    svg = draw_forest(["a", "b"], [ForestPanel("bleu", [1.0, nan], [nan, nan], [nan, nan])], title="t").svg()
    assert len(shapes(svg, "path", group="mark-symbol")) == 1
    assert "b" in texts(svg, group="role-axis-label")


def test_the_fourth_panel_begins_a_row_and_names_the_systems_again() -> None:
    svg = draw_forest(["a", "b"], [BLEU] * 4, title="t").svg()
    assert texts(svg, group="role-axis-label").count("a") == 2
