"""Expected human agreement by score difference: the fitted curve, its interval, and the judged pairs."""

from collections.abc import Sequence
from math import isfinite
from typing import TYPE_CHECKING

import numpy as np

from tertium.presentation.charts.model import Chart, Spec, heading, layer, number, tooltip
from tertium.records import record

if TYPE_CHECKING:
    from tertium.metaeval.calibration import CalibratedMetric

_WIDTH, _HEIGHT = 420, 260
_SMALL = (250, 180)
_COLUMNS = 3
_POINTS = 60
_BINS = 8
_DOMAIN = (0.5, 1.0)


@record
class MarkedDifference:
    """A difference between two systems that is marked on the curve."""

    name: str
    difference: float


def draw_human_curve(
    metric: "CalibratedMetric", marks: Sequence[MarkedDifference] = (), *, title: str, subtitle: str = ""
) -> Chart:
    """Draw the curve of one metric, with the differences between the reader's systems marked on it."""
    marks = [mark for mark in marks if isfinite(mark.difference)]
    reach = _reach(metric, [mark.difference for mark in marks])
    panel = _panel(metric, reach, _WIDTH, _HEIGHT)
    panel["layer"] = [*panel["layer"], *_draw_marks(metric, marks)]  # type: ignore[misc]
    return Chart.of({"description": title, "title": heading(title, subtitle, _WIDTH), **panel})


def draw_reliability(metrics: "Sequence[CalibratedMetric]", *, title: str) -> Chart:
    """Draw the curves of several metrics beside the observed agreement of their judged pairs."""
    width, height = _SMALL
    panels = [
        {"title": metric.name, **_panel(metric, _reach(metric, ()), width, height)} for metric in metrics
    ]
    return Chart.of(
        {
            "description": title,
            "title": {**heading(title, "", _COLUMNS * width), "frame": "bounds"},
            "columns": _COLUMNS,
            "concat": panels,
            "resolve": {"scale": {"x": "independent"}},
        }
    )


def _panel(metric: "CalibratedMetric", reach: float, width: int, height: int) -> Spec:
    return {
        "width": width,
        "height": height,
        "encoding": {
            "x": number("x", (0.0, reach), title="difference between two systems"),
            "y": number("y", _DOMAIN, title="human agreement", axis={"format": "%"}),
        },
        "layer": [*_draw_curve(metric, reach), _draw_pairs(metric, reach)],
    }


def _reach(metric: "CalibratedMetric", marked: Sequence[float]) -> float:
    """Return the end of the axis: most of the judged differences, and all the marked ones."""
    sizes = np.concatenate([pair.differences for pair in metric.pairs])
    return float(max([np.quantile(sizes, 0.97), *(abs(each) * 1.05 for each in marked)]))


def _draw_curve(metric: "CalibratedMetric", reach: float) -> list[Spec]:
    xs = np.linspace(0, reach, _POINTS)
    low, high = metric.curve.bounds(xs)
    rows = [
        {"x": x, "y": y, "low": min(lowest, y), "high": max(highest, y)}
        for x, y, lowest, highest in zip(
            xs.tolist(), metric.curve(xs).tolist(), low.tolist(), high.tolist(), strict=True
        )
    ]
    band: Spec = {"y": number("low", _DOMAIN, title="human agreement"), "y2": {"field": "high"}}
    return [
        layer("area", rows, band, opacity=0.15),
        layer("line", rows, {}, strokeWidth=2.2),
    ]


def _draw_pairs(metric: "CalibratedMetric", reach: float) -> Spec:
    """Draw the observed agreement in bins of equally many pairs; below one half a dot lies on the axis."""
    sizes = np.concatenate([pair.differences for pair in metric.pairs])
    agreed = np.concatenate([np.array(pair.agreed, dtype=float) for pair in metric.pairs])
    parts = [part for part in np.array_split(np.argsort(sizes, kind="stable"), _BINS) if len(part)]
    rows = [
        {"x": float(np.median(sizes[part])), "y": max(0.5, float(agreed[part].mean())), "n": len(part)}
        for part in parts
        if np.median(sizes[part]) <= reach
    ]
    told = tooltip(x="difference", y="agreement", n="judged pairs")
    return layer("circle", rows, {"tooltip": told}, size=40, opacity=1, style="ink")


def _draw_marks(metric: "CalibratedMetric", marks: Sequence[MarkedDifference]) -> list[Spec]:
    rows: list[Spec] = [
        {
            "name": mark.name,
            "x": abs(mark.difference),
            "y": metric.expect_agreement(mark.difference).agreement,
            "floor": _DOMAIN[0],
        }
        for mark in marks
    ]
    told: Spec = {"tooltip": tooltip("name", x="difference", y="expected agreement")}
    return [
        layer("rule", rows, {"y2": {"field": "floor"}}, style="faint", strokeWidth=0.8),
        layer("point", rows, told, size=70, filled=True, opacity=1, shape="diamond", color="#d55e00"),
    ]
