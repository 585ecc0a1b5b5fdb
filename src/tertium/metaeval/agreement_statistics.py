"""The statistics of agreement: each is one object that computes its value, its permutation test and its resamples."""

from abc import ABC, abstractmethod
from dataclasses import KW_ONLY
from functools import partial
from typing import Any, ClassVar, Generic, TypeVar, get_args

import numpy as np
import numpy.typing as npt

from tertium.corpus.judgments.score_files import Level
from tertium.errors import OptionError, argument
from tertium.evaluation.selection import SegmentColumns, part_by
from tertium.kernels.resampling import group_coefficients
from tertium.metaeval.judged_sets import JudgedSet
from tertium.records import record
from tertium.stats.agreement import (
    TieDecisions,
    TieRule,
    approximate_soft_accuracy,
    decide_ties,
    pairs_in_groups,
    pairwise_accuracy,
    soft_pairwise_accuracy,
)
from tertium.stats.correlation import (
    Coefficient,
    Grouping,
    average_over_groups,
    difference_pearson,
    kendall_b,
    kendall_c,
    pearson,
    red_tau,
    spearman,
)
from tertium.stats.human import DARR_POINTS, Comparisons, ranking_kendall, relative_rankings, score_systems
from tertium.stats.metric_resamples import (
    bootstrap_calibrated_ties,
    bootstrap_differences,
    bootstrap_pearson,
    bootstrap_rankings,
    bootstrap_soft_accuracy,
    bootstrap_statistic,
)
from tertium.stats.metric_tests import (
    Permutations,
    permute_by_group,
    permute_calibrated_ties,
    permute_differences,
    permute_pearson,
    permute_rankings,
    permute_scores,
)
from tertium.stats.resampling import Groups, group_cells, select_units
from tertium.values import FloatArray

Human = TypeVar("Human")
"""The type of the human judgments that a statistic reads."""

MIN_SYSTEMS = 3  # two systems correlate perfectly, positively or negatively, for any metric


@record(eq=False)
class Draws(Generic[Human]):
    """The data of a permutation test or a bootstrap, and the number of draws.

    Attributes
    ----------
    human
        The human judgments.
    metrics
        The scores of all metrics, with metrics in the first axis.
    by
        How the scores are grouped.
    n_samples
        The number of random exchanges or resamples.
    units
        The unit of each segment, such as its document, which is resampled as a whole, and exchanged as a whole for each system;
        None for single segments.
    """

    human: Human
    metrics: FloatArray
    by: Grouping
    n_samples: int
    rng: np.random.Generator
    units: Groups | None = None

    @property
    def sampling(self) -> tuple[int, np.random.Generator, Groups | None]:
        """The last arguments of most tests and intervals."""
        return self.n_samples, self.rng, self.units


@record
class Statistic(ABC, Generic[Human]):
    """A statistic of the agreement between a metric and human judgments.

    A new statistic is one object, passed to `register`. A coefficient over two rows of scores is a
    `CoefficientStatistic`; other statistics are subclasses.

    Metric scores are oriented here: higher is better. Those of several metrics have them in the first axis.

    Attributes
    ----------
    name
        As the user writes it: `segment:NAME`.
    title
        For headings of tables.
    levels
        The levels at which the statistic exists.
    """

    name: str
    title: str
    _: KW_ONLY
    levels: tuple[Level, ...] = ("system", "segment")

    undefined: ClassVar[str] = "undefined"
    """The reason that tables give if `compute` returns NaN."""

    can_group: ClassVar[bool] = True
    """Whether segment scores may be grouped by item or by system."""

    has_williams: ClassVar[bool] = False
    """Whether Williams' test applies to scores without groups."""

    reads_level: ClassVar[Level | None] = None
    """The level of the metric scores that the statistic reads, if it is not the level of the statistic."""

    @abstractmethod
    def select_judgments(self, judged: JudgedSet, level: Level) -> Human | None:
        """Return the human judgments that the statistic reads; None if the set has no such judgments."""

    def metric_level(self, level: Level) -> Level:
        """The level of the metric scores that the statistic reads."""
        return self.reads_level or level

    @abstractmethod
    def explain_undefined(self, human: Human, metric: FloatArray) -> str | None:
        """Explain why the statistic does not exist for these scores; None if it may exist."""

    @abstractmethod
    def compute(self, human: Human, metric: FloatArray, by: Grouping) -> FloatArray:
        """Compute the value; NaN if it does not exist."""

    def threshold(self, human: Human, metric: FloatArray, by: Grouping) -> float | None:  # noqa: ARG002
        """The largest difference of metric scores that counts as a tie; None if the statistic has no such threshold."""
        return None

    def pool_weight(self, human: Human) -> float:  # noqa: ARG002
        """The weight of a language pair in the last column; it is an average if all weights are 1."""
        return 1.0

    @abstractmethod
    def permute(self, draws: Draws[Human]) -> Permutations:
        """Run the permutation test between all metrics."""

    @abstractmethod
    def bootstrap(self, draws: Draws[Human]) -> FloatArray | None:
        """Compute the values on bootstrap resamples, (metrics, samples); None if the statistic has no intervals."""

    @abstractmethod
    def count_units(self, human: Human) -> tuple[int, str]:
        """Count the judgments that the statistic is computed from, and name them."""


