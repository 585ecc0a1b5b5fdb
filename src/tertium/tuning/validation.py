"""Whether tuned options carry over to data that they were not tuned on."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import isnan

import numpy as np
import numpy.typing as npt

from tertium.agreement import JudgedSet
from tertium.stats.rankings import Comparisons
from tertium.tuning.trials import Trial, total
from tertium.types import Corpus

__all__ = ["Validation", "cross_validate", "split_segments"]

# Correlations of a dozen systems vary by as much; a gain that is smaller elsewhere by more than this is the
# training data's own.
_FAR_APART = 0.02


@dataclass(frozen=True)
class Validation:
    """The objective on training data and on others, for the tuned options and for those at the start."""

    how: str
    train: float
    train_before: float
    held_out: float
    held_out_before: float

    def warnings(self) -> list[str]:
        """What should make a reader doubt the tuned options."""
        if self.held_out < self.held_out_before:
            return [f"tuning hurts {self.how}: {self.held_out_before:.3f} before, {self.held_out:.3f} after"]
        gained, kept = self.train - self.train_before, self.held_out - self.held_out_before
        if gained - kept > _FAR_APART:
            return [f"the gain does not carry over: {gained:+.3f} in training, {kept:+.3f} {self.how}"]
        return []


def cross_validate(trials: Iterable[Trial], start: Trial, best: Trial) -> Validation | None:
    """Leave out one language pair at a time: tune on the others, test on it; average the tests.

    Uses the trials that the search made, so it costs nothing. A full grid and random points do not depend
    on the pairs; the path of an alternating or coordinate search does, so that its test is a little too
    kind. None with fewer than two language pairs that have every statistic.
    """
    tried = list(trials)
    pairs = _complete_pairs(start)
    if len(pairs) < 2:
        return None
    chosen = [_best_on(tried, [pair for pair in pairs if pair != left_out]) for left_out in pairs]
    return Validation(
        "on language pairs left out",
        total(best.values),
        total(start.values),
        float(np.mean([total(trial.values, [pair]) for trial, pair in zip(chosen, pairs, strict=True)])),
        float(np.mean([total(start.values, [pair]) for pair in pairs])),
    )


def split_segments(judged: JudgedSet, rng: np.random.Generator) -> tuple[JudgedSet, JudgedSet]:
    """Divide a judged set at random into two halves of its segments; system scores stay with both."""
    order = rng.permutation(len(judged.corpus))
    middle = -(-len(order) // 2)
    return _keep(judged, np.sort(order[:middle])), _keep(judged, np.sort(order[middle:]))


def _complete_pairs(trial: Trial) -> list[str]:
    by_statistic = [
        {pair for pair, value in by_pair.items() if not isnan(value)} for by_pair in trial.values.values()
    ]
    return sorted(set.intersection(*by_statistic)) if by_statistic else []


def _best_on(trials: Sequence[Trial], pairs: Sequence[str]) -> Trial:
    return max(trials, key=lambda trial: total(trial.values, pairs))


def _keep(judged: JudgedSet, rows: npt.NDArray[np.intp]) -> JudgedSet:
    corpus, kept = judged.corpus, rows.tolist()
    ids = corpus.segment_ids or [str(i + 1) for i in range(len(corpus))]
    part = Corpus(
        [corpus.references[i] for i in kept],
        {name: [outputs[i] for i in kept] for name, outputs in corpus.systems.items()},
        segment_ids=[ids[i] for i in kept],
    )
    scores = None if judged.segment_scores is None else judged.segment_scores[:, rows]
    comparisons = (
        None if judged.comparisons is None else _keep_comparisons(judged.comparisons, rows, len(corpus))
    )
    return replace(judged, corpus=part, segment_scores=scores, comparisons=comparisons)


def _keep_comparisons(comparisons: Comparisons, rows: npt.NDArray[np.intp], n_segments: int) -> Comparisons:
    numbers = np.full(n_segments, -1, dtype=np.int32)
    numbers[rows] = np.arange(len(rows), dtype=np.int32)
    renumbered = numbers[comparisons.segments]
    kept = renumbered >= 0
    return Comparisons(
        renumbered[kept], comparisons.first[kept], comparisons.second[kept], comparisons.preferences[kept]
    )
