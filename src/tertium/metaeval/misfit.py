"""A check that judgments of segments belong to the texts with the same numbers."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from tertium.catalog import LabelledMetric
from tertium.evaluation.selection import select_texts
from tertium.metaeval.judged_sets import JudgedSet
from tertium.metaeval.scoring import score_set
from tertium.metrics import ChrF
from tertium.records import record
from tertium.stats.analysis import DEFAULT_SEED
from tertium.values import FloatArray

# On the 18 judged sets of WMT15, 21, 22, 23 and TED, the right order is 5 to 45 standard deviations above shuffled ones. Of
# these sets, cut to 400 segments and 6 systems in 12 ways, 99 % of the right orders fit, and 0.3 % of the others (documents in
# another order, reversed, or shifted by 1 to 60 segments).
_MIN_SEGMENTS, _MIN_DEVIATIONS = 400, 3.0
_CLEAR_DEVIATIONS = (
    5.0  # of a shift that is named; outputs of one document are alike, so that wrong ones reach 4
)
_MOST_SEGMENTS = 5000  # enough for the check, and quick
_N_SHUFFLES = 100
_SHIFTS = tuple(shift for shift in range(-10, 11) if shift)


@record
class _Fit:
    """How well human scores fit chrF in the given order of segments.

    Attributes
    ----------
    is_best
        Whether they fit much better than in shuffled orders, and better than in shifted ones.
    shift
        The shift in which they fit better, if there is one; the scores then belong to the texts that number of segments before.
    within
        Pearson's r over outputs, without the means of systems and of segments.
    between
        Pearson's r of the means of segments.
    """

    is_best: bool
    shift: int
    within: float
    between: float

    @property
    def reason(self) -> str:
        if self.shift == 0:
            return "seem to be numbered in another order, such as by sorted documents"
        side = "before" if self.shift > 0 else "after"
        return f"fit the texts {abs(self.shift)} line{'s' * (abs(self.shift) > 1)} {side} their own"


def describe_misfit(judged: JudgedSet) -> str | None:
    """Describe why the judgments of segments seem to belong to other segments; None if they fit their texts.

    Judgments fit if they agree with chrF clearly better than in 100 shuffled orders, and better than shifted by up to 10
    segments: within segments, where long ones do not count more, and between them. Judgments that are numbered in
    another order than the texts, such as WMT's over sorted documents, do not fit. Sets with few judged segments, without
    texts or without judgments of segments are not checked.
    """
    scores = judged.segment_scores
    if scores is None or not any(text for group in judged.corpus.references for text in group):
        return None
    rows = np.flatnonzero(~np.isnan(scores).all(axis=0))
    if len(rows) < _MIN_SEGMENTS:
        return None
    window = np.arange(rows[0], min(rows[-1] + 1, rows[0] + _MOST_SEGMENTS))
    chrf = _score(judged, window)
    if chrf is None or (fit := _measure(scores[:, window], chrf)).is_best:
        return None
    return (
        f"{judged.pair or 'the judgments'}: the human scores of segments do not fit their texts (r = {fit.between:.2f} with"
        f" chrF between {len(rows):,} segments, {fit.within:.2f} within them): they {fit.reason}"
    )


def _score(judged: JudgedSet, window: npt.NDArray[np.int64]) -> FloatArray | None:
    """Return the chrF of each output; None if it cannot be computed."""
    part = JudgedSet(judged.pair, select_texts(judged.corpus, window))
    scored, _ = score_set(part, [LabelledMetric("chrf", ChrF())])
    return scored["chrf"].segment_scores if scored else None


def _measure(human: FloatArray, chrf: FloatArray) -> _Fit:
    """Compare the agreement in the given order with that in other orders, within and between segments together."""
    n_segments = human.shape[1]
    given, rng = np.arange(n_segments), np.random.default_rng(DEFAULT_SEED)
    shuffles = [rng.permutation(n_segments) for _ in range(_N_SHUFFLES)]
    orders = [given, *shuffles, *(np.roll(given, shift) for shift in _SHIFTS)]
    within, between = _centre(human), _centre_segments(human)
    agreement = _standardise([np.sum(within * chrf[:, order]) for order in orders])
    # long segments may have the better chrF and more errors: any relation between the means shows the right order
    agreement += np.abs(_standardise([np.sum(between * chrf.mean(axis=0)[order]) for order in orders]))
    total = _standardise(agreement)
    first, shifted = total[0], total[_N_SHUFFLES + 1 :]
    best = int(shifted.argmax())
    compared = np.where(np.isnan(human), np.nan, chrf)
    return _Fit(
        bool(first > max(_MIN_DEVIATIONS, shifted[best]) or not total.any()),
        _SHIFTS[best] if shifted[best] > max(_CLEAR_DEVIATIONS, first) else 0,
        _correlate(within, _centre(compared)),
        _correlate(between, _centre_segments(compared)),
    )


def _standardise(values: Sequence[float] | FloatArray) -> FloatArray:
    """Express the values of all orders in standard deviations of the shuffled ones; constant values become 0."""
    found = np.asarray(values, dtype=np.float64)
    shuffled = found[1 : _N_SHUFFLES + 1]
    spread = shuffled.std()
    return (found - shuffled.mean()) / spread if spread > 0 else np.zeros_like(found)


def _centre(scores: FloatArray) -> FloatArray:
    """Subtract the means of segments and systems; missing scores and those of segments with one score become 0."""
    known = ~np.isnan(scores)
    known &= known.sum(axis=0) > 1
    rest = np.where(known, scores, 0.0)
    for _ in range(4):  # with missing scores, the means of systems change those of segments a little
        for axis in (0, 1):
            means = rest.sum(axis=axis, keepdims=True) / np.maximum(known.sum(axis=axis, keepdims=True), 1)
            rest = np.where(known, rest - means, 0.0)
    return rest


def _centre_segments(scores: FloatArray) -> FloatArray:
    """Return the mean of each segment less the mean of all segments; 0 for segments without scores."""
    known = ~np.isnan(scores)
    counts = known.sum(axis=0)
    means = np.where(known, scores, 0.0).sum(axis=0) / np.maximum(counts, 1)
    return np.where(counts > 0, means - means[counts > 0].mean(), 0.0)


def _correlate(one: FloatArray, other: FloatArray) -> float:
    """Correlate centred values; 0 for constant ones."""
    size = float(np.sqrt(np.sum(one**2) * np.sum(other**2)))
    return float(np.sum(one * other)) / size if size > 0 else 0.0
