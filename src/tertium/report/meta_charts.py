"""Charts of meta-evaluation as SVG: metric against people, rankings of systems, curves of an option."""

from collections.abc import Mapping, Sequence
from math import isnan

import numpy as np

from tertium.report.svg import COLOURS, Axis, Drawing, nice_axis
from tertium.types import FloatArray

__all__ = ["draw_curves", "draw_rankings", "draw_scatter"]

_MOST_DOTS = 3000  # more would only blacken the paper


def draw_scatter(
    human: FloatArray,
    metric: FloatArray,
    *,
    title: str,
    x_label: str,
    y_label: str,
    names: Sequence[str] = (),
) -> str:
    """Draw metric scores (x) against human scores (y); `names` label the dots.

    Beyond some thousand dots, evenly spaced ones stand for all.
    """
    judged: list[int] = np.flatnonzero(~(np.isnan(human) | np.isnan(metric))).tolist()
    judged = judged[:: max(1, -(-len(judged) // _MOST_DOTS))]
    drawing = Drawing(480, 420, title)
    across = nice_axis(metric[judged].tolist(), 60, 460)
    up = nice_axis(human[judged].tolist(), 360, 40)
    _draw_axes(drawing, across, up, x_label, y_label)
    for i in judged:
        name = names[i] if names else ""
        x, y = across.place(float(metric[i])), up.place(float(human[i]))
        drawing.dot(x, y, colour=COLOURS[0], radius=4 if names else 2, label=name)
        if names:
            left = x > 300  # names on the right half would leave the paper
            drawing.text(
                x - 6 if left else x + 6,
                y + 3,
                name,
                anchor="end" if left else "start",
                size=8,
                colour="#555",
            )
    return drawing.render()


def draw_rankings(rankings: Mapping[str, Sequence[str]], *, title: str) -> str:
    """Draw who stands where under whom: a column per judge, the first being people, a line per system.

    Each ranking lists all systems, best first.
    """
    judges = list(rankings)
    systems = list(rankings[judges[0]])
    room = 20 + 6 * max(map(len, systems))  # for the names on either side
    width, height = 2 * room + 130 * (len(judges) - 1), 70 + 22 * len(systems)
    drawing = Drawing(width, height, title)
    drawing.text(width / 2, 20, title, anchor="middle", size=13)
    columns = [room + 130 * i for i in range(len(judges))]
    for x, judge in zip(columns, judges, strict=True):
        drawing.text(x, 45, judge, anchor="middle")
    for i, system in enumerate(systems):
        heights = [65 + 22 * list(rankings[judge]).index(system) for judge in judges]
        colour = COLOURS[i % len(COLOURS)]
        drawing.line(list(zip(columns, heights, strict=True)), colour=colour, width=1.5)
        for x, y in zip(columns, heights, strict=True):
            drawing.dot(x, y, colour=colour, label=system)
        drawing.text(columns[0] - 10, heights[0] + 4, system, anchor="end", size=10)
        drawing.text(columns[-1] + 10, heights[-1] + 4, system, size=10)
    return drawing.render()


def draw_curves(
    xs: Sequence[float], curves: Mapping[str, Sequence[float]], *, title: str, x_label: str, y_label: str
) -> str:
    """Draw one line per curve over the same values; a value of NaN leaves a gap."""
    drawing = Drawing(560, 420, title)
    across = nice_axis(list(xs), 60, 400)
    up = nice_axis([value for values in curves.values() for value in values], 360, 40)
    _draw_axes(drawing, across, up, x_label, y_label)
    for i, (name, values) in enumerate(curves.items()):
        colour = COLOURS[i % len(COLOURS)]
        points = [(across.place(x), up.place(y)) for x, y in zip(xs, values, strict=True) if not isnan(y)]
        drawing.line(points, colour=colour, width=1.5)
        for x, y in points:
            drawing.dot(x, y, colour=colour)
        drawing.text(410, 50 + 16 * i, name, colour=colour, size=10)
    return drawing.render()


def _draw_axes(drawing: Drawing, across: Axis, up: Axis, x_label: str, y_label: str) -> None:
    drawing.text(drawing.width / 2, 22, drawing.title, anchor="middle", size=13)
    for tick in across.ticks:
        x = across.place(tick)
        drawing.line([(x, up.start), (x, up.end)], colour="#e5e5e5")
        drawing.text(x, up.start + 16, f"{tick:g}", anchor="middle", size=10)
    for tick in up.ticks:
        y = up.place(tick)
        drawing.line([(across.start, y), (across.end, y)], colour="#e5e5e5")
        drawing.text(across.start - 6, y + 4, f"{tick:g}", anchor="end", size=10)
    drawing.line([(across.start, up.end), (across.start, up.start), (across.end, up.start)])
    drawing.text((across.start + across.end) / 2, up.start + 38, x_label, anchor="middle")
    drawing.text(16, (up.start + up.end) / 2, y_label, anchor="middle", turned=True)
