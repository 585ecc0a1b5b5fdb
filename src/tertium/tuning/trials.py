"""Trials of option values on judged data, their validation, and the best metric."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from math import isnan
from typing import Any

import numpy as np
import numpy.typing as npt

from tertium.catalog import MetricMaker, parse_label, split_labels
from tertium.catalog.building import change_metric
from tertium.engines import PreparedCorpus
from tertium.engines.engine import Counts
from tertium.errors import InputError, OptionError, TertiumError
from tertium.evaluation.selection import select_texts
from tertium.metaeval import JudgedSet
from tertium.metaeval.agreement import StatisticSpec, can_show, compute_statistic, parse_statistic
from tertium.metaeval.scoring import MetricScores
from tertium.metrics.base import Metric
from tertium.records import record
from tertium.stats.human import Comparisons
from tertium.tuning.search import Point, point_key
from tertium.values import FloatArray

_MAX_CACHED_COUNTS = 4  # counts of this number of points stay in memory

Values = Mapping[str, Mapping[str, float]]
"""The value of each statistic and language pair; NaN if it is undefined."""

Build = Callable[[Point], Metric]


@record
class Trial:
    """A point and its values of the statistics."""

    point: Point
    values: Values


def parse_objective(text: str) -> list[StatisticSpec]:
    """Parse a sum of statistics: `system:spearman+segment:wmt12`."""
    return [parse_statistic(part) for part in text.split("+")]


def default_statistics(sets: Sequence[JudgedSet]) -> list[StatisticSpec]:
    """Return Spearman's ρ of systems and Kendall's τ of segments (Yu et al. 2014), if there are judgments for them.

    For rankings it is the τ of WMT12, under which a metric gains nothing by ties.
    """
    defaults = [parse_statistic(text) for text in ("system:spearman", "segment:wmt12", "segment:kendall")]
    found = [spec for spec in defaults if any(can_show(spec, judged) for judged in sets)]
    segment_level = [spec for spec in found if spec.level == "segment"]
    return [spec for spec in found if spec.level == "system"] + segment_level[:1]


def total(values: Values, pairs: Sequence[str] | None = None) -> float:
    """Sum the statistics, each averaged over its language pairs; -inf if one is undefined."""
    sums = 0.0
    for by_pair in values.values():
        chosen = [value for pair, value in by_pair.items() if pairs is None or pair in pairs]
        if not chosen or np.isnan(chosen).any():
            return -np.inf
        sums += float(np.mean(chosen))
    return sums


class Trials:
    """Score judged sets with a metric under different option values, and cache shared results.

    The prepared corpora (tokens, characters and other data that metrics cache) live as long as this object.
    Counts are repeated only if an option changes that they depend on, not for those in the metric's
    `formula_options`.

    Parameters
    ----------
    build
        Builds the metric of a point: one function for all language pairs, or one for each.
    """

    def __init__(
        self,
        build: Build | Mapping[str, Build],
        sets: Sequence[JudgedSet],
        statistics: Sequence[StatisticSpec],
        *,
        threads: int | None = None,
    ) -> None:
        self._statistics, self._threads = list(statistics), threads
        self._sets = [judged for judged in sets if any(can_show(spec, judged) for spec in statistics)]
        for spec in statistics:
            if not any(can_show(spec, judged) for judged in self._sets):
                raise OptionError(f"no language pair has human judgments for {spec}")
        self._builds = [build[judged.pair] if isinstance(build, Mapping) else build for judged in self._sets]
        self._corpora = [PreparedCorpus(judged.corpus) for judged in self._sets]
        self._counts: dict[str, list[Counts]] = {}
        self.known: dict[str, Trial] = {}
        self.n_counted = 0

    def run(self, point: Point) -> Trial:
        """Try a point, or return its earlier trial."""
        key = point_key(point)
        if key not in self.known:
            self.known[key] = Trial(point, self._evaluate(point)[0])
        return self.known[key]

    def explain_undefined(self, point: Point) -> list[str]:
        """Explain which statistics are undefined at a point, and why."""
        return self._evaluate(point)[1]

    def _evaluate(self, point: Point) -> tuple[Values, list[str]]:
        values: dict[str, dict[str, float]] = {str(spec): {} for spec in self._statistics}
        reasons = []
        for judged, current, table in self.tabulate(point):
            scores = MetricScores(
                current.name,
                current.higher_is_better,
                system_scores=current.combine(table.sum(axis=1)),
                segment_scores=current.segment_scores(table),
            )
            for spec in self._statistics:
                if can_show(spec, judged) and judged.pair not in values[str(spec)]:
                    values[str(spec)][judged.pair], reason = compute_statistic(spec, judged, scores)
                    reasons += [f"{spec} of {judged.pair or 'the test set'}: {reason}"] if reason else []
        return values, reasons

    def tabulate(self, point: Point) -> Iterator[tuple[JudgedSet, Metric, FloatArray]]:
        """Yield each judged set, its metric at a point, and the statistics (systems, segments, k)."""
        made = {build: build(point) for build in dict.fromkeys(self._builds)}
        metrics = [made[build] for build in self._builds]
        for judged, metric, counted in zip(self._sets, metrics, self._counted(metrics), strict=True):
            yield judged, *counted.weigh(metric)

    def _counted(self, metrics: Sequence[Metric]) -> list[Counts]:
        key = repr(
            [_counting_options(metric) for metric in {id(metric): metric for metric in metrics}.values()]
        )
        if key not in self._counts:
            while len(self._counts) >= _MAX_CACHED_COUNTS:
                self._counts.pop(next(iter(self._counts)))
            self._counts[key] = [
                corpus.count(metric, threads=self._threads)
                for metric, corpus in zip(metrics, self._corpora, strict=True)
            ]
            self.n_counted += 1
        return self._counts[key]


def measure_spreads(trials: Trials) -> FloatArray:
    """Measure the standard deviation of each part's segment scores, averaged over the judged sets."""
    by_set = [_spreads(metric, table) for _, metric, table in trials.tabulate({})]
    found = np.mean(by_set, axis=0)
    return np.where(np.isfinite(found) & (found > 0), found, 1.0)


