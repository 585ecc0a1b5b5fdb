"""Metric against people: a dot per system or segment, with names that can be read."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from tertium.report.charts.domains import Axis, padded_domain
from tertium.report.charts.grammar import Spec, layer, number, tooltip
from tertium.report.charts.label_places import place_labels
from tertium.report.charts.model import Chart
from tertium.report.charts.theme import COUNTS
from tertium.report.charts.words import heading, text_width, wrap_text
from tertium.stats.correlation import pearson, spearman
from tertium.types import FloatArray

__all__ = ["draw_scatter"]

_MOST_DOTS = 2000  # more would only blacken the paper: they are counted in cells
_N_CELLS = 40  # along each axis
_WIDTH, _HEIGHT = 480, 400
_NAME, _NAME_ROOM = 10.5, 240  # size of names, and the pixels that one may take


def draw_scatter(
    human: npt.ArrayLike,
    metric: npt.ArrayLike,
    *,
    title: str,
    x_label: str,
    y_label: str,
    names: Sequence[str] = (),
) -> Chart:
    """Draw metric scores (x) against human scores (y), NaN left out; `names` label the dots.

    The line below the title has the number of dots and their correlation. Beyond some thousand dots,
    the chart shows how many fall into each cell of a grid.
    """
    xs, ys = np.asarray(metric, dtype=float), np.asarray(human, dtype=float)
    judged = np.isfinite(xs) & np.isfinite(ys)
    kept = [name for name, is_kept in zip(names, judged, strict=bool(names)) if is_kept]
    xs, ys = xs[judged], ys[judged]
    across = Axis(padded_domain(xs.tolist()), (0, _WIDTH))
    up = Axis(padded_domain(ys.tolist()), (_HEIGHT, 0))
    return Chart.of(
        {
            "description": title,
            "title": heading(title, _describe(ys, xs, is_named=bool(names)), _WIDTH),
            "width": _WIDTH,
            "height": _HEIGHT,
            "encoding": {
                "x": number("x", across.domain, title=wrap_text(x_label, 12, _WIDTH)),
                "y": number("y", up.domain, title=wrap_text(y_label, 12, _HEIGHT)),
            },
            "layer": _named_dots(xs, ys, kept, across, up) if names else [_many_dots(xs, ys)],
        }
    )


def _describe(human: FloatArray, metric: FloatArray, *, is_named: bool) -> str:
    counted = f"{len(human):,} {'systems' if is_named else 'judged segments'}"
    if not is_named and len(human) > _MOST_DOTS:
        counted += f" in {_N_CELLS} × {_N_CELLS} cells"
    if len(human) < 2:
        return f"{counted}, too few for a correlation"
    r, rho = float(pearson(human, metric)), float(spearman(human, metric))
    if np.isnan(r + rho):
        return f"{counted}, no correlation: one side is constant"
    return f"{counted}, Pearson’s r = {r:.3f}, Spearman’s ρ = {rho:.3f}".replace("-", "−")


def _named_dots(xs: FloatArray, ys: FloatArray, names: Sequence[str], across: Axis, up: Axis) -> list[Spec]:
    """Dots, their names, and lines to the names that stand far away.

    The places are found here and not by Vega's `label` transform: Vega-Lite has none, Vega's leaves out the
    names that do not fit, and to keep off the dots it needs a canvas, which vl-convert has not.
    """
    dots = [{"x": x, "y": y, "name": name} for x, y, name in zip(xs, ys, names, strict=True)]
    pixels = [(across.place(x), up.place(y)) for x, y in zip(xs.tolist(), ys.tolist(), strict=True)]
    sizes = [(min(text_width(name, _NAME), _NAME_ROOM), _NAME + 1) for name in names]
    places = place_labels(pixels, sizes, (2, 0, _WIDTH + 30, _HEIGHT - 2), radius=4)
    labels: list[Spec] = [
        {**_hang(place.box, x, across), "y": up.value((place.box[1] + place.box[3]) / 2), "name": name}
        for (x, _), place, name in zip(pixels, places, names, strict=True)
    ]
    leaders: list[Spec] = [
        {**dot, "x2": across.value(place.leader[0]), "y2": up.value(place.leader[1])}
        for dot, place in zip(dots, places, strict=True)
        if place.leader is not None
    ]
    align = {"expr": "datum.align"}
    return [
        layer(
            "rule", leaders, {"x2": {"field": "x2"}, "y2": {"field": "y2"}}, style="faint", strokeWidth=0.7
        ),
        layer("circle", dots, {"tooltip": tooltip("name", x="metric", y="people")}, size=60, opacity=1),
        layer("text", labels, {"text": {"field": "name"}}, align=align, fontSize=_NAME, limit=_NAME_ROOM),
    ]


def _hang(box: Sequence[float], x: float, across: Axis) -> Spec:
    """Fix a name at the end that is next to its dot, since its width is only an estimate."""
    left, _, right, _ = box
    if left >= x:
        return {"x": across.value(left), "align": "left"}
    if right <= x:
        return {"x": across.value(right), "align": "right"}
    return {"x": across.value((left + right) / 2), "align": "center"}


def _many_dots(xs: FloatArray, ys: FloatArray) -> Spec:
    if len(xs) > _MOST_DOTS:
        return _counts(xs, ys)
    dots = [{"x": x, "y": y} for x, y in zip(_short(xs), _short(ys), strict=True)]
    opacity = float(np.clip(500 / max(1, len(dots)), 0.3, 0.75))  # where dots pile up, the paper darkens
    told = tooltip(x="metric", y="people")
    return layer("circle", dots, {"tooltip": told}, size=20, opacity=opacity, aria=False)


def _counts(xs: FloatArray, ys: FloatArray) -> Spec:
    counts, x_edges, y_edges = np.histogram2d(xs, ys, bins=_N_CELLS)
    cells = [
        {"x": x_edges[i], "x2": x_edges[i + 1], "y": y_edges[j], "y2": y_edges[j + 1], "n": int(counts[i, j])}
        for i, j in np.argwhere(counts)
    ]
    scale = {"type": "sqrt", "range": COUNTS, "domainMin": 0}
    encoding: Spec = {
        "x2": {"field": "x2"},
        "y2": {"field": "y2"},
        "color": number("n", scale=scale, title="segments"),
        "tooltip": tooltip(n="segments", x="metric from", x2="metric to", y="people from", y2="people to"),
    }
    return layer("rect", cells, encoding, aria=False)


def _short(values: FloatArray) -> list[float]:
    """Six digits are more than a pixel shows."""
    return [float(f"{value:.6g}") for value in values.tolist()]
