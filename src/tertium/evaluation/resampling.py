"""Scores and p-values over resamples, computed block by block in bounded memory."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Literal, NamedTuple, Protocol

import numpy as np

from tertium.catalog import LabelledMetric
from tertium.evaluation.statistics import Evaluation
from tertium.kernels.resampling import sum_kept, sum_poisson, sum_resamples
from tertium.metrics.base import Metric
from tertium.progress import report_progress
from tertium.stats.significance import (
    PairTally,
    ScoreSpread,
    paired_bootstrap_p,
    paired_randomization_p,
    shuffle_pair,
    tally_resamples,
    tally_shuffles,
)
from tertium.types import FloatArray

Resampling = Literal["index", "poisson"]
"""Draw as many segments as there are, as sacreBLEU does; or each segment a Poisson number of times."""

POISSON_FROM = 200_000
"""From so many segments on the bootstrap is Poisson's: sacreBLEU's would need all of them in memory."""


def choose_resampling(n_units: int) -> Resampling:
    """Choose how the bootstrap draws, by the number of segments or groups; the only place that decides it."""
    return "poisson" if n_units >= POISSON_FROM else "index"


KEPT_BYTES = 2**28
"""Resampled scores are kept if they fit into so many bytes (256 MB), and otherwise drawn a second time."""

Blocks = Callable[[int], Iterator[dict[str, FloatArray]]]
"""So many samples' totals by metric, (systems, samples of the block, k) each; the same ones in every call."""

ScoreBlocks = Iterable[Mapping[str, FloatArray]]
"""Blocks of scores by metric, (systems, samples of the block) each, that can be read more than once."""


class SystemTotals(Protocol):
    """What is known of systems once their statistics are summed: an `Evaluation`, or a stream of one."""

    @property
    def systems(self) -> tuple[str, ...]: ...

    @property
    def metrics(self) -> tuple[LabelledMetric, ...]: ...

    @property
    def n_references(self) -> tuple[int, int]: ...

    @property
    def labels(self) -> tuple[str, ...]: ...

    @property
    def n_segments(self) -> int: ...

    def metric(self, label: str) -> Metric: ...

    def totals(self, label: str) -> FloatArray: ...

    def system_scores(self, label: str) -> FloatArray: ...

    def signature(self, label: str, **extra: str | int) -> str: ...


class StreamedTotals(SystemTotals, Protocol):
    """Totals that were resampled while the segments were read."""

    @property
    def resampling_source(self) -> "ResamplingSource": ...


@dataclass(frozen=True, eq=False)
class ResamplingSource:
    """What samples are drawn from: `n_units` segments or groups, which are drawn or exchanged whole."""

    sums: SystemTotals
    n_units: int
    resample: Blocks
    shuffle: Blocks


def source_of(units: Evaluation, seed: int, resampling: Resampling) -> ResamplingSource:
    """Draw from tables in memory."""
    rows = [system for table in units.tables.values() for system in table]

    def by_index(n_samples: int) -> Iterator[FloatArray]:
        return sum_resamples(rows, n_samples, np.random.default_rng(seed))

    def by_poisson(n_samples: int) -> Iterator[FloatArray]:
        return sum_poisson(rows, n_samples, seed=seed)

    def by_swapping(n_samples: int) -> Iterator[FloatArray]:
        return sum_kept(rows, n_samples, np.random.default_rng(seed))

    resample = by_index if resampling == "index" else by_poisson
    return ResamplingSource(
        units, units.n_segments, _split_blocks(units, resample), _split_blocks(units, by_swapping)
    )


def _split_blocks(units: Evaluation, draw: Callable[[int], Iterator[FloatArray]]) -> Blocks:
    widths = {label: table.shape[2] for label, table in units.tables.items()}

    def blocks(n_samples: int) -> Iterator[dict[str, FloatArray]]:
        return (split_columns(block, len(units.systems), widths) for block in draw(n_samples))

    return blocks


def split_columns(block: FloatArray, n_systems: int, widths: Mapping[str, int]) -> dict[str, FloatArray]:
    """Cut columns of all metrics and systems side by side apart: (systems, samples, k) each."""
    ends = np.cumsum([n_systems * width for width in widths.values()])
    parts = np.split(block, ends[:-1], axis=1)
    return {
        label: np.ascontiguousarray(np.swapaxes(part.reshape(len(block), n_systems, width), 0, 1))
        for (label, width), part in zip(widths.items(), parts, strict=True)
    }


def max_samples(sums: SystemTotals) -> int:
    """The largest number of samples whose scores are kept."""
    return KEPT_BYTES // (8 * len(sums.systems) * len(sums.labels))


@dataclass(frozen=True, eq=False)
class _RepeatableScores:
    """Scores that are drawn again, and are the same, whenever they are read."""

    sums: SystemTotals
    blocks: Callable[[], Iterator[dict[str, FloatArray]]]

    def __iter__(self) -> Iterator[dict[str, FloatArray]]:
        for totals in self.blocks():
            yield {label: self.sums.metric(label).combine(each) for label, each in totals.items()}


