"""Scores by subset: dots for a few systems, a heat map for many."""

import numpy as np

from reference.pictures import shapes, texts
from tertium.presentation.charts.forest import draw_subsets
from tertium.presentation.charts.model import Chart


def draw(n_systems: int, n_subsets: int, **more: object) -> Chart:
    scores = np.arange(n_systems * n_subsets, dtype=float).reshape(n_systems, n_subsets)
    systems, subsets = [f"s{i}" for i in range(n_systems)], [f"d{j}" for j in range(n_subsets)]
    return draw_subsets(systems, subsets, scores, title="t", metric="bleu", column="domain", **more)  # type: ignore[arg-type]


def test_a_few_systems_are_dots_with_a_legend() -> None:
    svg = draw(2, 3, counts=[5, 1000, 7]).svg()
    dots = shapes(svg, "path", group="mark-symbol role-mark")
    assert len(dots) == 6
    assert len({dot.y for dot in dots}) == 6
    assert [dot.x for dot in dots] == sorted(dot.x for dot in dots)
    assert texts(svg, group="role-legend-label") == ["s0", "s1"]
    assert texts(svg, group="role-axis-label")[-3:] == ["d0 (5)", "d1 (1,000)", "d2 (7)"]
    assert texts(svg, group="role-axis-title") == ["bleu", "domain (segments)"]


def test_intervals_are_lines_around_the_dots() -> None:
    scores = np.array([[1.0, 3.0]])
    chart = draw_subsets(
        ["a"], ["x", "y"], scores, title="t", metric="m", column="c", lows=scores - 1, highs=scores + 1
    )
    svg = chart.svg()
    for dot, line in zip(
        shapes(svg, "path", group="mark-symbol role-mark"), shapes(svg, "line"), strict=True
    ):
        assert line.x < dot.x < line.x + float(line.element.get("x2", "nan"))
    assert texts(svg, group="role-title-subtitle") == ["lines: confidence intervals"]


def test_many_systems_are_a_heat_map_dark_for_high_scores() -> None:
    svg = draw(8, 2).svg()
    assert len(shapes(svg, "path", group="mark-rect role-mark")) == 16
    assert texts(svg, group="role-mark")[:2] == ["0.00", "1.00"]
    assert texts(svg, group="role-axis-title") == ["domain", "system"]


def test_a_subset_without_score_has_no_dot() -> None:
    svg = draw_subsets(["a"], ["x", "y"], [[1.0, np.nan]], title="t", metric="m", column="c").svg()
    assert len(shapes(svg, "path", group="mark-symbol role-mark")) == 1


def test_few_segments_are_pale_as_dots_and_in_a_heat_map() -> None:
    dots = shapes(draw(2, 3, counts=[3, 1000, 29]).svg(), "path", group="mark-symbol role-mark")
    assert [dot.element.get("opacity") for dot in dots] == ["0.3", "1", "0.3"] * 2
    svg = draw(8, 2, counts=[30, 29]).svg()
    cells = shapes(svg, "path", group="mark-rect role-mark")
    assert [cell.element.get("opacity") for cell in cells] == ["1", "0.3"] * 8
    assert texts(svg, group="role-title-subtitle") == ["pale: fewer than 30 segments"]


def test_a_system_keeps_its_colour_in_another_order() -> None:
    def fills(systems: list[str], colours: list[int]) -> dict[str, str]:
        chart = draw_subsets(
            systems, ["x"], [[1.0], [2.0]], title="t", metric="m", column="c", colours=colours
        )
        svg = chart.svg()
        dots = shapes(svg, "path", group="mark-symbol role-mark")
        assert texts(svg, group="role-legend-label") == systems
        return dict(zip(systems, (dot.fill for dot in dots), strict=True))

    assert fills(["a", "b"], [0, 1]) == fills(["b", "a"], [1, 0])
