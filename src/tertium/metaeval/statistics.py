"""The statistics of agreement: each is one object that computes its value, its permutation test and its resamples."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY
from functools import partial
from typing import Any, ClassVar, Generic, Literal, TypeVar, get_args

import numpy as np
import numpy.typing as npt

from tertium.errors import OptionError
from tertium.kernels.resampling import group_coefficients
from tertium.metaeval.judged_sets import JudgedSet
from tertium.metaeval.scoring import MetricScores
from tertium.records import record
from tertium.stats.agreement import (
    approximate_soft_accuracy,
    calibrate_ties,
    pairs_in_groups,
    pairwise_accuracy,
    soft_pairwise_accuracy,
)
from tertium.stats.correlation import (
    Coefficient,
    Grouping,
    average_over_groups,
    kendall_b,
    kendall_c,
    pearson,
    red_tau,
    spearman,
)
from tertium.stats.human import Comparisons, ranking_kendall
from tertium.stats.metric_tests import (
    Permutations,
    bootstrap_pearson,
    bootstrap_rankings,
    bootstrap_statistic,
    permute_by_group,
    permute_calibrated_ties,
    permute_pearson,
    permute_rankings,
    permute_scores,
)
from tertium.types import FloatArray

Level = Literal["system", "segment"]
Human = TypeVar("Human")
"""The type of the human judgments that a statistic reads."""

MIN_SYSTEMS = 3  # two systems correlate perfectly, positively or negatively, for any metric


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

    @abstractmethod
    def select_judgments(self, judged: JudgedSet, level: Level) -> Human | None:
        """Return the human judgments that the statistic reads; None if the set has no such judgments."""

    def metric_level(self, level: Level) -> Level:
        """The level of the metric scores that the statistic reads."""
        return level

    def allows_groups(self, level: Level) -> bool:
        """Whether the scores of a level may be grouped by item or by system."""
        return level == "segment"

    def allows_williams(self, by: Grouping) -> bool:  # noqa: ARG002 - subclasses read it
        """Whether Williams' test applies."""
        return False

    @abstractmethod
    def explain_undefined(self, human: Human, metric: FloatArray) -> str | None:
        """Explain why the statistic does not exist for these scores; None if it may exist."""

    @abstractmethod
    def compute(self, human: Human, metric: FloatArray, by: Grouping) -> FloatArray:
        """Compute the value; NaN if it does not exist."""

    @abstractmethod
    def permute(
        self, human: Human, metrics: FloatArray, by: Grouping, n_samples: int, rng: np.random.Generator
    ) -> Permutations | None:
        """Run the permutation test between all metrics; None if the statistic has no such test."""

    @abstractmethod
    def bootstrap(
        self, human: Human, metrics: FloatArray, by: Grouping, n_samples: int, rng: np.random.Generator
    ) -> FloatArray | None:
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
        return judged.system_scores if self.metric_level(level) == "system" else judged.segment_scores

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

    def permute(
        self, human: FloatArray, metrics: FloatArray, by: Grouping, n_samples: int, rng: np.random.Generator
    ) -> Permutations | None:
        judged = ~np.isnan(human)

        def compute(rows: FloatArray) -> FloatArray:
            scores = np.full((*rows.shape[:-1], *human.shape), np.nan)
            scores[..., judged] = rows
            return self.compute(human, scores, by)

        return permute_scores(metrics[:, judged], compute, n_samples, rng)

    def bootstrap(
        self, human: FloatArray, metrics: FloatArray, by: Grouping, n_samples: int, rng: np.random.Generator
    ) -> FloatArray | None:
        """Resample segments, or systems at system level."""
        if human.ndim == 1:
            judged = ~np.isnan(human)
            human, metrics = human[judged], metrics[:, judged]
        return bootstrap_statistic(partial(self._compute_grouped, by), human, metrics, n_samples, rng)

    def _compute_grouped(self, by: Grouping, human: FloatArray, metric: FloatArray) -> FloatArray:
        return self.compute(human, metric, by)

    def count_units(self, human: FloatArray) -> tuple[int, str]:
        return int(np.count_nonzero(~np.isnan(human))), "systems" if human.ndim == 1 else "judgments"


@record
class CoefficientStatistic(ScoreStatistic):
    """A coefficient over two rows of scores, averaged over the groups if there are any.

    The compiled core runs the permutation test of the coefficients that it knows by name.
    """

    coefficient: Coefficient

    def compute(self, human: FloatArray, metric: FloatArray, by: Grouping) -> FloatArray:
        if human.ndim == 1:
            return self.coefficient(human, metric)
        return average_over_groups(self.coefficient, human, metric, by=by)

    def permute(
        self, human: FloatArray, metrics: FloatArray, by: Grouping, n_samples: int, rng: np.random.Generator
    ) -> Permutations | None:
        if self.name not in group_coefficients():
            return super().permute(human, metrics, by, n_samples, rng)
        observed = self.compute(human, metrics, by)
        columns = human.reshape(len(human), -1)  # at system level one score per row
        table = metrics.reshape(len(metrics), *columns.shape)
        null = permute_by_group(self.name, columns, table, n_samples, rng, by=by)
        return Permutations(observed, null)


