"""Scores and p-values over resamples, computed block by block in bounded memory."""

from collections.abc import Iterable, Iterator, Mapping
from functools import partial

import numpy as np

from tertium.evaluation.statistics import Resampling, SystemTotals
from tertium.progress import report_progress
from tertium.records import record
from tertium.stats.analysis import Analysis
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

POISSON_FROM = 200_000
"""From this number of segments on, the Poisson bootstrap is used: sacreBLEU's would need all of them in memory."""

KEPT_BYTES = 2**28
"""Resampled scores of at most this size (256 MB) are kept; larger ones are drawn a second time."""

INTERVAL_SAMPLES = 1000
"""Resamples for the confidence intervals beside a randomization test, which has none of its own."""

ScoreBlock = Mapping[str, FloatArray]
"""Scores by metric (systems, samples)."""


def choose_resampling(n_units: int) -> Resampling:
    """Choose the bootstrap by the number of segments or groups; no other function decides it."""
    return "poisson" if n_units >= POISSON_FROM else "index"


def max_samples(totals: SystemTotals) -> int:
    """Return the largest number of samples whose scores are kept."""
    return KEPT_BYTES // (8 * len(totals.systems) * len(totals.labels))


def split_columns(block: FloatArray, n_systems: int, widths: Mapping[str, int]) -> dict[str, FloatArray]:
    """Split columns of all metrics and systems into one array (systems, samples, k) per metric."""
    ends = np.cumsum([n_systems * width for width in widths.values()])
    parts = np.split(block, ends[:-1], axis=1)
    return {
        label: np.ascontiguousarray(np.swapaxes(part.reshape(len(block), n_systems, width), 0, 1))
        for (label, width), part in zip(widths.items(), parts, strict=True)
    }


@record(eq=False)
class ResampledScores:
    """The scores of one metric on resamples, and p-values.

    Attributes
    ----------
    resampled
        The scores (systems, samples).
    pairs
        Calibrated p-values of all pairs (systems, systems).
    baseline
        sacreBLEU's p-values of all systems against the baseline; NaN for the baseline itself.
    """

    resampled: FloatArray
    pairs: FloatArray
    baseline: FloatArray | None


def draw_bootstrap(
    units: SystemTotals, analysis: Analysis, resampling: Resampling, n_drawn: int, *, tests_pairs: bool
) -> dict[str, ResampledScores]:
    """Draw resamples for intervals and tests.

    Parameters
    ----------
    n_drawn
        Samples for the tests of all pairs; intervals and the baseline use the first `analysis.n_samples`.
    """
    is_kept = n_drawn <= max_samples(units)
    n_reads = 2 if tests_pairs and not is_kept else 1
    draw = partial(_score_resamples, units, analysis, resampling, n_drawn, n_steps=n_reads * n_drawn)
    blocks = list(draw()) if is_kept else draw()
    first, spreads = _survey(blocks, analysis.n_samples)
    tallies = dict[str, PairTally]()
    if tests_pairs:
        tallies = _tally_resamples(units, blocks if is_kept else draw(n_done=n_drawn), spreads)
    found = {}
    for label, resampled in first.items():
        p_values = None
        if analysis.baseline is not None:
            at, scores = units.systems.index(analysis.baseline), units.system_scores(label)
            p_values = paired_bootstrap_p(resampled[at], resampled, scores[at] - scores)
            p_values[at] = np.nan
        found[label] = ResampledScores(resampled, _pair_p(units, tallies.get(label)), p_values)
    return found


def draw_randomization(
    units: SystemTotals, analysis: Analysis, resampling: Resampling, n_drawn: int, *, tests_pairs: bool
) -> dict[str, ResampledScores]:
    """Draw resamples for intervals, and shuffles for tests; see `draw_bootstrap`."""
    n_resamples = min(analysis.n_samples, INTERVAL_SAMPLES)
    tests = tests_pairs or analysis.baseline is not None
    n_steps = n_resamples + tests * n_drawn
    blocks = _score_resamples(units, analysis, resampling, n_resamples, n_steps=n_steps)
    resampled, _ = _survey(blocks, n_resamples)
    tallies, shuffled = dict[str, PairTally](), dict[str, FloatArray]()
    if tests:
        shuffles = _shuffle(units, analysis, n_drawn, n_done=n_resamples, n_steps=n_steps)
        tallies, shuffled = _tally_shuffles(units, shuffles, analysis, tests_pairs=tests_pairs)
    found = {}
    for label in units.labels:
        p_values = None
        if analysis.baseline is not None:
            at, scores = units.systems.index(analysis.baseline), units.system_scores(label)
            own, other = np.swapaxes(shuffled[label], 0, 1)
            p_values = paired_randomization_p(own, other, scores[at] - scores)
            p_values[at] = np.nan
        found[label] = ResampledScores(resampled[label], _pair_p(units, tallies.get(label)), p_values)
    return found


