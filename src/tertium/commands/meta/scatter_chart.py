"""Metric scores against human scores: a dot per system or segment, with readable names."""

from collections.abc import Sequence
from math import pi

import numpy as np
import numpy.typing as npt

from tertium.presentation.charts.model import (
    COUNTS,
    Axis,
    Chart,
    Spec,
    heading,
    layer,
    number,
    padded_domain,
    text_width,
    tooltip,
    wrap_text,
)
from tertium.records import record
from tertium.stats.correlation import pearson, spearman
from tertium.values import FloatArray

Box = tuple[float, float, float, float]
"""Left, top, right, bottom."""

_DISTANCES = (3.0, 9.0, 18.0, 30.0, 45.0, 65.0, 90.0)
_DIRECTIONS = 16
_ROUNDS = 6
_LEADER = 12.0  # a name farther than this from its dot gets a line to it


@record
class LabelBox:
    """The box of a name, and the end of the line from its dot to it, if it is far."""

    box: Box
    leader: tuple[float, float] | None


def place_labels(
    dots: Sequence[tuple[float, float]], sizes: Sequence[tuple[float, float]], frame: Box, *, radius: float
) -> list[LabelBox]:
    """Place a label of each size (width, height) near its dot, inside the frame.

    Labels are placed one by one where they cover least, preferably near the dot and to the right of it;
    then each is placed again in view of all the others, until no label moves.
    """
    options = _Candidates(np.array(dots).reshape(-1, 2), np.array(sizes).reshape(-1, 2), radius)
    costs = options.costs(frame, radius)
    chosen: dict[int, int] = {}
    for _ in range(_ROUNDS):
        before = dict(chosen)
        for i in range(len(dots)):
            best = int(np.argmin(costs[i]))
            if best != chosen.get(i):
                costs += options.nuisance(i, best)
                costs -= options.nuisance(i, chosen[i]) if i in chosen else 0.0
                chosen[i] = best
        if chosen == before:
            break
    return [options.place(i, chosen[i]) for i in range(len(dots))]


class _Candidates:
    """Return the possible places of each label: boxes (labels, places, 4) and leaders (labels, places, points, 2)."""

    def __init__(self, dots: FloatArray, sizes: FloatArray, radius: float) -> None:
        angles = np.tile(2 * pi * np.arange(_DIRECTIONS) / _DIRECTIONS, len(_DISTANCES))
        self.distances = np.repeat(_DISTANCES, _DIRECTIONS)
        # right of the dot is where readers look first, then left, then above and below
        self.aside = np.where(angles == 0, 0.0, np.where(angles == pi, 1.0, 1.5))
        self.dots = dots
        self.boxes = _boxes(dots, sizes, radius + self.distances, angles)
        self.leaders = self._leaders()

    def _leaders(self) -> FloatArray:
        """Return points on the line from the dot to the label; infinitely far away for a near label."""
        start = self.dots[:, None]
        ends = np.clip(start, self.boxes[..., :2], self.boxes[..., 2:])
        points = start[:, :, None] + (ends - start)[:, :, None] * np.linspace(0, 1, 9)[:, None]
        return np.where((self.distances > _LEADER)[:, None, None], points, np.inf)

    def costs(self, frame: Box, radius: float) -> FloatArray:
        """Return the cost of each place without the other labels."""
        edge = radius + 1
        circles = np.concatenate([self.dots - edge, self.dots + edge], axis=1)
        costs = np.tile(self.distances + self.aside, (len(self.dots), 1)) + 1000 * _outside(self.boxes, frame)
        for circle in circles:
            costs += 50 * _overlaps(self.boxes, circle) + 30 * _crossed(self.leaders[:, :, 2:], circle)
        return costs

    def nuisance(self, i: int, place: int) -> FloatArray:
        """Return what a label at this place adds to the costs of all places of the others."""
        box, leader = self.boxes[i, place], self.leaders[i, place]
        costs = 5 * _overlaps(self.boxes, box) + 20 * _crossed(self.leaders, box)
        if np.isfinite(leader).all():
            costs += 20 * _crossed(leader, self.boxes[:, :, None]) + 60 * _meet(leader, self.leaders)
        costs[i] = 0.0
        return costs

    def place(self, i: int, place: int) -> LabelBox:
        left, top, right, bottom = self.boxes[i, place].tolist()
        end_x, end_y = self.leaders[i, place, -1].tolist()
        return LabelBox((left, top, right, bottom), (end_x, end_y) if np.isfinite(end_x) else None)


