"""Scores over releases: a panel per metric, with intervals and the changes that are significant."""

from collections.abc import Sequence

from tertium.evaluation.history import Release
from tertium.reporting.charts.model import (
    Chart,
    Spec,
    category,
    heading,
    layer,
    number,
    padded_domain,
    tooltip,
    wrap_text,
)

_STEP, _HEIGHT, _LEAST_WIDTH = 44, 170, 320


def draw_releases(releases: Sequence[Release], *, title: str = "Scores over releases") -> Chart:
    """Draw the scores of all releases, oldest first, and mark those that are significantly better or worse than the last."""
    labels = list(dict.fromkeys(row.metric for row in releases))
    names = list(dict.fromkeys(row.release for row in releases))
    width = max(_LEAST_WIDTH, _STEP * len(names))
    subtitle = "lines: confidence intervals; ▲ ▼: significantly better or worse than the release before"
    return Chart.of(
        {
            "description": title,
            "title": {**heading(title, subtitle, width), "frame": "bounds"},
            "spacing": 18,
            "vconcat": [
                _panel(
                    [row for row in releases if row.metric == label],
                    names,
                    width,
                    is_last=label == labels[-1],
                )
                for label in labels
            ],
        }
    )


def _panel(releases: Sequence[Release], names: Sequence[str], width: int, *, is_last: bool) -> Spec:
    rows: list[Spec] = [
        {
            "number": k,
            "release": row.release,
            "score": row.score,
            "low": row.interval[0],
            "high": row.interval[1],
            "change": row.change,
            "verdict": "" if not row.is_significant else "better" if (row.gain or 0) > 0 else "worse",
        }
        for k, row in enumerate(releases)
    ]
    domain = padded_domain([end for row in releases for end in (*row.interval, row.score)], 0.08)
    axis: Spec = {"title": wrap_text(releases[0].title, 12, _HEIGHT), "axis": {"tickCount": 5}}
    told: Spec = {
        "tooltip": tooltip("release", "verdict", score="score", low="from", high="to", change="change")
    }
    score: Spec = {"y": number("score", domain, **axis)}
    marked = {each: [row for row in rows if row["verdict"] == each] for each in ("better", "worse")}
    across: Spec = {"labels": is_last, "title": "release" if is_last else None, "labelAngle": -40}
    return {
        "width": width,
        "height": _HEIGHT,
        "encoding": {"x": category("release", names, axis=across)},
        "layer": [
            layer("rule", rows, {"y": number("low", domain, **axis), "y2": {"field": "high"}}, style="faint", strokeWidth=2.5),
            layer("line", rows, {**score, "order": {"field": "number"}}, strokeWidth=1.6),
            layer("circle", rows, {**score, **told}, size=45, opacity=1),
            layer("point", marked["better"], {**score, **told}, shape="triangle-up", size=170, style="ink", filled=True, opacity=1),
            layer("point", marked["worse"], {**score, **told}, shape="triangle-down", size=170, style="ink", filled=True, opacity=1),
        ],
    }  # fmt: skip
