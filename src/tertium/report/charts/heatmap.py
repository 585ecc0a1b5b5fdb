"""Heat maps of an explanation's matrices: the STD paper's Figures 1 and 2."""

from tertium.errors import InputError, OptionError
from tertium.report.charts.matrix import Matrix, cell_layer, describe_value, matrix_specification
from tertium.report.charts.model import Chart
from tertium.report.charts.theme import FRAME
from tertium.types import Explanation, FloatArray

__all__ = ["draw_heatmap"]


def draw_heatmap(explanation: Explanation, matrix: str | None = None) -> Chart:
    """Draw a matrix, hypothesis downwards and reference across; the first one if none is named.

    Numbers stand in the cells, dark for much; a frame marks the pairs that the explanation links.
    """
    name, values = _choose(explanation, matrix)
    cells = Matrix(
        values, explanation.rows, explanation.columns, name, row_title="hypothesis", column_title="reference"
    )
    frames = [(i, j) for i, j, _ in explanation.links]
    meaning = f"linked by {explanation.metric}"
    layers = [cell_layer(frames, meaning, channel="stroke", colour=FRAME, strokeWidth=3, fill="transparent")]
    title = f"{explanation.metric}: {name} (score {describe_value(explanation.score, 2)})"
    return Chart.of(matrix_specification(cells, layers if frames else [], title=title))


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
