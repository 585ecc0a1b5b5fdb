"""The statistics a table may show: named, parsed from text, and applied to a judged set."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal, get_args

import numpy as np

from tertium.errors import OptionError
from tertium.metaeval.judged_sets import JudgedSet
from tertium.metaeval.scoring import MetricScores
from tertium.stats.agreement import calibrate_ties, pairs_in_groups, pairwise_accuracy, soft_pairwise_accuracy
from tertium.stats.correlation import (
    Grouping,
    Statistic,
    average_over_groups,
    kendall_b,
    kendall_c,
    pearson,
    red_tau,
    spearman,
)
from tertium.stats.human import ranking_kendall
from tertium.types import FloatArray

Level = Literal["system", "segment"]

MIN_SYSTEMS = 3  # two systems correlate perfectly, one way or the other, whatever the metric


@dataclass(frozen=True)
class NamedStatistic:
    """What the tables know of a statistic; a new one is a row of `STATISTICS`."""

    title: str
    coefficient: Statistic | None = None
    """Over two arrays; None for statistics that have a function of their own below."""
    levels: tuple[Level, ...] = ("system", "segment")
    year: int | None = None
    """The WMT year whose rule for ties a τ over rankings follows."""


STATISTICS: Mapping[str, NamedStatistic] = {
    "pearson": NamedStatistic("Pearson's r", pearson),
    "spearman": NamedStatistic("Spearman's ρ", spearman),
    "kendall": NamedStatistic("Kendall's τ-b", kendall_b),
    "kendall-c": NamedStatistic("Kendall's τ-c", kendall_c),
    "red": NamedStatistic("Kendall's τ without ties", red_tau),
    "accuracy": NamedStatistic("pairwise accuracy", pairwise_accuracy),
    "acc-eq": NamedStatistic("pairwise accuracy with calibrated ties", levels=("segment",)),
    "spa": NamedStatistic("soft pairwise accuracy", levels=("system",)),
    "wmt12": NamedStatistic("Kendall's τ over rankings (WMT12)", levels=("segment",), year=2012),
    "wmt13": NamedStatistic("Kendall's τ over rankings (WMT13)", levels=("segment",), year=2013),
    "wmt14": NamedStatistic("Kendall's τ over rankings (WMT14)", levels=("segment",), year=2014),
}
COEFFICIENTS: Mapping[str, Statistic] = {
    name: each.coefficient for name, each in STATISTICS.items() if each.coefficient is not None
}
RANKING_KENDALLS: Mapping[str, int] = {
    name: each.year for name, each in STATISTICS.items() if each.year is not None
}


@dataclass(frozen=True)
class StatisticSpec:
    """A statistic at a level; segment scores may be grouped by item (segment) or by system."""

    level: Level
    name: str
    by: Grouping = "none"

    def __str__(self) -> str:
        return f"{self.level}:{self.name}" + (f":{self.by}" if self.by != "none" else "")

    @property
    def title(self) -> str:
        grouped = {"none": "", "item": ", averaged over segments", "system": ", averaged over systems"}[
            self.by
        ]
        return f"{self.level} level, {STATISTICS[self.name].title}{grouped}"


def parse_statistic(text: str) -> StatisticSpec:
    """Read `LEVEL:NAME` or `LEVEL:NAME:GROUPING`.

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
            f"statistic {text!r}: {name!r} is none of the {level} level; choose from {', '.join(choices)}"
        )
    if by and (by not in get_args(Grouping) or level == "system" or name in RANKING_KENDALLS):
        raise OptionError(f"statistic {text!r}: only segment scores are grouped, by none, item or system")
    return StatisticSpec(level, name, by or "none")  # type: ignore[arg-type]


def parse_statistics(texts: Sequence[str]) -> list[StatisticSpec]:
    """Read lists of statistics, separated by commas."""
    return [parse_statistic(text) for each in texts for text in each.split(",") if text]


def usual_statistics(sets: Sequence[JudgedSet]) -> list[StatisticSpec]:
    """Choose what a table shows unasked: as much of Pearson's r and WMT14's τ as the judgments allow."""
    usual = parse_statistics(["system:pearson,segment:pearson,segment:wmt14"])
    return [spec for spec in usual if any(can_show(spec, judged) for judged in sets)]


