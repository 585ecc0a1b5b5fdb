"""Scores of systems on many test sets: averages, ranks, wins, a stratified test, and WMT's AutoRank."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np

from tertium.evaluation.comparison import Comparison, find_interval_level
from tertium.evaluation.evaluation import SystemTotals
from tertium.evaluation.resampling import bootstrap_p
from tertium.evaluation.units import Tested
from tertium.records import record
from tertium.stats.analysis import SEGMENT
from tertium.stats.letters import compact_letters, find_best_group, rank_ranges
from tertium.stats.resampling import confidence_interval
from tertium.stats.significance import holm_pairs
from tertium.values import FloatArray


@record(eq=False)
class ScoredSet:
    """One test set: its name, the sums of the statistics, and intervals and tests."""

    name: str
    totals: SystemTotals
    comparison: Comparison


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
    alpha: float
    seed: int

    @cached_property
    def systems(self) -> list[str]:
        """All systems, in the order of their first appearance."""
        return list(dict.fromkeys(system for scored in self.sets for system in scored.totals.systems))

    @cached_property
    def labels(self) -> list[str]:
        """The metrics that all test sets have."""
        first, *others = (scored.totals.labels for scored in self.sets)
        return [label for label in first if all(label in labels for labels in others)]

    @cached_property
    def common(self) -> list[ScoredSet]:
        """The averaged test sets: the test sets of all systems, or all test sets if no test set has all systems."""
        shared = [scored for scored in self.sets if len(scored.totals.systems) == len(self.systems)]
        return shared or list(self.sets)

    @cached_property
    def averaged(self) -> list[str]:
        """The systems that have an average, because they have all averaged test sets."""
        return [
            system
            for system in self.systems
            if all(system in scored.totals.systems for scored in self.common)
        ]

    @cached_property
    def too_small(self) -> list[str]:
        """The averaged test sets that are too small for tests; if there are some, averages are not tested either.

        Segments are drawn within each test set, and n segments show (n − 1)/n of the variance: with 5 or 10 of
        them in each test set, 6 to 10 % of equal systems differed significantly, with 25 of them about 5 %.
        """
        return [scored.name for scored in self.common if scored.comparison.untested is not None]

    def leaders(self, label: str) -> dict[str, tuple[str, ...]]:
        """Return the systems of each tested set that are not significantly worse than the best one; see `find_best_group`."""
        found = {}
        for scored in self.sets:
            tested, systems = scored.comparison.metrics[label], scored.totals.systems
            if scored.comparison.untested is None and len(systems) > 1:
                higher = self.higher_is_better(label)
                best = find_best_group(tested.scores, tested.letters, higher_is_better=higher)
                found[scored.name] = tuple(systems[i] for i in best)
        return found

    def title(self, label: str) -> str:
        """Return the name of a metric for readers."""
        return self.sets[0].totals.metric(label).write_title(label)

    def higher_is_better(self, label: str) -> bool:
        """Whether a higher score is better."""
        return self.sets[0].totals.metric(label).higher_is_better

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
            if system not in scored.totals.systems:
                scores[scored.name], letters[scored.name] = None, ""
                continue
            at, tested = scored.totals.systems.index(system), scored.comparison.metrics[label]
            is_tested = scored.comparison.untested is None and len(scored.totals.systems) > 1
            scores[scored.name] = float(tested.scores[at])
            letters[scored.name] = tested.letters[at] if is_tested else ""
            better = (
                tested.scores[at] - tested.scores
                if self.higher_is_better(label)
                else (tested.scores - tested.scores[at])
            )
            n_wins += int(np.count_nonzero((tested.adjusted_p[at] < self.alpha) & (better > 0)))
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
        The resamples of each test set are put into another random order, so that test sets are independent even
        where they were drawn with the same seed.
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
        interval = confidence_interval(self._resample_averages(label), level=self._interval_level)
        ends = zip(interval.low.tolist(), interval.high.tolist(), strict=True)
        return self._matrix(label).mean(axis=1), list(ends)

    def pair_p_values(self, label: str) -> FloatArray:
        """Return the p-values of all pairs of averaged systems by a stratified bootstrap, without adjustment."""
        averages = self._matrix(label).mean(axis=1)
        n_units = [scored.comparison.n_units for scored in self.common]
        return bootstrap_p(averages, self._resample_averages(label), n_units, are_segments=self.are_segments)

    @property
    def tested(self) -> list[Tested]:
        """The analysis and the number of units of each test set, for legends."""
        return [(scored.comparison.analysis, scored.comparison.n_units) for scored in self.sets]

    @property
    def are_segments(self) -> bool:
        """Whether segments are resampled in all averaged test sets, not documents."""
        return all(scored.comparison.analysis.unit == SEGMENT for scored in self.common)

    @property
    def _interval_level(self) -> float:
        chosen = min(self.common, key=lambda scored: scored.comparison.analysis.unit == SEGMENT)
        analysis = replace(chosen.comparison.analysis, alpha=self.alpha)
        return find_interval_level(analysis, [scored.comparison.n_units for scored in self.common])

    def _matrix(self, label: str) -> FloatArray:
        """Return the scores (averaged systems, common test sets)."""
        columns = [scored.comparison.metrics[label].scores[self._places(scored)] for scored in self.common]
        return np.stack(columns, axis=1)

    def _resample_averages(self, label: str) -> FloatArray:
        """Return the average scores on resamples (averaged systems, samples)."""
        drawn_sets = []
        for number, scored in enumerate(self.common):
            drawn = scored.comparison.metrics[label].resampled_scores[self._places(scored)]
            order = np.random.default_rng([self.seed, number]).permutation(drawn.shape[1])
            drawn_sets.append(drawn[:, order])
        return np.asarray(np.mean(drawn_sets, axis=0))

    def _places(self, scored: ScoredSet) -> list[int]:
        return [scored.totals.systems.index(system) for system in self.averaged]

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
