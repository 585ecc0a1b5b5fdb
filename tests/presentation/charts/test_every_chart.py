"""Laws of all charts: any data compile without a warning, draw well-formed pictures, load nothing, stay small."""

import json
import re
from collections.abc import Iterator
from importlib.resources import files

import pytest

from reference.charts import CASES, CHARTS, HUNDRED, NASTY, Draw
from reference.pictures import shapes, texts
from tertium.presentation.charts.model import DARK, Chart

EMPTY_REFUSED = ("heatmap", "alignment", "arcs")
# Rankings name their columns; words stand side by side, and a line below the title says whose they are.
WITHOUT_AXES = [CHARTS[name] for name in ("rankings", "alignment", "arcs")]


def every_case() -> list[object]:
    return [
        pytest.param(draw, *case, id=f"{chart}: {name}")
        for chart, draw in CHARTS.items()
        for name, case in CASES.items()
        if name != "none" or chart not in EMPTY_REFUSED
    ]


@pytest.mark.slow
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
def test_names_are_data_and_never_keys_or_expressions(draw: Draw) -> None:
    import vl_convert  # noqa: PLC0415

    chart = draw([f"{MARK}{letter}" for letter in "abc"], None)
    for compiled in (chart.to_dict(), vl_convert.vegalite_to_vega(chart.to_dict())):
        places = set(find_mark(json.loads(json.dumps(compiled)), ()))
        assert places
        assert places <= HARMLESS, "names stand where Vega evaluates texts or uses them as keys"


MARK = "ZZZ"
# Where texts are plain data: values of fields and of parameters, titles, and descriptions.
HARMLESS = {"data", "value", "text", "subtitle", "title", "description"}


def find_mark(value: object, path: tuple[str, ...]) -> Iterator[str]:
    """Find texts with a name; yield `data` for those inside data, otherwise the name of the property."""
    if isinstance(value, dict):
        assert not any(MARK in key for key in value), path
        for key, inner in value.items():
            yield from find_mark(inner, (*path, key))
    elif isinstance(value, list):
        for inner in value:
            yield from find_mark(inner, path)
    elif MARK in str(value):
        yield "data" if "values" in path else "tooltip" if "tooltip" in path else path[-1]


@pytest.mark.parametrize("chart", CHARTS)
def test_names_that_javascript_knows_are_shown_unchanged(chart: str) -> None:
    svg = CHARTS[chart](KNOWN, None).svg()
    labels = [] if chart in NAMES_IN_TOOLTIPS else KNOWN
    shown = "".join(texts(svg))
    missing = [name for name in [KNOWN[0], *labels] if " ".join(name.split()) not in shown]
    assert not missing


@pytest.mark.parametrize("place", ["title", "subtitle", "axis", "legend"])
@pytest.mark.parametrize("lines", ["constructor", ["toString"], ["a title", "constructor"]])
def test_titles_that_javascript_knows_are_drawn(place: str, lines: str | list[str]) -> None:
    axis, legend = ({"title": lines if place == each else "x"} for each in ("axis", "legend"))
    chart = Chart.of(
        {
            "title": {"text": lines if place == "title" else "x", "subtitle": lines if place == "subtitle" else "x"},
            "data": {"values": [{"a": 1}]},
            "mark": "point",
            "encoding": {
                "x": {"field": "a", "type": "quantitative", "axis": axis},
                "color": {"field": "a", "type": "nominal", "legend": legend},
            },
        }
    )  # fmt: skip
    assert " ".join([lines] if isinstance(lines, str) else lines) in texts(chart.svg())


NAMES_IN_TOOLTIPS = ("human curve", "reliability")


# Keys of all JavaScript objects, and texts that end a string of an expression.
KNOWN = ["constructor", "__proto__", "toString", "valueOf", 'a\\"b', "c\\'d", "e\nf\u2028g", "h\\"]


@pytest.mark.parametrize("draw", CHARTS.values(), ids=CHARTS)
def test_every_axis_and_every_heading_has_a_title(draw: Draw) -> None:
    svg = draw(["a", "b", "c"], None).svg()
    n_axes = len(re.findall(r'aria-roledescription="axis"', svg))
    assert len(texts(svg, group="role-axis-title")) == n_axes
    assert n_axes >= 2 or draw in WITHOUT_AXES
    assert texts(svg, group="role-title-text")[0]


@pytest.mark.parametrize("draw", CHARTS.values(), ids=CHARTS)
def test_a_specification_holds_its_data_and_no_address(draw: Draw) -> None:
    text = draw(["a", "b", "c"], None).to_json()
    assert "http" not in text
    assert '"url"' not in text


@pytest.mark.slow
@pytest.mark.parametrize("draw", CHARTS.values(), ids=CHARTS)
def test_a_hundred_systems_stay_below_two_megabytes(draw: Draw) -> None:
    assert len(draw(HUNDRED, None).to_json()) < 2_000_000


@pytest.mark.slow
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
