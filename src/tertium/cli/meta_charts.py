"""The charts that `tertium meta` draws: metric against people at both levels, and rankings of systems."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Self

import numpy as np

from tertium.cli.arguments import write_picture
from tertium.cli.meta_files import file_name, make_folder
from tertium.types import FloatArray

if TYPE_CHECKING:
    from tertium.meta import JudgedSet
    from tertium.meta.scoring import MetricScores
    from tertium.report.charts.model import Chart

__all__ = ["ChartFolder", "write_charts"]


@dataclass(frozen=True)
class ChartFolder:
    """Where charts go, and the endings that say how they are drawn."""

    path: Path
    suffixes: Sequence[str]

    @classmethod
    def make(cls, path: str, form: str) -> Self:
        """Make the folder, unless the charts could not be drawn; `form` is svg, png or both."""
        from tertium.report.charts.model import check_picture

        suffixes = (".svg", ".png") if form == "both" else (f".{form}",)
        for suffix in suffixes:
            check_picture(f"{path}/*{suffix}")
        return cls(make_folder(path), suffixes)

    def write(self, chart: "Chart", *parts: str) -> None:
        """Write a chart under a name of these parts."""
        name = ".".join(map(file_name, parts))
        for suffix in self.suffixes:
            write_picture(chart, str(self.path / f"{name}{suffix}"))


def write_charts(
    sets: "Sequence[JudgedSet]",
    scored: "Sequence[Mapping[str, MetricScores]]",
    folder: ChartFolder,
    *,
    normalised: bool = False,
) -> None:
    """Draw each metric against people, and how all of them rank the systems, a language pair at a time."""
    y_label = "human score" + " (raters normalised)" * normalised
    for judged, by_label in zip(sets, scored, strict=True):
        if judged.system_scores is not None:
            _draw_system_level(judged, judged.system_scores, by_label, folder, y_label)
        if judged.segment_scores is not None:
            _draw_segment_level(judged, judged.segment_scores, by_label, folder, y_label)


def _draw_system_level(
    judged: "JudgedSet",
    human: FloatArray,
    by_label: "Mapping[str, MetricScores]",
    folder: ChartFolder,
    y_label: str,
) -> None:
    from tertium.report.charts.rankings import draw_rankings
    from tertium.report.charts.scatter import draw_scatter

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
        folder.write(picture, "scatter", judged.pair or "all", "system", label)
    if len(rankings) > 1:
        picture = draw_rankings(rankings, title=_title(judged, "systems from best to worst"))
        folder.write(picture, "ranking", judged.pair or "all")


def _draw_segment_level(
    judged: "JudgedSet",
    human: FloatArray,
    by_label: "Mapping[str, MetricScores]",
    folder: ChartFolder,
    y_label: str,
) -> None:
    from tertium.report.charts.scatter import draw_scatter

    for label, scores in by_label.items():
        if scores.segment_scores is None:
            continue
        picture = draw_scatter(
            human.reshape(-1), scores.segment_scores.reshape(-1),
            title=_title(judged, f"{label} and people, segments"), x_label=_axis_label(scores), y_label=y_label,
        )  # fmt: skip
        folder.write(picture, "scatter", judged.pair or "all", "segment", label)


def _title(judged: "JudgedSet", text: str) -> str:
    return f"{judged.pair}: {text}" if judged.pair else text


def _axis_label(scores: "MetricScores") -> str:
    return f"{scores.label} (lower is better)" if scores.sign < 0 else scores.label


def _rank(names: Sequence[str], scores: FloatArray) -> list[str]:
    return [names[i] for i in np.argsort(-scores, kind="stable")]
