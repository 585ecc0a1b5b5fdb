"""What `tertium meta` writes beside its table: score files in WMT's layouts, and charts."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from tertium.cli.arguments import write_output
from tertium.errors import InputError

if TYPE_CHECKING:
    from tertium.metaevaluation import JudgedSet
    from tertium.metaevaluation.scoring import MetricScores

__all__ = ["make_folder", "write_charts", "write_score_files"]

Scored = Sequence[Mapping[str, "MetricScores"]]


def write_score_files(sets: "Sequence[JudgedSet]", scored: Scored, given: dict[str, Any]) -> None:
    """Write each metric's scores of all language pairs, a file per level."""
    from tertium.corpus.score_files import Level, render_score_file
    from tertium.metaevaluation.judged_sets import ONLY_SYSTEM

    folder = make_folder(given["write_scores"])
    levels: tuple[tuple[Level, str], ...] = (("segment", "seg"), ("system", "sys"))
    for label in dict.fromkeys(label for by_label in scored for label in by_label):
        for level, short in levels:
            texts = []
            for judged, by_label in zip(sets, scored, strict=True):
                table = _scores_of(by_label.get(label), level)
                if table is None or judged.systems == (ONLY_SYSTEM,):
                    continue
                texts.append(
                    render_score_file(
                        _file_name(label), judged.pair, dict(zip(judged.systems, table.tolist(), strict=True)),
                        level=level, layout=given["layout"], test_set=given["test_set"],
                    )
                )  # fmt: skip
            if texts:
                write_output("".join(texts), str(folder / f"{_file_name(label)}.{short}.score"))


def write_charts(sets: "Sequence[JudgedSet]", scored: Scored, path: str) -> None:
    """Draw metric against people at both levels, and how each metric ranks the systems."""
    folder = make_folder(path)
    for judged, by_label in zip(sets, scored, strict=True):
        name = _file_name(judged.pair or "all")
        if judged.system_scores is not None:
            _draw_system_level(judged, by_label, folder, name)
        if judged.segment_scores is not None:
            _draw_segment_level(judged, by_label, folder, name)


def _draw_system_level(
    judged: "JudgedSet", by_label: "Mapping[str, MetricScores]", folder: Path, name: str
) -> None:
    from tertium.report.meta_charts import draw_rankings, draw_scatter

    human = judged.system_scores
    if human is None:
        return
    known = np.flatnonzero(~np.isnan(human))
    names = [judged.systems[i] for i in known]
    rankings = {"people": _rank(names, human[known])}
    for label, scores in by_label.items():
        if scores.system_scores is None or np.isnan(scores.system_scores[known]).any():
            continue
        rankings[label] = _rank(names, scores.sign * scores.system_scores[known])
        picture = draw_scatter(
            human[known], scores.system_scores[known], title=f"{judged.pair}: {label}, systems",
            x_label=label, y_label="people", names=names,
        )  # fmt: skip
        write_output(picture, str(folder / f"scatter.{name}.system.{_file_name(label)}.svg"))
    picture = draw_rankings(rankings, title=f"{judged.pair}: systems from best to worst")
    write_output(picture, str(folder / f"ranking.{name}.svg"))


def _draw_segment_level(
    judged: "JudgedSet", by_label: "Mapping[str, MetricScores]", folder: Path, name: str
) -> None:
    from tertium.report.meta_charts import draw_scatter

    for label, scores in by_label.items():
        if scores.segment_scores is None or judged.segment_scores is None:
            continue
        picture = draw_scatter(
            judged.segment_scores.reshape(-1), scores.segment_scores.reshape(-1),
            title=f"{judged.pair}: {label}, segments", x_label=label, y_label="people",
        )  # fmt: skip
        write_output(picture, str(folder / f"scatter.{name}.segment.{_file_name(label)}.svg"))


def make_folder(path: str) -> Path:
    """Make a folder for output files if it is not there."""
    folder = Path(path)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot make the folder {path}: {error.strerror or error}") from error
    return folder


def _scores_of(scores: "MetricScores | None", level: str) -> "np.ndarray[Any, Any] | None":
    if scores is None:
        return None
    if level == "segment":
        return scores.segment_scores
    return None if scores.system_scores is None else scores.system_scores[:, None]


def _rank(names: Sequence[str], scores: "np.ndarray[Any, Any]") -> list[str]:
    return [names[i] for i in np.argsort(-scores, kind="stable")]


def _file_name(label: str) -> str:
    """Make a label safe as a part of a file name."""
    return re.sub(r"[^\w.+@=-]+", "_", label)