def _spreads(metric: object, table: FloatArray) -> list[float]:
    from tertium.metrics.combined.mix import Mix  # noqa: PLC0415 - the rest of `tune` works without mixes

    assert isinstance(metric, Mix)  # noqa: S101 - only mixes are searched here
    return [float(np.nanstd(scores)) for scores in metric.part_scores(table)]


def _counting_options(metric: Metric) -> list[tuple[str, Any]]:
    names = (option.name for option in metric.options() if option.name not in metric.formula_options)
    return [(name, getattr(metric, name)) for name in names]


# Correlations of a dozen systems vary by this amount; if the gain on held-out data is lower by more, the options
# are overfitted to the training data.
_MAX_LOSS_OF_GAIN = 0.02


@record
class Validation:
    """The objective on training data and on held-out data, for the tuned and for the initial options."""

    how: str
    train: float
    train_before: float
    held_out: float
    held_out_before: float

    def warnings(self) -> list[str]:
        """Warn if the tuned options do not generalise to held-out data."""
        if self.held_out < self.held_out_before:
            return [f"tuning hurts {self.how}: {self.held_out_before:.3f} before, {self.held_out:.3f} after"]
        gained, kept = self.train - self.train_before, self.held_out - self.held_out_before
        if gained - kept > _MAX_LOSS_OF_GAIN:
            return [f"the gain does not carry over: {gained:+.3f} in training, {kept:+.3f} {self.how}"]
        return []


def cross_validate(trials: Iterable[Trial], start: Trial, best: Trial) -> Validation | None:
    """Leave out one language pair at a time: tune on all other pairs, test on this pair, and average the tests.

    This uses the trials of the search, so it needs no further scoring. The points of a full grid or a random
    search do not depend on the pairs. Those of an alternating or coordinate search do, so that its result is
    slightly optimistic. Returns None if fewer than two language pairs have every statistic.
    """
    tried = list(trials)
    pairs = _complete_pairs(start)
    if len(pairs) < 2:
        return None
    chosen = [_best_on(tried, [pair for pair in pairs if pair != left_out]) for left_out in pairs]
    return Validation(
        "on language pairs left out",
        total(best.values),
        total(start.values),
        float(np.mean([total(trial.values, [pair]) for trial, pair in zip(chosen, pairs, strict=True)])),
        float(np.mean([total(start.values, [pair]) for pair in pairs])),
    )


