"""Heat maps of an explanation's matrices, as SVG: the STD paper's Figures 1 and 2."""

from collections.abc import Sequence

import numpy as np

from tertium.errors import InputError, OptionError
from tertium.report.charts.svg import INK, Drawing, mix_colours, text_width
from tertium.types import Explanation, FloatArray

__all__ = ["render_heatmap"]

CELL = 44
MARGIN = 16
SIZE = 12  # of text
# From nothing to much: light to dark, readable in grey too.
COLOURS = ((255, 250, 231), (250, 205, 142), (232, 120, 94), (150, 45, 98), (59, 15, 80))


def render_heatmap(explanation: Explanation, matrix: str | None = None) -> str:
    """Draw a matrix as SVG, hypothesis downwards and reference across; the first one if none is named.

    Numbers stand in the cells; a frame marks the pairs that the explanation links.
    """
    name, values = _choose(explanation, matrix)
    title = f"{explanation.metric}: {name} (score {explanation.score:.2f})"
    left = MARGIN + 8 + _widest(explanation.rows)
    top = 2.5 * MARGIN + 8 + _widest(explanation.columns)
    right, bottom = left + CELL * values.shape[1] + MARGIN, top + CELL * values.shape[0] + MARGIN
    drawing = Drawing(max(right, 1.1 * text_width(title, SIZE) + 2 * MARGIN), bottom, title)
    drawing.text(MARGIN, 1.25 * MARGIN, title, size=SIZE, bold=True)
    _draw_words(drawing, explanation, left, top)
    _draw_cells(drawing, values, left, top)
    for i, j, _ in explanation.links:
        corner = left + CELL * j + 1.5, top + CELL * i + 1.5
        drawing.box(corner, (CELL - 3, CELL - 3), colour="none", edge=INK, width=2)
    return drawing.render()


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


def _widest(words: Sequence[str]) -> float:
    return max(text_width(word, SIZE) for word in words)


def _draw_words(drawing: Drawing, explanation: Explanation, left: float, top: float) -> None:
    for i, word in enumerate(explanation.rows):
        drawing.text(left - 6, top + CELL * (i + 0.5) + 4, word, anchor="end", size=SIZE)
    for j, word in enumerate(explanation.columns):
        drawing.text(left + CELL * (j + 0.5) + 4, top - 6, word, size=SIZE, turned=-90)


def _draw_cells(drawing: Drawing, values: FloatArray, left: float, top: float) -> None:
    largest = max(float(values.max()), 1e-12)
    digits = 2 if largest >= 0.1 else 3
    sparse = np.count_nonzero(values) < values.size / 2  # as a flow is: its zeros stay blank
    for (i, j), value in np.ndenumerate(values):
        x, y = left + CELL * j, top + CELL * i
        share = float(value) / largest
        drawing.box((x, y), (CELL, CELL), colour=mix_colours(COLOURS, share), edge="white")
        if value != 0 or not sparse:
            ink = "white" if share > 0.55 else INK
            drawing.text(
                x + CELL / 2, y + CELL / 2 + 4, f"{value:.{digits}f}", anchor="middle", size=SIZE, colour=ink
            )
