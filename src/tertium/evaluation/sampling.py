"""Totals and scores over resamples, block by block and in bounded memory."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Literal, NamedTuple, Protocol

import numpy as np

from tertium.catalog import LabelledMetric
from tertium.evaluation.statistics import Evaluation
from tertium.kernels.poisson import sum_poisson
from tertium.kernels.resampling import sum_kept, sum_resamples
from tertium.metrics.base import Metric
from tertium.stats.pairwise import PairTally, ScoreSpread, tally_resamples
from tertium.types import FloatArray

__all__ = [
    "POISSON_FROM",
    "Blocks",
    "Resampling",
    "ScoreBlocks",
    "Source",
    "Summed",
    "Survey",
    "most_samples",
    "score_blocks",
    "source_of",
    "split_columns",
    "survey_scores",
    "tally_pairs",
]

Resampling = Literal["index", "poisson"]
"""Draw as many segments as there are, as sacreBLEU does; or each segment a Poisson number of times."""

POISSON_FROM = 200_000
"""From so many segments on the bootstrap is Poisson's: sacreBLEU's would need all of them in memory."""

KEPT_BYTES = 2**28
"""Resampled scores are kept if they fit into so many bytes (256 MB), and otherwise drawn a second time."""

Blocks = Callable[[int], Iterator[dict[str, FloatArray]]]
"""So many samples' totals by metric, (systems, samples of the block, k) each; the same ones in every call."""

ScoreBlocks = Iterable[Mapping[str, FloatArray]]
"""Blocks of scores by metric, (systems, samples of the block) each, that can be read more than once."""


class Summed(Protocol):
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


@dataclass(frozen=True, eq=False)
class Source:
    """What samples are drawn from: `n_units` segments or groups, which are drawn or exchanged whole."""

    sums: Summed
    n_units: int
    resample: Blocks
    shuffle: Blocks


def source_of(units: Evaluation, seed: int, resampling: Resampling) -> Source:
    """Draw from tables in memory."""
    rows = [system for table in units.tables.values() for system in table]

    def by_index(n_samples: int) -> Iterator[FloatArray]:
        return sum_resamples(rows, n_samples, np.random.default_rng(seed))

    def by_poisson(n_samples: int) -> Iterator[FloatArray]:
        return sum_poisson(rows, n_samples, seed=seed)

    def by_swapping(n_samples: int) -> Iterator[FloatArray]:
        return sum_kept(rows, n_samples, np.random.default_rng(seed))

    resample = by_index if resampling == "index" else by_poisson
    return Source(units, units.n_segments, _split_blocks(units, resample), _split_blocks(units, by_swapping))


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


def most_samples(sums: Summed) -> int:
    """The largest number of samples whose scores are kept."""
    return KEPT_BYTES // (8 * len(sums.systems) * len(sums.labels))


@dataclass(frozen=True, eq=False)
class _Redrawn:
    """Scores that are drawn again, and are the same, whenever they are read."""

    sums: Summed
    blocks: Callable[[], Iterator[dict[str, FloatArray]]]

    def __iter__(self) -> Iterator[dict[str, FloatArray]]:
        for totals in self.blocks():
            yield {label: self.sums.metric(label).combine(each) for label, each in totals.items()}


def score_blocks(sums: Summed, blocks: Blocks, n_samples: int) -> ScoreBlocks:
    """Score every system on each sample under every metric; the blocks can be read more than once."""
    drawn = _Redrawn(sums, partial(blocks, n_samples))
    return list(drawn) if n_samples <= most_samples(sums) else drawn


class Survey(NamedTuple):
    """The scores on the first samples, (systems, samples), and the spread of all, by metric."""

    first: dict[str, FloatArray]
    spreads: dict[str, ScoreSpread]


def survey_scores(blocks: ScoreBlocks, n_first: int) -> Survey:
    """Read all blocks once, and keep the scores of the first samples."""
    first: dict[str, list[FloatArray]] = {}
    spreads: dict[str, list[ScoreSpread]] = {}
    n_seen = 0
    for block in blocks:
        for label, scores in block.items():
            spreads.setdefault(label, []).append(ScoreSpread.of(scores))
            first.setdefault(label, []).append(scores[:, : max(0, n_first - n_seen)])
        n_seen += scores.shape[1]
    return Survey(
        {label: np.concatenate(parts, axis=1) for label, parts in first.items()},
        {label: ScoreSpread.join(parts) for label, parts in spreads.items()},
    )


def tally_pairs(
    sums: Summed, blocks: ScoreBlocks, spreads: Mapping[str, ScoreSpread]
) -> dict[str, PairTally]:
    """Test every pair of systems by bootstrap under every metric."""
    scores = {label: sums.system_scores(label) for label in spreads}
    tallies: dict[str, PairTally] = {}
    for block in blocks:
        for label, resampled in block.items():
            tally = tally_resamples(scores[label], resampled, spreads[label])
            tallies[label] = tallies[label].join(tally) if label in tallies else tally
    return tallies