def score_blocks(sums: SystemTotals, blocks: Blocks, n_samples: int) -> ScoreBlocks:
    """Score every system on each sample under every metric; the blocks can be read more than once."""
    drawn = _RepeatableScores(sums, partial(blocks, n_samples))
    return list(drawn) if n_samples <= max_samples(sums) else drawn


class ScoreSurvey(NamedTuple):
    """The scores on the first samples, (systems, samples), and the spread of all, by metric."""

    first: dict[str, FloatArray]
    spreads: dict[str, ScoreSpread]


def survey_scores(blocks: ScoreBlocks, n_first: int) -> ScoreSurvey:
    """Read all blocks once, and keep the scores of the first samples."""
    first: dict[str, list[FloatArray]] = {}
    spreads: dict[str, list[ScoreSpread]] = {}
    n_seen = 0
    for block in blocks:
        for label, scores in block.items():
            spreads.setdefault(label, []).append(ScoreSpread.of(scores))
            first.setdefault(label, []).append(scores[:, : max(0, n_first - n_seen)])
        n_seen += scores.shape[1]
    return ScoreSurvey(
        {label: np.concatenate(parts, axis=1) for label, parts in first.items()},
        {label: ScoreSpread.join(parts) for label, parts in spreads.items()},
    )


def tally_pairs(
    sums: SystemTotals, blocks: ScoreBlocks, spreads: Mapping[str, ScoreSpread]
) -> dict[str, PairTally]:
    """Test every pair of systems by bootstrap under every metric."""
    scores = {label: sums.system_scores(label) for label in spreads}
    tallies: dict[str, PairTally] = {}
    for block in blocks:
        for label, resampled in block.items():
            tally = tally_resamples(scores[label], resampled, spreads[label])
            tallies[label] = tallies[label].join(tally) if label in tallies else tally
    return tallies


INTERVAL_SAMPLES = 1000
"""Of randomization's intervals, which are bootstrapped all the same."""


@dataclass(frozen=True, eq=False)
class Drawing:
    """What to draw: `n_samples` for intervals and the baseline, `n_drawn` for all pairs of systems."""

    source: ResamplingSource
    n_samples: int
    n_drawn: int
    baseline: str | None
    tests_pairs: bool


@dataclass(frozen=True, eq=False)
class ResampledScores:
    """Scores on resamples, p-values of all pairs (calibrated) and against the baseline (sacreBLEU's)."""

    resampled: FloatArray
    pairs: FloatArray
    baseline: FloatArray | None


def draw_bootstrap(drawing: Drawing) -> dict[str, ResampledScores]:
    """Draw resamples, for intervals as well as for tests."""
    sums = drawing.source.sums
    n_reads = 1 if drawing.n_drawn <= max_samples(sums) else 1 + drawing.tests_pairs
    advance = _counter(n_reads * drawing.n_drawn)
    blocks = score_blocks(sums, _watched(drawing.source.resample, advance), drawing.n_drawn)
    first, spreads = survey_scores(blocks, drawing.n_samples)
    tallies = tally_pairs(sums, blocks, spreads) if drawing.tests_pairs else {}
    return {
        label: ResampledScores(
            resampled, _p_of_pairs(sums, tallies.get(label)), _bootstrap_p(drawing, label, resampled)
        )
        for label, resampled in first.items()
    }


def draw_randomization(drawing: Drawing) -> dict[str, ResampledScores]:
    """Draw resamples for intervals, and shuffles for tests."""
    sums = drawing.source.sums
    n_resamples = min(drawing.n_samples, INTERVAL_SAMPLES)
    tests = drawing.tests_pairs or drawing.baseline is not None
    advance = _counter(n_resamples + tests * drawing.n_drawn)
    blocks = score_blocks(sums, _watched(drawing.source.resample, advance), n_resamples)
    resampled = survey_scores(blocks, n_resamples).first
    tallies, shuffled = _shuffle(drawing, advance) if tests else ({}, {})
    return {
        label: ResampledScores(
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


def _p_of_pairs(sums: SystemTotals, tally: PairTally | None) -> FloatArray:
    n_systems = len(sums.systems)
    return np.ones((n_systems, n_systems)) if tally is None else tally.p_values()


def _watched(blocks: Blocks, advance: Callable[[int], None]) -> Blocks:
    """Report every block of samples."""

    def watched(n_samples: int) -> Iterator[dict[str, FloatArray]]:
        for block in blocks(n_samples):
            yield block
            advance(next(iter(block.values())).shape[1])

    return watched


def _counter(n_samples: int) -> Callable[[int], None]:
    """Count samples and report the progress."""
    done = 0

    def advance(n_more: int) -> None:
        nonlocal done
        done += n_more
        report_progress("resampling", done, n_samples)

    return advance
