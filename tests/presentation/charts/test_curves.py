"""Curves: broken at gaps, named at their ends, the best value ringed."""

from itertools import combinations

import numpy as np

from reference.pictures import boxes, overlap, shapes, texts
from tertium.presentation.charts.curves import Panel, draw_curves


def curve(*values: float, average: str | None = None, **more: tuple[float, ...]) -> str:
    panel = Panel("y", {"c": values, **more}, average)
    return draw_curves(range(1, len(values) + 1), [panel], title="t", x_label="x").svg()


def test_a_gap_in_a_curve_breaks_it() -> None:
    svg = curve(0.1, 0.2, np.nan, 0.3, 0.4)
    assert [line.element.get("d", "").count("L") for line in shapes(svg, "path", group="mark-line")] == [1, 1]
    assert len(shapes(svg, "path", group="mark-symbol")) == 4


def test_curves_are_drawn_from_left_to_right() -> None:
    svg = draw_curves([3, 1, 2], [Panel("y", {"c": [0.3, 0.1, 0.2]})], title="t", x_label="x").svg()
    (line,) = shapes(svg, "path", group="mark-line")
    points = [part.split(",") for part in line.element.get("d", "").removeprefix("M").split("L")]
    assert [float(x) for x, _ in points] == sorted(float(x) for x, _ in points)
    assert [float(y) for _, y in points] == sorted((float(y) for _, y in points), reverse=True)


def test_names_of_curves_stand_in_the_order_in_which_curves_end_and_apart() -> None:
    curves = {f"curve-{i}": [0.5, 0.5 + 0.0001 * i] for i in range(30)}
    panel = Panel("y", {**curves, "average": [0.5, 0.4]}, "average")
    places = boxes(draw_curves([0, 1], [panel], title="t", x_label="x").svg(), group="role-mark")
    assert sorted(places, key=lambda name: places[name][1]) == [*reversed(curves), "average"]
    assert not [(a, b) for a, b in combinations(places.values(), 2) if overlap(a, b)]


def test_the_best_value_of_the_average_is_ringed() -> None:
    svg = curve(0.1, 0.3, 0.2, average="c", other=(0.9, 0.1, 0.2))
    *_, ring = shapes(svg, "path", group="mark-symbol")
    dots = [dot for dot in shapes(svg, "path", group="mark-symbol") if dot.fill == "#222222"]
    assert (ring.x, ring.y) == (dots[1].x, dots[1].y)
    assert ring.element.get("stroke") == "#222222"
    assert "ringed: the best value of the curve in bold" in texts(svg)
    assert not any("ringed" in text for text in texts(curve(0.1, 0.3)))


def test_a_name_has_one_style_in_every_panel_and_nine_names_have_nine() -> None:
    names = [f"c{i}" for i in range(9)]
    panels = [Panel("y", {name: [0.1, 0.2] for name in order}) for order in (names, names[::-1])]
    svg = draw_curves([1, 2], panels, title="t", x_label="x").svg()
    lines = [
        (line.element.get("stroke"), line.element.get("stroke-dasharray"))
        for line in shapes(svg, "path", group="mark-line")
    ]
    assert len(lines) == 18
    assert len(set(lines)) == 9
    assert set(lines[:9]) == set(lines[9:])


def test_every_value_of_a_short_sweep_is_a_tick() -> None:
    assert texts(curve(0.1, 0.2, 0.3), group="role-axis-label")[:3] == ["1", "2", "3"]


def test_only_the_last_panel_names_the_option() -> None:
    panels = [Panel("first", {"c": [0.1, 0.2]}), Panel("second", {"c": [0.1, 0.2]})]
    svg = draw_curves([1, 2], panels, title="t", x_label="order").svg()
    assert sorted(texts(svg, group="role-axis-title")) == ["first", "order", "second"]


def test_curves_without_any_value_are_an_empty_chart() -> None:
    svg = curve(np.nan, np.nan, average="c")
    assert "NaN" not in svg
    assert not shapes(svg, "path", group="mark-symbol")
