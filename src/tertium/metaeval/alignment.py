"""A check that judgments of segments belong to the texts with the same numbers."""

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from tertium.catalog import LabelledMetric
from tertium.errors import InputError, argument
from tertium.evaluation.selection import select_texts
from tertium.metaeval.judged_sets import JudgedSet
from tertium.metaeval.scoring import score_set
from tertium.metrics import ChrF
from tertium.stats.correlation import pearson
from tertium.types import FloatArray

# The correlation of chrF with the mean human score of a segment was 0.17 to 0.64 on the ten judged sets of WMT21 and
# WMT22, and -0.11 to 0.09 with the segments in another order.
_MIN_SEGMENTS = 400
_MIN_CORRELATION = 0.05
# Enough for the check, and quick.
_MOST_SEGMENTS, _MOST_SYSTEMS = 1000, 6


def check_alignment(judged: JudgedSet) -> None:
    """Raise if the judgments of segments do not correlate with chrF at all, as if they belonged to other segments.

    Judgments that are numbered in another order than the texts, such as WMT's over sorted documents, have this effect.
    Sets with few judged segments, without texts or without judgments of segments are not checked.
    """
    scores = judged.segment_scores
    if scores is None or not any(text for group in judged.corpus.references for text in group):
        return
    rows = np.flatnonzero(~np.isnan(scores).all(axis=0))
    if len(rows) < _MIN_SEGMENTS:
        return
    rows = rows[:: max(1, len(rows) // _MOST_SEGMENTS)]
    r = _correlate(judged, scores, rows)
    if r < _MIN_CORRELATION:
        raise InputError(
            f"{judged.pair or 'the judgments'}: the human scores of segments do not fit their texts (r = {r:.2f} with chrF over"
            f" {len(rows):,} segments): they seem to be numbered in another order, such as by sorted documents; check the"
            f" segment numbers, or use {argument('unchecked')} if they are right"
        )


def _correlate(judged: JudgedSet, scores: FloatArray, rows: npt.NDArray[np.int64]) -> float:
    """Correlate the mean human score of each segment with its mean chrF over some systems; 1 if chrF is constant."""
    human = np.nanmean(scores[:, rows], axis=0)
    chosen = select_texts(judged.corpus, rows)
    systems = dict(list(chosen.systems.items())[:_MOST_SYSTEMS])
    part = JudgedSet(judged.pair, replace(chosen, systems=systems))
    scored, _ = score_set(part, [LabelledMetric("chrf", ChrF())])
    found = scored["chrf"].segment_scores
    r = float("nan") if found is None else float(pearson(human, found.mean(axis=0)))
    return 1.0 if np.isnan(r) else r
