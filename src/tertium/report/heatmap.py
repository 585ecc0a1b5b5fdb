"""Heat maps of an explanation's matrices, as SVG (or PNG): the STD paper's Figures 1 and 2."""

import re
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from xml.sax.saxutils import escape

import numpy as np

from tertium.errors import InputError, MissingExtraError, OptionError
from tertium.types import Explanation, FloatArray

__all__ = ["render_heatmap", "write_heatmap"]

CELL = 44
CHARACTER = 7.2  # the width of a character of 12 px text, nearly
MARGIN = 16
# From nothing to much: light to dark, readable in grey too.
COLOURS = ((255, 250, 231), (250, 205, 142), (232, 120, 94), (150, 45, 98), (59, 15, 80))
# What XML allows no document to hold.
FORBIDDEN = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def write_heatmap(explanation: Explanation, path: Path, matrix: str | None = None) -> None:
    """Draw a matrix into a file; its ending, .svg or .png, says how."""
    if path.suffix.lower() not in (".svg", ".png"):
        raise OptionError(f"{path}: a heat map is written as .svg or .png")
    svg = render_heatmap(explanation, matrix)
    picture = svg.encode() if path.suffix.lower() == ".svg" else _draw_png(svg)
    try:
        path.write_bytes(picture)
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror}") from error


def render_heatmap(explanation: Explanation, matrix: str | None = None) -> str:
    """Draw a matrix as SVG, hypothesis downwards and reference across; the first one if none is named.

    Numbers stand in the cells; a frame marks the pairs that the explanation links.
    """
    name, values = _choose(explanation, matrix)
    rows, columns = (
        [_clean(label) for label in explanation.rows],
        [_clean(label) for label in explanation.columns],
    )
    left = MARGIN + max(map(_width, rows))
    top = 2.5 * MARGIN + max(map(_width, columns))
    right, bottom = left + CELL * len(columns) + MARGIN, top + CELL * len(rows) + MARGIN
    title = f"{explanation.metric}: {_clean(name)} (score {explanation.score:.2f})"
    size = f'width="{max(right, _width(title) + 2 * MARGIN):g}" height="{bottom:g}"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="sans-serif" font-size="12">',
        '<rect width="100%" height="100%" fill="white"/>',
        f'<text x="{MARGIN}" y="{1.25 * MARGIN:g}" font-weight="bold">{escape(title)}</text>',
        *_draw_labels(rows, columns, left, top),
        *_draw_cells(values, left, top),
        *_draw_frames(explanation, left, top),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _choose(explanation: Explanation, matrix: str | None) -> tuple[str, FloatArray]:
    if not explanation.matrices:
        raise InputError(f"{explanation.metric} has no matrix to draw for this pair")
    name = next(iter(explanation.matrices)) if matrix is None else matrix
    if name not in explanation.matrices:
        raise OptionError(f"no matrix {name!r}; choose from {', '.join(explanation.matrices)}")
    values = explanation.matrices[name]
    if 0 in values.shape:
        raise InputError(f"{explanation.metric}: a text without words has no heat map")
    return name, values


def _draw_labels(rows: list[str], columns: list[str], left: float, top: float) -> Iterator[str]:
    for i, label in enumerate(rows):
        y = top + CELL * (i + 0.5) + 4
        yield f'<text x="{left - 6:g}" y="{y:g}" text-anchor="end">{escape(label)}</text>'
    for j, label in enumerate(columns):
        x, y = left + CELL * (j + 0.5) + 4, top - 6
        yield f'<text x="{x:g}" y="{y:g}" transform="rotate(-90 {x:g} {y:g})">{escape(label)}</text>'


def _draw_cells(values: FloatArray, left: float, top: float) -> Iterator[str]:
    largest = max(float(values.max()), 1e-12)
    digits = 2 if largest >= 0.1 else 3
    sparse = np.count_nonzero(values) < values.size / 2  # as a flow is: its zeros stay blank
    for (i, j), value in np.ndenumerate(values):
        x, y = left + CELL * j, top + CELL * i
        share = min(max(float(value) / largest, 0.0), 1.0)
        ink = "white" if share > 0.55 else "black"
        yield f'<rect x="{x:g}" y="{y:g}" width="{CELL}" height="{CELL}" fill="{_colour(share)}" stroke="white"/>'
        if value != 0 or not sparse:
            yield (
                f'<text x="{x + CELL / 2:g}" y="{y + CELL / 2 + 4:g}" text-anchor="middle" fill="{ink}">'
                f"{value:.{digits}f}</text>"
            )


def _draw_frames(explanation: Explanation, left: float, top: float) -> Iterator[str]:
    for i, j, _ in explanation.links:
        yield (
            f'<rect x="{left + CELL * j + 1.5:g}" y="{top + CELL * i + 1.5:g}" width="{CELL - 3}" '
            f'height="{CELL - 3}" fill="none" stroke="black" stroke-width="2"/>'
        )


def _colour(share: float) -> str:
    place = share * (len(COLOURS) - 1)
    below = min(int(place), len(COLOURS) - 2)
    mixed = [a + (b - a) * (place - below) for a, b in zip(COLOURS[below], COLOURS[below + 1], strict=True)]
    return "#" + "".join(f"{round(part):02x}" for part in mixed)


def _clean(label: str) -> str:
    return FORBIDDEN.sub("\ufffd", label)


def _width(label: str) -> float:
    wide = sum(unicodedata.east_asian_width(character) in "WF" for character in label)
    return CHARACTER * (len(label) + wide)


def _draw_png(svg: str) -> bytes:
    try:
        import vl_convert  # noqa: PLC0415 - only a PNG needs it
    except ImportError as error:
        raise MissingExtraError(
            "a PNG needs vl-convert-python: install tertium[report], or write an .svg"
        ) from error
    png: bytes = vl_convert.svg_to_png(svg, scale=2)
    return png
