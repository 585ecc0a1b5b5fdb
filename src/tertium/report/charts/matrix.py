"""What all heat maps share: a cell per value, dark for much, its number inside, words along both sides."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite

import numpy as np

from tertium.report.charts.grammar import Spec, category, layer
from tertium.report.charts.theme import BEYOND, CELL_INK, CELL_PALE, LEVELS
from tertium.report.charts.words import heading, text_width
from tertium.types import FloatArray

__all__ = ["Matrix", "cell_layer", "describe_value", "matrix_specification"]

_CELL, _SMALL = 44, 16  # pixels of a cell with and without its number
_MOST_NUMBERED = 40  # rows or columns whose cells have room for numbers
# The share of the colours from which on pale numbers have more contrast; around 0 they darken sooner.
_DARK, _DARK_AROUND_0 = 0.627, 0.588


@dataclass(frozen=True)
class Matrix:
    """Values with names of rows and columns; `low` and `high` bound the colours, by default the values do.

    Colours run from 0, or around 0 if a value or `low` is negative; values that are not finite are grey.
    With `levels` the values are their numbers, and the colours run from the first level to the last.
    `texts` stand in the cells instead of the values; where one is empty, so is the cell.
    """

    values: FloatArray
    rows: Sequence[str]
    columns: Sequence[str]
    quantity: str
    row_title: str
    column_title: str
    texts: Sequence[Sequence[str]] | None = None
    levels: Sequence[str] = ()
    low: float | None = None
    high: float | None = None

    @property
    def domain(self) -> tuple[float, float]:
        """The values of the first and the last colour."""
        if self.levels:
            return 0.0, float(len(self.levels) - 1)
        finite = self.values[np.isfinite(self.values)].tolist()
        low = min([0.0, *finite]) if self.low is None else self.low
        high = max([low, *finite]) if self.high is None else self.high
        if low < 0:
            return -max(-low, high), max(-low, high)
        return low, high if high > low else low + 1.0

    @property
    def is_numbered(self) -> bool:
        return max(len(self.rows), len(self.columns)) <= _MOST_NUMBERED

    def cells(self) -> list[Spec]:
        """Every cell that is drawn: its row, its column, its value and what stands in it."""
        low, high = self.domain
        dark = low + _DARK * (high - low) if low >= 0 else _DARK_AROUND_0 * high
        texts = self.texts if self.texts is not None else _describe_all(self.values, high)
        return [
            {"i": i, "j": j, "value": value, "text": texts[i][j], "pale": isfinite(value) and abs(value) > dark}
            for i, row in enumerate(self.values.tolist())
            for j, value in enumerate(row)
            if texts[i][j]
        ]  # fmt: skip


def matrix_specification(
    matrix: Matrix, layers: Sequence[Spec] = (), *, title: str, subtitle: str = ""
) -> Spec:
    """Specify a heat map; `layers` come on top and may use its axes (`i`, `j`) for data of their own."""
    cells = matrix.cells()
    widest = max((text_width(str(cell["text"]), 11) for cell in cells), default=0)
    step = max(_CELL, round(widest) + 8) if matrix.is_numbered else _SMALL
    width = step * len(matrix.columns) + max((text_width(row, 11) for row in matrix.rows), default=0)
    # words are looked up by number, since a word may stand in a text twice
    words = {"rows": matrix.rows, "columns": matrix.columns, "levels": matrix.levels}
    return {
        "description": title,
        "title": {**heading(title, subtitle, max(width, 360)), "frame": "bounds"},
        "params": [{"name": name, "value": value} for name, value in words.items()],
        "width": {"step": step},
        "height": {"step": step},
        "encoding": {
            "x": _side("j", "columns", matrix.column_title, len(matrix.columns), **_TURNED),
            "y": _side("i", "rows", matrix.row_title, len(matrix.rows)),
        },
        "layer": [*_value_layers(matrix, cells), *layers],
    }


def cell_layer(
    cells: Sequence[tuple[object, object]], meaning: str, *, channel: str, colour: str, **mark: object
) -> Spec:
    """Colour or frame some cells (row, column), with an entry in the legend that says what that means."""
    rows: list[Spec] = [{"i": i, "j": j, "meaning": meaning} for i, j in cells]
    legend = category("meaning", [meaning], scale={"range": [colour]}, legend={"title": None})
    return layer("rect", rows, {channel: legend}, **mark)


def describe_value(value: float, digits: int) -> str:
    """A value as its cell shows it.

    Examples
    --------
    >>> [describe_value(value, 2) for value in (-0.125, -0.001, float("nan"), float("-inf"))]
    ['−0.12', '0.00', 'NaN', '−∞']
    """
    if isfinite(value):
        text = f"{value:z.{digits}f}"
    else:
        text = "NaN" if np.isnan(value) else "∞" if value > 0 else "-∞"
    return text.replace("-", "−")


def _describe_all(values: FloatArray, largest: float) -> list[list[str]]:
    """All values as text; the zeros of a matrix that is mostly zeros, as a flow is, stay blank."""
    digits = 2 if largest >= 0.1 else 3
    is_sparse = np.count_nonzero(values) < values.size / 2
    return [
        [" " if is_sparse and value == 0 else describe_value(value, digits) for value in row]
        for row in values.tolist()
    ]


_TURNED: Spec = {"orient": "top", "labelAngle": -90, "labelAlign": "left", "labelBaseline": "middle"}


def _side(field: str, words: str, title: str, n: int, **more: object) -> Spec:
    axis = {
        "labelExpr": f"{words}[datum.value]",
        "grid": False,
        "domain": False,
        "labelOverlap": False,
        **more,
    }
    return category(field, list(range(n)), scale={"paddingInner": 0.03}, title=title, axis=axis)


def _value_layers(matrix: Matrix, cells: Sequence[Spec]) -> list[Spec]:
    strange = [(cell["i"], cell["j"]) for cell in cells if not isfinite(float(str(cell["value"])))]
    layers = [_colour_layer(matrix, cells)]
    if strange:
        layers.append(cell_layer(strange, "no number", channel="fill", colour=BEYOND))
    return [*layers, _text_layer(cells)] if matrix.is_numbered else layers


def _colour_layer(matrix: Matrix, cells: Sequence[Spec]) -> Spec:
    told = [("row", matrix.row_title), ("column", matrix.column_title), ("text", matrix.quantity)]
    lookups = (("row", "rows[datum.i]"), ("column", "columns[datum.j]"))
    encoding: Spec = {
        "color": {"field": "value", "title": matrix.quantity, **_colours(matrix)},
        "tooltip": [{"field": field, "title": title} for field, title in told],
    }
    return {
        **layer("rect", cells, encoding, aria=False),
        "transform": [{"calculate": lookup, "as": name} for name, lookup in lookups],
    }


def _colours(matrix: Matrix) -> Spec:
    low, high = matrix.domain
    if not matrix.levels:
        named = "diverging" if low < 0 else "heatmap"
        scale: Spec = {"domain": [low, high], "range": named, "nice": False, "interpolate": "rgb"}
        return {"type": "quantitative", "scale": scale}
    n = len(matrix.levels)
    steps: Spec = {"domain": list(range(n))[::-1], "range": LEVELS[:n][::-1]}
    return {"type": "ordinal", "scale": steps, "legend": {"labelExpr": "levels[datum.value]"}}


def _text_layer(cells: Sequence[Spec]) -> Spec:
    ink = {"condition": {"test": "datum.pale", "value": CELL_PALE}, "value": CELL_INK}
    texts: list[Spec] = [{key: cell[key] for key in ("i", "j", "text", "pale")} for cell in cells]
    return layer("text", texts, {"text": {"field": "text"}, "color": ink})
