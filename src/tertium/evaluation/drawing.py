"""What is drawn for a comparison: scores on resamples, and p-values of the paired tests."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from tertium.evaluation.sampling import (
    fits_in_memory,
    score_blocks,
    survey_scores,
    tally_pairs,
    total_blocks,
)
from tertium.evaluation.statistics import Evaluation
from tertium.kernels.resampling import sum_kept, sum_resamples
from tertium.stats.pairwise import PairTally, shuffle_pair, tally_shuffles
from tertium.stats.significance import paired_bootstrap_p, paired_randomization_p
from tertium.types import FloatArray

__all__ = ["Drawing", "Drawn", "Progress", "draw_bootstrap", "draw_randomization"]

Progress = Callable[[int, int], None]
"""Told how many samples of how many are done."""

INTERVAL_SAMPLES = 1000
"""Of randomization's intervals, which are bootstrapped all the same."""


@dataclass(frozen=True, eq=False)
class Drawing:
    """What to draw: `n_samples` for intervals and the baseline, `n_drawn` for all pairs of systems."""

    units: Evaluation
    n_samples: int
    n_drawn: int
    seed: int
    baseline: str | None
    tests_pairs: bool


@dataclass(frozen=True, eq=False)
class Drawn:
    """Scores on resamples, p-values of all pairs (calibrated) and against the baseline (sacreBLEU's)."""

    resampled: FloatArray
    pairs: FloatArray
    baseline: FloatArray | None


def draw_bootstrap(drawing: Drawing, progress: Progress | None) -> dict[str, Drawn]:
    """Draw resamples, for intervals as well as for tests."""
    units = drawing.units
    n_reads = 1 if fits_in_memory(units, drawing.n_drawn) else 1 + drawing.tests_pairs
    advance = _counter(n_reads * drawing.n_drawn, progress)
    blocks = score_blocks(units, sum_resamples, drawing.n_drawn, drawing.seed, advance)
    first, spreads = survey_scores(blocks, units.tables, drawing.n_samples)
    tallies = tally_pairs(units, blocks, spreads) if drawing.tests_pairs else {}
    return {
        label: Drawn(
            resampled, _p_of_pairs(units, tallies.get(label)), _bootstrap_p(drawing, label, resampled)
        )
        for label, resampled in first.items()
    }


def draw_randomization(drawing: Drawing, progress: Progress | None) -> dict[str, Drawn]:
    """Draw resamples for intervals, and shuffles for tests."""
    units = drawing.units
    n_resamples = min(drawing.n_samples, INTERVAL_SAMPLES)
    tests = drawing.tests_pairs or drawing.baseline is not None
    advance = _counter(n_resamples + tests * drawing.n_drawn, progress)
    blocks = score_blocks(units, sum_resamples, n_resamples, drawing.seed, advance)
    resampled = survey_scores(blocks, units.tables, n_resamples).first
    tallies, shuffled = _shuffle(drawing, advance) if tests else ({}, {})
    return {
        label: Drawn(
            resampled[label],
            _p_of_pairs(units, tallies.get(label)),
            _randomization_p(drawing, label, shuffled.get(label)),
        )
        for label in units.tables
    }


def _shuffle(
    drawing: Drawing, advance: Callable[[int], None]
) -> tuple[dict[str, PairTally], dict[str, FloatArray]]:
    """Tally all pairs of systems; and score the baseline and each other system on the first shuffles."""
    units, n_missing = drawing.units, drawing.n_samples
    tallies: dict[str, PairTally] = {}
    shuffled: dict[str, list[FloatArray]] = {label: [] for label in units.tables}
    for block in total_blocks(units, sum_kept, drawing.n_drawn, drawing.seed, advance):
        for label, kept in block.items():
            if drawing.tests_pairs:
                tally = tally_shuffles(units.totals(label), kept, units.metric(label).combine)
                tallies[label] = tallies[label].join(tally) if label in tallies else tally
            if drawing.baseline is not None:
                shuffled[label].append(_shuffle_baseline(drawing, label, kept[:, :n_missing]))
        n_missing = max(0, n_missing - kept.shape[1])
    if drawing.baseline is None:
        return tallies, {}
    return tallies, {label: np.concatenate(parts, axis=-1) for label, parts in shuffled.items()}


def _shuffle_baseline(drawing: Drawing, label: str, kept: FloatArray) -> FloatArray:
    """Score the baseline and another system after each exchange, (systems, 2, samples)."""
    totals, combine = drawing.units.totals(label), drawing.units.metric(label).combine
    at = drawing.units.systems.index(str(drawing.baseline))
    return np.array([shuffle_pair(totals, kept, combine, at, other) for other in range(len(totals))])


def _bootstrap_p(drawing: Drawing, label: str, resampled: FloatArray) -> FloatArray | None:
    if drawing.baseline is None:
        return None
    at, scores = drawing.units.systems.index(drawing.baseline), drawing.units.system_scores(label)
    return _except(at, paired_bootstrap_p(resampled[at], resampled, scores[at] - scores))


def _randomization_p(drawing: Drawing, label: str, shuffled: FloatArray | None) -> FloatArray | None:
    if drawing.baseline is None or shuffled is None:
        return None
    at, scores = drawing.units.systems.index(drawing.baseline), drawing.units.system_scores(label)
    return _except(at, paired_randomization_p(shuffled[:, 0], shuffled[:, 1], scores[at] - scores))


def _except(baseline: int, p_values: FloatArray) -> FloatArray:
    """Leave the baseline itself out: it is not compared with itself."""
    return np.where(np.arange(len(p_values)) == baseline, np.nan, p_values)


def _p_of_pairs(units: Evaluation, tally: PairTally | None) -> FloatArray:
    n_systems = len(units.systems)
    return np.ones((n_systems, n_systems)) if tally is None else tally.p_values()


def _counter(n_samples: int, progress: Progress | None) -> Callable[[int], None]:
    done = 0

    def advance(n_more: int) -> None:
        nonlocal done
        done += n_more
        if progress is not None:
            progress(done, n_samples)

    return advance
