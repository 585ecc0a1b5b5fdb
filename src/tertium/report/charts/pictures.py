"""Pictures on their way into files: SVG as it is drawn, or turned into PNG."""

import re
from importlib.util import find_spec
from pathlib import PurePath

from tertium.errors import MissingExtraError, OptionError

__all__ = ["PICTURE_FORMATS", "check_picture", "encode_picture"]

PICTURE_FORMATS = (".svg", ".png")

_SCALE = 3  # a picture of 560 units is 1,680 pixels wide: sharp on a page's column
_MOST_PIXELS = 12_000  # of either side


def check_picture(path: str) -> None:
    """Say before the work begins if a picture could not be written in the end.

    Raises
    ------
    OptionError
        If the file's ending is neither .svg nor .png.
    MissingExtraError
        If it is .png and the package that draws it is not installed.
    """
    suffix = PurePath(path).suffix.lower()
    if suffix not in PICTURE_FORMATS:
        raise OptionError(f"{path}: a picture is written as .svg or .png; the file's ending says which")
    if suffix == ".png" and not _is_installed():
        raise MissingExtraError(
            f"{path}: a PNG needs vl-convert-python: pip install 'tertium[report]', or write an .svg"
        )


def encode_picture(svg: str, path: str) -> bytes:
    """Turn a drawing into what its file holds; the ending, .svg or .png, says how."""
    check_picture(path)
    if PurePath(path).suffix.lower() == ".svg":
        return svg.encode()
    import vl_convert  # noqa: PLC0415 - only a PNG needs it

    png: bytes = vl_convert.svg_to_png(svg, scale=_choose_scale(svg))
    return png


def _is_installed() -> bool:
    try:
        return find_spec("vl_convert") is not None
    except ValueError:  # a name that was imported without a specification
        return False


def _choose_scale(svg: str) -> float:
    sides = [float(side) for side in re.findall(r'\b(?:width|height)="([\d.]+)"', svg[: svg.index(">")])]
    return min(_SCALE, _MOST_PIXELS / max(sides))
