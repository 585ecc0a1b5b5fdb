"""The charts of a meta-evaluation: metric against people at both levels, and rankings of systems."""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from tertium.agreement.judged_sets import JudgedSet
from tertium.agreement.scoring import MetricScores
from tertium.report.charts.model import Chart
from tertium.report.charts.rankings import draw_rankings
from tertium.report.charts.scatter import draw_scatter
from tertium.types import FloatArray

__all__ = ["draw_agreement"]

NamedChart = tuple[tuple[str, ...], Chart]
"""The parts of a name, and the chart."""


def draw_agreement(
    sets: Sequence[JudgedSet], scored: Sequence[Mapping[str, MetricScores]], *, normalised: bool = False
) -> Iterator[NamedChart]:
    """Draw each metric against people, and how all of them rank the systems, a language pair at a time."""
    y_label = "human score" + " (raters normalised)" * normalised
    for judged, by_label in zip(sets, scored, strict=True):
        if judged.system_scores is not None:
            yield from _draw_system_level(judged, judged.system_scores, by_label, y_label)
        if judged.segment_scores is not None:
            yield from _draw_segment_level(judged, judged.segment_scores, by_label, y_label)


def _draw_system_level(
    judged: JudgedSet, human: FloatArray, by_label: Mapping[str, MetricScores], y_label: str
) -> Iterator[NamedChart]:
    known = np.flatnonzero(~np.isnan(human))
    names = [judged.systems[i] for i in known]
    rankings = {"people": _rank(names, human[known])}
    for label, scores in by_label.items():
        if scores.system_scores is None or np.isnan(scores.system_scores[known]).any():
            continue
        rankings[label] = _rank(names, scores.sign * scores.system_scores[known])
        picture = draw_scatter(
            human[known], scores.system_scores[known], title=_title(judged, f"{label} and people, systems"),
            x_label=_axis_label(scores), y_label=y_label, names=names,
        )  # fmt: skip
        yield ("scatter", judged.name or "all", "system", label), picture
    if len(rankings) > 1:
        picture = draw_rankings(rankings, title=_title(judged, "systems from best to worst"))
        yield ("ranking", judged.name or "all"), picture


def _draw_segment_level(
    judged: JudgedSet, human: FloatArray, by_label: Mapping[str, MetricScores], y_label: str
) -> Iterator[NamedChart]:
    for label, scores in by_label.items():
        if scores.segment_scores is None:
            continue
        picture = draw_scatter(
            human.reshape(-1), scores.segment_scores.reshape(-1),
            title=_title(judged, f"{label} and people, segments"), x_label=_axis_label(scores), y_label=y_label,
        )  # fmt: skip
        yield ("scatter", judged.name or "all", "segment", label), picture


def _title(judged: JudgedSet, text: str) -> str:
    return f"{judged.name}: {text}" if judged.pair else text


def _axis_label(scores: MetricScores) -> str:
    return f"{scores.label} (lower is better)" if scores.sign < 0 else scores.label


def _rank(names: Sequence[str], scores: FloatArray) -> list[str]:
    return [names[i] for i in np.argsort(-scores, kind="stable")]
