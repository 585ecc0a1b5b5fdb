"""Totals and scores of an evaluation over resamples, block by block and in bounded memory."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from tertium.evaluation.statistics import Evaluation
from tertium.kernels.resampling import SumSamples
from tertium.stats.pairwise import PairTally, ScoreSpread, tally_resamples
from tertium.types import FloatArray

__all__ = [
    "ScoreBlocks",
    "Survey",
    "fits_in_memory",
    "most_samples",
    "score_blocks",
    "survey_scores",
    "tally_pairs",
    "total_blocks",
]

KEPT_BYTES = 2**28
"""Resampled scores are kept if they fit into so many bytes (256 MB), and otherwise drawn a second time."""

ScoreBlocks = Iterable[Mapping[str, FloatArray]]
"""Blocks of scores by metric, (systems, samples of the block) each, that can be read more than once."""


def total_blocks(
    evaluation: Evaluation, draw: SumSamples, n_samples: int, seed: int, advance: Callable[[int], None]
) -> Iterator[dict[str, FloatArray]]:
    """Sum every metric's statistics over each sample, (systems, samples of the block, k) each."""
    rows = [system for table in evaluation.tables.values() for system in table]
    for block in draw(rows, n_samples, np.random.default_rng(seed)):
        yield _split(block, evaluation.tables)
        advance(len(block))


@dataclass(frozen=True, eq=False)
class _Redrawn:
    """Scores that are drawn again, and are the same, whenever they are read."""

    evaluation: Evaluation
    draw: SumSamples
    n_samples: int
    seed: int
    advance: Callable[[int], None]

    def __iter__(self) -> Iterator[dict[str, FloatArray]]:
        for totals in total_blocks(self.evaluation, self.draw, self.n_samples, self.seed, self.advance):
            yield {label: self.evaluation.metric(label).combine(each) for label, each in totals.items()}


def fits_in_memory(evaluation: Evaluation, n_samples: int) -> bool:
    """Whether all scores of so many samples may be kept."""
    return n_samples <= most_samples(evaluation)


def most_samples(evaluation: Evaluation) -> int:
    """The largest number of samples whose scores may be kept."""
    return KEPT_BYTES // (8 * len(evaluation.systems) * len(evaluation.tables))


def score_blocks(
    evaluation: Evaluation, draw: SumSamples, n_samples: int, seed: int, advance: Callable[[int], None]
) -> ScoreBlocks:
    """Score every system on each sample under every metric; the blocks can be read more than once."""
    drawn = _Redrawn(evaluation, draw, n_samples, seed, advance)
    return list(drawn) if fits_in_memory(evaluation, n_samples) else drawn


class Survey(NamedTuple):
    """The scores on the first samples, (systems, samples), and the spread of all, by metric."""

    first: dict[str, FloatArray]
    spreads: dict[str, ScoreSpread]


def survey_scores(blocks: ScoreBlocks, labels: Iterable[str], n_first: int) -> Survey:
    """Read all blocks once, and keep the scores of the first samples."""
    first: dict[str, list[FloatArray]] = {label: [] for label in labels}
    spreads: dict[str, list[ScoreSpread]] = {label: [] for label in first}
    n_missing = n_first
    for block in blocks:
        for label, scores in block.items():
            spreads[label].append(ScoreSpread.of(scores))
            first[label].append(scores[:, :n_missing])
        n_missing -= first[next(iter(first))][-1].shape[1]
    return Survey(
        {label: np.concatenate(parts, axis=1) for label, parts in first.items()},
        {label: ScoreSpread.join(parts) for label, parts in spreads.items()},
    )


def tally_pairs(
    evaluation: Evaluation, blocks: ScoreBlocks, spreads: Mapping[str, ScoreSpread]
) -> dict[str, PairTally]:
    """Test every pair of systems by bootstrap under every metric."""
    scores = {label: evaluation.system_scores(label) for label in spreads}
    tallies: dict[str, PairTally] = {}
    for block in blocks:
        for label, resampled in block.items():
            tally = tally_resamples(scores[label], resampled, spreads[label])
            tallies[label] = tallies[label].join(tally) if label in tallies else tally
    return tallies


def _split(block: FloatArray, tables: Mapping[str, FloatArray]) -> dict[str, FloatArray]:
    """Cut the columns of all metrics and systems apart: (systems, samples, k) each."""
    shapes = {label: (table.shape[0], table.shape[2]) for label, table in tables.items()}
    ends = np.cumsum([n_systems * k for n_systems, k in shapes.values()])
    parts = np.split(block, ends[:-1], axis=1)
    return {
        label: np.swapaxes(part.reshape(len(block), *shape), 0, 1)
        for (label, shape), part in zip(shapes.items(), parts, strict=True)
    }
