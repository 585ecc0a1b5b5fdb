"""Matrices as charts: heat maps, pairs of systems, and agreement between metrics."""

from collections.abc import Collection, Sequence
from math import isfinite

import numpy as np
import numpy.typing as npt

from tertium.errors import InputError, OptionError
from tertium.presentation.charts.model import (
    BEYOND,
    CELL_INK,
    CELL_PALE,
    FRAME,
    LEVELS,
    Chart,
    Spec,
    category,
    heading,
    layer,
    named,
    parameters,
    text_width,
)
from tertium.records import record
from tertium.stats.analysis import DEFAULT_ALPHA
from tertium.values import Explanation, FloatArray
from tertium.verdicts import PAIR_ARROWS

_CELL, _SMALL = 44, 16  # pixels of a cell with and without its number
_PALE = 0.3  # the opacity of uncertain values
_MOST_NUMBERED = 40  # rows or columns up to which cells show numbers
# The share of the colour scale from which pale numbers have more contrast; scales around 0 darken sooner.
_DARK, _DARK_AROUND_0 = 0.627, 0.588


@record
class Matrix:
    """Values with names of rows and columns; `low` and `high` bound the colours, by default the values do.

    Colours run from 0, or around 0 if a value or `low` is negative; values that are not finite are grey.
    With `levels` the values are their numbers, and the colours run from the first level to the last.
    `texts` are shown in the cells instead of the values; a cell with an empty text is empty.
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
    pale_columns: Collection[int] = ()
    """Columns whose values are uncertain: their cells are drawn pale."""

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
        """Return every drawn cell: its row, column, value and text."""
        low, high = self.domain
        dark = low + _DARK * (high - low) if low >= 0 else _DARK_AROUND_0 * high
        texts = self.texts if self.texts is not None else _describe_all(self.values, high)
        return [
            {
                "i": i, "j": j, "value": value, "text": texts[i][j],
                "pale": isfinite(value) and abs(value) > dark and j not in self.pale_columns,
            }
            for i, row in enumerate(self.values.tolist())
            for j, value in enumerate(row)
            if texts[i][j]
        ]  # fmt: skip


def matrix_specification(
    matrix: Matrix, layers: Sequence[Spec] = (), *, title: str, subtitle: str = ""
) -> Spec:
    """Specify a heat map; `layers` come on top and may use its axes (`i`, `j`) for data of their own."""
    cells = matrix.cells()
    texts = {str(cell["text"]) for cell in cells}
    widest = max((text_width(text, 11) for text in texts), default=0)
    step = max(_CELL, round(widest) + 8) if matrix.is_numbered else _SMALL
    width = step * len(matrix.columns) + max((text_width(row, 11) for row in matrix.rows), default=0)
    # words are looked up by number, since a word may occur twice in a text
    return {
        "description": title,
        "title": {**heading(title, subtitle, max(width, 360)), "frame": "bounds"},
        "params": parameters(rows=matrix.rows, columns=matrix.columns, levels=matrix.levels),
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
    """Colour or frame some cells (row, column), with an entry in the legend; `meaning` is a fixed text."""
    rows: list[Spec] = [{"i": i, "j": j, "meaning": meaning} for i, j in cells]
    legend = category("meaning", [meaning], scale={"range": [colour]}, legend={"title": None})
    return layer("rect", rows, {channel: legend}, **mark)


def describe_value(value: float, digits: int) -> str:
    """Format a value for its cell.

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
    """Format all values; the zeros of a matrix of mostly zeros, such as a flow, stay blank."""
    digits = 2 if largest >= 0.1 else 3
    is_sparse = np.count_nonzero(values) < values.size / 2
    return [
        [" " if is_sparse and value == 0 else describe_value(value, digits) for value in row]
        for row in values.tolist()
    ]


_TURNED: Spec = {"orient": "top", "labelAngle": -90, "labelAlign": "left", "labelBaseline": "middle"}


def _side(field: str, words: str, title: str, n: int, **more: object) -> Spec:
    axis: Spec = {"title": title, "grid": False, "domain": False, "labelOverlap": False, **more}
    return named(field, words, n, scale={"paddingInner": 0.03}, axis=axis)


def _value_layers(matrix: Matrix, cells: Sequence[Spec]) -> list[Spec]:
    strange = [(cell["i"], cell["j"]) for cell in cells if not isfinite(float(str(cell["value"])))]
    layers = [_colour_layer(matrix, cells)]
    if strange:
        layers.append(cell_layer(strange, "no number", channel="fill", colour=BEYOND))
    return [*layers, _text_layer(cells)] if matrix.is_numbered else layers


def _colour_layer(matrix: Matrix, cells: Sequence[Spec]) -> Spec:
    lookups = (("row", "rows[datum.i]"), ("column", "columns[datum.j]"))
    encoding: Spec = {
        "color": {"field": "value", **_colours(matrix)},
        "tooltip": [
            {"field": "row"},
            {"field": "column"},
            {"field": "text", "title": "p-value" if matrix.levels else "value"},
        ],
    }
    if matrix.pale_columns:
        test = f"indexof({[*matrix.pale_columns]}, datum.j) >= 0"
        encoding["opacity"] = {"condition": {"test": test, "value": _PALE}, "value": 1}
    return {
        **layer("rect", cells, encoding, aria=False),
        "transform": [{"calculate": lookup, "as": name} for name, lookup in lookups],
    }


