"""SVG charts: well-formed, escaped, drawn in proportion, and readable with many names."""

import xml.etree.ElementTree as ET
from itertools import combinations

import numpy as np
import pytest

from tertium.report.charts.axes import nice_axis
from tertium.report.charts.curves import Panel, draw_curves
from tertium.report.charts.rankings import draw_rankings
from tertium.report.charts.scatter import draw_scatter
from tertium.report.charts.svg import text_width, wrap_text

SVG = "{http://www.w3.org/2000/svg}"
NASTY = "<script>alert('&\")</script>\x07"
LONG = "bleu:tokenizer=intl,lowercase=yes,max_ngram_order=2,smooth_method=floor,smooth_value=0.1"

Box = tuple[float, float, float, float]


def shapes(picture: str, kind: str) -> list[ET.Element]:
    return list(ET.fromstring(picture).iter(f"{SVG}{kind}"))


def number(element: ET.Element, name: str) -> float:
    return float(element.get(name, "nan"))


def text_boxes(picture: str) -> dict[str, Box]:
    """The box of every level text, by its words."""
    boxes = {}
    for text in shapes(picture, "text"):
        if text.get("transform"):
            continue
        width = text_width(text.text or "", number(text, "font-size"))
        x = number(text, "x") - {"start": 0.0, "middle": 0.5, "end": 1.0}[text.get("text-anchor", "")] * width
        y = number(text, "y")
        boxes[text.text or ""] = (x, y - number(text, "font-size") * 0.7, x + width, y)
    return boxes


def overlaps(a: Box, b: Box) -> bool:
    return min(a[2], b[2]) - max(a[0], b[0]) > 1 and min(a[3], b[3]) - max(a[1], b[1]) > 1


def crowded_scatter(n_systems: int) -> tuple[str, list[str]]:
    rng = np.random.default_rng(5)
    names = [f"{['online', 'uedin-syntax', 'LIMSI-SOUL', 'jhu'][i % 4]}.{4000 + i}" for i in range(n_systems)]
    quality = rng.normal(size=n_systems)
    metric = quality + rng.normal(scale=0.3, size=n_systems)
    return draw_scatter(quality, metric, title=LONG, x_label=LONG, y_label="people", names=names), names


def crowded_ranking(n_systems: int, n_metrics: int) -> str:
    rng = np.random.default_rng(5)
    names = [f"system-with-a-name.{4000 + i}" for i in range(n_systems)]
    metrics = {f"{LONG}@{i}": list(rng.permutation(names)) for i in range(n_metrics)}
    return draw_rankings({"people": names, **metrics}, title="t")


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
        draw_curves([0.1, 0.2], [Panel(NASTY, {NASTY: [0.5, 0.6]})], title=NASTY, x_label=NASTY),
    ]
    for picture in pictures:
        assert not shapes(picture, "script")
        assert any("<script>" in (text.text or "") for text in shapes(picture, "text"))


def test_dots_stand_where_their_scores_are() -> None:
    picture = draw_scatter(
        np.array([0.0, 1.0, 0.5, np.nan]),
        np.array([0.0, 10.0, 5.0, 5.0]),
        title="t",
        x_label="m",
        y_label="h",
    )
    low, high, middle = [(number(dot, "cx"), number(dot, "cy")) for dot in shapes(picture, "circle")]
    assert low[0] < high[0]
    assert low[1] > high[1]
    assert middle == pytest.approx(((low[0] + high[0]) / 2, (low[1] + high[1]) / 2))


def test_a_scatter_says_how_many_and_how_well_they_agree() -> None:
    human = np.array([1.0, 2.0, 3.0, np.nan])
    picture = draw_scatter(human, np.array([3.0, 2.0, 1.0, 9.0]), title="t", x_label="m", y_label="h")
    assert "3 judged segments, Pearson’s r = −1.000, Spearman’s ρ = −1.000" in picture
    constant = draw_scatter(human, np.ones(4), title="t", x_label="m", y_label="h")
    assert "no correlation: one side is constant" in constant
    assert "nan" not in constant


def test_too_many_dots_are_thinned_and_counted() -> None:
    scores = np.linspace(0, 1, 100_000)
    picture = draw_scatter(scores, scores, title="t", x_label="m", y_label="h")
    assert 1000 < picture.count("<circle") <= 3000
    assert "100,000 judged segments (2,942 of them drawn)" in picture


def test_names_of_25_systems_cover_neither_one_another_nor_a_dot() -> None:
    picture, names = crowded_scatter(25)
    boxes = text_boxes(picture)
    assert not [(a, b) for a, b in combinations(names, 2) if overlaps(boxes[a], boxes[b])]
    dots = [
        (number(dot, "cx") - 3, number(dot, "cy") - 3, number(dot, "cx") + 3, number(dot, "cy") + 3)
        for dot in shapes(picture, "circle")
    ]
    assert not [name for name in names for dot in dots if overlaps(boxes[name], dot)]