class PearsonStatistic(CoefficientStatistic):
    """Pearson's r: without groups, tests and intervals need only sums, and Williams' test applies."""

    def allows_williams(self, by: Grouping) -> bool:
        return by == "none"

    def permute(
        self, human: FloatArray, metrics: FloatArray, by: Grouping, n_samples: int, rng: np.random.Generator
    ) -> Permutations | None:
        if by != "none":
            return super().permute(human, metrics, by, n_samples, rng)
        judged = ~np.isnan(human)
        return permute_pearson(human[judged], metrics[:, judged], n_samples, rng)

    def bootstrap(
        self, human: FloatArray, metrics: FloatArray, by: Grouping, n_samples: int, rng: np.random.Generator
    ) -> FloatArray | None:
        if human.ndim == 1 or by != "none":
            return super().bootstrap(human, metrics, by, n_samples, rng)
        return bootstrap_pearson(human, metrics, n_samples, rng)


class TieCalibratedAccuracy(ScoreStatistic):
    """Pairwise accuracy with the tie threshold under which each metric is most accurate."""

    def compute(self, human: FloatArray, metric: FloatArray, by: Grouping) -> FloatArray:
        return np.asarray(calibrate_ties(human, metric, pairs=pairs_in_groups(human, by=by)).accuracy)

    def permute(
        self, human: FloatArray, metrics: FloatArray, by: Grouping, n_samples: int, rng: np.random.Generator
    ) -> Permutations | None:
        return permute_calibrated_ties(human, metrics, n_samples, rng, by=by)

    def bootstrap(self, *_: object) -> None:
        """Return None: each resample would need a threshold of its own."""


class SoftAccuracy(ScoreStatistic):
    """Soft pairwise accuracy: a statistic of systems that reads segment scores."""

    def metric_level(self, level: Level) -> Level:  # noqa: ARG002
        return "segment"

    def _explain_too_few(self, judged: npt.NDArray[np.bool_]) -> str | None:
        if np.count_nonzero(judged.any(axis=1)) < MIN_SYSTEMS:
            return _TOO_FEW_SYSTEMS
        return None if judged.all(axis=0).any() else "no segment with judgments of every system"

    def compute(self, human: FloatArray, metric: FloatArray, by: Grouping) -> FloatArray:  # noqa: ARG002
        judged = ~np.isnan(human).any(axis=0)  # segments for which every system has a judgment
        return np.asarray(soft_pairwise_accuracy(human[:, judged], metric[:, judged]))

    def permute(
        self,
        human: FloatArray,
        metrics: FloatArray,
        by: Grouping,  # noqa: ARG002
        n_samples: int,
        rng: np.random.Generator,
    ) -> Permutations | None:
        """Exchange segment scores (PERM-BOTH), as mt-metrics-eval does; p-values of exchanged scores are normal ones."""
        judged = ~np.isnan(human).any(axis=0)
        target, scores = human[:, judged], metrics[:, :, judged]
        shape = target.shape

        def compute(rows: FloatArray) -> FloatArray:
            return approximate_soft_accuracy(target, rows.reshape(*rows.shape[:-1], *shape))

        tested = permute_scores(scores.reshape(len(scores), -1), compute, n_samples, rng)
        exact = np.array([soft_pairwise_accuracy(target, each) for each in scores])
        return Permutations(exact, tested.null)

    def bootstrap(self, *_: object) -> None:
        """Return None: each resample would contain a permutation test."""


@record
class RankingTau(Statistic[Comparisons]):
    """Kendall's τ over human rankings, with the rule for ties of a WMT year."""

    year: int

    undefined = "no ranking without a tie"

    def select_judgments(self, judged: JudgedSet, level: Level) -> Comparisons | None:  # noqa: ARG002
        return judged.comparisons

    def allows_groups(self, level: Level) -> bool:  # noqa: ARG002
        return False

    def explain_undefined(self, human: Comparisons, metric: FloatArray) -> str | None:
        segments, better, worse, _ = human.decided()
        is_missing = np.isnan(metric[better, segments] + metric[worse, segments]).any()
        return "scores are missing" if is_missing else None

    def compute(self, human: Comparisons, metric: FloatArray, by: Grouping) -> FloatArray:  # noqa: ARG002
        return ranking_kendall(human, metric, year=self.year)

    def permute(
        self,
        human: Comparisons,
        metrics: FloatArray,
        by: Grouping,  # noqa: ARG002
        n_samples: int,
        rng: np.random.Generator,
    ) -> Permutations | None:
        return permute_rankings(human, metrics, n_samples, rng, year=self.year)

    def bootstrap(
        self,
        human: Comparisons,
        metrics: FloatArray,
        by: Grouping,  # noqa: ARG002
        n_samples: int,
        rng: np.random.Generator,
    ) -> FloatArray | None:
        return bootstrap_rankings(human, metrics, n_samples, rng, year=self.year)

    def count_units(self, human: Comparisons) -> tuple[int, str]:
        return len(human.decided().first), "comparisons"


_TOO_FEW_SYSTEMS = f"fewer than {MIN_SYSTEMS} judged systems"

