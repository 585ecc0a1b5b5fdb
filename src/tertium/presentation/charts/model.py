"""The chart model: theme, axis grammar, texts and domains that all charts share, and rendering to files."""

import json
import re
import sys
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from html import escape
from importlib.util import find_spec
from math import isfinite
from pathlib import Path, PurePath
from types import ModuleType
from typing import Self

import numpy as np

from tertium.errors import InputError, MissingExtraError, OptionError, ResourceError
from tertium.files.extras import install_hint
from tertium.files.writing import write_atomically
from tertium.records import record

# The look of all charts: inks, colours and fonts, for light and for dark paper.
#
# Specifications name styles and ranges (`ink`, `heatmap`); the colours of the names are defined only here, so the
# same specification fits both kinds of page. Heat maps are the exception: their cells have the same colours on
# any page, light for low values and dark for high ones.


_FONTS = "Helvetica, Arial, Liberation Sans, sans-serif"

# From low to high: light to dark, readable in grey too.
_HEAT = ("#fffae7", "#facd8e", "#e8785e", "#962d62", "#3b0f50")
COUNTS = ("#fbd9a5", "#f2a477", "#d8605f", "#962d62", "#3b0f50")
"""The same for counts: a count of one differs visibly from the paper."""
LEVELS = ("#fffae7", "#f2a477", "#b03a62", "#3b0f50")
"""The same in four steps."""
# Blues for values below zero, the same scale for values above zero.
_DIVERGING = ("#0b2a5b", "#265f9c", "#a9cbe6", "#f8f5ee", "#f4ad78", "#a33d63", "#3b0f50")
CELL_INK, CELL_PALE = "#000000", "#ffffff"  # texts on light and on dark cells
BEYOND = "#b8b8b8"  # cells that hold no finite number
FRAME = "#00a3e0"  # visible on both ends of the heat scale, also for colour-blind readers

DASHES: Sequence[Sequence[float]] = ((), (7, 3), (2, 2.5), (9, 3, 2, 3))
"""Once every colour is taken, lines begin again with the next dash."""
N_COLOURS = 7


@record
class Theme:
    """The colours of a kind of page."""

    paper: str
    ink: str
    faint: str
    grid: str
    category: Sequence[str]
    """Okabe & Ito's colours, which colour-blind readers can distinguish; the ink is left for highlights."""
    ramp: Sequence[str]
    """From the first place to the last, in an order that grey keeps too."""

    def config(self, *, background: str | None = None) -> dict[str, object]:
        """Write the theme as Vega-Lite's `config`; `background`, such as `transparent`, replaces the paper's colour."""
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


PICTURE_FORMATS = (".svg", ".png")

_SCHEMA = "https://vega.github.io/schema/vega-lite/v5.json"  # an identifier that is not opened
_MIME = "application/vnd.vegalite.v5+json"
_SCALE = 3  # a picture of 560 units is 1,680 pixels wide: sharp on a page's column
_MOST_PIXELS = 12_000  # of either side
# Characters that XML does not allow.
_FORBIDDEN = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_LINE_ENDS = re.compile(r"\r\n|[\n\r\x85\u2028\u2029]")


@record
class Chart:
    """A Vega-Lite specification with its data, and its conversions.

    `specification` is its JSON text, without colours: those come from a theme.
    """

    specification: str

    @classmethod
    def of(cls, specification: Mapping[str, object]) -> Self:
        """Make a chart of a specification with plain values and numpy's.

        Numbers that are not finite become null, and characters that XML does not allow U+FFFD.
        """
        safe = _end_titles({"$schema": _SCHEMA, **specification})
        return cls(json.dumps(_plain(safe), ensure_ascii=False))

    def to_dict(self, theme: Theme | None = LIGHT) -> dict[str, object]:
        """Return the specification for Altair, Vega-Embed or a notebook; without `config` if there is no theme."""
        specification: dict[str, object] = json.loads(self.specification)
        return specification if theme is None else {**specification, "config": theme.config()}

    def to_json(self, theme: Theme | None = None) -> str:
        """Return the specification as text that is safe inside a page's `<script>`, for any data.

        It has no `$schema`, so that Vega-Embed does not compare versions; its `mode` is `vega-lite`.
        """
        specification = {key: value for key, value in self.to_dict(theme).items() if key != "$schema"}
        text = json.dumps(specification, separators=(",", ":"))
        return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")

    def svg(self, theme: Theme = LIGHT) -> str:
        """Draw the chart as an SVG document, without scripts and without links."""
        drawn: str = import_vl_convert().vegalite_to_svg(self.to_dict(theme), allowed_base_urls=[])
        said = escape(str(self.to_dict(None).get("description", "")))
        return drawn.replace("<svg ", f'<svg role="img" aria-label="{said}" ', 1)

    def png(self, scale: float = _SCALE, theme: Theme = LIGHT) -> bytes:
        """Draw the chart as PNG, `scale` pixels for each of its units; fewer if a side would be too large."""
        drawn = self.svg(theme)
        png: bytes = import_vl_convert().svg_to_png(
            drawn, scale=min(scale, _MOST_PIXELS / _longer_side(drawn))
        )
        return png

    def write(self, path: str | Path) -> None:
        """Draw the chart into a file, written atomically; the format follows the suffix, .svg or .png."""
        check_picture(str(path))
        is_png = PurePath(path).suffix.lower() == ".png"
        data = self.png() if is_png else self.svg().encode()
        with write_atomically(Path(path), InputError) as temporary:
            temporary.write_bytes(data)

    def _repr_mimebundle_(self, **_: object) -> dict[str, object]:
        """Return the chart in the types that notebooks show, or in the requested types."""
        return {_MIME: self.to_dict(), "text/plain": repr(self)}

    def __repr__(self) -> str:
        return f"Chart({self.to_dict(None).get('description', '')!r})"


