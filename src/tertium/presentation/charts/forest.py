"""Scores and differences with confidence intervals, for whole test sets and for their subsets."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from tertium.presentation.charts.matrix import Matrix, matrix_specification
from tertium.presentation.charts.model import (
    N_COLOURS,
    Chart,
    Spec,
    category,
    heading,
    layer,
    named,
    number,
    padded_domain,
    parameters,
    tooltip,
    wrap_text,
)
from tertium.presentation.score_table import ScoreTable
from tertium.records import record
from tertium.stats.analysis import Analysis
from tertium.values import FloatArray
from tertium.verdicts import explain_direction

_WIDTH, _ROW = 220, 20
_COLUMNS = 3


@record
class ForestPanel:
    """The scores of all systems by one metric, and the ends of their intervals; NaN where there is none."""

    metric: str
    scores: Sequence[float]
    lows: Sequence[float]
    highs: Sequence[float]
    lower_is_better: bool = False


def draw_forest(
    systems: Sequence[str],
    panels: Sequence[ForestPanel],
    *,
    title: str,
    subtitle: str = "dots: scores; lines: confidence intervals",
) -> Chart:
    """Draw a dot for each system's score and a line for its interval, systems in the order given."""
    columns = min(_COLUMNS, max(1, len(panels)))
    return Chart.of(
        {
            "description": title,
            "title": heading(title, subtitle, max(_WIDTH * columns, 360)),
            "params": parameters(rows=systems),
            "columns": columns,
            "spacing": {"row": 24, "column": 16},
            "concat": [_panel(systems, panel, is_named=i % columns == 0) for i, panel in enumerate(panels)],
        }
    )


def draw_scores(table: ScoreTable, analysis: Analysis) -> Chart:
    """Draw a table of scores with their intervals, a panel for each metric."""
    nan = float("nan"), float("nan")
    panels = [
        ForestPanel(
            column.title,
            [cell.score for cell in column.cells],
            [(cell.interval or nan)[0] for cell in column.cells],
            [(cell.interval or nan)[1] for cell in column.cells],
            lower_is_better=not column.metric.higher_is_better,
        )
        for column in table.columns
    ]
    subtitle = f"dots: scores; lines: {analysis.level} bootstrap intervals over {analysis.unit}s"
    return draw_forest(table.systems, panels, title="Scores with confidence intervals", subtitle=subtitle)


def _panel(systems: Sequence[str], panel: ForestPanel, *, is_named: bool) -> Spec:
    rows: list[Spec] = [
        {"row": i, "system": system, "metric": panel.metric, "score": score, "low": low, "high": high}
        for i, (system, score, low, high) in enumerate(
            zip(systems, panel.scores, panel.lows, panel.highs, strict=True)
        )
    ]
    label = (
        f"{panel.metric} ({explain_direction(higher_is_better=False)})"
        if panel.lower_is_better
        else panel.metric
    )
    domain = padded_domain([*panel.scores, *panel.lows, *panel.highs], 0.04)
    axis: Spec = {"axis": {"title": wrap_text(label, 12, _WIDTH), "tickCount": 5}}
    told: Spec = {"tooltip": _tell(["system", "metric"], [*panel.lows, *panel.highs])}
    line: Spec = {"x": number("low", domain, **axis), "x2": {"field": "high"}, **told}
    names: Spec = {"domain": False, "labels": is_named, "title": "system" if is_named else None}
    return {
        "width": _WIDTH,
        "height": {"step": _ROW},
        "encoding": {"y": named("row", "rows", len(systems), axis=names)},
        "layer": [
            layer("rule", rows, line, style="faint", strokeWidth=2.5),
            layer("circle", rows, {"x": number("score", domain, **axis), **told}, size=55, opacity=1),
        ],
    }


def _tell(names: Sequence[str], ends: Sequence[float]) -> list[Spec]:
    """Make a tooltip; it tells intervals only if there are some, because Vega formats a missing number as 0."""
    if not np.isfinite(ends).all():
        return tooltip(*names, score="score")
    return tooltip(*names, score="score", low="from", high="to")