def split_segments(judged: JudgedSet, rng: np.random.Generator) -> tuple[JudgedSet, JudgedSet]:
    """Divide the segments of a judged set at random into two halves; both keep the system scores."""
    order = rng.permutation(len(judged.corpus))
    middle = -(-len(order) // 2)
    return _keep(judged, np.sort(order[:middle])), _keep(judged, np.sort(order[middle:]))


def _complete_pairs(trial: Trial) -> list[str]:
    by_statistic = [
        {pair for pair, value in by_pair.items() if not isnan(value)} for by_pair in trial.values.values()
    ]
    return sorted(set.intersection(*by_statistic)) if by_statistic else []


def _best_on(trials: Sequence[Trial], pairs: Sequence[str]) -> Trial:
    return max(trials, key=lambda trial: total(trial.values, pairs))


def _keep(judged: JudgedSet, rows: npt.NDArray[np.intp]) -> JudgedSet:
    corpus, kept = judged.corpus, rows.tolist()
    ids = corpus.segment_ids or [str(i + 1) for i in range(len(corpus))]
    part = replace(select_texts(corpus, rows), segment_ids=[ids[i] for i in kept])
    scores = None if judged.segment_scores is None else judged.segment_scores[:, rows]
    comparisons = (
        None if judged.comparisons is None else _keep_comparisons(judged.comparisons, rows, len(corpus))
    )
    return replace(judged, corpus=part, segment_scores=scores, comparisons=comparisons)


def _keep_comparisons(comparisons: Comparisons, rows: npt.NDArray[np.intp], n_segments: int) -> Comparisons:
    numbers = np.full(n_segments, -1, dtype=np.int32)
    numbers[rows] = np.arange(len(rows), dtype=np.int32)
    renumbered = numbers[comparisons.segments]
    kept = renumbered >= 0
    return Comparisons(
        renumbered[kept], comparisons.first[kept], comparisons.second[kept], comparisons.preferences[kept]
    )


@record
class PartScore:
    """The objective of one part of a mix alone, on the training data and on held-out data, and its weight in the mix."""

    label: str
    weight: float
    train: float
    held_out: float | None


@record
class Outcome:
    """The best trial of a search, and how it was found."""

    metric: str
    fixed: Mapping[str, Any]
    """Options that were not searched."""
    best: Trial
    objective: str
    search: str
    n_trials: int
    validation: Validation | None
    parts: tuple["PartScore", ...] = ()
    """For a mix, each part alone."""

    @property
    def options(self) -> dict[str, Any]:
        return {**self.fixed, **self.best.point}

    @property
    def facts(self) -> dict[str, float | int | str]:
        """How the options were found, for the preset file."""
        known: dict[str, float | int | str] = {
            "objective": self.objective,
            "search": self.search,
            "trials": self.n_trials,
        }
        if self.validation is not None:
            numbers = ("train", "train_before", "held_out", "held_out_before")
            known |= {name: round(getattr(self.validation, name), 6) for name in numbers}
            known["held_out_how"] = self.validation.how
        return known


@record
class Choice:
    """The judged sets that a metric can score, the function that builds it for each pair, and warnings."""

    sets: list[JudgedSet]
    builds: dict[str, Build]
    signatures: dict[str, str]
    warnings: list[str]


@record(eq=False)
class TunedMetric:
    """The metric to tune; `fixed` are the options that the user set in its label."""

    maker: MetricMaker
    label: str
    metric: Metric
    fixed: dict[str, Any]

    @classmethod
    def parse(cls, text: str, maker: MetricMaker) -> "TunedMetric":
        """Build the metric of a label; raise if there is more than one."""
        label, *others = split_labels([text])
        if others:
            raise OptionError(
                f"one metric is tuned at a time, not {1 + len(others)}: {', '.join([label, *others])}"
            )
        return cls(maker, label, maker.make_all([label])[0].metric, dict(parse_label(label).options))

    def choose(self, sets: Sequence[JudgedSet]) -> Choice:
        """Select the judged sets that the metric can score in their target language."""
        made, warnings = self.maker.make_for(self.label, [judged.pair for judged in sets])
        builds: dict[str, Build] = {}
        signatures: dict[str, str] = {}
        available = {judged.pair: judged.corpus.available for judged in sets}
        for labelled, pairs in made:
            matched, build = labelled.metric, None
            for pair in pairs:
                try:
                    found = labelled.metric.for_texts(available[pair])
                except TertiumError as error:
                    warnings.append(f"{self.label} is left out for {pair or 'the test set'}: {error}")
                    continue
                if build is None or found != matched:  # pairs with the same metric share their counts
                    matched, build = found, partial(change_metric, found)
                builds[pair], signatures[pair] = build, matched.signature((1, 1))
        if not builds:
            raise InputError("; ".join(warnings))
        return Choice([judged for judged in sets if judged.pair in builds], builds, signatures, warnings)