class ScoreStatistic(Statistic[FloatArray]):
    """A statistic of human scores, (systems,) or (systems, segments), NaN where there is no judgment.

    The permutation test (PERM-BOTH) and the bootstrap call `compute` for every resample, with the scores of all metrics
    and of many exchanges at once: `compute` takes (..., systems) or (..., systems, segments).
    """

    def select_judgments(self, judged: JudgedSet, level: Level) -> FloatArray | None:
        return select_scores(judged, judged.system_scores, judged.segment_scores, self.metric_level(level))

    def explain_undefined(self, human: FloatArray, metric: FloatArray) -> str | None:
        judged = ~np.isnan(human)
        if not judged.any():
            return "no judgments"
        if too_few := self._explain_too_few(judged):
            return too_few
        if np.isnan(metric[judged]).any():
            return "scores are missing"
        if np.ptp(human[judged]) == 0:
            return "constant human scores"
        return "constant scores" if np.ptp(metric[judged]) == 0 else None

    def _explain_too_few(self, judged: npt.NDArray[np.bool_]) -> str | None:
        is_vector = judged.ndim == 1
        return _TOO_FEW_SYSTEMS if is_vector and np.count_nonzero(judged) < MIN_SYSTEMS else None

    def permute(self, draws: Draws[FloatArray]) -> Permutations:
        human = draws.human
        judged = ~np.isnan(human)

        def compute(rows: FloatArray) -> FloatArray:
            scores = np.full((*rows.shape[:-1], *human.shape), np.nan)
            scores[..., judged] = rows
            return self.compute(human, scores, draws.by)

        groups = group_cells(judged, draws.units)
        return permute_scores(draws.metrics[:, judged], compute, draws.n_samples, draws.rng, groups)

    def bootstrap(self, draws: Draws[FloatArray]) -> FloatArray | None:
        """Resample segments, or systems at system level."""
        human, metrics = draws.human, draws.metrics
        if human.ndim == 1:
            judged = ~np.isnan(human)
            human, metrics = human[judged], metrics[:, judged]
        return bootstrap_statistic(partial(self.compute, by=draws.by), human, metrics, *draws.sampling)

    def count_units(self, human: FloatArray) -> tuple[int, str]:
        return int(np.count_nonzero(~np.isnan(human))), "systems" if human.ndim == 1 else "judgments"


def select_scores(
    judged: JudgedSet, systems: FloatArray | None, segments: FloatArray | None, level: Level
) -> FloatArray | None:
    """Return the scores of a level: of systems, (systems,), or of segments, documents or domains, (systems, units)."""
    if level == "system":
        return systems
    if level == "segment" or segments is None or judged.segment_scores is None:
        return segments
    columns = SegmentColumns(judged.corpus)
    if level not in columns:
        return None
    known = ~np.isnan(judged.segment_scores)  # a metric is averaged over the judged segments, too
    means = [
        score_systems(np.where(known[:, rows], segments[:, rows], np.nan))
        for rows in part_by(columns, level).values()
    ]
    return np.stack(means, axis=1)


@record
class CoefficientStatistic(ScoreStatistic):
    """A coefficient over two rows of scores, averaged over the groups if there are any.

    The compiled core runs the permutation test of the coefficients that it knows by name.
    """

    coefficient: Coefficient
    _: KW_ONLY
    levels: tuple[Level, ...] = get_args(Level)

    def compute(self, human: FloatArray, metric: FloatArray, by: Grouping) -> FloatArray:
        if human.ndim == 1:
            return self.coefficient(human, metric)
        return average_over_groups(self.coefficient, human, metric, by=by)

    def permute(self, draws: Draws[FloatArray]) -> Permutations:
        if self.name not in group_coefficients():
            return super().permute(draws)
        human, metrics, by = draws.human, draws.metrics, draws.by
        columns = human.reshape(len(human), -1)  # at system level one score per row
        table = metrics.reshape(len(metrics), *columns.shape)
        null = permute_by_group(
            self.name, columns, table, draws.n_samples, draws.rng, by=by, units=draws.units
        )
        return Permutations(self.compute(human, metrics, by), null)


