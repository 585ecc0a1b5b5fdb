"""Scores over releases: a panel per metric, with intervals and the changes that are significant."""

from collections.abc import Sequence

from tertium.evaluation.history import Release
from tertium.presentation.charts.model import (
    Chart,
    Spec,
    heading,
    layer,
    named,
    number,
    padded_domain,
    parameters,
    tooltip,
    wrap_text,
)
from tertium.verdicts import RELEASE_MARKS

_STEP, _HEIGHT, _LEAST_WIDTH = 44, 170, 320


def draw_releases(releases: Sequence[Release], *, title: str = "Scores over releases") -> Chart:
    """Draw the scores of all releases, oldest first, and mark those that are significantly better or worse than the last."""
    labels = list(dict.fromkeys(row.metric for row in releases))
    names = list(dict.fromkeys(row.release for row in releases))
    width = max(_LEAST_WIDTH, _STEP * len(names))
    subtitle = f"lines: confidence intervals; {RELEASE_MARKS} than the release before"
    return Chart.of(
        {
            "description": title,
            "title": {**heading(title, subtitle, width), "frame": "bounds"},
            "params": parameters(releases=names),
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
            "place": names.index(row.release),
            "release": row.release,
            "score": row.score,
            "low": row.interval[0],
            "high": row.interval[1],
            "change": "–" if row.change is None else f"{row.change:+.4g}".replace("-", "−"),
            "verdict": "" if not row.is_significant else "better" if (row.gain or 0) > 0 else "worse",
        }
        for row in releases
    ]
    domain = padded_domain([end for row in releases for end in (*row.interval, row.score)], 0.08)
    axis: Spec = {"axis": {"title": wrap_text(releases[0].title, 12, _HEIGHT), "tickCount": 5}}
    told: Spec = {"tooltip": tooltip("release", "verdict", "change", score="score", low="from", high="to")}
    score: Spec = {"y": number("score", domain, **axis)}
    marked = {each: [row for row in rows if row["verdict"] == each] for each in ("better", "worse")}
    across: Spec = {"labels": is_last, "title": "release" if is_last else None, "labelAngle": -40}
    return {
        "width": width,
        "height": _HEIGHT,
        "encoding": {"x": named("place", "releases", len(names), axis=across)},
        "layer": [
            layer("rule", rows, {"y": number("low", domain, **axis), "y2": {"field": "high"}}, style="faint", strokeWidth=2.5),
            layer("line", rows, {**score, "order": {"field": "place"}}, strokeWidth=1.6),
            layer("circle", rows, {**score, **told}, size=45, opacity=1),
            layer("point", marked["better"], {**score, **told}, shape="triangle-up", size=170, style="ink", filled=True, opacity=1),
            layer("point", marked["worse"], {**score, **told}, shape="triangle-down", size=170, style="ink", filled=True, opacity=1),
        ],
    }  # fmt: skip
