"""Who moves up and down under which metric: a column per judge, a line per system."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import cos, radians, sin

import numpy as np

from tertium.report.charts.axes import draw_title, title_height
from tertium.report.charts.svg import INK, Drawing, mix_colours, text_width
from tertium.stats.correlation import spearman

__all__ = ["draw_rankings"]

_ROW, _RADIUS = 24, 9
_WIDEST, _NARROWEST, _USUAL = 120, 34, 700  # pixels from column to column, and of all columns together
_NAME, _HEAD, _NUMBER = 11, 11, 9.5  # sizes of text
_SLOPE = 40  # degrees by which long heads are turned
# From the best to the worst in people's eyes: dark to light, in the order that grey keeps too.
_SCALE = ((68, 1, 84), (59, 82, 139), (33, 145, 140), (94, 201, 98), (190, 200, 40))


def draw_rankings(rankings: Mapping[str, Sequence[str]], *, title: str) -> str:
    """Draw how each judge ranks the systems; the first judge is people.

    Each ranking lists all systems, best first. A dot has the number and the colour of the place that people
    give the system, so that a metric which agrees counts from 1 downwards and darkens upwards. Metrics
    stand from left to right by Spearman's ρ with people.
    """
    people, *metrics = rankings
    places = {judge: {name: i for i, name in enumerate(order)} for judge, order in rankings.items()}
    agreement = {judge: _agreement(places[people], places[judge]) for judge in metrics}
    judges = [people, *sorted(metrics, key=lambda judge: -agreement[judge])]
    heads = _Heads(judges, max(text_width(name, _NAME) for name in places[people]))
    subtitle = (
        "numbers: the place that people give a system; below the metrics: Spearman’s ρ with people"
        if metrics
        else ""
    )
    above = title_height(title, subtitle, heads.width)
    drawing = Drawing(heads.width, above + heads.height + 34 + _ROW * len(places[people]), title)
    draw_title(drawing, title, subtitle)
    heads.draw(drawing, above + heads.height, agreement)
    _draw_lines(drawing, [places[judge] for judge in judges], heads.columns, above + heads.height + 36)
    return drawing.render()


def _agreement(people: Mapping[str, int], metric: Mapping[str, int]) -> float:
    if len(people) < 2:
        return 0.0
    ranks = [np.array([places[name] for name in people], dtype=np.float64) for places in (people, metric)]
    return float(spearman(*ranks))


@dataclass(frozen=True)
class _Heads:
    """The names above the columns, level if they fit and turned if they do not."""

    judges: Sequence[str]
    room: float
    """For the systems' names on either side."""

    @property
    def step(self) -> float:
        return min(_WIDEST, max(_NARROWEST, _USUAL / max(1, len(self.judges) - 1)))

    @property
    def columns(self) -> list[float]:
        return [self.room + 36 + self.step * i for i in range(len(self.judges))]

    @property
    def widest(self) -> float:
        return max(text_width(judge, _HEAD) for judge in self.judges)

    @property
    def is_level(self) -> bool:
        return self.widest <= self.step - 6

    @property
    def height(self) -> float:
        return 24 if self.is_level else 20 + self.widest * sin(radians(_SLOPE))

    @property
    def width(self) -> float:
        overhang = 0 if self.is_level else text_width(self.judges[-1], _HEAD) * cos(radians(_SLOPE))
        return max(420, self.columns[-1] + max(self.room + 30, overhang + 20))

    def draw(self, drawing: Drawing, y: float, agreement: Mapping[str, float]) -> None:
        for i, (x, judge) in enumerate(zip(self.columns, self.judges, strict=True)):
            anchor, turned = ("middle", 0) if self.is_level else ("start", -_SLOPE)
            drawing.text(
                x + (0 if self.is_level else 3),
                y,
                judge,
                anchor=anchor,
                size=_HEAD,
                turned=turned,
                bold=i == 0,
            )
            if judge in agreement:
                value = f"{agreement[judge]:.2f}".replace("-", "−")
                drawing.text(x, y + 16, value, anchor="middle", size=_NUMBER)


def _draw_lines(
    drawing: Drawing, places: Sequence[Mapping[str, int]], columns: Sequence[float], top: float
) -> None:
    systems = list(places[0])
    lines = {
        name: [(x, top + _ROW * of[name]) for x, of in zip(columns, places, strict=True)] for name in systems
    }
    width = 2.0 if columns[-1] - columns[0] >= 60 * (len(columns) - 1) else 1.2  # crowded lines are thin
    shares = {name: i / max(1, len(systems) - 1) for i, name in enumerate(systems)}
    for name, points in lines.items():
        drawing.line(points, colour=mix_colours(_SCALE, shares[name]), width=width)
    for number, (name, points) in enumerate(lines.items(), start=1):
        ink = "#ffffff" if shares[name] < 0.55 else INK
        for x, y in points:
            drawing.dot(x, y, colour=mix_colours(_SCALE, shares[name]), radius=_RADIUS, label=name)
            drawing.text(x, y + 3.4, str(number), anchor="middle", size=_NUMBER, colour=ink)
        drawing.text(points[0][0] - 15, points[0][1] + 4, name, anchor="end", size=_NAME)
        drawing.text(points[-1][0] + 15, points[-1][1] + 4, name, size=_NAME)
