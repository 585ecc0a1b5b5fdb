"""Figures 1 to 4 of Leusch, Ueffing & Ney (2003): automatic and manual scores of sentences and of systems."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from papers.inversion_2003 import assessed_pairs, label_of, ranked_pairs, systems
from papers.markdown import Pictures
from papers.rated import Rated, score_sentences, system_means
from tertium.presentation.charts.model import Chart, Spec, category, layer, number
from tertium.values import FloatArray

__all__ = ["render_figures"]

_DRAWN = ("PER", "WER", "invWER", "BLEU")
_N_INTERVALS = 10


def render_figures(data: Path, pictures: Pictures) -> str:
    """Draw the four figures."""
    ranks = ranked_pairs(data, normalised=True)
    drawn = (
        (
            "invwer-figure-1",
            "Figure 1 on WMT15: sentences by direct assessment",
            _intervals(assessed_pairs(data)),
        ),
        ("invwer-figure-2", f"Figure 2 on WMT12 {ranks[1].name}: systems", _systems(ranks[1])),
        ("invwer-figure-3", f"Figure 3 on WMT12 {ranks[2].name}: systems", _systems(ranks[2])),
        ("invwer-figure-4", "Figure 4 on WMT12: sentences by normalised ranks", _intervals(ranks)),
    )
    shown = [pictures.show(name, _draw(rows, title), title) for name, title, rows in drawn]
    return "\n".join(["### Figures 1 to 4: automatic against manual scores\n", _WORDS, *shown])


_WORDS = """Each point of the first and the last figure is a decile of the sentences by human score (x axis): the mean of the measure, with a bar of one standard
deviation on either side. In the other figures each point is a system. WER, PER and invWER are drawn as 1 minus the error rate, with case.
"""


def _scaled(measure: str, scores: FloatArray) -> FloatArray:
    return scores / 100 if measure == "BLEU" else 1 + scores / 100


def _intervals(sets: Sequence[Rated]) -> Iterator[Spec]:
    people = np.concatenate([each.human for each in sets])
    tenths = np.array_split(np.argsort(people, kind="stable"), _N_INTERVALS)
    for measure in _DRAWN:
        scores = [score_sentences(label_of(measure, cased=True), each) for each in sets]
        scaled = _scaled(measure, np.concatenate(scores))
        for chosen in tenths:
            mean, spread = float(scaled[chosen].mean()), float(scaled[chosen].std())
            place = {"x": round(float(people[chosen].mean()), 4), "y": round(mean, 4)}
            yield {
                **place,
                "measure": measure,
                "low": round(mean - spread, 4),
                "high": round(mean + spread, 4),
            }


def _systems(rated: Rated) -> Iterator[Spec]:
    people = system_means(rated.human, rated, by_length=True)
    for measure in _DRAWN:
        scaled = _scaled(measure, systems(measure, rated, cased=True, weighted=True))
        for x, y in zip(people, scaled, strict=True):
            yield {"x": round(float(x), 4), "y": round(float(y), 4), "measure": measure}


def _draw(rows: Iterator[Spec], title: str) -> Chart:
    points = sorted(rows, key=lambda row: (_DRAWN.index(str(row["measure"])), row["x"]))
    colour = category("measure", list(_DRAWN), title=None)
    place: Spec = {
        "x": number("x", title="people", scale={"zero": False}),
        "y": number("y", title="measure, 1 is best", scale={"zero": False}),
        "color": colour,
    }
    bars = [row for row in points if "low" in row]
    spans: Spec = {**place, "y": number("low", title="measure, 1 is best"), "y2": {"field": "high"}}
    layers = [layer("rule", bars, spans, opacity=0.35)] if bars else []
    layers += [layer("line", points, place, strokeWidth=1.5)] if bars else []
    layers.append(layer("circle", points, place, size=36, opacity=1))
    return Chart.of({"description": title, "title": title, "width": 420, "height": 260, "layer": layers})
