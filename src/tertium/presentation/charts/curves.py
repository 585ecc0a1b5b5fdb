"""Curves of an option: a panel per statistic, a line per language pair, their average in bold."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from math import isfinite

from tertium.presentation.charts.model import (
    DASHES,
    N_COLOURS,
    Axis,
    Chart,
    Spec,
    category,
    heading,
    layer,
    number,
    padded_domain,
    tooltip,
    wrap_text,
)
from tertium.records import record

_WIDTH, _HEIGHT = 420, 260
_NAME_ROW, _NAME_ROOM = 14, 220  # pixels from one name to the next, and for one
_MOST_TICKS = 12


@record
class Panel:
    """The curves of one chart over the same values; `average` is drawn in bold, its best value ringed."""

    y_label: str
    curves: Mapping[str, Sequence[float]]
    average: str | None = None


@record
class _Dot:
    """A point of a curve, which has a name and a number; `part` counts the pieces into which gaps break it."""

    name: str
    curve: int
    part: int
    x: float
    y: float


def draw_curves(xs: Sequence[float], panels: Sequence[Panel], *, title: str, x_label: str) -> Chart:
    """Draw panels one below the other; a value of NaN leaves a gap.

    Curves are named at their right ends, in the order in which they end.
    """
    averages = {panel.average for panel in panels} - {None}
    names = dict.fromkeys(name for panel in panels for name in panel.curves)
    numbers = {name: i for i, name in enumerate(sorted(names, key=lambda name: name in averages))}
    n_plain = len(names) - len(averages & names.keys())
    across = Axis(padded_domain(xs, 0.02), (0, _WIDTH))
    ticks = {"values": sorted(set(xs)), "format": "~g"} if len(set(xs)) <= _MOST_TICKS else {}
    labels = [x_label if panel is panels[-1] else None for panel in panels]
    return Chart.of(
        {
            "description": title,
            "title": {
                **heading(title, "ringed: the best value of the curve in bold" if averages else "", _WIDTH),
                "frame": "bounds",
            },
            "spacing": 24,
            "vconcat": [
                _panel(
                    xs,
                    panel,
                    across,
                    numbers,
                    n_plain,
                    number("x", across.domain, axis={**ticks, "title": label}),
                )
                for panel, label in zip(panels, labels, strict=True)
            ],
        }
    )


def _panel(
    xs: Sequence[float], panel: Panel, across: Axis, numbers: Mapping[str, int], n_plain: int, x: Spec
) -> Spec:
    """Draw a panel; the first `n_plain` curves have a colour."""
    height = max(_HEIGHT, _NAME_ROW * len(panel.curves))
    up = Axis(padded_domain(value for curve in panel.curves.values() for value in curve), (height, 0))
    dots = [dot for name, curve in panel.curves.items() for dot in _unbroken(name, numbers[name], xs, curve)]
    bold = [dot for dot in dots if dot.name == panel.average]
    plain = [dot for dot in dots if dot.name != panel.average]
    heights = _place_names(dots, up)
    best = sorted(bold, key=lambda dot: -dot.y)[:1]
    coloured = list(range(n_plain))
    colour: Spec = {"color": category("curve", coloured, legend=None)}
    dashes: Spec = {"range": [DASHES[i // N_COLOURS % len(DASHES)] for i in coloured]}
    dash: Spec = {"strokeDash": category("curve", coloured, scale=dashes, legend=None)}
    return {
        "width": _WIDTH,
        "height": height,
        "encoding": {
            "x": x,
            "y": number("y", up.domain, axis={"title": wrap_text(panel.y_label, 12, height)}),
        },
        "layer": [
            *_leaders(bold, heights, across, up, {}, "bold"),
            *_leaders(plain, heights, across, up, colour, "normal"),
            layer("line", _rows(plain), {**colour, **dash, **_PIECES}, strokeWidth=1.6),
            layer("circle", _rows(plain), {**colour, **_TOLD}, size=22, opacity=1),
            layer("line", _rows(bold), {**_PIECES}, strokeWidth=2.6, style="ink"),
            layer("circle", _rows(bold), {**_TOLD}, size=34, opacity=1, style="ink"),
            layer("circle", _rows(best), {}, size=90, opacity=1, style="paper"),
            layer("point", _rows(best), {}, size=90, opacity=1, style="ink", strokeWidth=2.6),
        ],
    }


_PIECES: Spec = {"detail": [{"field": "curve"}, {"field": "part"}]}
_TOLD: Spec = {"tooltip": tooltip("name", x="at", y="value")}


def _rows(dots: Sequence[_Dot]) -> list[Spec]:
    return [asdict(dot) for dot in dots]


def _unbroken(name: str, number: int, xs: Sequence[float], values: Sequence[float]) -> Iterator[_Dot]:
    part = 0
    for x, y in sorted(zip(xs, values, strict=True)):
        if isfinite(y):
            yield _Dot(name, number, part, x, y)
        else:
            part += 1


def _leaders(
    dots: Sequence[_Dot], heights: Mapping[str, float], across: Axis, up: Axis, colour: Spec, weight: str
) -> list[Spec]:
    """Draw the curves' names right of the plot, each with a line from its curve's end."""
    ends = {dot.name: dot for dot in dots}.values()
    labels: list[Spec] = [
        {**asdict(end), "x2": across.value(_WIDTH + 18), "y2": up.value(heights[end.name])} for end in ends
    ]
    line: Spec = {**colour, "x2": {"field": "x2"}, "y2": {"field": "y2"}}
    text: Spec = {"x": number("x2"), "y": number("y2"), "text": {"field": "name"}}
    return [
        layer("rule", labels, line, style="ink", strokeWidth=0.8),
        layer("text", labels, text, align="left", dx=4, limit=_NAME_ROOM, fontWeight=weight),
    ]


def _place_names(dots: Sequence[_Dot], up: Axis) -> dict[str, float]:
    """Return the vertical pixel of each curve's name, in the order in which the curves end."""
    in_order = sorted({dot.name: dot for dot in dots}.values(), key=lambda dot: -dot.y)
    heights = _spread([up.place(dot.y) for dot in in_order], up.pixels[1], up.pixels[0])
    return {dot.name: height for dot, height in zip(in_order, heights, strict=True)}


def _spread(heights: Sequence[float], top: float, bottom: float) -> list[float]:
    """Move overlapping names apart, as little as possible."""
    spread: list[float] = []
    for i, height in enumerate(heights):
        lowest = bottom - _NAME_ROW * (len(heights) - 1 - i)
        spread.append(min(max(height, spread[-1] + _NAME_ROW if spread else top), lowest))
    for i in reversed(range(len(spread) - 1)):
        spread[i] = min(spread[i], spread[i + 1] - _NAME_ROW)
    return spread