def check_picture(path: str) -> None:
    """Raise before the work begins if the picture could not be written.

    Raises
    ------
    OptionError
        If the file's suffix is neither .svg nor .png.
    MissingExtraError
        If the package that draws pictures is not installed.
    ResourceError
        If the process may not reserve the memory that it needs.
    """
    if PurePath(path).suffix.lower() not in PICTURE_FORMATS:
        raise OptionError(f"{path}: a picture is written as .svg or .png, according to the file's suffix")
    if not _is_installed():
        raise MissingExtraError(f"{path}: {_remedy()}")
    _check_address_space(path)


# V8, which draws, reserves more than 64 GB of addresses and ends the process if it may not; batch systems set limits.
_ADDRESSES = 128 << 30


def _check_address_space(path: str = "") -> None:
    if sys.platform == "win32":
        return
    import resource  # noqa: PLC0415 - Unix only

    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    if limit not in (-1, resource.RLIM_INFINITY) and limit < _ADDRESSES:
        place = f"{path}: " if path else ""
        raise ResourceError(
            f"{place}pictures cannot be drawn with only {limit / 2**30:.1f} GB of address space, of which 128 GB are"
            " reserved but not used; run 'ulimit -v unlimited', or leave the picture out"
        )


def import_vl_convert() -> ModuleType:
    """Import the package that draws, only when it is needed."""
    if not _is_installed():
        raise MissingExtraError(_remedy())
    _check_address_space()
    import vl_convert  # noqa: PLC0415

    module: ModuleType = vl_convert
    return module


def _remedy() -> str:
    return f"pictures (SVG and PNG) are drawn by vl-convert-python: {install_hint('report')}"


def _is_installed() -> bool:
    try:
        return find_spec("vl_convert") is not None
    except ValueError:  # a name that was imported without a specification
        return False


def _longer_side(svg: str) -> float:
    return max(float(side) for side in re.findall(r'\b(?:width|height)="([\d.]+)"', svg[: svg.index(">")]))


def _end_titles(value: object, key: str = "") -> object:
    """End titles of one word with a space, which is not shown.

    Vega looks titles up in a JavaScript object, where it would find `constructor` and other names of methods.
    """
    if isinstance(value, Mapping):
        return {
            name: part if name in ("data", "tooltip") else _end_titles(part, name)
            for name, part in value.items()
        }
    if isinstance(value, list | tuple):
        return [_end_titles(part, key) for part in value]
    is_word = isinstance(value, str) and key in ("title", "subtitle", "text") and " " not in value
    return f"{value} " if is_word else value


def _plain(value: object) -> object:
    """Convert a value for JSON."""
    if isinstance(value, str):
        return _LINE_ENDS.sub(" ", _FORBIDDEN.sub("\ufffd", value))
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, np.generic | np.ndarray):
        return _plain(value.tolist())
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return None if isinstance(value, float) and not isfinite(value) else value


Spec = dict[str, object]


def layer(mark: str, values: Sequence[Mapping[str, object]], encoding: Spec, **properties: object) -> Spec:
    """Make a layer with one kind of mark and its own data; screen readers read the tooltips and skip other marks."""
    told = encoding.get("tooltip")
    described: Spec = {"aria": False}
    if told is not None and values:  # a container without marks has nothing to read
        described = {"description": {"expr": _describe(told)}}
    return {
        "data": {"values": values},
        "mark": {"type": mark, **described, **properties},
        "encoding": encoding,
    }


def _describe(told: object) -> str:
    """Write a tooltip as an expression; Vega-Lite's own would show ids, and titles of axes inside an expression."""
    parts: list[str] = []
    for channel in told if isinstance(told, list) else []:
        value = f"datum.{channel['field']}"
        text = f"format({value}, '{channel['format']}')" if "format" in channel else value
        parts.append(f"'{channel.get('title', channel['field'])}: ' + {text}")
    return " + '; ' + ".join(parts)


