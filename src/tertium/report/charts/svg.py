"""Pictures as SVG text: lines, dots and words, everything escaped, and how wide words are."""

import html
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field

__all__ = ["COLOURS", "DASHES", "INK", "PALE", "Drawing", "escape", "mix_colours", "text_width", "wrap_text"]

INK = "#222222"
PALE = "#e2e2e2"
# Okabe & Ito's colours, which colour-blind readers can tell apart; black is left for what stands out.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#7A7A7A")
DASHES = ("", "7 3", "2 2.5", "9 3 2 3")

FONTS = "Helvetica, Arial, Liberation Sans, sans-serif"
# Helvetica's widths of the characters from space to tilde, in thousandths of the font size (Adobe's AFM file).
_WIDTHS = (
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556, 556, 556,
    556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833,
    722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556,
    556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334,
    260, 334, 584,
)  # fmt: skip
# What XML allows no document to hold.
_FORBIDDEN = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def escape(text: str) -> str:
    """Escape a text for XML; characters that XML cannot hold become U+FFFD."""
    return html.escape(_FORBIDDEN.sub("\ufffd", text))


def text_width(text: str, size: float) -> float:
    """Estimate how many pixels a text takes.

    Examples
    --------
    >>> text_width("BLEU", 10)
    26.12
    """
    return sum(map(_character_width, text)) * size / 1000


def wrap_text(text: str, size: float, room: float) -> list[str]:
    """Break a text into lines that fit, at spaces and behind commas and colons; a part too long stays whole."""
    lines = [""]
    for part in re.findall(r"[^\s,:]*[\s,:]*", text):
        if lines[-1] and text_width((lines[-1] + part).rstrip(), size) > room:
            lines.append("")
        lines[-1] += part
    return [line.rstrip() for line in lines]


def mix_colours(scale: Sequence[tuple[int, int, int]], share: float) -> str:
    """Take a colour from a scale of colours: the first for 0, the last for 1.

    Examples
    --------
    >>> mix_colours([(0, 0, 0), (255, 255, 255)], 0.2)
    '#333333'
    """
    place = min(max(share, 0.0), 1.0) * (len(scale) - 1)
    below = min(int(place), len(scale) - 2)
    mixed = [a + (b - a) * (place - below) for a, b in zip(scale[below], scale[below + 1], strict=True)]
    return "#" + "".join(f"{round(part):02x}" for part in mixed)


@dataclass
class Drawing:
    """A picture that grows shape by shape; its title is what screen readers say."""

    width: float
    height: float
    title: str = ""
    shapes: list[str] = field(default_factory=list)

    def line(
        self, points: Sequence[tuple[float, float]], *, colour: str = INK, width: float = 1.0, dash: str = ""
    ) -> None:
        path = " ".join(f"{x:.2f},{y:.2f}" for x, y in points)
        dashed = f' stroke-dasharray="{escape(dash)}"' if dash else ""
        self.shapes.append(
            f'<polyline points="{path}" fill="none" stroke="{escape(colour)}" stroke-width="{width:g}"'
            f' stroke-linejoin="round"{dashed}/>'
        )

    def dot(
        self, x: float, y: float, *, colour: str = INK, radius: float = 3.0, label: str = "", opacity: float = 1.0
    ) -> None:  # fmt: skip
        shown = f"<title>{escape(label)}</title>" if label else ""
        faint = f' fill-opacity="{opacity:g}"' if opacity < 1 else ""
        self.shapes.append(
            f'<circle cx="{x:.2f}" cy="{y:.2f}" r="{radius:g}" fill="{escape(colour)}"{faint}>{shown}</circle>'
        )

    def box(
        self, corner: tuple[float, float], size: tuple[float, float], *, colour: str, edge: str, width: float = 1.0
    ) -> None:  # fmt: skip
        """Draw a rectangle from its upper left corner."""
        self.shapes.append(
            f'<rect x="{corner[0]:.2f}" y="{corner[1]:.2f}" width="{size[0]:g}" height="{size[1]:g}"'
            f' fill="{escape(colour)}" stroke="{escape(edge)}" stroke-width="{width:g}"/>'
        )

    def text(
        self, x: float, y: float, text: str, *, anchor: str = "start", size: float = 11, colour: str = INK,
        turned: float = 0, bold: bool = False,
    ) -> None:  # fmt: skip
        """Write a text whose baseline begins (or ends, or has its middle) there; `turned` in degrees."""
        turn = f' transform="rotate({turned:g} {x:.2f} {y:.2f})"' if turned else ""
        weight = ' font-weight="bold"' if bold else ""
        self.shapes.append(
            f'<text x="{x:.2f}" y="{y:.2f}" font-size="{size:g}" text-anchor="{escape(anchor)}"'
            f' fill="{escape(colour)}"{weight}{turn}>{escape(text)}</text>'
        )

    def render(self) -> str:
        """Write the picture as one SVG document, without scripts and without links."""
        title = f"<title>{escape(self.title)}</title>\n" if self.title else ""
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width:g} {self.height:g}"'
            f' width="{self.width:g}" height="{self.height:g}" font-family="{FONTS}" role="img">\n'
        )
        paper = '<rect width="100%" height="100%" fill="#ffffff"/>\n'
        return head + title + paper + "\n".join(self.shapes) + "\n</svg>\n"


def _character_width(character: str) -> int:
    if " " <= character <= "~":
        return _WIDTHS[ord(character) - 32]
    if unicodedata.combining(character):
        return 0
    return 1000 if unicodedata.east_asian_width(character) in "WF" else 600
