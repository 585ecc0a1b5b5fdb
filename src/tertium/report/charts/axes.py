"""Axes of charts: round bounds and ticks, their lines and labels."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor, isfinite, log10

from tertium.report.charts.svg import INK, PALE, Drawing, text_width, wrap_text

__all__ = ["LINE", "Axis", "draw_axes", "draw_title", "nice_axis", "title_height"]

LINE = 17  # from one line of a title to the next
_TITLE, _SUBTITLE, _TICK, _LABEL = 14, 11, 11, 12  # sizes of text


@dataclass(frozen=True)
class Axis:
    """A range of values laid onto a range of pixels."""

    low: float
    high: float
    start: float
    end: float
    ticks: Sequence[float]

    def place(self, value: float) -> float:
        """The pixel of a value."""
        return self.start + (value - self.low) / (self.high - self.low) * (self.end - self.start)


def nice_axis(values: Sequence[float], start: float, end: float, *, n_ticks: int = 5) -> Axis:
    """Choose round bounds and ticks around the values; equal values get room on both sides.

    Examples
    --------
    >>> nice_axis([0.13, 0.87], 0, 100).ticks
    [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]
    """
    finite = [value for value in values if isfinite(value)] or [0.0, 1.0]
    low, high = min(finite), max(finite)
    if high - low <= 1e-12 * max(abs(low), abs(high), 1e-300):
        room = abs(low) / 10 or 1.0
        low, high = low - room, high + room
    step = _nice_step((high - low) / n_ticks)
    first, last = floor(low / step + 1e-9), ceil(high / step - 1e-9)
    ticks = [round(i * step, 12) for i in range(first, last + 1)]
    return Axis(ticks[0], ticks[-1], start, end, ticks)


def draw_axes(drawing: Drawing, across: Axis, up: Axis, x_label: str, y_label: str) -> None:
    """Draw a grid, ticks with their numbers, and what the axes mean."""
    for tick in across.ticks:
        x = across.place(tick)
        drawing.line([(x, up.start), (x, up.end)], colour=PALE)
        drawing.text(x, up.start + 16, _number(tick), anchor="middle", size=_TICK)
    for tick in up.ticks:
        y = up.place(tick)
        drawing.line([(across.start, y), (across.end, y)], colour=PALE)
        drawing.text(across.start - 6, y + 4, _number(tick), anchor="end", size=_TICK)
    drawing.line([(across.start, up.end), (across.start, up.start), (across.end, up.start)], colour=INK)
    middle = (across.start + across.end) / 2
    room = 2 * min(middle, drawing.width - middle) - 10
    for i, line in enumerate(wrap_text(x_label, _LABEL, room)):
        drawing.text(middle, up.start + 36 + LINE * i, line, anchor="middle", size=_LABEL)
    widest = max((text_width(_number(tick), _TICK) for tick in up.ticks), default=0.0)
    drawing.text(
        across.start - widest - 14, (up.start + up.end) / 2, y_label, anchor="middle", size=_LABEL, turned=-90
    )


def title_height(title: str, subtitle: str, width: float) -> float:
    """How much room title and subtitle take above a chart."""
    return 10 + LINE * sum(len(lines) for lines in _title_lines(title, subtitle, width))


def draw_title(drawing: Drawing, title: str, subtitle: str) -> None:
    """Write the title in bold over a line that says more, both as many lines as they need."""
    y = 5.0
    for lines, size in zip(_title_lines(title, subtitle, drawing.width), (_TITLE, _SUBTITLE), strict=True):
        for line in lines:
            y += LINE
            drawing.text(drawing.width / 2, y, line, anchor="middle", size=size, bold=size == _TITLE)


def _title_lines(title: str, subtitle: str, width: float) -> tuple[list[str], list[str]]:
    room = width - 24
    # bold letters are about a tenth wider
    return (
        wrap_text(title, 1.1 * _TITLE, room) if title else [],
        wrap_text(subtitle, _SUBTITLE, room) if subtitle else [],
    )


def _number(tick: float) -> str:
    return f"{tick:g}".replace("-", "−")


def _nice_step(rough: float) -> float:
    power = 10.0 ** floor(log10(rough))
    return next(factor * power for factor in (1, 2, 2.5, 5, 10) if factor * power >= rough * (1 - 1e-9))