STATISTICS: dict[str, Statistic[Any]] = {}
"""Every statistic by name, in the order in which messages list them."""


def register(statistic: Statistic[Any]) -> None:
    """Add a statistic: tables, tests, intervals, sweeps and tuning then offer it."""
    if statistic.name in STATISTICS:
        raise OptionError(f"there is a statistic {statistic.name!r} already; choose another name")
    STATISTICS[statistic.name] = statistic


for _statistic in (
    PearsonStatistic("pearson", "Pearson's r", pearson),
    CoefficientStatistic("spearman", "Spearman's ρ", spearman),
    CoefficientStatistic("kendall", "Kendall's τ-b", kendall_b),
    CoefficientStatistic("kendall-c", "Kendall's τ-c", kendall_c),
    CoefficientStatistic("red", "Kendall's τ without ties", red_tau),
    CoefficientStatistic("accuracy", "pairwise accuracy", pairwise_accuracy),
    TieCalibratedAccuracy("acc-eq", "pairwise accuracy with calibrated ties", levels=("segment",)),
    SoftAccuracy("spa", "soft pairwise accuracy", levels=("system",)),
    RankingTau("wmt12", "Kendall's τ over rankings (WMT12)", 2012, levels=("segment",)),
    RankingTau("wmt13", "Kendall's τ over rankings (WMT13)", 2013, levels=("segment",)),
    RankingTau("wmt14", "Kendall's τ over rankings (WMT14)", 2014, levels=("segment",)),
):
    register(_statistic)


@record
class StatisticSpec:
    """A statistic at a level; segment scores may be grouped by item (segment) or by system."""

    level: Level
    name: str
    by: Grouping = "none"

    def __str__(self) -> str:
        return f"{self.level}:{self.name}" + (f":{self.by}" if self.by != "none" else "")

    @property
    def statistic(self) -> Statistic[Any]:
        return STATISTICS[self.name]

    @property
    def title(self) -> str:
        return f"{self.level} level, {self.statistic.title}{_GROUPING_TITLES[self.by]}"


_GROUPING_TITLES: Mapping[Grouping, str] = {
    "none": "",
    "item": ", averaged over segments",
    "system": ", averaged over systems",
}


def parse_statistic(text: str) -> StatisticSpec:
    """Parse `LEVEL:NAME` or `LEVEL:NAME:GROUPING`.

    Examples
    --------
    >>> parse_statistic("segment:kendall:item")
    StatisticSpec(level='segment', name='kendall', by='item')
    """
    level, _, rest = text.partition(":")
    name, _, by = rest.partition(":")
    if level not in get_args(Level):
        raise OptionError(f"statistic {text!r}: the level must be system or segment; write segment:pearson")
    choices = [each for each, known in STATISTICS.items() if level in known.levels]
    if name not in choices:
        raise OptionError(
            f"statistic {text!r}: the {level} level has no statistic {name!r}; choose from {', '.join(choices)}"
        )
    spec = StatisticSpec(level, name, by or "none")  # type: ignore[arg-type]
    if by and (by not in get_args(Grouping) or not spec.statistic.allows_groups(spec.level)):
        raise OptionError(f"statistic {text!r}: only segment scores are grouped, by none, item or system")
    return spec


def parse_statistics(texts: Sequence[str]) -> list[StatisticSpec]:
    """Parse lists of statistics, separated by commas."""
    return [parse_statistic(text) for each in texts for text in each.split(",") if text]


def usual_statistics(sets: Sequence[JudgedSet]) -> list[StatisticSpec]:
    """Return the default statistics that the judgments support."""
    usual = parse_statistics(["system:pearson,segment:pearson,segment:wmt14"])
    return [spec for spec in usual if any(can_show(spec, judged) for judged in sets)]


def can_show(spec: StatisticSpec, judged: JudgedSet) -> bool:
    """Whether the set has the human judgments that the statistic reads."""
    return spec.statistic.select_judgments(judged, spec.level) is not None


def oriented_scores(spec: StatisticSpec, scores: MetricScores) -> FloatArray | None:
    """Return the metric scores that the statistic reads, with higher as better; None if the metric has no such scores."""
    is_system = spec.statistic.metric_level(spec.level) == "system"
    found = scores.system_scores if is_system else scores.segment_scores
    return None if found is None else scores.sign * found


def compute_statistic(
    spec: StatisticSpec, judged: JudgedSet, scores: MetricScores
) -> tuple[float, str | None]:
    """Compute a statistic for one metric, oriented: positive (or above one half) means agreement.

    Returns
    -------
    float, str or None
        NaN and the reason if the statistic does not exist.
    """
    statistic = spec.statistic
    metric = oriented_scores(spec, scores)
    if metric is None:
        return np.nan, f"no {statistic.metric_level(spec.level)} scores"
    human = statistic.select_judgments(judged, spec.level)
    if human is None:
        return np.nan, "no judgments"
    if reason := statistic.explain_undefined(human, metric):
        return np.nan, reason
    value = float(statistic.compute(human, metric, spec.by))
    return value, statistic.undefined if np.isnan(value) else None
