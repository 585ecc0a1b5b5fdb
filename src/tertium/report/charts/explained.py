"""The picture of an explanation: whichever its metric has something for."""

from tertium.errors import InputError
from tertium.report.charts.alignment import draw_alignment
from tertium.report.charts.arcs import draw_arcs
from tertium.report.charts.heatmap import draw_heatmap
from tertium.report.charts.model import Chart
from tertium.types import Explanation

__all__ = ["draw_explanation"]


def draw_explanation(explanation: Explanation) -> Chart:
    """Draw a matrix as a heat map, a tree as arcs, links as lines between the texts: the first that is there."""
    if explanation.matrices:
        return draw_heatmap(explanation)
    if explanation.heads:
        return draw_arcs(explanation)
    if explanation.links:
        return draw_alignment(explanation)
    raise InputError(f"{explanation.metric} has nothing to draw for this pair")