class PearsonStatistic(CoefficientStatistic):
    """Pearson's r: without groups, tests and intervals need only sums, and Williams' test applies."""

    has_williams = True

    def permute(self, draws: Draws[FloatArray]) -> Permutations:
        if draws.by != "none":
            return super().permute(draws)
        judged = ~np.isnan(draws.human)
        human, metrics = draws.human[judged], draws.metrics[:, judged]
        return permute_pearson(human, metrics, draws.n_samples, draws.rng, group_cells(judged, draws.units))

    def bootstrap(self, draws: Draws[FloatArray]) -> FloatArray | None:
        if draws.human.ndim == 1 or draws.by != "none":
            return super().bootstrap(draws)
        return bootstrap_pearson(draws.human, draws.metrics, *draws.sampling)


class PairwiseAccuracy(CoefficientStatistic):
    """Pairwise accuracy; at system level, the pairs of systems of all language pairs are pooled (Kocmi et al. 2021)."""

    def pool_weight(self, human: FloatArray) -> float:
        n = int(np.count_nonzero(~np.isnan(human)))
        return max(1.0, n * (n - 1) / 2) if human.ndim == 1 else 1.0


@record
class TieCalibratedAccuracy(ScoreStatistic):
    """Pairwise accuracy with ties: a metric's scores are tied if they differ by at most its threshold ε.

    `rule` chooses ε: the one under which each metric is most accurate, as in the WMT tasks, the best one of other segments,
    or a number.
    """

    rule: TieRule = "optimal"

    def compute(self, human: FloatArray, metric: FloatArray, by: Grouping) -> FloatArray:
        return np.asarray(self._decide(human, metric, by).accuracy)

    def threshold(self, human: FloatArray, metric: FloatArray, by: Grouping) -> float | None:
        return self._decide(human, metric, by).epsilon

    def _decide(self, human: FloatArray, metric: FloatArray, by: Grouping) -> TieDecisions:
        return decide_ties(human, metric, pairs_in_groups(human, by=by), self.rule)

    def permute(self, draws: Draws[FloatArray]) -> Permutations:
        sampled = draws.human, draws.metrics, draws.n_samples, draws.rng
        return permute_calibrated_ties(*sampled, by=draws.by, rule=self.rule, units=draws.units)

    def bootstrap(self, draws: Draws[FloatArray]) -> FloatArray | None:
        """Resample segments; without grouping by item, pairs belong to two segments and there are no intervals."""
        if draws.by != "item":
            return None
        sampled = draws.human, draws.metrics, draws.n_samples, draws.rng
        return bootstrap_calibrated_ties(*sampled, rule=self.rule, units=draws.units)


class DifferencePearson(ScoreStatistic):
    """Pearson's r of the differences between outputs of the same segment."""

    can_group = False

    def compute(self, human: FloatArray, metric: FloatArray, by: Grouping) -> FloatArray:  # noqa: ARG002
        return difference_pearson(human, metric)

    def permute(self, draws: Draws[FloatArray]) -> Permutations:
        null = permute_differences(draws.human, draws.metrics, *draws.sampling)
        return Permutations(difference_pearson(draws.human, draws.metrics), null)

    def bootstrap(self, draws: Draws[FloatArray]) -> FloatArray | None:
        return bootstrap_differences(draws.human, draws.metrics, *draws.sampling)


class SoftAccuracy(ScoreStatistic):
    """Soft pairwise accuracy: a statistic of systems that reads segment scores."""

    reads_level = "segment"

    def _explain_too_few(self, judged: npt.NDArray[np.bool_]) -> str | None:
        if np.count_nonzero(judged.any(axis=1)) < MIN_SYSTEMS:
            return _TOO_FEW_SYSTEMS
        if judged.all(axis=0).any():
            return None
        unjudged = np.count_nonzero(~judged.any(axis=1))
        reason = f" ({unjudged:,} of them without any: {argument('leave_out', 'SYSTEM')})" if unjudged else ""
        return f"no segment with judgments of every system{reason}"

    def compute(self, human: FloatArray, metric: FloatArray, by: Grouping) -> FloatArray:  # noqa: ARG002
        judged = ~np.isnan(human).any(axis=0)  # segments for which every system has a judgment
        return np.asarray(soft_pairwise_accuracy(human[:, judged], metric[:, judged]))

    def count_units(self, human: FloatArray) -> tuple[int, str]:
        return int(np.count_nonzero(~np.isnan(human).any(axis=0))), "segments with judgments of every system"

    def permute(self, draws: Draws[FloatArray]) -> Permutations:
        """Exchange segment scores (PERM-BOTH), as mt-metrics-eval does; p-values of exchanged scores are normal ones."""
        judged = np.asarray(~np.isnan(draws.human).any(axis=0))
        target, scores = draws.human[:, judged], draws.metrics[:, :, judged]
        shape = target.shape

        def compute(rows: FloatArray) -> FloatArray:
            return approximate_soft_accuracy(target, rows.reshape(*rows.shape[:-1], *shape))

        groups = group_cells(np.ones(shape, dtype=bool), select_units(draws.units, judged))
        tested = permute_scores(scores.reshape(len(scores), -1), compute, draws.n_samples, draws.rng, groups)
        exact = np.array([soft_pairwise_accuracy(target, score) for score in scores])
        return Permutations(exact, tested.null)

    def bootstrap(self, draws: Draws[FloatArray]) -> FloatArray | None:
        judged = np.asarray(~np.isnan(draws.human).any(axis=0))
        target, scores = draws.human[:, judged], draws.metrics[:, :, judged]
        units = select_units(draws.units, judged)
        return bootstrap_soft_accuracy(target, scores, draws.n_samples, draws.rng, units)


