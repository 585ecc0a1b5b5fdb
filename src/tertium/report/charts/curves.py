"""Curves of an option: a panel per statistic, a line per language pair, their average in black."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isnan

from tertium.report.charts.axes import Axis, draw_axes, draw_title, nice_axis, title_height
from tertium.report.charts.svg import COLOURS, DASHES, INK, Drawing, text_width

__all__ = ["Panel", "draw_curves"]

_PLOT_WIDTH, _PLOT_HEIGHT = 420, 260
_LEFT, _GAP, _BELOW = 76, 46, 60
_NAME, _NAME_ROW = 11, 14  # size of names, and pixels from one to the next


@dataclass(frozen=True)
class Panel:
    """The curves of one chart over the same values; `average` is drawn in black, its best value ringed."""

    y_label: str
    curves: Mapping[str, Sequence[float]]
    average: str | None = None


def draw_curves(xs: Sequence[float], panels: Sequence[Panel], *, title: str, x_label: str) -> str:
    """Draw panels one below the other; a value of NaN leaves a gap.

    Curves are named at their right ends, in the order in which they end.
    """
    names = [name for panel in panels for name in panel.curves]
    width = _LEFT + _PLOT_WIDTH + 34 + max(text_width(name, _NAME) for name in names) + 10
    heights = [max(_PLOT_HEIGHT, _NAME_ROW * len(panel.curves)) for panel in panels]
    above = title_height(title, "", width) + 10
    drawing = Drawing(width, above + sum(heights) + _GAP * (len(panels) - 1) + _BELOW, title)
    draw_title(drawing, title, "")
    across = nice_axis(list(xs), _LEFT, _LEFT + _PLOT_WIDTH, n_ticks=7)
    styles = _choose_styles([panel.average for panel in panels], names)
    top = above
    for panel, height in zip(panels, heights, strict=True):
        values = [value for curve in panel.curves.values() for value in curve]
        up = nice_axis(values, top + height, top)
        draw_axes(drawing, across, up, x_label if panel is panels[-1] else "", panel.y_label)
        _draw_panel(drawing, xs, panel, across, up, styles)
        top += height + _GAP
    return drawing.render()


def _choose_styles(averages: Sequence[str | None], names: Sequence[str]) -> dict[str, tuple[str, str]]:
    """A colour and a dash for each name, the same in every panel."""
    plain = [name for name in dict.fromkeys(names) if name not in averages]
    styles = {
        name: (COLOURS[i % len(COLOURS)], DASHES[i // len(COLOURS) % len(DASHES)])
        for i, name in enumerate(plain)
    }
    return styles | {name: (INK, "") for name in averages if name is not None}


def _draw_panel(
    drawing: Drawing,
    xs: Sequence[float],
    panel: Panel,
    across: Axis,
    up: Axis,
    styles: Mapping[str, tuple[str, str]],
) -> None:
    ends: dict[str, tuple[float, float]] = {}
    for name, values in panel.curves.items():
        colour, dash = styles[name]
        is_average = name == panel.average
        for part in _unbroken(xs, values):
            points = [(across.place(x), up.place(y)) for x, y in part]
            ends[name] = points[-1]
            drawing.line(points, colour=colour, width=2.6 if is_average else 1.6, dash=dash)
            for x, y in points:
                drawing.dot(x, y, colour=colour, radius=3 if is_average else 2.4)
    if panel.average is not None:
        _ring_best(drawing, xs, panel.curves[panel.average], across, up)
    _name_curves(drawing, ends, across.end + 26, up, styles, panel.average)


def _unbroken(xs: Sequence[float], values: Sequence[float]) -> list[list[tuple[float, float]]]:
    parts: list[list[tuple[float, float]]] = [[]]
    for x, y in sorted(zip(xs, values, strict=True)):
        if not isnan(y):
            parts[-1].append((x, y))
        elif parts[-1]:
            parts.append([])
    return [part for part in parts if part]


def _ring_best(
    drawing: Drawing, xs: Sequence[float], values: Sequence[float], across: Axis, up: Axis
) -> None:
    known = [(y, x) for x, y in zip(xs, values, strict=True) if not isnan(y)]
    if not known:
        return
    best, at = max(known, key=lambda pair: pair[0])
    x, y = across.place(at), up.place(best)
    drawing.dot(x, y, radius=6, colour=INK)
    drawing.dot(x, y, radius=3.4, colour="#ffffff", label=f"best: {best:.3f} at {at:g}")


def _name_curves(
    drawing: Drawing,
    ends: Mapping[str, tuple[float, float]],
    x: float,
    up: Axis,
    styles: Mapping[str, tuple[str, str]],
    average: str | None,
) -> None:
    in_order = sorted(ends, key=lambda name: ends[name][1])
    heights = _spread([ends[name][1] for name in in_order], up.end, up.start)
    for name, y in zip(in_order, heights, strict=True):
        colour, dash = styles[name]
        drawing.line([ends[name], (x - 14, y), (x - 4, y)], colour=colour, width=0.8, dash=dash)
        drawing.text(x, y + 4, name, size=_NAME, bold=name == average)


def _spread(heights: Sequence[float], top: float, bottom: float) -> list[float]:
    """Move names apart that would cover one another, as little as the room allows."""
    spread: list[float] = []
    for i, height in enumerate(heights):
        lowest = bottom - _NAME_ROW * (len(heights) - 1 - i)
        spread.append(min(max(height, spread[-1] + _NAME_ROW if spread else top), lowest))
    for i in reversed(range(len(spread) - 1)):
        spread[i] = min(spread[i], spread[i + 1] - _NAME_ROW)
    return spread