def can_show(spec: StatisticSpec, judged: JudgedSet) -> bool:
    """Whether people judged this set in the way that the statistic needs."""
    if spec.name in RANKING_KENDALLS:
        return judged.comparisons is not None
    if spec.level == "system" and spec.name != "spa":
        return judged.system_scores is not None
    return judged.segment_scores is not None


def human_scores(spec: StatisticSpec, judged: JudgedSet) -> FloatArray:
    """The human side of a statistic that is not over rankings: (systems,) or (systems, segments)."""
    scores = judged.system_scores if spec.level == "system" and spec.name != "spa" else judged.segment_scores
    if scores is None:
        raise OptionError(f"{judged.pair} has no judgments for {spec}")
    return scores


def oriented_scores(spec: StatisticSpec, scores: MetricScores) -> FloatArray | None:
    """The metric side, turned so that higher is better; None if the metric has no such scores."""
    is_vector = spec.level == "system" and spec.name != "spa"
    side = scores.system_scores if is_vector else scores.segment_scores
    return None if side is None else scores.sign * side


def compute_statistic(
    spec: StatisticSpec, judged: JudgedSet, scores: MetricScores
) -> tuple[float, str | None]:
    """Compute a statistic for one metric, oriented: positive (or above one half) agrees with people.

    Returns
    -------
    float, str or None
        NaN, and the reason, where the statistic does not exist.
    """
    metric = oriented_scores(spec, scores)
    if metric is None:
        return np.nan, f"no {'system' if spec.level == 'system' and spec.name != 'spa' else 'segment'} scores"
    if spec.name in RANKING_KENDALLS:
        return _over_rankings(spec, judged, metric)
    human = human_scores(spec, judged)
    reason = _explain_undefined(spec, human, metric)
    if reason is not None:
        return np.nan, reason
    value = float(_function(spec)(human, metric))
    return value, "undefined" if np.isnan(value) else None


def _over_rankings(spec: StatisticSpec, judged: JudgedSet, metric: FloatArray) -> tuple[float, str | None]:
    if judged.comparisons is None:
        return np.nan, "no rankings"
    decided = judged.comparisons.decided()
    if np.isnan(metric[decided.first, decided.segments] + metric[decided.second, decided.segments]).any():
        return np.nan, "scores are missing"
    value = float(ranking_kendall(judged.comparisons, metric, year=RANKING_KENDALLS[spec.name]))
    return value, "no ranking without a tie" if np.isnan(value) else None


def _function(spec: StatisticSpec) -> Callable[[FloatArray, FloatArray], FloatArray | float]:
    if spec.name == "spa":
        return _soft_accuracy
    if spec.name == "acc-eq":
        return lambda human, metric: (
            calibrate_ties(human, metric, by=spec.by, pairs=pairs_in_groups(human, by=spec.by)).accuracy
        )
    coefficient = COEFFICIENTS[spec.name]
    return coefficient if spec.level == "system" else partial(average_over_groups, coefficient, by=spec.by)


def _soft_accuracy(human: FloatArray, metric: FloatArray) -> float:
    judged = ~np.isnan(human).any(axis=0)  # segments that every system was judged on
    return soft_pairwise_accuracy(human[:, judged], metric[:, judged])


def _explain_undefined(spec: StatisticSpec, human: FloatArray, metric: FloatArray) -> str | None:
    judged = ~np.isnan(human)
    if not judged.any():
        return "no judgments"
    n_systems = int(judged.any(axis=-1).sum()) if human.ndim > 1 else int(judged.sum())
    if spec.level == "system" and n_systems < MIN_SYSTEMS:
        return f"fewer than {MIN_SYSTEMS} judged systems"
    if spec.name == "spa" and not judged.all(axis=0).any():
        return "no segment with judgments of every system"
    if np.isnan(metric[judged]).any():
        return "scores are missing"
    if np.ptp(human[judged]) == 0:
        return "constant human scores"
    return "constant scores" if np.ptp(metric[judged]) == 0 else None
