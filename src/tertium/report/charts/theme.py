"""How every chart looks: inks, colours and fonts, once for light and once for dark paper.

Specifications name styles and ranges (`ink`, `heatmap`); the colours behind the names stand here alone, so the
same specification fits both kinds of page. Heat maps are the exception: their cells have the same colours on
any page, light for nothing and dark for much.
"""

from collections.abc import Sequence
from dataclasses import dataclass

__all__ = [
    "BEYOND",
    "CELL_INK",
    "CELL_PALE",
    "COUNTS",
    "DARK",
    "DASHES",
    "FRAME",
    "LEVELS",
    "LIGHT",
    "N_COLOURS",
    "Theme",
]

_FONTS = "Helvetica, Arial, Liberation Sans, sans-serif"

# From nothing to much: light to dark, readable in grey too.
_HEAT = ("#fffae7", "#facd8e", "#e8785e", "#962d62", "#3b0f50")
COUNTS = ("#fbd9a5", "#f2a477", "#d8605f", "#962d62", "#3b0f50")
"""The same for counts: one is told from the bare paper."""
LEVELS = ("#fffae7", "#f2a477", "#b03a62", "#3b0f50")
"""The same in four steps."""
# Blues for what is below zero, and the same again for what is above.
_DIVERGING = ("#0b2a5b", "#265f9c", "#a9cbe6", "#f8f5ee", "#f4ad78", "#a33d63", "#3b0f50")
CELL_INK, CELL_PALE = "#000000", "#ffffff"  # texts on light and on dark cells
BEYOND = "#b8b8b8"  # cells that hold no finite number
FRAME = "#00a3e0"  # seen on both ends of the heat scale, and told from it by those who see no red or green

DASHES: Sequence[Sequence[float]] = ((), (7, 3), (2, 2.5), (9, 3, 2, 3))
"""Once every colour is taken, lines begin again with the next dash."""
N_COLOURS = 7


@dataclass(frozen=True)
class Theme:
    """The colours of a kind of page."""

    paper: str
    ink: str
    faint: str
    grid: str
    category: Sequence[str]
    """Okabe & Ito's colours, which colour-blind readers can tell apart; the ink is left for what stands out."""
    ramp: Sequence[str]
    """From the first place to the last, in an order that grey keeps too."""

    def config(self, *, background: str | None = None) -> dict[str, object]:
        """Write the theme as Vega-Lite's `config`; `background` takes the paper's place, say `transparent`."""
        text = {"font": _FONTS, "color": self.ink, "fontSize": 11}
        labels = {"labelFont": _FONTS, "labelColor": self.ink, "labelFontSize": 11}
        titles = {
            "titleFont": _FONTS,
            "titleColor": self.ink,
            "titleFontSize": 12,
            "titleFontWeight": "normal",
        }
        return {
            "background": background or self.paper,
            "padding": 12,
            "view": {"stroke": None},
            "mark": {"color": self.category[0]},
            "text": text,
            "axis": {
                **labels, **titles, "labelLimit": 260, "titlePadding": 10,
                "grid": True, "gridColor": self.grid, "domainColor": self.ink, "ticks": False, "labelPadding": 6,
            },
            "axisQuantitative": {"tickCount": 7},
            "legend": {**labels, **titles, "labelLimit": 260, "symbolStrokeWidth": 2},
            "title": {
                "font": _FONTS, "color": self.ink, "fontSize": 14, "fontWeight": "bold", "anchor": "start",
                "subtitleFont": _FONTS, "subtitleColor": self.ink, "subtitleFontSize": 11, "subtitlePadding": 5,
                "offset": 14,
            },
            "range": {
                "category": list(self.category), "ramp": list(self.ramp),
                "heatmap": list(_HEAT), "diverging": list(_DIVERGING),
            },
            "style": {
                "ink": {"color": self.ink}, "faint": {"color": self.faint}, "paper": {"color": self.paper},
            },
        }  # fmt: skip


LIGHT = Theme(
    paper="#ffffff",
    ink="#222222",
    faint="#8a8a8a",
    grid="#e2e2e2",
    category=("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#7A7A7A"),
    ramp=("#440154", "#3b528b", "#21918c", "#5ec962", "#bec828"),
)
DARK = Theme(
    paper="#16181d",
    ink="#e8e8e8",
    faint="#8d939c",
    grid="#343840",
    category=("#56B4E9", "#FF8A3D", "#2BC299", "#E39AC4", "#F5BE41", "#F0E442", "#A8A8A8"),
    ramp=("#f7e620", "#86d549", "#2ab07f", "#3f8fb8", "#7d75c4"),
)
