"""Scores and p-values over resamples, computed block by block in bounded memory."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np

from tertium.evaluation.evaluation import Resampling, SystemTotals
from tertium.progress import report_progress
from tertium.records import record
from tertium.stats.analysis import SEGMENT, Analysis
from tertium.stats.significance import PairTally, tally_resamples, tally_shuffles
from tertium.values import FloatArray

POISSON_FROM = 200_000
"""From this number of segments on, the Poisson bootstrap is used: sacreBLEU's would need all of them in memory."""

KEPT_BYTES = 2**28
"""Resampled scores may have at most this size (256 MB)."""

INTERVAL_SAMPLES = 1000
"""Resamples for the confidence intervals beside a randomization test, which has none of its own."""

ScoreBlock = Mapping[str, FloatArray]
"""Scores by metric (systems, samples)."""


def choose_resampling(n_units: int) -> Resampling:
    """Choose the bootstrap by the number of segments or groups; no other function decides it."""
    return "poisson" if n_units >= POISSON_FROM else "index"


def max_samples(totals: SystemTotals) -> int:
    """Return the largest number of samples whose scores can be kept."""
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
        The p-values of all pairs (systems, systems); 1 if the pairs were not tested.
    """

    resampled: FloatArray
    pairs: FloatArray


def draw_bootstrap(
    units: SystemTotals, analysis: Analysis, resampling: Resampling, *, tests_pairs: bool
) -> dict[str, ResampledScores]:
    """Draw resamples for intervals and tests."""
    n_samples = analysis.n_samples
    blocks = _score_resamples(units, analysis, resampling, n_samples, n_steps=n_samples)
    found = {}
    for label, resampled in _join_blocks(blocks).items():
        pairs = _untested(units)
        if tests_pairs:
            scores = units.system_scores(label)
            pairs = bootstrap_p(
                scores, resampled, [units.n_segments], are_segments=units.units.name == SEGMENT
            )
        found[label] = ResampledScores(resampled, pairs)
    return found


def bootstrap_p(
    scores: FloatArray, resampled: FloatArray, n_units: Sequence[int], *, are_segments: bool
) -> FloatArray:
    """Return the p-values of all pairs of systems (systems, systems) by the paired bootstrap.

    Parameters
    ----------
    resampled
        The scores on resamples (systems, samples).
    n_units
        The number of units that were resampled, for each test set whose scores are averaged.
    """
    tally, differences = tally_resamples(scores, resampled), np.subtract.outer(scores, scores)
    degrees = max(1, sum(n_units) - len(n_units))  # the variance is estimated from the units, as in a t-test
    return (
        tally.p_values(differences, degrees)
        if are_segments
        else tally.student_p_values(differences, degrees + 1)
    )


def draw_randomization(
    units: SystemTotals, analysis: Analysis, resampling: Resampling, *, tests_pairs: bool
) -> dict[str, ResampledScores]:
    """Draw resamples for intervals, and shuffles for tests."""
    n_resamples = min(analysis.n_samples, INTERVAL_SAMPLES)
    n_steps = n_resamples + tests_pairs * analysis.n_samples
    blocks = _score_resamples(units, analysis, resampling, n_resamples, n_steps=n_steps)
    resampled, tallies = _join_blocks(blocks), dict[str, PairTally]()
    if tests_pairs:
        tallies = _tally_shuffles(units, _shuffle(units, analysis, n_done=n_resamples, n_steps=n_steps))
    return {
        label: ResampledScores(resampled[label], _shuffle_p(units, label, tallies.get(label)))
        for label in units.labels
    }


def _score_resamples(
    units: SystemTotals,
    analysis: Analysis,
    resampling: Resampling,
    n_samples: int,
    *,
    n_steps: int,
) -> Iterator[ScoreBlock]:
    """Score every system on each resample, block by block, and report the progress."""
    widths, n_done = units.widths, 0
    for block in units.resample(n_samples, seed=analysis.seed, resampling=resampling):
        totals = split_columns(block, len(units.systems), widths)
        yield {label: units.metric(label).combine(sums) for label, sums in totals.items()}
        n_done += len(block)
        report_progress("resampling", n_done, n_steps)


def _shuffle(
    units: SystemTotals, analysis: Analysis, *, n_done: int, n_steps: int
) -> Iterator[dict[str, FloatArray]]:
    """Sum the segments that systems keep in each shuffle (systems, samples, k), and report the progress."""
    widths = units.widths
    for block in units.exchange(analysis.n_samples, seed=analysis.seed):
        yield split_columns(block, len(units.systems), widths)
        n_done += len(block)
        report_progress("resampling", n_done, n_steps)


def _join_blocks(blocks: Iterable[ScoreBlock]) -> dict[str, FloatArray]:
    """Return the scores on all samples (systems, samples), by metric."""
    parts: dict[str, list[FloatArray]] = {}
    for block in blocks:
        for label, scores in block.items():
            parts.setdefault(label, []).append(scores)
    return {label: np.concatenate(part, axis=1) for label, part in parts.items()}


def _tally_shuffles(units: SystemTotals, blocks: Iterable[Mapping[str, FloatArray]]) -> dict[str, PairTally]:
    """Test every pair of systems by randomization."""
    tallies: dict[str, PairTally] = {}
    for block in blocks:
        for label, kept in block.items():
            tally = tally_shuffles(units.totals(label), kept, units.metric(label).combine)
            tallies[label] = tallies[label].join(tally) if label in tallies else tally
    return tallies


def _shuffle_p(units: SystemTotals, label: str, tally: PairTally | None) -> FloatArray:
    """Return the p-values of all pairs of systems by randomization; 1 if they were not tested."""
    if tally is None:
        return _untested(units)
    scores = units.system_scores(label)
    differences = np.subtract.outer(scores, scores)
    is_exact = units.units.name != SEGMENT
    return tally.exact_p_values(differences) if is_exact else tally.p_values(differences)


def _untested(units: SystemTotals) -> FloatArray:
    return np.ones((len(units.systems), len(units.systems)))
