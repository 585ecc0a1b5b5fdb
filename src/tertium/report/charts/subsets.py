"""Scores of systems on parts of a test set."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from tertium.report.charts.domains import padded_domain
from tertium.report.charts.grammar import Spec, category, layer, number, tooltip
from tertium.report.charts.matrix import Matrix, matrix_specification
from tertium.report.charts.model import Chart
from tertium.report.charts.theme import N_COLOURS
from tertium.report.charts.words import heading
from tertium.types import FloatArray

__all__ = ["draw_subsets"]

_WIDTH, _ROW = 420, 13
_MOST_SUBSETS = 12  # that dots show well


def draw_subsets(
    systems: Sequence[str],
    subsets: Sequence[str],
    scores: npt.ArrayLike,
    *,
    title: str,
    metric: str,
    column: str,
    counts: Sequence[int] = (),
    lows: npt.ArrayLike | None = None,
    highs: npt.ArrayLike | None = None,
) -> Chart:
    """Draw the score of each system (row of `scores`) on each subset (its column); NaN is left out.

    `column` is the name of what tells the subsets apart, and `counts` their numbers of segments. Few systems
    get a dot each, with an interval if its ends are given; many become a heat map, dark for a high score.
    """
    values = np.asarray(scores, dtype=float).reshape(len(systems), len(subsets))
    labels = [f"{name} ({n:,})" for name, n in zip(subsets, counts, strict=True)] if counts else list(subsets)
    label = f"{column} (segments)" if counts else column
    if len(systems) > N_COLOURS or len(subsets) > _MOST_SUBSETS:
        low = float(np.nanmin(values)) if np.isfinite(values).any() else 0.0
        matrix = Matrix(values, systems, labels, metric, row_title="system", column_title=label, low=low)
        return Chart.of(matrix_specification(matrix, title=title))
    ends = [values if end is None else np.asarray(end, dtype=float) for end in (lows, highs)]
    return Chart.of(
        {
            "description": title,
            "title": heading(title, "" if lows is None else "lines: confidence intervals", _WIDTH),
            "width": _WIDTH,
            "height": {"step": _ROW},
            "encoding": {
                "y": category(
                    "subset", labels, scale=_APART, title=label, axis={"grid": False, "domain": False}
                ),
                "yOffset": category("system", systems),
            },
            "layer": _layers(systems, labels, np.stack([values, *ends]), metric),
        }
    )


_APART: Spec = {"paddingInner": 0.35, "paddingOuter": 0.2}


def _layers(systems: Sequence[str], labels: Sequence[str], values: FloatArray, metric: str) -> list[Spec]:
    """Lines and dots for scores, lows and highs, stacked as (3, systems, subsets)."""
    rows: list[Spec] = [
        {
            "system": system,
            "subset": label,
            **dict(zip(("score", "low", "high"), values[:, i, j], strict=True)),
        }
        for i, system in enumerate(systems)
        for j, label in enumerate(labels)
    ]
    domain = padded_domain(values.ravel().tolist())
    told: Spec = {
        "color": category("system", systems),
        "tooltip": tooltip("system", "subset", score=metric, low="from", high="to"),
    }
    line: Spec = {**told, "x": number("low", domain, title=metric), "x2": {"field": "high"}}
    return [
        layer("rule", rows, line, strokeWidth=1.5),
        layer("circle", rows, {**told, "x": number("score", domain, title=metric)}, size=50, opacity=1),
    ]