@record
class RankingTau(Statistic[Comparisons]):
    """Kendall's τ over human rankings, with the rule for ties of a WMT year."""

    year: int

    undefined = "no ranking without a tie"
    can_group = False

    def select_judgments(self, judged: JudgedSet, level: Level) -> Comparisons | None:  # noqa: ARG002
        return judged.comparisons

    def explain_undefined(self, human: Comparisons, metric: FloatArray) -> str | None:
        segments, better, worse, _ = human.decided()
        is_missing = np.isnan(metric[better, segments] + metric[worse, segments]).any()
        return "scores are missing" if is_missing else None

    def compute(self, human: Comparisons, metric: FloatArray, by: Grouping) -> FloatArray:  # noqa: ARG002
        return ranking_kendall(human, metric, year=self.year)

    def permute(self, draws: Draws[Comparisons]) -> Permutations:
        sampled = draws.human, draws.metrics, draws.n_samples, draws.rng
        return permute_rankings(*sampled, year=self.year, units=draws.units)

    def bootstrap(self, draws: Draws[Comparisons]) -> FloatArray | None:
        sampled = draws.human, draws.metrics, draws.n_samples, draws.rng
        return bootstrap_rankings(*sampled, year=self.year, units=draws.units)

    def count_units(self, human: Comparisons) -> tuple[int, str]:
        return len(human.decided().first), "comparisons"


class RelativeRankingTau(RankingTau):
    """Kendall's τ over pairs of outputs whose direct assessments differ by 25 points or more (DARR, WMT17 to WMT20).

    A tie of the metric counts as discordant, as in WMT12's τ.
    """

    undefined = (
        f"no human scores of a segment differ by {DARR_POINTS} points; DARR needs raw scores of 0 to 100"
    )

    def select_judgments(self, judged: JudgedSet, level: Level) -> Comparisons | None:  # noqa: ARG002
        return None if judged.segment_scores is None else relative_rankings(judged.segment_scores)


_TOO_FEW_SYSTEMS = f"fewer than {MIN_SYSTEMS} judged systems"

STATISTICS: dict[str, Statistic[Any]] = {}
"""Every statistic by name, in the order in which messages list them."""


def register(statistic: Statistic[Any]) -> None:
    """Add a statistic: tables, tests, intervals and tuning then offer it."""
    if statistic.name in STATISTICS:
        raise OptionError(f"there is a statistic {statistic.name!r} already; choose another name")
    STATISTICS[statistic.name] = statistic


for _statistic in (
    PearsonStatistic("pearson", "Pearson's r", pearson),
    CoefficientStatistic("spearman", "Spearman's ρ", spearman),
    CoefficientStatistic("kendall", "Kendall's τ-b", kendall_b),
    CoefficientStatistic("kendall-c", "Kendall's τ-c", kendall_c),
    CoefficientStatistic("red", "Kendall's τ without ties", red_tau),
    PairwiseAccuracy("accuracy", "pairwise accuracy", pairwise_accuracy),
    TieCalibratedAccuracy("acc-eq", "pairwise accuracy with calibrated ties", levels=("segment",)),
    DifferencePearson("pdp", "Pearson's r of pairwise differences", levels=("segment",)),
    SoftAccuracy("spa", "soft pairwise accuracy", levels=("system",)),
    RankingTau("wmt12", "Kendall's τ over rankings (WMT12)", 2012, levels=("segment",)),
    RankingTau("wmt13", "Kendall's τ over rankings (WMT13)", 2013, levels=("segment",)),
    RankingTau("wmt14", "Kendall's τ over rankings (WMT14)", 2014, levels=("segment",)),
    RelativeRankingTau("darr", "Kendall's τ over direct assessments (DARR)", 2012, levels=("segment",)),
):
    register(_statistic)
