"""What is drawn for a comparison: scores on resamples, and p-values of the paired tests."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from tertium.evaluation.sampling import (
    Blocks,
    Source,
    Summed,
    most_samples,
    score_blocks,
    survey_scores,
    tally_pairs,
)
from tertium.resources.progress import report_progress
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

    source: Source
    n_samples: int
    n_drawn: int
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
    sums = drawing.source.sums
    n_reads = 1 if drawing.n_drawn <= most_samples(sums) else 1 + drawing.tests_pairs
    advance = _counter(n_reads * drawing.n_drawn, progress)
    blocks = score_blocks(sums, _watched(drawing.source.resample, advance), drawing.n_drawn)
    first, spreads = survey_scores(blocks, drawing.n_samples)
    tallies = tally_pairs(sums, blocks, spreads) if drawing.tests_pairs else {}
    return {
        label: Drawn(
            resampled, _p_of_pairs(sums, tallies.get(label)), _bootstrap_p(drawing, label, resampled)
        )
        for label, resampled in first.items()
    }


def draw_randomization(drawing: Drawing, progress: Progress | None) -> dict[str, Drawn]:
    """Draw resamples for intervals, and shuffles for tests."""
    sums = drawing.source.sums
    n_resamples = min(drawing.n_samples, INTERVAL_SAMPLES)
    tests = drawing.tests_pairs or drawing.baseline is not None
    advance = _counter(n_resamples + tests * drawing.n_drawn, progress)
    blocks = score_blocks(sums, _watched(drawing.source.resample, advance), n_resamples)
    resampled = survey_scores(blocks, n_resamples).first
    tallies, shuffled = _shuffle(drawing, advance) if tests else ({}, {})
    return {
        label: Drawn(
            resampled[label],
            _p_of_pairs(sums, tallies.get(label)),
            _randomization_p(drawing, label, shuffled.get(label)),
        )
        for label in sums.labels
    }


def _shuffle(
    drawing: Drawing, advance: Callable[[int], None]
) -> tuple[dict[str, PairTally], dict[str, FloatArray]]:
    """Tally all pairs of systems; and score the baseline and each other system on the first shuffles."""
    sums, n_seen = drawing.source.sums, 0
    tallies: dict[str, PairTally] = {}
    shuffled: dict[str, list[FloatArray]] = {}
    for block in _watched(drawing.source.shuffle, advance)(drawing.n_drawn):
        for label, kept in block.items():
            if drawing.tests_pairs:
                tally = tally_shuffles(sums.totals(label), kept, sums.metric(label).combine)
                tallies[label] = tallies[label].join(tally) if label in tallies else tally
            if drawing.baseline is not None and n_seen < drawing.n_samples:
                first = kept[:, : drawing.n_samples - n_seen]
                shuffled.setdefault(label, []).append(_shuffle_baseline(drawing, label, first))
        n_seen += kept.shape[1]
    return tallies, {label: np.concatenate(parts, axis=-1) for label, parts in shuffled.items()}


def _shuffle_baseline(drawing: Drawing, label: str, kept: FloatArray) -> FloatArray:
    """Score the baseline and another system after each exchange, (systems, 2, samples)."""
    sums = drawing.source.sums
    totals, combine = sums.totals(label), sums.metric(label).combine
    at = sums.systems.index(str(drawing.baseline))
    return np.array([shuffle_pair(totals, kept, combine, at, other) for other in range(len(totals))])


def _bootstrap_p(drawing: Drawing, label: str, resampled: FloatArray) -> FloatArray | None:
    if drawing.baseline is None:
        return None
    at, scores = drawing.source.sums.systems.index(drawing.baseline), drawing.source.sums.system_scores(label)
    return _except(at, paired_bootstrap_p(resampled[at], resampled, scores[at] - scores))


def _randomization_p(drawing: Drawing, label: str, shuffled: FloatArray | None) -> FloatArray | None:
    if drawing.baseline is None or shuffled is None:
        return None
    at, scores = drawing.source.sums.systems.index(drawing.baseline), drawing.source.sums.system_scores(label)
    return _except(at, paired_randomization_p(shuffled[:, 0], shuffled[:, 1], scores[at] - scores))


def _except(baseline: int, p_values: FloatArray) -> FloatArray:
    """Leave the baseline itself out: it is not compared with itself."""
    return np.where(np.arange(len(p_values)) == baseline, np.nan, p_values)


def _p_of_pairs(sums: Summed, tally: PairTally | None) -> FloatArray:
    n_systems = len(sums.systems)
    return np.ones((n_systems, n_systems)) if tally is None else tally.p_values()


def _watched(blocks: Blocks, advance: Callable[[int], None]) -> Blocks:
    """Report every block of samples."""

    def watched(n_samples: int) -> Iterator[dict[str, FloatArray]]:
        for block in blocks(n_samples):
            yield block
            advance(next(iter(block.values())).shape[1])

    return watched


def _counter(n_samples: int, progress: Progress | None) -> Callable[[int], None]:
    """Count samples, and tell whoever was given, or else whoever listens, such as a bar on the terminal."""
    done = 0

    def advance(n_more: int) -> None:
        nonlocal done
        done += n_more
        if progress is not None:
            progress(done, n_samples)
        else:
            report_progress("resampling", done, n_samples)

    return advance
