"""Scores of systems with their intervals, a panel per metric."""

from collections.abc import Sequence
from dataclasses import dataclass

from tertium.report.charts.domains import padded_domain
from tertium.report.charts.grammar import Spec, category, layer, number, tooltip
from tertium.report.charts.model import Chart
from tertium.report.charts.words import heading, wrap_text

__all__ = ["ForestPanel", "draw_forest"]

_WIDTH, _ROW = 220, 20
_COLUMNS = 3


@dataclass(frozen=True)
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
    subtitle: str = "dots: scores; lines: 95 % confidence intervals",
) -> Chart:
    """Draw a dot for each system's score and a line for its interval, systems in the order given."""
    columns = min(_COLUMNS, max(1, len(panels)))
    return Chart.of(
        {
            "description": title,
            "title": heading(title, subtitle, max(_WIDTH * columns, 360)),
            "columns": columns,
            "spacing": {"row": 24, "column": 16},
            "concat": [_panel(systems, panel, is_named=i % columns == 0) for i, panel in enumerate(panels)],
        }
    )


def _panel(systems: Sequence[str], panel: ForestPanel, *, is_named: bool) -> Spec:
    rows: list[Spec] = [
        {"system": system, "score": score, "low": low, "high": high}
        for system, score, low, high in zip(systems, panel.scores, panel.lows, panel.highs, strict=True)
    ]
    label = f"{panel.metric} (lower is better)" if panel.lower_is_better else panel.metric
    domain = padded_domain([*panel.scores, *panel.lows, *panel.highs], 0.04)
    axis: Spec = {"title": wrap_text(label, 12, _WIDTH), "axis": {"tickCount": 5}}
    told: Spec = {"tooltip": tooltip("system", score="score", low="from", high="to")}
    line: Spec = {"x": number("low", domain, **axis), "x2": {"field": "high"}, **told}
    names = {"domain": False, "labels": is_named, "title": "system" if is_named else None}
    return {
        "width": _WIDTH,
        "height": {"step": _ROW},
        "encoding": {"y": category("system", systems, axis=names)},
        "layer": [
            layer("rule", rows, line, style="faint", strokeWidth=2.5),
            layer("circle", rows, {"x": number("score", domain, **axis), **told}, size=55, opacity=1),
        ],
    }
