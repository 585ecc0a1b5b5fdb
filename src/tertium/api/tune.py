"""Tune a metric: judged outputs in, the options that agree best with people out."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from os import PathLike, fspath
from typing import Any, Literal

import numpy as np

from tertium.api.parallel import try_points
from tertium.api.results import Shown, Tell
from tertium.catalog import MetricMaker, ResourceChoice, parse_label
from tertium.engines.engine import EngineChoice, open_engine
from tertium.errors import InputError, OptionError
from tertium.metaeval.data import JudgedData, fingerprint
from tertium.metaeval.judged_sets import JudgedSet
from tertium.metaeval.statistics import StatisticSpec
from tertium.report.tables.model import Document
from tertium.report.tuning import describe_outcome
from tertium.resources.presets import Preset, render_preset
from tertium.tuning.journal import Journal, WatchedObjective
from tertium.tuning.search import (
    Dimension,
    Point,
    alternating_grid,
    check_grid,
    coordinate_search,
    describe_point,
    full_grid,
    parse_dimensions,
    random_search,
)
from tertium.tuning.trials import (
    Choice,
    Outcome,
    Trials,
    TunedMetric,
    Validation,
    cross_validate,
    default_statistics,
    parse_objective,
    split_segments,
    total,
)

__all__ = ["TuneRequest", "TuneResult", "tune"]

Search = Literal["grid", "alternating", "random", "coordinate"]


@dataclass(frozen=True, kw_only=True)
class TuneRequest:
    """Everything that `tertium tune` can be told.

    Attributes
    ----------
    metric
        The metric, with the options that stay: `chrf:word_order=2`.
    options
        What to search: `beta=1,2,3`, `alpha=0:1:0.1`, `alpha=0:1` (random search), or a name whose grid the
        metric declares. All of those by default.
    subset
        alternating: the options of the first subset, separated by commas; the first half by default.
    objective
        Statistics that are added up: `system:spearman+segment:wmt12`.
    held_out
        A folder of judged data to test on. By default language pairs are left out in turn, or half of the
        segments if there is one pair.
    journal
        A file that keeps all trials, so that the same request goes on where it was interrupted.
    """

    data: JudgedData
    metric: str
    options: tuple[str, ...] = ()
    search: Search = "grid"
    subset: str | None = None
    iterations: int = 10
    n_trials: int = 100
    objective: str | None = None
    held_out: str | None = None
    journal: str | None = None
    seed: int = 12345
    resources: ResourceChoice = field(default_factory=ResourceChoice)
    threads: int | None = None
    engine: EngineChoice = EngineChoice()

    def make_trials(self) -> Trials:
        """Read the data, and make ready what is tried, as `run` does."""
        data = _read(self, TunedMetric.read(self.metric, MetricMaker(self.resources)))
        statistics = parse_objective(self.objective) if self.objective else default_statistics(data.training)
        return Trials(data.choice.builds, data.training, statistics, threads=self.threads)

    def run(self, tell: Tell | None = None) -> "TuneResult":
        """Search, and test what was found on data that was not searched on; `tell` hears of progress."""
        tuned = TunedMetric.read(self.metric, MetricMaker(self.resources))
        dimensions = self._dimensions(tuned)
        objective = parse_objective(self.objective) if self.objective else None
        start = {each.name: getattr(tuned.metric, each.name) for each in dimensions}
        data = _read(self, tuned)
        _tell_all(tell, "note", data.notes)
        _tell_all(tell, "warning", data.warnings)
        statistics = objective or default_statistics(data.training)
        trials = Trials(data.choice.builds, data.training, statistics, threads=self.threads)
        journal = self._open_journal(data, statistics, tell)
        try:
            with open_engine(self.engine) as engine:
                ahead = partial(try_points, engine, self) if engine.is_remote else None
                best = self._search(WatchedObjective(trials, journal, tell, ahead), dimensions, start)
        except KeyboardInterrupt:
            _tell_all(
                tell, "warning", [f"stopped after {len(trials.known):,} trials; {self._how_to_go_on()}"]
            )
            raise
        _raise_if_undefined(trials, best)
        validation = _validate(trials, start, best, data, statistics)
        fixed = {name: value for name, value in tuned.fixed.items() if name not in start}
        outcome = Outcome(
            tuned.metric.name, fixed, trials.run(best), "+".join(map(str, statistics)), self.search,
            len(trials.known), validation,
        )  # fmt: skip
        return TuneResult(self, outcome)

    def _dimensions(self, tuned: TunedMetric) -> list[Dimension]:
        """Read what is searched, and refuse what could not be searched in the end."""
        metric = tuned.metric
        # options of the formula vary fastest: nothing is counted again for them
        dimensions = sorted(
            parse_dimensions(type(metric), self.options), key=lambda each: each.name in metric.formula_options
        )
        if self.search == "grid":
            check_grid(dimensions)
        if self.search == "alternating":
            for subset in self._subsets(dimensions):
                check_grid(subset)
        return dimensions

    def _subsets(self, dimensions: Sequence[Dimension]) -> tuple[list[Dimension], list[Dimension]]:
        names = [each.name for each in dimensions]
        first = self.subset.split(",") if self.subset else names[: -(-len(names) // 2)]
        for name in first:
            if name not in names:
                raise OptionError(
                    f"--subset names {name!r}, which is not searched; searched are {', '.join(names)}"
                )
        in_first = [each for each in dimensions if each.name in first]
        return in_first, [each for each in dimensions if each.name not in first]

    def _open_journal(
        self, data: "_Data", statistics: Sequence[StatisticSpec], tell: Tell | None
    ) -> Journal | None:
        if self.journal is None:
            return None
        journal = Journal(self.journal, self._task(data, statistics))
        if journal.trials and tell is not None:
            tell("note", f"{journal.path} has {len(journal.trials):,} trials already")
        return journal

    def _how_to_go_on(self) -> str:
        if self.journal is None:
            return "use --journal to keep trials"
        return f"the same command with --journal {self.journal} goes on"

    def _task(self, data: "_Data", statistics: Sequence[StatisticSpec]) -> dict[str, Any]:
        """List everything that a trial's outcome depends on: the metric with its resources, and the data."""
        return {
            "metric": self.metric,
            "objective": "+".join(map(str, statistics)),
            "signatures": data.choice.signatures,
            "data": fingerprint(data.training),
        }

    def _search(self, objective: WatchedObjective, dimensions: list[Dimension], start: Point) -> Point:
        objective(start)
        if self.search == "random":
            rng = np.random.default_rng(self.seed)
            return random_search(
                objective, dimensions, start, n_trials=self.n_trials, rng=rng, expect=objective.expect
            )
        if self.search == "coordinate":
            return coordinate_search(
                objective, dimensions, start, n_iterations=self.iterations, expect=objective.expect
            )
        if self.search == "alternating":
            first, second = self._subsets(dimensions)
            return alternating_grid(
                objective, first, second, start, n_iterations=self.iterations, expect=objective.expect
            )
        return full_grid(objective, dimensions, start, expect=objective.expect)


