"""How human judges and metrics rank the systems: a column per ranking, a line per system."""

from collections.abc import Mapping, Sequence

import numpy as np

from tertium.presentation.charts.model import Chart, Spec, heading, layer, number, text_width
from tertium.stats.correlation import spearman

_ROW, _DOT = 24, 260  # pixels from place to place, and the area of a dot
_WIDEST, _NARROWEST, _USUAL = 120, 34, 700  # pixels from column to column, and of all columns together
_HEAD, _NUMBER = 11, 9.5  # sizes of text
_SLOPE = 40  # degrees by which long headings are rotated
_NAME_ROOM, _HEAD_ROOM = 220, 360


def draw_rankings(
    rankings: Mapping[str, Mapping[str, float]], *, title: str, constant: Sequence[str] = ()
) -> Chart:
    """Draw several rankings of the systems; the first ranking is the human one.

    Each ranking gives every system a score, higher is better; systems with equal scores share a rank and keep the order
    of the human ranking. A dot has the number and the colour of the system's human rank, so that a metric which agrees
    counts from 1 downwards. Metrics are ordered from left to right by Spearman's ρ with the human scores. `constant`
    names metrics that give all systems the same score: they rank nothing and are only named.
    """
    human, *metrics = rankings
    first = sorted(rankings[human], key=lambda name: -rankings[human][name])
    orders = {
        judge: sorted(first, key=lambda name, of=scores: -of[name])  # type: ignore[misc]
        for judge, scores in rankings.items()
    }
    places = {judge: {name: i for i, name in enumerate(order, 1)} for judge, order in orders.items()}
    ranks = {judge: _rank(scores) for judge, scores in rankings.items()}
    agreement = {judge: _agreement(rankings[human], rankings[judge]) for judge in metrics}
    judges = [human, *sorted(metrics, key=lambda judge: -agreement[judge])]
    n_systems, n_steps = len(places[human]), max(1, len(metrics))
    step = min(_WIDEST, max(_NARROWEST, _USUAL / n_steps))
    subtitle = "numbers and colours: the human rank of a system"
    if metrics:
        subtitle += "; below the metrics: Spearman’s ρ with the human ranking"
    if constant:
        subtitle += f"; not shown, because all systems have the same score: {', '.join(constant)}"
    return Chart.of(
        {
            "description": title,
            "title": {**heading(title, subtitle, step * n_steps + _NAME_ROOM), "frame": "bounds"},
            "usermeta": _measure_width(judges, list(places[human]), step),
            "width": step * n_steps,
            "height": _ROW * max(1, n_systems - 1),
            "encoding": {
                "x": number("judge", [0, n_steps], axis=None),
                "y": number("place", [max(2, n_systems), 1], axis=None),
            },
            "layer": [
                *_head_layers(judges, agreement, step),
                *_line_layers(
                    [places[judge] for judge in judges], [ranks[judge] for judge in judges], judges, step
                ),
            ],
        }
    )


def _measure_width(judges: Sequence[str], systems: Sequence[str], step: float) -> Spec:
    """Return the width of the names beside the chart and its smallest width, for pages that fit it to a window."""
    names = max((min(text_width(name, 11), _NAME_ROOM) for name in systems), default=0)
    heads = max(text_width(judge, _HEAD) for judge in judges) + 6
    return {"margin": 2 * names + 60, "least": (heads if heads <= step else _NARROWEST) * (len(judges) - 1)}


def _rank(scores: Mapping[str, float]) -> dict[str, int]:
    """Rank systems from 1; equal scores share the better rank."""
    return {name: 1 + sum(other > score for other in scores.values()) for name, score in scores.items()}


def _agreement(human: Mapping[str, float], metric: Mapping[str, float]) -> float:
    if len(human) < 2:
        return 0.0
    rho = float(spearman(*(np.array([scores[name] for name in human]) for scores in (human, metric))))
    return 0.0 if np.isnan(rho) else rho  # all human scores are equal


def _head_layers(judges: Sequence[str], agreement: Mapping[str, float], step: float) -> list[Spec]:
    """Draw the names above the columns, rotated if they are too long, with Spearman's ρ below them."""
    is_level = max(text_width(judge, _HEAD) for judge in judges) <= step - 6
    turn: Spec = {"align": "center"} if is_level else {"align": "left", "angle": 360 - _SLOPE, "dx": 3}
    weight = {"expr": "datum.judge == 0 ? 'bold' : 'normal'"}
    heads: list[Spec] = [
        {"judge": i, "name": judge, "rho": f"{agreement[judge]:.2f}".replace("-", "−") if i else ""}
        for i, judge in enumerate(judges)
    ]
    names: Spec = {"y": {"value": -40}, "text": {"field": "name"}}
    numbers: Spec = {"y": {"value": -24}, "text": {"field": "rho"}}
    return [
        layer("text", heads, names, fontSize=_HEAD, fontWeight=weight, limit=_HEAD_ROOM, **turn),
        layer("text", heads, numbers, fontSize=_NUMBER),
    ]


def _line_layers(
    places: Sequence[Mapping[str, int]],
    ranks: Sequence[Mapping[str, int]],
    judges: Sequence[str],
    step: float,
) -> list[Spec]:
    """Draw lines, dots in the paper's colour with a rim in the line's colour, numbers in them, and names at both ends."""
    dots: list[Spec] = [
        {
            "line": line,
            "system": name,
            "by": judges[i],
            "judge": i,
            "place": of[name],
            "rank": ranks[i][name],
            "human": ranks[0][name],
        }
        for line, name in enumerate(places[0])
        for i, of in enumerate(places)
    ]
    colour: Spec = {
        "stroke": number("human", scale={"domain": [1, max(2, len(places[0]))], "range": "ramp"}, legend=None)
    }
    titles = {"system": "system", "by": "judge", "rank": "rank", "human": "human rank"}
    told = [{"field": field, "title": title} for field, title in titles.items()]
    width = 2 if step >= 60 else 1.2  # crowded lines are thin
    return [
        layer("line", dots, {**colour, "detail": {"field": "line"}}, strokeWidth=width),
        layer("circle", dots, {}, style="paper", size=_DOT, opacity=1),
        layer("point", dots, colour, size=_DOT, opacity=1),
        layer("text", dots, {"text": {"field": "human"}, "tooltip": told}, fontSize=_NUMBER),
        _names([dot for dot in dots if dot["judge"] == 0], "right", -15),
        _names([dot for dot in dots if dot["judge"] == len(judges) - 1], "left", 15),
    ]


def _names(dots: Sequence[Spec], align: str, shift: float) -> Spec:
    return layer("text", dots, {"text": {"field": "system"}}, align=align, dx=shift, limit=_NAME_ROOM)
