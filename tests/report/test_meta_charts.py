"""SVG charts: well-formed, escaped, drawn in proportion."""

import xml.etree.ElementTree as ET

import numpy as np
import pytest

from tertium.report.meta_charts import draw_curves, draw_rankings, draw_scatter
from tertium.report.svg import nice_axis

SVG = "{http://www.w3.org/2000/svg}"
NASTY = "<script>alert('&\")</script>\x07"


def test_names_are_escaped_everywhere() -> None:
    pictures = [
        draw_scatter(
            np.array([1.0, 2.0]),
            np.array([3.0, 1.0]),
            title=NASTY,
            x_label=NASTY,
            y_label=NASTY,
            names=[NASTY, "b"],
        ),
        draw_rankings({NASTY: [NASTY, "b"], "bleu": ["b", NASTY]}, title=NASTY),
        draw_curves([0.1, 0.2], {NASTY: [0.5, 0.6]}, title=NASTY, x_label=NASTY, y_label=NASTY),
    ]
    for picture in pictures:
        root = ET.fromstring(picture)
        assert not list(root.iter(f"{SVG}script"))
        assert any("<script>" in (text.text or "") for text in root.iter(f"{SVG}text"))


def test_dots_stand_where_their_scores_are() -> None:
    picture = draw_scatter(
        np.array([0.0, 1.0, np.nan]), np.array([0.0, 10.0, 5.0]), title="t", x_label="m", y_label="h"
    )
    dots = list(ET.fromstring(picture).iter(f"{SVG}circle"))
    assert [(float(dot.get("cx", "")), float(dot.get("cy", ""))) for dot in dots] == [
        (60.0, 360.0),
        (460.0, 40.0),
    ]


def test_too_many_dots_are_thinned() -> None:
    scores = np.linspace(0, 1, 100_000)
    picture = draw_scatter(scores, scores, title="t", x_label="m", y_label="h")
    assert 1000 < picture.count("<circle") <= 3000


def test_a_line_per_system_crosses_where_a_metric_disagrees() -> None:
    picture = draw_rankings({"people": ["a", "b", "c"], "bleu": ["b", "a", "c"]}, title="t")
    lines = [line.get("points", "") for line in ET.fromstring(picture).iter(f"{SVG}polyline")]
    heights = [[float(point.split(",")[1]) for point in line.split()] for line in lines]
    assert heights == [[65, 87], [87, 65], [109, 109]]


def test_gaps_in_a_curve_are_left_out() -> None:
    picture = draw_curves([1, 2, 3], {"c": [0.1, np.nan, 0.3]}, title="t", x_label="x", y_label="y")
    assert picture.count("<circle") == 2


@pytest.mark.parametrize("values", [[3.0, 3.0], [0.0], [], [float("nan")], [-1e-9, 1e-9], [1e12, 1e12 + 5]])
def test_any_values_get_an_axis(values: list[float]) -> None:
    axis = nice_axis(values, 0, 100)
    assert axis.low < axis.high
    assert len(axis.ticks) >= 2
    for value in values:
        if value == value:  # noqa: PLR0124 - not NaN
            assert -1e-6 <= axis.place(value) <= 100 + 1e-6