def number(field: str, domain: Sequence[float] | None = None, **more: object) -> Spec:
    """Encode a field of numbers on an axis; `domain` is shown unchanged, neither rounded nor extended to zero."""
    scale = {} if domain is None else {"scale": {"domain": domain, "nice": False, "zero": False}}
    return {"field": field, "type": "quantitative", **scale, **more}


def category(field: str, domain: Sequence[object], *, scale: Spec | None = None, **more: object) -> Spec:
    """Encode a field of fixed words or ids, in the order of `domain`."""
    return {"field": field, "type": "nominal", "scale": {"domain": domain, **(scale or {})}, **more}


def named(field: str, names: str, n: int, *, scale: Spec | None = None, **guide: Spec | None) -> Spec:
    """Encode a field of ids from 0 to n - 1, for which an axis or a legend shows the values of the parameter `names`.

    Names of systems, metrics, files and values are written as values of parameters and of fields only: Vega-Lite copies
    domains, titles of tooltips and names of fields into expressions and uses them as keys of JavaScript objects, where
    `constructor` or a backslash before a quote mean something else.
    """
    shown = {"labelExpr": f"{names}[datum.value]", "description": {"expr": f"join({names}, ', ')"}}
    guides = {kind: None if given is None else {**shown, **given} for kind, given in guide.items()}
    return category(field, list(range(n)), scale=scale, **guides)


def parameters(**names: Sequence[str]) -> list[Spec]:
    """Make the parameters that `named` refers to; they belong at the top of a specification."""
    return [{"name": name, "value": values} for name, values in names.items()]


def tooltip(*names: str, **numbers: str) -> list[Spec]:
    """Make the tooltip of a mark: fields unchanged, and numbers under the given titles, which are fixed words."""
    told: list[Spec] = [{"field": name, "type": "nominal"} for name in names]
    return told + [number(field, title=title, format=".4~g") for field, title in numbers.items()]


_NARROW, _WIDE = frozenset("fijlrtI.,:;'|!-()[]/ "), frozenset("mwMW@%")
_ARROWS = frozenset("←↑→↓")
_TITLE, _SUBTITLE = 15.5, 11  # sizes of text; bold letters are about a tenth wider than their 14


def text_width(text: str, size: float) -> float:
    """Estimate the width of a text in a sans-serif font in pixels, rather too large than too small.

    Examples
    --------
    >>> text_width("BLEU", 10)
    28.0
    """
    return round(sum(map(_character_width, text)) * size, 2)


def wrap_text(text: str, size: float, room: float) -> list[str]:
    """Break a text into lines that fit, at spaces and after commas and colons; a part that is too long is not broken.

    Examples
    --------
    >>> wrap_text("one two three", 10, 50)
    ['one two', 'three']
    """
    lines = [""]
    for part in re.findall(r"[^\s,:]*[\s,:]*", text):
        if lines[-1] and text_width((lines[-1] + part).rstrip(), size) > room:
            lines.append("")
        lines[-1] += part
    return [line.rstrip() for line in lines]


def heading(title: str, subtitle: str, width: float) -> dict[str, object]:
    """Make a title with a subtitle, both broken into lines."""
    lines: dict[str, object] = {"text": wrap_text(title, _TITLE, width)}
    return {**lines, "subtitle": wrap_text(subtitle, _SUBTITLE, width)} if subtitle else lines


@cache
def _character_width(character: str) -> float:
    if unicodedata.combining(character):
        return 0.0
    if unicodedata.east_asian_width(character) in "WF":
        return 1.0
    if character in _ARROWS:
        return 1.0
    if character in _NARROW:
        return 0.34
    return 0.88 if character in _WIDE else 0.7 if character.isupper() else 0.56


def padded_domain(values: Iterable[float], share: float = 0.05) -> tuple[float, float]:
    """Return the range of the finite values with a margin on both sides; a tenth of the value if all are equal.

    Examples
    --------
    >>> padded_domain([0.0, 10.0, float("nan")])
    (-0.5, 10.5)
    >>> padded_domain([20.0])
    (18.0, 22.0)
    """
    finite = [value for value in values if isfinite(value)] or [0.0, 1.0]
    low, high = min(finite), max(finite)
    if high - low <= 1e-12 * max(abs(low), abs(high), 1e-300):
        room = abs(low) / 10 or 1.0
    else:
        room = (high - low) * share
    return low - room, high + room


@record
class Axis:
    """A range of values mapped to pixels, for labels that are placed before the chart is drawn."""

    domain: tuple[float, float]
    pixels: tuple[float, float]

    def place(self, value: float) -> float:
        """Return the pixel of a value."""
        return _map(value, self.domain, self.pixels)

    def value(self, pixel: float) -> float:
        """Return the value at a pixel, inside or outside the range."""
        return _map(pixel, self.pixels, self.domain)


def _map(value: float, source: Sequence[float], target: Sequence[float]) -> float:
    return target[0] + (value - source[0]) / (source[1] - source[0]) * (target[1] - target[0])
