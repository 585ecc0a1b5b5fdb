"""Scores of systems on many test sets: averages, ranks, wins, a stratified test, and WMT's AutoRank."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TypeVar

import numpy as np

from tertium.catalog import LabelledMetric
from tertium.evaluation.comparison import Comparison, MetricComparison, find_interval_level
from tertium.evaluation.evaluation import SystemTotals
from tertium.evaluation.resampling import bootstrap_p
from tertium.evaluation.units import Tested
from tertium.metrics.base import Metric
from tertium.records import record
from tertium.stats.analysis import SEGMENT, Analysis
from tertium.stats.letters import compact_letters, find_best_group, rank_ranges
from tertium.stats.resampling import confidence_interval
from tertium.stats.significance import holm_pairs
from tertium.values import FloatArray

T = TypeVar("T")


@record(eq=False)
class SetColumn:
    """The systems of one test set by one metric, in the order of the systems.

    Attributes
    ----------
    letters
        Systems that share a letter do not differ significantly; empty where the systems were not tested.
    n_worse
        For each system, the number of significantly worse systems.
    """

    scores: FloatArray
    letters: tuple[str, ...]
    n_worse: tuple[int, ...]
    signature: str


@record(eq=False)
class ScoredSet:
    """The scores of one test set, without its texts, statistics and resamples.

    Attributes
    ----------
    analysis
        The analysis with the unit that was resampled.
    n_units
        The number of units.
    is_tested
        Whether it has enough units for tests.
    """

    name: str
    systems: tuple[str, ...]
    n_segments: int
    columns: Mapping[str, SetColumn]
    analysis: Analysis
    n_units: int
    is_tested: bool


class SetTally:
    """Test sets that are added one after the other; the resampled scores of one test set are in memory at a time.

    The test sets that are averaged are those that all systems have, or all test sets if there are none. The systems of
    all test sets must therefore be known before the first test set is added.

    Parameters
    ----------
    systems
        The systems of each test set, by its name.
    """

    def __init__(self, systems: Mapping[str, Sequence[str]], *, alpha: float, seed: int) -> None:
        self._alpha, self._seed = alpha, seed
        self._systems = list(dict.fromkeys(system for listed in systems.values() for system in listed))
        shared = [name for name, listed in systems.items() if len(listed) == len(self._systems)]
        self._numbers = {name: number for number, name in enumerate(shared or systems)}
        self._averaged = [
            system for system in self._systems if all(system in systems[name] for name in self._numbers)
        ]
        self._metrics: tuple[LabelledMetric, ...] = ()
        self._sums: dict[str, FloatArray] = {}
        self._sets: list[ScoredSet] = []
        self._known: dict[object, object] = {}

    def add(self, name: str, totals: SystemTotals, comparison: Comparison) -> None:
        """Add the scores of a test set, and its resampled scores to those of the averages."""
        self._metrics = self._metrics or totals.metrics
        columns = {label: self._make_column(label, totals, comparison) for label in totals.labels}
        self._sets.append(
            ScoredSet(
                name,
                self._share(totals.systems),
                totals.n_segments,
                columns,
                self._share(comparison.analysis),
                comparison.n_units,
                comparison.untested is None,
            )
        )
        if name in self._numbers:
            self._add_resamples(self._numbers[name], totals.systems, comparison.metrics)

    def finish(self) -> "ManySets":
        """Return the test sets, with the mean of the resampled scores."""
        common = [scored for scored in self._sets if scored.name in self._numbers]
        means = {label: total / len(common) for label, total in self._sums.items()}
        return ManySets(self._sets, self._metrics, self._systems, self._averaged, common, means, self._alpha)

    def _make_column(self, label: str, totals: SystemTotals, comparison: Comparison) -> SetColumn:
        compared, higher = comparison.metrics[label], totals.metric(label).higher_is_better
        gains = np.subtract.outer(compared.scores, compared.scores) * (1 if higher else -1)
        worse = np.count_nonzero((compared.adjusted_p < self._alpha) & (gains > 0), axis=1)
        is_tested = comparison.untested is None and len(totals.systems) > 1
        letters = compared.letters if is_tested else ("",) * len(totals.systems)
        return SetColumn(
            compared.scores,
            self._share(tuple(letters)),
            self._share(tuple(worse.tolist())),
            self._share(totals.signature(label)),
        )

    def _add_resamples(
        self, number: int, systems: Sequence[str], compared: Mapping[str, MetricComparison]
    ) -> None:
        """Add resampled scores to the sums.

        The resamples are put into another random order for each test set, so that test sets are independent even where they
        were drawn with the same seed.
        """
        places = [systems.index(system) for system in self._averaged]
        for label in compared if not self._sums else list(self._sums):
            if label not in compared:
                del self._sums[label]
                continue
            drawn = compared[label].resampled_scores[places]
            drawn = drawn[:, np.random.default_rng([self._seed, number]).permutation(drawn.shape[1])]
            if (total := self._sums.get(label)) is not None:
                n_samples = min(total.shape[1], drawn.shape[1])  # documents may be resampled less often
                drawn = total[:, :n_samples] + drawn[:, :n_samples]
            self._sums[label] = drawn

    def _share(self, value: T) -> T:
        """Return the equal value of an earlier test set, if there is one, so that it is in memory once."""
        return self._known.setdefault(value, value)  # type: ignore[return-value]


@record(eq=False)
class SystemSummary:
    """A system over many test sets, by one metric.

    Attributes
    ----------
    scores
        The score on each test set, by name; None where the system has no output.
    letters
        The letters on each test set; empty where the systems were not tested.
    average
        The mean score over the test sets of `ManySets.common`; None for a system that misses one of them.
    interval
        The confidence interval of the average.
    overall
        The letters of the average: systems that share a letter do not differ significantly; empty without tests.
    rank_range
        The best and the worst rank of the average that the tests support; None without tests.
    mean_rank
        The mean rank over the same test sets, among the systems that have an average.
    n_wins
        Number of significantly worse systems, summed over all test sets.
    """

    system: str
    scores: Mapping[str, float | None]
    letters: Mapping[str, str]
    average: float | None
    interval: tuple[float, float] | None
    overall: str
    rank_range: tuple[int, int] | None
    mean_rank: float | None
    n_wins: int


@record(eq=False)
class ManySets:
    """Test sets that were scored with the same metrics."""

    sets: Sequence[ScoredSet]
    metrics: tuple[LabelledMetric, ...]
    systems: list[str]
    """All systems, in the order of their first appearance."""
    averaged: list[str]
    """The systems that have an average: those that have all averaged test sets."""
    common: list[ScoredSet]
    """The test sets that are averaged: those that all systems have; all test sets if there are none."""
    resampled: Mapping[str, FloatArray]
    """The average scores on resamples (averaged systems, samples), by metric."""
    alpha: float

    @cached_property
    def labels(self) -> list[str]:
        """The metrics that all test sets have."""
        first, *others = (scored.columns for scored in self.sets)
        return [label for label in first if all(label in columns for columns in others)]

    @cached_property
    def too_small(self) -> list[str]:
        """The averaged test sets that are too small for tests; if there are some, averages are not tested either.

        Segments are drawn within each test set, and n segments show (n − 1)/n of the variance: with 5 or 10 of
        them in each test set, 6 to 10 % of equal systems differed significantly, with 25 of them about 5 %.
        """
        return [scored.name for scored in self.common if not scored.is_tested]

    def leaders(self, label: str) -> dict[str, tuple[str, ...]]:
        """Return the systems of each tested set that are not significantly worse than the best one; see `find_best_group`."""
        found, higher = {}, self.higher_is_better(label)
        for scored in self.sets:
            if scored.is_tested and len(scored.systems) > 1:
                column = scored.columns[label]
                best = find_best_group(column.scores, column.letters, higher_is_better=higher)
                found[scored.name] = tuple(scored.systems[i] for i in best)
        return found

    def title(self, label: str) -> str:
        """Return the name of a metric for readers."""
        return self._metric(label).write_title(label)

    def higher_is_better(self, label: str) -> bool:
        """Whether a higher score is better."""
        return self._metric(label).higher_is_better

    def _metric(self, label: str) -> Metric:
        return next(metric.metric for metric in self.metrics if metric.label == label)

    def summarise(self, label: str) -> list[SystemSummary]:
        """Summarise all systems by one metric; systems with an average come first, the best one at the top."""
        overall = self._test_averages(label)
        rows = [self._summarise_system(label, system, overall.get(system)) for system in self.systems]
        sign = -1 if self.higher_is_better(label) else 1
        return sorted(rows, key=lambda row: (row.average is None, sign * (row.average or 0.0), -row.n_wins))

    def _summarise_system(self, label: str, system: str, overall: "_Overall | None") -> SystemSummary:
        scores: dict[str, float | None] = {}
        letters, n_wins = {}, 0
        for scored in self.sets:
            if system not in scored.systems:
                scores[scored.name], letters[scored.name] = None, ""
                continue
            at, column = scored.systems.index(system), scored.columns[label]
            scores[scored.name], letters[scored.name] = float(column.scores[at]), column.letters[at]
            n_wins += column.n_worse[at]
        return SystemSummary(
            system=system,
            scores=scores,
            letters=letters,
            average=None if overall is None else overall.average,
            interval=None if overall is None else overall.interval,
            overall="" if overall is None else overall.letters,
            rank_range=None if overall is None else overall.rank_range,
            mean_rank=None if overall is None else overall.mean_rank,
            n_wins=n_wins,
        )

    def _test_averages(self, label: str) -> dict[str, "_Overall"]:
        """Test the averages of all pairs of systems by a stratified bootstrap.

        Segments or documents are resampled within each test set, and the scores of the resamples are averaged over the test sets.
        """
        if not self.averaged:
            return {}
        scores = self._matrix(label)
        averages, intervals = self.average(label)
        adjusted = holm_pairs(self.pair_p_values(label))
        higher = self.higher_is_better(label)
        letters = compact_letters(averages, adjusted < self.alpha, higher_is_better=higher)
        ranges = rank_ranges(averages, adjusted < self.alpha, higher_is_better=higher)
        ranks = _rank(scores if higher else -scores).mean(axis=1)
        return {
            system: _Overall(
                float(averages[i]),
                intervals[i],
                "" if self.too_small else letters[i],
                None if self.too_small else ranges[i],
                float(ranks[i]),
            )
            for i, system in enumerate(self.averaged)
        }

    def average(self, label: str) -> tuple[FloatArray, list[tuple[float, float]]]:
        """Return the averages of the averaged systems, and their confidence intervals."""
        interval = confidence_interval(self.resampled[label], level=self._interval_level)
        ends = zip(interval.low.tolist(), interval.high.tolist(), strict=True)
        return self._matrix(label).mean(axis=1), list(ends)

    def pair_p_values(self, label: str) -> FloatArray:
        """Return the p-values of all pairs of averaged systems by a stratified bootstrap, without adjustment."""
        averages = self._matrix(label).mean(axis=1)
        n_units = [scored.n_units for scored in self.common]
        return bootstrap_p(averages, self.resampled[label], n_units, are_segments=self.are_segments)

    @property
    def tested(self) -> list[Tested]:
        """The analysis and the number of units of each test set, for legends."""
        return [(scored.analysis, scored.n_units) for scored in self.sets]

    @property
    def are_segments(self) -> bool:
        """Whether segments are resampled in all averaged test sets, not documents."""
        return all(scored.analysis.unit == SEGMENT for scored in self.common)

    @property
    def _interval_level(self) -> float:
        chosen = min(self.common, key=lambda scored: scored.analysis.unit == SEGMENT)
        analysis = replace(chosen.analysis, alpha=self.alpha)
        return find_interval_level(analysis, [scored.n_units for scored in self.common])

    def _matrix(self, label: str) -> FloatArray:
        """Return the scores (averaged systems, common test sets)."""
        columns = [scored.columns[label].scores[self._places(scored)] for scored in self.common]
        return np.stack(columns, axis=1)

    def _places(self, scored: ScoredSet) -> list[int]:
        return [scored.systems.index(system) for system in self.averaged]

    def auto_ranks(self) -> dict[str, float]:
        """Compute WMT's AutoRank of the systems that have an average, from 1 for the best to their number.

        On each test set, each metric is scaled to (score − median) / (median − 25th percentile), with the better scores
        upwards; the values are averaged over metrics and test sets and mapped linearly to 1 … N.
        """
        if not self.averaged:
            return {}
        scaled = [
            _scale_robustly(matrix[:, k] if self.higher_is_better(label) else -matrix[:, k])
            for label in self.labels
            for matrix in (self._matrix(label),)
            for k in range(matrix.shape[1])
        ]
        mean = np.mean(scaled, axis=0)
        span = float(mean.max() - mean.min())
        places = (mean.max() - mean) / span if span > 0 else np.zeros(len(mean))
        ranks = 1 + (len(mean) - 1) * places
        return dict(zip(self.averaged, ranks.tolist(), strict=True))


def add_sets(
    systems: Mapping[str, Sequence[str]],
    scored: Iterable[tuple[str, SystemTotals, Comparison]],
    *,
    alpha: float,
    seed: int,
) -> ManySets:
    """Add up test sets, given the systems of each.

    Parameters
    ----------
    scored
        The name, the statistics and the comparison of each test set.
    """
    tally = SetTally(systems, alpha=alpha, seed=seed)
    for name, totals, comparison in scored:
        tally.add(name, totals, comparison)
    return tally.finish()


@record(eq=False)
class _Overall:
    average: float
    interval: tuple[float, float]
    letters: str
    rank_range: tuple[int, int] | None
    mean_rank: float


def _rank(scores: FloatArray) -> FloatArray:
    """Rank each column's scores, highest first; ties share the mean rank."""
    above = (scores[None, :, :] > scores[:, None, :]).sum(axis=1)
    equal = (scores[None, :, :] == scores[:, None, :]).sum(axis=1)
    return np.asarray(above + (equal + 1) / 2)


def _scale_robustly(scores: FloatArray) -> FloatArray:
    median, quartile = np.median(scores), np.percentile(scores, 25)
    spread = float(median - quartile)
    return (scores - median) / spread if spread > 0 else scores - median
