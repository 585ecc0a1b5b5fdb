"""Metric against people: a dot per system or segment, with names that can be read."""

from collections.abc import Sequence

import numpy as np

from tertium.report.charts.axes import draw_axes, draw_title, nice_axis, title_height
from tertium.report.charts.label_places import place_labels
from tertium.report.charts.svg import COLOURS, Drawing, text_width
from tertium.stats.correlation import pearson, spearman
from tertium.types import FloatArray

__all__ = ["draw_scatter"]

_MOST_DOTS = 3000  # more would only blacken the paper
_WIDTH, _PLOT = 560, 400
_LEFT, _RIGHT, _BELOW = 72, 20, 66
_NAME = 10.5  # size of names


def draw_scatter(
    human: FloatArray,
    metric: FloatArray,
    *,
    title: str,
    x_label: str,
    y_label: str,
    names: Sequence[str] = (),
) -> str:
    """Draw metric scores (x) against human scores (y), NaN left out; `names` label the dots.

    The line below the title has the number of dots and their correlation. Beyond some thousand dots,
    evenly spaced ones stand for all.
    """
    judged = np.flatnonzero(~(np.isnan(human) | np.isnan(metric)))
    drawn = judged[:: max(1, -(-len(judged) // _MOST_DOTS))]
    subtitle = _describe(human[judged], metric[judged], len(drawn), "systems" if names else "judged segments")
    top = title_height(title, subtitle, _WIDTH) + 8
    drawing = Drawing(_WIDTH, top + _PLOT + _BELOW, title)
    draw_title(drawing, title, subtitle)
    across = nice_axis(metric[drawn].tolist(), _LEFT, _WIDTH - _RIGHT, n_ticks=7)
    up = nice_axis(human[drawn].tolist(), top + _PLOT, top, n_ticks=7)
    draw_axes(drawing, across, up, x_label, y_label)
    dots = [(across.place(float(metric[i])), up.place(float(human[i]))) for i in drawn]
    if names:
        _draw_named(drawing, dots, [names[i] for i in drawn], top)
    else:
        _draw_many(drawing, dots)
    return drawing.render()


def _describe(human: FloatArray, metric: FloatArray, n_drawn: int, unit: str) -> str:
    n = len(human)
    counted = f"{n:,} {unit}" if n_drawn == n else f"{n:,} {unit} ({n_drawn:,} of them drawn)"
    r, rho = float(pearson(human, metric)), float(spearman(human, metric))
    if np.isnan(r + rho):
        return f"{counted}, no correlation: one side is constant"
    return f"{counted}, Pearson’s r = {r:.3f}, Spearman’s ρ = {rho:.3f}".replace("-", "−")


def _draw_named(
    drawing: Drawing, dots: Sequence[tuple[float, float]], names: Sequence[str], top: float
) -> None:
    sizes = [(text_width(name, _NAME), _NAME + 1) for name in names]
    frame = (_LEFT + 2, top - 4, _WIDTH - 4, top + _PLOT - 2)
    places = place_labels(dots, sizes, frame, radius=4)
    for dot, place in zip(dots, places, strict=True):
        if place.leader is not None:
            drawing.line([dot, place.leader], colour="#9a9a9a", width=0.7)
    for (x, y), name in zip(dots, names, strict=True):
        drawing.dot(x, y, colour=COLOURS[0], radius=4, label=name)
    for place, name in zip(places, names, strict=True):
        drawing.text(place.box[0], place.box[3] - 2.5, name, size=_NAME)


def _draw_many(drawing: Drawing, dots: Sequence[tuple[float, float]]) -> None:
    opacity = float(np.clip(500 / max(1, len(dots)), 0.2, 0.75))  # where dots pile up, the paper darkens
    for x, y in dots:
        drawing.dot(x, y, colour=COLOURS[0], radius=2.2, opacity=opacity)
