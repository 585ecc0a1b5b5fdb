"""Laws of all charts: any data compile without a warning, draw well-formed pictures, load nothing, stay small."""

import json
import re
from collections.abc import Callable
from importlib.resources import files
from math import nan

import numpy as np
import pytest

from reference.pictures import shapes, texts
from tertium.report.charts.agreement import draw_agreement
from tertium.report.charts.curves import Panel, draw_curves
from tertium.report.charts.distribution import draw_distribution
from tertium.report.charts.forest import ForestPanel, draw_forest
from tertium.report.charts.heatmap import draw_heatmap
from tertium.report.charts.model import Chart
from tertium.report.charts.pair_matrix import draw_pair_matrix
from tertium.report.charts.rankings import draw_rankings
from tertium.report.charts.scatter import draw_scatter
from tertium.report.charts.subsets import draw_subsets
from tertium.report.charts.theme import DARK
from tertium.types import Explanation

Draw = Callable[[list[str], float | None], Chart]
"""Names, and a value that stands everywhere instead of varied ones."""


def numbers(
    names: list[str], value: float | None, *more: int
) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    shape = (len(names), *more)
    return np.random.default_rng(7).normal(size=shape) if value is None else np.full(shape, value)


def told(names: list[str], value: float | None) -> Explanation:
    matrix = {"distance": numbers(names, value, len(names))}
    return Explanation(names[0], names, names, 1.0, names, names, matrix, links=[(0, 0, "")])


def title(names: list[str]) -> str:
    return f"about {names[0] if names else 'nothing'}"


def forest_panel(names: list[str], value: float | None) -> ForestPanel:
    scores = numbers(names, value)
    return ForestPanel(title(names), scores.tolist(), (scores - 1).tolist(), (scores + 1).tolist())


CHARTS: dict[str, Draw] = {
    "scatter": lambda names, value: draw_scatter(
        numbers(names, value), numbers(names, value), title=title(names), x_label=title(names), y_label=title(names), names=names
    ),
    "rankings": lambda names, _: draw_rankings({"people": names, title(names): names[::-1]}, title=title(names)),
    "curves": lambda names, value: draw_curves(
        [1, 2], [Panel(title(names), dict(zip(names, numbers(names, value, 2).tolist(), strict=True)))],
        title=title(names), x_label=title(names),
    ),
    "heatmap": lambda names, value: draw_heatmap(told(names, value)),
    "forest": lambda names, value: draw_forest(names, [forest_panel(names, value)], title=title(names)),
    "pair matrix": lambda names, value: draw_pair_matrix(
        names, numbers(names, value, len(names)), title=title(names), differences=numbers(names, value, len(names))
    ),
    "distribution": lambda names, value: draw_distribution(
        numbers(names, value), title=title(names), metric=title(names), first=[*names, ""][0], second="b"
    ),
    "subsets": lambda names, value: draw_subsets(
        names, ["x", *names[:1]], numbers(names, value, 2), title=title(names), metric=title(names), column=title(names)
    ),
    "agreement": lambda names, value: draw_agreement(names, numbers(names, value, len(names)), title=title(names)),
}  # fmt: skip
HUNDRED = [f"system-{i}" for i in range(100)]
NASTY = [
    "</script><script>alert('&\"')</script>",
    "\\' + datum.x + {a} \u2028",
    "我的系统",
    "שלום",
    "a\x07\ud800",
    "",
]
CASES: dict[str, tuple[list[str], float | None]] = {
    "one": (["a"], None),
    "few": (["a", "b", "c"], None),
    "many": (HUNDRED, None),
    "none": ([], None),
    "equal": (["a", "b", "c"], 0.5),
    "zero": (["a", "b"], 0.0),
    "no number": (["a", "b", "c"], nan),
    "infinite": (["a", "b"], float("inf")),
    "nasty": (NASTY, None),
}


def every_case() -> list[object]:
    return [
        pytest.param(draw, *case, id=f"{chart}: {name}")
        for chart, draw in CHARTS.items()
        for name, case in CASES.items()
        if (chart, name) != ("heatmap", "none")  # which is refused
    ]


@pytest.mark.parametrize(("draw", "names", "value"), every_case())
def test_a_chart_of_any_data_is_drawn_without_a_warning(
    draw: Draw, names: list[str], value: float | None, capfd: pytest.CaptureFixture[str]
) -> None:
    import vl_convert  # noqa: PLC0415

    svg = vl_convert.vegalite_to_svg(draw(names, value).to_dict(DARK), show_warnings=True)
    assert capfd.readouterr() == ("", "")
    assert not re.search(r'="[^"]*(NaN|undefined|Infinity)', re.sub(r'aria-label="[^"]*"', "", svg))
    assert any(shapes(svg, "text", group="role-title-text"))


@pytest.mark.parametrize("draw", CHARTS.values(), ids=CHARTS)
def test_names_are_escaped_everywhere(draw: Draw) -> None:
    svg = draw(NASTY, None).svg()
    assert "<script" not in svg
    assert any("</script>" in text for text in texts(svg))


@pytest.mark.parametrize("draw", CHARTS.values(), ids=CHARTS)
def test_every_axis_and_every_heading_has_a_title(draw: Draw) -> None:
    svg = draw(["a", "b", "c"], None).svg()
    n_axes = len(re.findall(r'aria-roledescription="axis"', svg))
    assert len(texts(svg, group="role-axis-title")) == n_axes
    assert n_axes >= 2 or "people" in texts(svg)  # rankings name their columns
    assert texts(svg, group="role-title-text")[0]


@pytest.mark.parametrize("draw", CHARTS.values(), ids=CHARTS)
def test_a_specification_holds_its_data_and_no_address(draw: Draw) -> None:
    text = draw(["a", "b", "c"], None).to_json()
    assert "http" not in text
    assert '"url"' not in text


@pytest.mark.parametrize("draw", CHARTS.values(), ids=CHARTS)
def test_a_hundred_systems_stay_below_two_megabytes(draw: Draw) -> None:
    assert len(draw(HUNDRED, None).to_json()) < 2_000_000


@pytest.mark.parametrize("draw", CHARTS.values(), ids=CHARTS)
def test_colours_come_from_the_theme(draw: Draw) -> None:
    chart = draw(["a", "b", "c"], None)
    light, dark = chart.svg(), chart.svg(DARK)
    assert DARK.paper in dark
    assert DARK.ink in dark
    assert "#222222" not in dark
    assert texts(light) == texts(dark)


@pytest.mark.parametrize("draw", CHARTS.values(), ids=CHARTS)
def test_specifications_fit_the_schema(draw: Draw) -> None:
    pytest.importorskip("altair", reason="Altair brings the schema: pip install altair jsonschema")
    jsonschema = pytest.importorskip("jsonschema")
    schema = json.loads(
        (files("altair") / "vegalite/v5/schema/vega-lite-schema.json").read_text(encoding="utf-8")
    )
    for name in ("few", "no number", "nasty"):
        jsonschema.Draft7Validator(schema).validate(draw(*CASES[name]).to_dict())
