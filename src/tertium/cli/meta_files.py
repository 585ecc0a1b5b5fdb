"""Score files in WMT's layouts, which `tertium meta` writes beside its table."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from tertium.cli.arguments import write_output
from tertium.errors import InputError

if TYPE_CHECKING:
    from tertium.meta import JudgedSet
    from tertium.meta.scoring import MetricScores

__all__ = ["file_name", "make_folder", "write_score_files"]

Scored = Sequence[Mapping[str, "MetricScores"]]


def write_score_files(sets: "Sequence[JudgedSet]", scored: Scored, given: dict[str, Any]) -> None:
    """Write each metric's scores of all language pairs, a file per level."""
    from tertium.corpus.judgments.score_files import Level, render_score_file
    from tertium.meta.judged_sets import ONLY_SYSTEM

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
                        file_name(label), judged.pair, dict(zip(judged.systems, table.tolist(), strict=True)),
                        level=level, layout=given["layout"], test_set=given["test_set"],
                    )
                )  # fmt: skip
            if texts:
                write_output("".join(texts), str(folder / f"{file_name(label)}.{short}.score"))


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


def file_name(label: str) -> str:
    """Make a label safe as a part of a file name."""
    return re.sub(r"[^\w.+@=-]+", "_", label)