@dataclass(frozen=True)
class TuneResult(Shown):
    """What a search found."""

    request: TuneRequest
    outcome: Outcome

    @property
    def preset(self) -> Preset:
        """The metric, its best options, and the vectors that they were found with, if any were named."""
        vectors = self.request.resources.vectors
        named = {"vectors": fspath(vectors)} if isinstance(vectors, (str, PathLike)) else {}
        implied = parse_label(self.request.metric).resources if "@" in self.request.metric else {}
        return Preset(self.outcome.metric, self.outcome.options, {**implied, **named})

    @property
    def label(self) -> str:
        """The metric as the user named it, with the best options in place of those that were searched."""
        before, _, listed = self.request.metric.partition(":")
        point = self.outcome.best.point
        kept = [item for item in listed.split(",") if item and item.partition("=")[0] not in point]
        return f"{before}:{','.join([*kept, describe_point(point)])}"

    @property
    def warnings(self) -> list[str]:
        """What should make a reader doubt the tuned options."""
        validation = self.outcome.validation
        return [] if validation is None else validation.warnings()

    def render_preset(self) -> str:
        """Write the preset file for `-m METRIC@FILE`, with what is known of its tuning."""
        return render_preset(self.preset, self.outcome.facts)

    def document(self) -> Document:
        return describe_outcome(self.outcome, label=self.label, digest=self.preset.digest)


