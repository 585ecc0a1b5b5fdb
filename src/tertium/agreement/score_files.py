"""Metrics' scores of judged sets, written in the layouts of the WMT metrics tasks."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from tertium.agreement.judged_sets import ONLY_SYSTEM, JudgedSet
from tertium.agreement.scoring import MetricScores
from tertium.corpus.judgments.score_files import Level, render_score_file
from tertium.types import FloatArray

__all__ = ["render_score_files"]

Scored = Sequence[Mapping[str, MetricScores]]

_LEVELS: tuple[tuple[Level, str], ...] = (("segment", "seg"), ("system", "sys"))


def render_score_files(
    sets: Sequence[JudgedSet], scored: Scored, *, layout: str, test_set: str, spell: Callable[[str], str]
) -> Iterator[tuple[str, str]]:
    """Write each metric's scores of all language pairs, a file per level: its name and its text."""
    for label in dict.fromkeys(label for by_label in scored for label in by_label):
        for level, short in _LEVELS:
            texts = []
            for judged, by_label in zip(sets, scored, strict=True):
                table = _scores_of(by_label.get(label), level)
                if table is None or judged.systems == (ONLY_SYSTEM,):
                    continue
                by_system = dict(zip(judged.systems, table.tolist(), strict=True))
                texts.append(
                    render_score_file(
                        spell(label), judged.pair, by_system, level=level, layout=layout, test_set=test_set
                    )
                )
            if texts:
                yield f"{spell(label)}.{short}.score", "".join(texts)


def _scores_of(scores: MetricScores | None, level: Level) -> FloatArray | None:
    if scores is None:
        return None
    if level == "segment":
        return scores.segment_scores
    return None if scores.system_scores is None else scores.system_scores[:, None]