def _score_resamples(
    units: SystemTotals,
    analysis: Analysis,
    resampling: Resampling,
    n_samples: int,
    *,
    n_done: int = 0,
    n_steps: int,
) -> Iterator[ScoreBlock]:
    """Score every system on each resample, block by block, and report the progress."""
    widths = units.widths
    for block in units.resample(n_samples, seed=analysis.seed, resampling=resampling):
        totals = split_columns(block, len(units.systems), widths)
        yield {label: units.metric(label).combine(each) for label, each in totals.items()}
        n_done += len(block)
        report_progress("resampling", n_done, n_steps)


def _shuffle(
    units: SystemTotals, analysis: Analysis, n_samples: int, *, n_done: int, n_steps: int
) -> Iterator[dict[str, FloatArray]]:
    """Sum the segments that systems keep in each shuffle (systems, samples, k), and report the progress."""
    widths = units.widths
    for block in units.exchange(n_samples, seed=analysis.seed):
        yield split_columns(block, len(units.systems), widths)
        n_done += len(block)
        report_progress("resampling", n_done, n_steps)


def _survey(
    blocks: Iterable[ScoreBlock], n_first: int
) -> tuple[dict[str, FloatArray], dict[str, ScoreSpread]]:
    """Return the scores on the first samples (systems, samples) and the spread of all, by metric."""
    first: dict[str, list[FloatArray]] = {}
    spreads: dict[str, list[ScoreSpread]] = {}
    n_seen = 0
    for block in blocks:
        for label, scores in block.items():
            spreads.setdefault(label, []).append(ScoreSpread.of(scores))
            first.setdefault(label, []).append(scores[:, : max(0, n_first - n_seen)])
        n_seen += scores.shape[1]
    return (
        {label: np.concatenate(parts, axis=1) for label, parts in first.items()},
        {label: ScoreSpread.join(parts) for label, parts in spreads.items()},
    )


def _tally_resamples(
    units: SystemTotals, blocks: Iterable[ScoreBlock], spreads: Mapping[str, ScoreSpread]
) -> dict[str, PairTally]:
    """Test every pair of systems by bootstrap."""
    scores = {label: units.system_scores(label) for label in spreads}
    tallies: dict[str, PairTally] = {}
    for block in blocks:
        for label, resampled in block.items():
            tally = tally_resamples(scores[label], resampled, spreads[label])
            tallies[label] = tallies[label].join(tally) if label in tallies else tally
    return tallies


def _tally_shuffles(
    units: SystemTotals,
    blocks: Iterable[Mapping[str, FloatArray]],
    analysis: Analysis,
    *,
    tests_pairs: bool,
) -> tuple[dict[str, PairTally], dict[str, FloatArray]]:
    """Test every pair of systems by randomization; score the baseline and each other system on the first shuffles.

    The scores are (systems, 2, samples).
    """
    tallies: dict[str, PairTally] = {}
    shuffled: dict[str, list[FloatArray]] = {}
    n_seen = 0
    for block in blocks:
        for label, kept in block.items():
            totals, combine = units.totals(label), units.metric(label).combine
            if tests_pairs:
                tally = tally_shuffles(totals, kept, combine)
                tallies[label] = tallies[label].join(tally) if label in tallies else tally
            if analysis.baseline is not None and n_seen < analysis.n_samples:
                first, at = kept[:, : analysis.n_samples - n_seen], units.systems.index(analysis.baseline)
                pairs = [shuffle_pair(totals, first, combine, at, other) for other in range(len(totals))]
                shuffled.setdefault(label, []).append(np.array(pairs))
        n_seen += kept.shape[1]
    return tallies, {label: np.concatenate(parts, axis=-1) for label, parts in shuffled.items()}


def _pair_p(units: SystemTotals, tally: PairTally | None) -> FloatArray:
    """Return the p-values of all pairs of systems; 1 if they were not tested."""
    n_systems = len(units.systems)
    return np.ones((n_systems, n_systems)) if tally is None else tally.p_values()
