"""A chart: a specification that becomes a picture only when somebody asks for one."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from importlib.util import find_spec
from math import isfinite
from pathlib import Path, PurePath
from types import ModuleType
from typing import Self

import numpy as np

from tertium.errors import InputError, MissingExtraError, OptionError
from tertium.files.extras import install_hint
from tertium.files.writing import written_whole
from tertium.report.charts.theme import LIGHT, Theme

__all__ = ["PICTURE_FORMATS", "Chart", "check_picture", "import_vl_convert"]

PICTURE_FORMATS = (".svg", ".png")

_SCHEMA = "https://vega.github.io/schema/vega-lite/v5.json"  # a name, which nobody opens
_MIME = "application/vnd.vegalite.v5+json"
_SCALE = 3  # a picture of 560 units is 1,680 pixels wide: sharp on a page's column
_MOST_PIXELS = 12_000  # of either side
# What XML allows no document to hold, and what Vega's expressions, into which titles are quoted, take for a line's end.
_FORBIDDEN = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\u2028\u2029\ud800-\udfff\ufffe\uffff]")


@dataclass(frozen=True)
class Chart:
    """A Vega-Lite specification with its data inside, and the ways out of it.

    `specification` is its JSON text, without colours: those come from a theme.
    """

    specification: str

    @classmethod
    def of(cls, specification: Mapping[str, object]) -> Self:
        """Take a specification made of plain values and numpy's.

        Numbers that are not finite become null, and characters that no picture can hold U+FFFD.
        """
        return cls(json.dumps(_plain({"$schema": _SCHEMA, **specification}), ensure_ascii=False))

    def to_dict(self, theme: Theme | None = LIGHT) -> dict[str, object]:
        """The specification as Altair, Vega-Embed or a notebook take it; with no theme, without `config`."""
        specification: dict[str, object] = json.loads(self.specification)
        return specification if theme is None else {**specification, "config": theme.config()}

    def to_json(self, theme: Theme | None = None) -> str:
        """The specification as text that may stand inside a page's `<script>`, whatever its data hold.

        It names no `$schema`, lest Vega-Embed compare versions; its `mode` is `vega-lite`.
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
        """Draw the chart as PNG, `scale` pixels for each of its units; less if a side would be huge."""
        drawn = self.svg(theme)
        png: bytes = import_vl_convert().svg_to_png(
            drawn, scale=min(scale, _MOST_PIXELS / _longer_side(drawn))
        )
        return png

    def write(self, path: str | Path) -> None:
        """Draw the chart into a file, whole or not at all; its ending, .svg or .png, says how."""
        check_picture(str(path))
        is_png = PurePath(path).suffix.lower() == ".png"
        data = self.png() if is_png else self.svg().encode()
        with written_whole(Path(path), InputError) as temporary:
            temporary.write_bytes(data)

    def _repr_mimebundle_(self, **_: object) -> dict[str, object]:
        """What notebooks show; they may ask for some types only, and pick what they know themselves."""
        return {_MIME: self.to_dict(), "text/plain": repr(self)}

    def __repr__(self) -> str:
        return f"Chart({self.to_dict(None).get('description', '')!r})"


def check_picture(path: str) -> None:
    """Say before the work begins if a picture could not be written in the end.

    Raises
    ------
    OptionError
        If the file's ending is neither .svg nor .png.
    MissingExtraError
        If the package that draws pictures is not installed.
    """
    if PurePath(path).suffix.lower() not in PICTURE_FORMATS:
        raise OptionError(f"{path}: a picture is written as .svg or .png; the file's ending says which")
    if not _is_installed():
        raise MissingExtraError(f"{path}: {_remedy()}")


def import_vl_convert() -> ModuleType:
    """Import the package that draws; only those who draw wait for it."""
    if not _is_installed():
        raise MissingExtraError(_remedy())
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


def _plain(value: object) -> object:
    """What JSON can hold of a value."""
    if isinstance(value, str):
        return _FORBIDDEN.sub("\ufffd", value)
    if isinstance(value, Mapping):
        return {str(key): _plain(each) for key, each in value.items()}
    if isinstance(value, np.generic | np.ndarray):
        return _plain(value.tolist())
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    return None if isinstance(value, float) and not isfinite(value) else value