def tune(
    data: str | JudgedData,
    metric: str,
    options: Sequence[str] = (),
    *,
    search: Search = "grid",
    subset: str | None = None,
    iterations: int = 10,
    n_trials: int = 100,
    objective: str | None = None,
    held_out: str | None = None,
    journal: str | None = None,
    seed: int = 12345,
    resources: ResourceChoice | None = None,
    threads: int | None = None,
    tell: Tell | None = None,
) -> TuneResult:
    """Search a metric's options for the best agreement with people; the options are those of `tertium tune`."""
    request = TuneRequest(
        data=JudgedData(folder=data) if isinstance(data, str) else data,
        metric=metric,
        options=tuple(options),
        search=search,
        subset=subset,
        iterations=iterations,
        n_trials=n_trials,
        objective=objective,
        held_out=held_out,
        journal=journal,
        seed=seed,
        resources=resources or ResourceChoice(),
        threads=threads,
    )
    return request.run(tell)


def _tell_all(tell: Tell | None, kind: str, lines: Sequence[str]) -> None:
    if tell is not None:
        for line in lines:
            tell(kind, line)


@dataclass(frozen=True)
class _Data:
    """What is searched on, what is tested on, and what was left out."""

    training: list[JudgedSet]
    held_out: list[JudgedSet]
    choice: Choice
    notes: list[str]
    warnings: list[str]


def _read(request: TuneRequest, tuned: TunedMetric) -> _Data:
    """Read training and held-out data: another folder, half of the segments of a single pair, or nothing yet."""
    sets, notes = request.data.read()
    choice = tuned.choose(sets)
    if request.held_out:
        others, more = JudgedData(folder=request.held_out).read()
        second = tuned.choose(others)
        both = Choice(choice.sets, choice.builds | second.builds, choice.signatures, choice.warnings)
        return _Data(choice.sets, second.sets, both, notes + more, choice.warnings + second.warnings)
    if len({judged.pair for judged in choice.sets}) > 1:
        return _Data(choice.sets, [], choice, notes, choice.warnings)
    halves = [split_segments(judged, np.random.default_rng(request.seed)) for judged in choice.sets]
    return _Data([half for half, _ in halves], [half for _, half in halves], choice, notes, choice.warnings)


def _raise_if_undefined(trials: Trials, best: Point) -> None:
    """Raise if every trial is undefined."""
    if total(trials.run(best).values) > float("-inf"):
        return
    reasons = trials.explain_undefined(best)
    more = f" (and {len(reasons) - 3:,} more)" if len(reasons) > 3 else ""
    raise InputError(f"no trial has a value of the objective: {'; '.join(reasons[:3])}{more}")


def _validate(
    trials: Trials, start: Point, best: Point, data: _Data, statistics: Sequence[StatisticSpec]
) -> Validation | None:
    first, last = trials.run(start), trials.run(best)
    if not data.held_out:
        return cross_validate(trials.known.values(), first, last)
    others = Trials(data.choice.builds, data.held_out, statistics)
    tested = [total(others.run(point).values) for point in (best, start)]
    return Validation("on held-out data", total(last.values), total(first.values), *tested)