def _boxes(dots: FloatArray, sizes: FloatArray, distances: FloatArray, angles: FloatArray) -> FloatArray:
    """Place the boxes so that their edges, not their middles, have the distance from the dots."""
    ways = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    near = dots[:, None] + ways * distances[:, None]
    corners = near - sizes[:, None] * (1 - ways) / 2
    return np.concatenate([corners, corners + sizes[:, None]], axis=-1)


def _overlaps(boxes: FloatArray, other: FloatArray) -> FloatArray:
    """Return the number of pixels of the other box that each box covers."""
    sides = np.minimum(boxes[..., 2:], other[2:]) - np.maximum(boxes[..., :2], other[:2])
    return np.asarray(np.maximum(sides[..., 0], 0) * np.maximum(sides[..., 1], 0))


def _outside(boxes: FloatArray, frame: Box) -> FloatArray:
    low, high = np.array(frame[:2]), np.array(frame[2:])
    beyond = np.clip(low - boxes[..., :2], 0, None) + np.clip(boxes[..., 2:] - high, 0, None)
    return np.asarray(beyond.sum(axis=-1))


def _meet(leader: FloatArray, others: FloatArray) -> FloatArray:
    """Return which of the other leaders cross this one."""
    a, b, starts, ends = leader[0], leader[-1], others[..., 0, :], others[..., -1, :]
    with np.errstate(invalid="ignore"):  # infinitely far leaders cross no other
        apart = _side(a, b, starts) * _side(a, b, ends) < 0
        return np.asarray(apart & (_side(starts, ends, a) * _side(starts, ends, b) < 0))


def _side(a: FloatArray, b: FloatArray, point: FloatArray) -> FloatArray:
    """Return on which side of the line from a to b a point is, by sign."""
    along, beside = b - a, point - a
    return np.asarray(np.sign(along[..., 0] * beside[..., 1] - along[..., 1] * beside[..., 0]))


def _crossed(leaders: FloatArray, boxes: FloatArray) -> FloatArray:
    """Count the points of each leader, without its start, inside the boxes."""
    x, y = leaders[..., 1:, 0], leaders[..., 1:, 1]
    left, top, right, bottom = np.moveaxis(boxes, -1, 0)
    inside = (x >= left) & (x <= right) & (y >= top) & (y <= bottom)
    return np.asarray(np.count_nonzero(inside, axis=-1))


_MOST_DOTS = 2000  # more dots would overlap: they are counted in cells
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
    the chart shows the number of dots in each cell of a grid.
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
                "x": number("x", across.domain, axis={"title": wrap_text(x_label, 12, _WIDTH)}),
                "y": number("y", up.domain, axis={"title": wrap_text(y_label, 12, _HEIGHT)}),
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
    """Draw dots, their names, and lines to the names that are far away.

    The places are computed here and not by Vega's `label` transform: Vega-Lite has none, Vega's omits the
    names that do not fit, and to avoid the dots it needs a canvas, which vl-convert does not have.
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
        layer("circle", dots, {"tooltip": tooltip("name", x="metric", y="human")}, size=60, opacity=1),
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
    opacity = float(np.clip(500 / max(1, len(dots)), 0.3, 0.75))  # overlapping dots are darker
    told = tooltip(x="metric", y="human")
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
        "tooltip": tooltip(n="segments", x="metric from", x2="metric to", y="human from", y2="human to"),
    }
    return layer("rect", cells, encoding, aria=False)


def _short(values: FloatArray) -> list[float]:
    """Round to six digits, which is more than a pixel shows."""
    return [float(f"{value:.6g}") for value in values.tolist()]
