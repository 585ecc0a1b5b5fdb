"""Pictures as SVG text: a few shapes, one chart with axes, everything escaped."""

import html
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import ceil, floor, isfinite, log10

__all__ = ["COLOURS", "Axis", "Drawing", "escape", "nice_axis"]

# Okabe & Ito's colours, which colour-blind readers can tell apart.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#999999")


def escape(text: str) -> str:
    """Escape a text for XML; control characters, which XML cannot hold, become U+FFFD."""
    return html.escape("".join(c if c >= " " or c in "\t\n" else "\ufffd" for c in text))


@dataclass
class Drawing:
    """A picture that grows shape by shape."""

    width: float
    height: float
    title: str = ""
    shapes: list[str] = field(default_factory=list)

    def line(
        self, points: Sequence[tuple[float, float]], *, colour: str = "#000", width: float = 1.0
    ) -> None:
        path = " ".join(f"{x:.2f},{y:.2f}" for x, y in points)
        self.shapes.append(
            f'<polyline points="{path}" fill="none" stroke="{escape(colour)}" stroke-width="{width:g}"/>'
        )

    def dot(self, x: float, y: float, *, colour: str = "#000", radius: float = 3.0, label: str = "") -> None:
        shown = f"<title>{escape(label)}</title>" if label else ""
        self.shapes.append(
            f'<circle cx="{x:.2f}" cy="{y:.2f}" r="{radius:g}" fill="{escape(colour)}" fill-opacity="0.6">{shown}</circle>'
        )

    def text(
        self, x: float, y: float, text: str, *, anchor: str = "start", size: float = 11, colour: str = "#000",
        turned: bool = False,
    ) -> None:  # fmt: skip
        turn = f' transform="rotate(-90 {x:.2f} {y:.2f})"' if turned else ""
        self.shapes.append(
            f'<text x="{x:.2f}" y="{y:.2f}" font-size="{size:g}" text-anchor="{escape(anchor)}"'
            f' fill="{escape(colour)}"{turn}>{escape(text)}</text>'
        )

    def render(self) -> str:
        """Write the picture as one SVG document, without scripts and without links."""
        title = f"<title>{escape(self.title)}</title>\n" if self.title else ""
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width:g} {self.height:g}"'
            f' width="{self.width:g}" height="{self.height:g}" font-family="sans-serif" role="img">\n'
        )
        paper = '<rect width="100%" height="100%" fill="#fff"/>\n'
        return head + title + paper + "\n".join(self.shapes) + "\n</svg>\n"


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


def _nice_step(rough: float) -> float:
    power = 10.0 ** floor(log10(rough))
    return next(factor * power for factor in (1, 2, 2.5, 5, 10) if factor * power >= rough * (1 - 1e-9))