@pytest.mark.parametrize(
    "picture", [crowded_scatter(25)[0], crowded_ranking(25, 30), crowded_ranking(3, 1)], ids=["dots", "lines", "few"]
)  # fmt: skip
def test_no_text_leaves_the_paper(picture: str) -> None:
    root = ET.fromstring(picture)
    for text, (left, top, right, bottom) in text_boxes(picture).items():
        assert left >= 0, text
        assert right <= number(root, "width"), text
        assert top >= 0, text
        assert bottom <= number(root, "height"), text


def test_a_line_per_system_crosses_where_a_metric_disagrees() -> None:
    picture = draw_rankings({"people": ["a", "b", "c"], "bleu": ["b", "a", "c"]}, title="t")
    lines = [line.get("points", "") for line in shapes(picture, "polyline")]
    heights = [[float(point.split(",")[1]) for point in line.split()] for line in lines]
    first = heights[0][0]
    step = heights[1][0] - first
    assert heights == [[first, first + step], [first + step, first], [first + 2 * step, first + 2 * step]]


def test_metrics_stand_by_their_agreement_with_people() -> None:
    rankings = {"people": ["a", "b", "c"], "bad": ["c", "b", "a"], "good": ["a", "b", "c"]}
    boxes = text_boxes(draw_rankings(rankings, title="t"))
    assert boxes["people"][0] < boxes["good"][0] < boxes["bad"][0]
    assert boxes["1.00"][0] < boxes["−1.00"][0]


def test_every_dot_of_a_ranking_has_the_place_that_people_gave() -> None:
    picture = draw_rankings({"people": ["a", "b"], "bleu": ["b", "a"]}, title="t")
    shown = [text.text for text in shapes(picture, "text") if text.text in ("1", "2")]
    assert shown == ["1", "1", "2", "2"]


def test_a_gap_in_a_curve_breaks_it() -> None:
    panel = Panel("y", {"c": [0.1, 0.2, np.nan, 0.3, 0.4]})
    picture = draw_curves([1, 2, 3, 4, 5], [panel], title="t", x_label="x")
    curve = [line for line in shapes(picture, "polyline") if line.get("stroke-width") == "1.6"]
    assert [len(line.get("points", "").split()) for line in curve] == [2, 2]
    assert picture.count("<circle") == 4


def test_names_of_curves_stand_in_the_order_in_which_curves_end_and_apart() -> None:
    curves = {f"curve-{i}": [0.5, 0.5 + 0.0001 * i] for i in range(30)}
    picture = draw_curves(
        [0, 1], [Panel("y", {**curves, "average": [0.5, 0.4]}, "average")], title="t", x_label="x"
    )
    boxes = {name: box for name, box in text_boxes(picture).items() if name in curves or name == "average"}
    in_order = sorted(boxes, key=lambda name: boxes[name][1])
    assert in_order == [*reversed(curves), "average"]
    assert not [(a, b) for a, b in combinations(boxes.values(), 2) if overlaps(a, b)]


def test_the_best_value_of_the_average_is_ringed() -> None:
    panel = Panel("y", {"a": [0.9, 0.1, 0.2], "average": [0.1, 0.3, 0.2]}, "average")
    picture = draw_curves([1, 2, 3], [panel], title="t", x_label="x")
    assert "<title>best: 0.300 at 2</title>" in picture


def test_curves_without_any_value_are_an_empty_chart() -> None:
    panel = Panel("y", {"a": [np.nan, np.nan]}, "a")
    assert "nan" not in draw_curves([1, 2], [panel], title="t", x_label="x")


@pytest.mark.parametrize("values", [[3.0, 3.0], [0.0], [], [float("nan")], [-1e-9, 1e-9], [1e12, 1e12 + 5]])
def test_any_values_get_an_axis(values: list[float]) -> None:
    axis = nice_axis(values, 0, 100)
    assert axis.low < axis.high
    assert len(axis.ticks) >= 2
    for value in values:
        if value == value:  # noqa: PLR0124 - not NaN
            assert -1e-6 <= axis.place(value) <= 100 + 1e-6


@pytest.mark.parametrize("text", [LONG, "one two three four", "Donaudampfschifffahrt", "", "a  b"])
def test_a_wrapped_text_loses_nothing(text: str) -> None:
    lines = wrap_text(text, 10, 60)
    assert "".join("".join(lines).split()) == "".join(text.split())
    assert all(text_width(line, 10) <= 60 or not set(line[:-1]) & set(" ,:") for line in lines)