_SUBSET_WIDTH, _SUBSET_ROW = 420, 13
_MOST_SUBSETS = 12  # that can be shown as dots
FEW_SEGMENTS = 30  # a score of fewer segments says little, and is drawn pale
_PALE = 0.3


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
    colours: Sequence[int] = (),
) -> Chart:
    """Draw the score of each system (row of `scores`) on each subset (its column); NaN is left out.

    `column` is the name of the attribute that defines the subsets, and `counts` their numbers of segments: subsets of fewer
    than 30 are pale. A few systems are drawn as dots, with intervals if they are given; many as a heat map, dark for high
    scores. `colours` are the numbers of the systems' colours, where other charts show them too.
    """
    values = np.asarray(scores, dtype=float).reshape(len(systems), len(subsets))
    labels = [f"{name} ({n:,})" for name, n in zip(subsets, counts, strict=True)] if counts else list(subsets)
    label = f"{column} (segments)" if counts else column
    few = [j for j, n in enumerate(counts) if n < FEW_SEGMENTS]
    pale = f"pale: fewer than {FEW_SEGMENTS} segments" if few else ""
    if len(systems) > N_COLOURS or len(subsets) > _MOST_SUBSETS:
        low = float(np.nanmin(values)) if np.isfinite(values).any() else 0.0
        matrix = Matrix(
            values, systems, labels, metric, row_title="system", column_title=label, low=low, pale_columns=few
        )
        return Chart.of(matrix_specification(matrix, title=title, subtitle=pale))
    ends = [values if end is None else np.asarray(end, dtype=float) for end in (lows, highs)]
    lines = "" if lows is None else "lines: confidence intervals"
    palette = list(colours) or list(range(len(systems)))
    return Chart.of(
        {
            "description": title,
            "title": heading(title, "; ".join(filter(None, (lines, pale))), _SUBSET_WIDTH),
            "params": parameters(
                rows=labels, systems=[name for _, name in sorted(zip(palette, systems, strict=True))]
            ),
            "width": _SUBSET_WIDTH,
            "height": {"step": _SUBSET_ROW},
            "encoding": {
                "y": named("row", "rows", len(labels), scale=_APART, axis=_plain_axis(label)),
                "yOffset": category("place", list(range(len(systems)))),
            },
            "layer": _layers(systems, labels, np.stack([values, *ends]), metric, few, palette),
        }
    )


def _colour_systems(palette: Sequence[int]) -> Spec:
    """Encode the colours of the systems, with a legend in the order of the dots."""
    return named("colour", "systems", len(palette), legend={"title": "system", "values": list(palette)})


_APART: Spec = {"paddingInner": 0.35, "paddingOuter": 0.2}


def _plain_axis(title: str) -> Spec:
    return {"title": title, "grid": False, "domain": False}


def _layers(
    systems: Sequence[str],
    labels: Sequence[str],
    values: FloatArray,
    metric: str,
    few: Sequence[int],
    palette: Sequence[int],
) -> list[Spec]:
    """Draw lines and dots for scores, lows and highs, stacked as (3, systems, subsets)."""
    rows: list[Spec] = [
        {
            "row": j,
            "place": i,
            "colour": palette[i],
            "opacity": _PALE if j in few else 1.0,
            "system": system,
            "subset": label,
            **dict(zip(("score", "low", "high"), values[:, i, j], strict=True)),
        }
        for i, system in enumerate(systems)
        for j, label in enumerate(labels)
    ]
    domain = padded_domain(values.ravel().tolist())
    told: Spec = {
        "color": _colour_systems(palette),
        "opacity": {"field": "opacity", "type": "quantitative", "scale": None},
        "tooltip": _tell(["system", "subset"], values[1:].ravel().tolist()),
    }
    axis: Spec = {"axis": {"title": metric}}
    line: Spec = {**told, "x": number("low", domain, **axis), "x2": {"field": "high"}}
    return [
        layer("rule", rows, line, strokeWidth=1.5),
        layer("circle", rows, {**told, "x": number("score", domain, **axis)}, size=50),
    ]