def _colours(matrix: Matrix) -> Spec:
    low, high = matrix.domain
    if not matrix.levels:
        named = "diverging" if low < 0 else "heatmap"
        scale: Spec = {"domain": [low, high], "range": named, "nice": False, "interpolate": "rgb"}
        return {"type": "quantitative", "scale": scale, "legend": {"title": matrix.quantity}}
    n = len(matrix.levels)
    steps: Spec = {"domain": list(range(n))[::-1], "range": LEVELS[:n][::-1]}
    legend = {"title": matrix.quantity, "labelExpr": "levels[datum.value]"}
    return {"type": "ordinal", "scale": steps, "legend": legend}


def _text_layer(cells: Sequence[Spec]) -> Spec:
    ink = {"condition": {"test": "datum.pale", "value": CELL_PALE}, "value": CELL_INK}
    texts: list[Spec] = [{key: cell[key] for key in ("i", "j", "text", "pale")} for cell in cells]
    return layer("text", texts, {"text": {"field": "text"}, "color": ink})


def draw_heatmap(explanation: Explanation, matrix: str | None = None) -> Chart:
    """Draw a matrix, hypothesis downwards and the other text across; the first one if none is named.

    Cells show numbers and are dark for high values; a frame marks the pairs that the explanation links.
    """
    name, values = _choose(explanation, matrix)
    column_title = explanation.compared[0]
    cells = Matrix(
        values, explanation.rows, explanation.columns, name, row_title="hypothesis", column_title=column_title
    )
    frames = [(i, j) for i, j, _ in explanation.links]
    linked = cell_layer(frames, "linked", channel="stroke", colour=FRAME, strokeWidth=3, fill="transparent")
    title = f"{explanation.metric}: {name} (score {describe_value(explanation.score, 2)})"
    return Chart.of(matrix_specification(cells, [linked] if frames else [], title=title))


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


def draw_pair_matrix(
    systems: Sequence[str],
    p_values: npt.ArrayLike,
    *,
    title: str,
    differences: npt.ArrayLike | None = None,
    alpha: float = DEFAULT_ALPHA,
    subtitle: str = "p-values of pairwise tests",
) -> Chart:
    """Draw the p-value of each pair of systems; the darker, the stronger the evidence of a difference.

    Steps of colour are at `alpha`, a fifth and a fiftieth of it. `differences` (positive where the row's
    system is better) add an arrow towards the better system where p < `alpha`. The diagonal is left blank.
    """
    values = np.asarray(p_values, dtype=float)
    bounds = [alpha, alpha / 5, alpha / 50]
    strength = np.where(np.isnan(values), np.nan, sum((values < bound).astype(float) for bound in bounds))
    signs = np.zeros_like(values) if differences is None else np.sign(differences) * (values < alpha)
    matrix = Matrix(
        strength, systems, systems, "p-value", row_title="system", column_title="system",
        texts=[
            ["" if i == j else _describe(p, sign) for j, (p, sign) in enumerate(zip(*row, strict=True))]
            for i, row in enumerate(zip(values.tolist(), signs.tolist(), strict=True))
        ],
        levels=[f"{alpha:g} or more", *(f"below {bound:g}" for bound in bounds)],
    )  # fmt: skip
    if differences is not None and matrix.is_numbered:
        subtitle += f"; {PAIR_ARROWS}"
    return Chart.of(matrix_specification(matrix, title=title, subtitle=subtitle))


def _describe(p_value: float, sign: float) -> str:
    if np.isnan(p_value):
        return "NaN"
    arrow = "← " if sign > 0 else "↑ " if sign < 0 else ""
    return arrow + ("<.001" if p_value < 0.001 else f"{p_value:.3f}".removeprefix("0"))


def draw_agreement(
    metrics: Sequence[str],
    correlations: npt.ArrayLike,
    *,
    title: str,
    statistic: str = "Pearson’s r",
    subtitle: str = "",
) -> Chart:
    """Draw the correlation of every metric (row) with every other (column); dark means much agreement.

    Colours run from 0 to 1, or from −1 to 1 if a correlation is negative, so that charts can be compared. A metric
    that is the same everywhere has no correlation, which a dash shows.
    """
    values = np.asarray(correlations, dtype=float)
    low = -1.0 if (values < 0).any() else 0.0
    texts = [
        ["–" if np.isnan(value) else describe_value(value, 2) for value in row] for row in values.tolist()
    ]
    matrix = Matrix(
        values,
        metrics,
        metrics,
        statistic,
        row_title="metric",
        column_title="metric",
        texts=texts,
        low=low,
        high=1.0,
    )
    return Chart.of(matrix_specification(matrix, title=title, subtitle=subtitle))
