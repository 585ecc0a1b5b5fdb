"""Statistics of agreement as users name them, at a level and with groups: parsed, chosen by default, and computed."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, get_args

import numpy as np

from tertium.corpus.judgments.score_files import Level
from tertium.decimals import parse_float
from tertium.errors import OptionError
from tertium.metaeval.agreement_statistics import STATISTICS, Statistic, TieCalibratedAccuracy, select_scores
from tertium.metaeval.judged_sets import JudgedSet
from tertium.metaeval.scoring import GROUP_LEVELS, MetricScores
from tertium.records import record
from tertium.stats.agreement import TieRule
from tertium.stats.correlation import Grouping
from tertium.values import FloatArray


@record
class StatisticSpec:
    """A statistic at a level; segment scores may be grouped by item (segment) or by system."""

    level: Level
    name: str
    by: Grouping = "none"
    ties: TieRule = "optimal"
    """The tie threshold, for acc-eq."""

    def __str__(self) -> str:
        is_optimal = self.ties == "optimal"
        by = f":{self.by}" if self.by != "none" or not is_optimal else ""
        ties = "" if is_optimal else f":{self.ties if isinstance(self.ties, str) else format(self.ties, 'g')}"
        return f"{self.level}:{self.name}{by}{ties}"

    @property
    def statistic(self) -> Statistic[Any]:
        found = STATISTICS[self.name]
        return replace(found, rule=self.ties) if isinstance(found, TieCalibratedAccuracy) else found

    @property
    def title(self) -> str:
        ties = f", ε = {self.ties:g}" if isinstance(self.ties, float) else _TIE_TITLES[self.ties]
        grouping = _GROUPING_TITLES[self.by].format(level=self.level)
        return f"{self.level} level, {self.statistic.title}{grouping}{ties}"


_GROUPING_TITLES: Mapping[Grouping, str] = {
    "none": "",
    "item": ", averaged over {level}s",
    "system": ", averaged over systems",
}


_TIE_TITLES: Mapping[str, str] = {"optimal": "", "held-out": ", ε from other segments"}


def parse_statistic(text: str) -> StatisticSpec:
    """Parse `LEVEL:NAME`, `LEVEL:NAME:GROUPING` or, for acc-eq, `LEVEL:NAME:GROUPING:EPSILON`.

    Examples
    --------
    >>> parse_statistic("segment:kendall:item")
    StatisticSpec(level='segment', name='kendall', by='item', ties='optimal')
    """
    level, _, rest = text.partition(":")
    name, _, rest = rest.partition(":")
    by, _, ties = rest.partition(":")
    if level not in get_args(Level):
        raise OptionError(
            f"statistic {text!r}: the level must be system, document, domain or segment; write segment:pearson"
        )
    choices = [choice for choice, known in STATISTICS.items() if level in known.levels]
    if name not in choices:
        raise OptionError(
            f"statistic {text!r}: the {level} level has no statistic {name!r}; choose from {', '.join(choices)}"
        )
    spec = StatisticSpec(level, name, by or "none", _parse_ties(text, name, ties))  # type: ignore[arg-type]
    if by and (by not in get_args(Grouping) or level == "system" or not spec.statistic.can_group):
        raise OptionError(f"statistic {text!r}: only segment scores are grouped, by none, item or system")
    return spec


def _parse_ties(text: str, name: str, ties: str) -> TieRule:
    if not ties:
        return "optimal"
    if isinstance(STATISTICS[name], TieCalibratedAccuracy):
        if ties == "held-out":
            return "held-out"
        if (epsilon := parse_float(ties)) is not None and epsilon >= 0:
            return epsilon
    raise OptionError(
        f"statistic {text!r}: {ties!r} is not a tie threshold; write segment:acc-eq:item:held-out or segment:acc-eq:item:0.5"
    )


def parse_statistics(texts: Sequence[str]) -> list[StatisticSpec]:
    """Parse lists of statistics, separated by commas."""
    return [parse_statistic(text) for listed in texts for text in listed.split(",") if text]


def usual_statistics(sets: Sequence[JudgedSet]) -> list[StatisticSpec]:
    """Return the default statistics, which follow the judgments.

    If segments of several systems were scored, these are soft pairwise accuracy and accuracy with ties, as in the WMT tasks
    since 2024; for rankings it is Kendall's τ of WMT14, otherwise Pearson's r.
    """
    chosen = {name for judged in sets for name in _usual_names(judged)}
    return [parse_statistic(name) for name in _USUAL if name in chosen]


_MIN_COMMON = 30  # segments with judgments of every system; p-values of fewer segments say little
_USUAL = ("system:spa", "system:pearson", "segment:acc-eq:item", "segment:pearson", "segment:wmt14")


def _usual_names(judged: JudgedSet) -> Iterator[str]:
    scores = judged.segment_scores
    if scores is not None:
        n_judged = (~np.isnan(scores)).sum(axis=0)
        has_pairs = bool((n_judged > 1).any())
        yield "segment:acc-eq:item" if has_pairs else "segment:pearson"
    if judged.comparisons is not None:
        yield "segment:wmt14"
    if scores is not None and _supports_soft_accuracy(scores):
        yield "system:spa"
    elif judged.system_scores is not None:
        yield "system:pearson"


def _supports_soft_accuracy(scores: FloatArray) -> bool:
    spa = STATISTICS["spa"]
    return spa.explain_undefined(scores, scores) is None and spa.count_units(scores)[0] >= _MIN_COMMON


def can_show(spec: StatisticSpec, judged: JudgedSet) -> bool:
    """Whether the set has the human judgments that the statistic reads."""
    return spec.statistic.select_judgments(judged, spec.level) is not None


def oriented_scores(spec: StatisticSpec, judged: JudgedSet, scores: MetricScores) -> FloatArray | None:
    """Return the metric scores that the statistic reads, with higher as better; None if the metric has no such scores."""
    level = spec.statistic.metric_level(spec.level)
    found = scores.group_scores.get(level)
    if found is None:
        found = select_scores(judged, scores.system_scores, scores.segment_scores, level)
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
    metric = oriented_scores(spec, judged, scores)
    if metric is None:
        level = statistic.metric_level(spec.level)
        return np.nan, f"no {'segment' if level in GROUP_LEVELS else level} scores"
    human = statistic.select_judgments(judged, spec.level)
    if human is None:
        return np.nan, "no judgments"
    if reason := statistic.explain_undefined(human, metric):
        return np.nan, reason
    value = float(statistic.compute(human, metric, spec.by))
    return value, statistic.undefined if np.isnan(value) else None
