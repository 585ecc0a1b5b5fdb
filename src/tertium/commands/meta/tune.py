"""Tune a metric: judged outputs in, the options with the best agreement with human judgments out, or a curve over one."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, replace
from functools import cached_property, partial
from os import PathLike, fspath
from typing import Annotated, Any, Literal

import numpy as np

from tertium.catalog import MetricMaker, parse_label
from tertium.catalog.finding import SUM
from tertium.commands.base.judged_options import JudgedFolder, JudgedOptions
from tertium.commands.base.options import METRIC, SEED, EngineOptions, ResourceOptions, check_given
from tertium.commands.base.request import FilePath, Request, Strings, function_of
from tertium.commands.base.results import Result
from tertium.commands.meta.tuning_tables import check_curve, describe_curve, describe_outcome, draw_curve
from tertium.declarations import Opt
from tertium.engines.engine import open_engine
from tertium.engines.items import compute_items
from tertium.errors import InputError, OptionError, argument
from tertium.metaeval.agreement import StatisticSpec
from tertium.metaeval.data import JudgedData, fingerprint
from tertium.metaeval.judged_sets import JudgedSet
from tertium.presentation.charts.model import Chart
from tertium.presentation.tables.model import Document
from tertium.progress import report_message
from tertium.records import record
from tertium.resources.presets import Preset, render_preset
from tertium.stats.analysis import DEFAULT_SEED
from tertium.tuning.journal import Journal, WatchedObjective
from tertium.tuning.search import (
    Dimension,
    Point,
    alternating_grid,
    check_grid,
    coordinate_search,
    describe_point,
    full_grid,
    halve,
    label_of_parts,
    list_parts,
    parse_dimensions,
    random_search,
    search_weights,
)
from tertium.tuning.trials import (
    Choice,
    Outcome,
    PartScore,
    Trial,
    Trials,
    TunedMetric,
    Validation,
    cross_validate,
    default_statistics,
    measure_spreads,
    parse_objective,
    split_segments,
    total,
)

MAX_TRIALS = 1_000_000  # more than any search in the literature

Search = Literal["grid", "alternating", "random", "coordinate"]


@record
class TuneRequest(JudgedOptions, ResourceOptions, EngineOptions, Request["TuneResult"]):
    """Search the options of a metric for the best agreement with human judgments, or show how it depends on one option.

    The judged data are the same as for 'tertium meta'. The score on held-out data is shown beside the training score,
    with a warning if they differ much.
    """

    data: JudgedFolder = None
    metric: Annotated[str | None, METRIC] = None
    options: Annotated[
        Strings,
        Opt(
            "Options to search: beta=1,2,3, alpha=0:1:0.1, alpha=0:1 (random search), or a name whose grid the"
            " metric declares.",
            "Analysis",
            flags=("--option",),
            metavar="NAME[=VALUES]",
            default="all options with a grid",
        ),
    ] = ()
    _: KW_ONLY
    over: Annotated[
        str | None,
        Opt(
            "Show the agreement for every value of one option instead: threshold=0:0.9:0.1, order=2,3,4, or a name.",
            "Analysis",
            metavar="NAME[=VALUES]",
            excludes=("options", "mix", "search"),
        ),
    ] = None
    mix: Annotated[
        Strings,
        Opt(
            "Learn weights of at least 0 for a weighted sum of these metrics, instead of the options of one.",
            "Metrics",
            metavar="METRICS",
            completes="metrics",
            excludes=("metric",),
        ),
    ] = ()
    search: Annotated[
        Search,
        Opt(
            "Search method: all combinations, the grids of the first and of the second half of the options in turns,"
            " random combinations, or one option after the other.",
            "Analysis",
        ),
    ] = "grid"
    n_trials: Annotated[
        int,
        Opt(
            "Random search: number of points.",
            "Analysis",
            flags=("--trials",),
            metavar="N",
            least=1,
            most=MAX_TRIALS,
            requires=("search=random",),
        ),
    ] = 100
    objective: Annotated[
        str | None,
        Opt(
            "Statistics whose sum is maximised, or that are shown over an option.",
            "Analysis",
            flags=("-s", "--objective"),
            metavar="STATISTICS",
            default="system:spearman+segment:wmt12, as far as the judgments support them",
        ),
    ] = None
    held_out: Annotated[
        FilePath | None,
        Opt(
            "Folder of judged data for validation.",
            "Analysis",
            metavar="FOLDER",
            default="each language pair is left out in turn, or half of the segments of a single pair",
        ),
    ] = None
    journal: Annotated[
        FilePath | None,
        Opt(
            "Keep all trials in this file; the same command continues after an interruption.",
            "Execution",
            metavar="FILE",
            access="update",
        ),
    ] = None
    seed: Annotated[
        int | None,
        replace(SEED, help="Seed of random search and of splits."),
    ] = None

    def __post_init__(self) -> None:
        super().__post_init__()
        given = {
            argument("metric"): bool(self.metric),
            argument("options"): bool(self.options),
            argument("search", self.search): self.search != "grid",
        }
        if self.mix:
            self._leave_out(f"{argument('mix')} learns the weights of several metrics", given)
        else:
            check_given(self, "metric")
        if self.over is not None:
            del given[argument("metric")]
            given[argument("mix")] = bool(self.mix)
            self._leave_out(f"{argument('over')} tries every value of one option", given)

    def _leave_out(self, reason: str, given: Mapping[str, bool]) -> None:
        for option, is_given in given.items():
            if is_given:
                raise OptionError(f"{reason}; leave out {option}")

    @cached_property
    def judged(self) -> JudgedData:
        return self.judged_data(self.data)

    @cached_property
    def tuned(self) -> TunedMetric:
        """The metric to tune, or the mix whose weights are learnt."""
        label = label_of_parts(self.mix) if self.mix else self.metric or ""
        return TunedMetric.parse(label, MetricMaker(self.resources))

    @cached_property
    def dimensions(self) -> list[Dimension]:
        """The options to search; raise on options that cannot be searched."""
        metric = self.tuned.metric
        named = tuple(self.options) if self.over is None else (self.over,)
        found = parse_dimensions(type(metric), named)
        parts = halve(found) if self.search == "alternating" else [found]
        if self.search in ("grid", "alternating"):
            for part in parts:
                check_grid(part)
        # options of the formula vary fastest: nothing is counted again for them
        return [
            dimension
            for part in parts
            for dimension in sorted(part, key=lambda dimension: dimension.name in metric.formula_options)
        ]

    @property
    def random_seed(self) -> int:
        return DEFAULT_SEED if self.seed is None else self.seed

    def choose_statistics(self, sets: Sequence[JudgedSet]) -> list[StatisticSpec]:
        return parse_objective(self.objective) if self.objective else default_statistics(sets)

    def prepare(self) -> Callable[[Point], Trial]:
        """Load the data; the function tries one point."""
        data = _read(self)
        statistics = self.choose_statistics(data.training)
        return Trials(data.choice.builds, data.training, statistics, threads=self.threads).run

    def check_curve(self) -> None:
        """Raise if there is no curve to draw."""
        if self.over is None:
            raise OptionError(f"{argument('chart')} requires {argument('over', 'OPTION')}")
        (dimension,) = self.dimensions
        check_curve(dimension.name, dimension.listed())

    def run(self) -> "TuneResult":
        dimensions = [] if self.mix else self.dimensions
        if self.objective:
            parse_objective(self.objective)  # raises before the data are read
        data = _read(self)
        for note in data.notes:
            report_message("note", note)
        for warning in data.warnings:
            report_message("warning", warning)
        return _Job(self, data, dimensions).run()


@record(eq=False)
class _Job:
    """The work of a search: trials on an engine, a journal, and the validation of the best point."""

    request: TuneRequest
    data: "_Data"
    dimensions: list[Dimension]

    @cached_property
    def statistics(self) -> list[StatisticSpec]:
        return self.request.choose_statistics(self.data.training)

    def run(self) -> "TuneResult":
        request, tuned, data = self.request, self.request.tuned, self.data
        start: Point = {
            dimension.name: getattr(tuned.metric, dimension.name) for dimension in self.dimensions
        }
        trials = Trials(data.choice.builds, data.training, self.statistics, threads=request.threads)
        journal = self._open_journal()
        try:
            with open_engine(request.engine_choice) as engine:
                ahead = partial(compute_items, engine, request, trials.run) if engine.is_remote else None
                watched = WatchedObjective(trials, journal, ahead)
                if request.mix:
                    start, best = search_weights(watched, measure_spreads(trials), expect=watched.expect)
                else:
                    best = self._search(watched, start)
        except KeyboardInterrupt:
            report_message(
                "warning", f"stopped after {len(trials.known):,} trials; {self._how_to_continue()}"
            )
            raise
        if request.over is None:
            _raise_if_undefined(trials, best)
        validation = _validate(trials, start, best, data, self.statistics)
        fixed = {name: value for name, value in tuned.fixed.items() if name not in start}
        outcome = Outcome(
            tuned.metric.name, fixed, trials.run(best), "+".join(map(str, self.statistics)), request.search,
            len(trials.known), validation,
            _score_parts(trials, best, data, self.statistics) if request.mix else (),
        )  # fmt: skip
        return TuneResult(request, outcome, tuple(self.statistics), tuple(self._list_curve(trials)))

    def _list_curve(self, trials: Trials) -> Iterator[Trial]:
        """List the trials of the values of one option, in their order."""
        if self.request.over is not None:
            (dimension,) = self.dimensions
            for value in dimension.listed():
                yield trials.run({dimension.name: value})

    def _open_journal(self) -> Journal | None:
        if self.request.journal is None:
            return None
        journal = Journal(str(self.request.journal), self._task())
        if journal.trials:
            report_message("note", f"{journal.path} has {len(journal.trials):,} trials already")
        return journal

    def _how_to_continue(self) -> str:
        if self.request.journal is None:
            return f"use {argument('journal', 'FILE')} to keep trials"
        return f"the same command with {argument('journal', str(self.request.journal))} continues"

    def _task(self) -> dict[str, Any]:
        """Describe everything that the outcome of a trial depends on: the metric with its resources, and the data."""
        return {
            "metric": self.request.tuned.label,
            "objective": "+".join(map(str, self.statistics)),
            "signatures": self.data.choice.signatures,
            "data": fingerprint(self.data.training),
        }

    def _search(self, objective: WatchedObjective, start: Point) -> Point:
        objective(start)
        dimensions, search = self.dimensions, self.request.search
        if search == "random":
            rng = np.random.default_rng(self.request.random_seed)
            n_trials = self.request.n_trials
            return random_search(
                objective, dimensions, start, n_trials=n_trials, rng=rng, expect=objective.expect
            )
        if search == "coordinate":
            return coordinate_search(objective, dimensions, start, expect=objective.expect)
        if search == "alternating":
            return alternating_grid(objective, *halve(dimensions), start, expect=objective.expect)
        return full_grid(objective, dimensions, start, expect=objective.expect)


@record
class TuneResult(Result):
    """The result of a search.

    Attributes
    ----------
    statistics
        What was maximised, or shown over an option.
    curve
        The trials of every value of one option, if they were requested.
    """

    request: TuneRequest
    outcome: Outcome
    statistics: tuple[StatisticSpec, ...] = ()
    curve: tuple[Trial, ...] = ()

    @property
    def preset(self) -> Preset:
        """The metric with its best options, and the vectors if they were named."""
        vectors = self.request.resources.vectors
        named = {"vectors": fspath(vectors)} if isinstance(vectors, (str, PathLike)) else {}
        metric = self.request.metric or ""
        implied = parse_label(metric).resources if "@" in metric else {}
        options = self.outcome.options
        if self.request.mix:
            used = [part for part in self.outcome.parts if part.weight]
            options = {
                "parts": tuple(part.label for part in used),
                "weights": tuple(part.weight for part in used),
            }
        return Preset(self.outcome.metric, options, {**implied, **named})

    @property
    def label(self) -> str:
        """The label that the user gave, with the best values of the searched options."""
        if self.request.mix:
            return SUM + "+".join(
                f"{part.weight:g}*{part.label}" for part in self.outcome.parts if part.weight
            )
        before, _, listed = (self.request.metric or "").partition(":")
        point = self.outcome.best.point
        kept = [item for item in listed.split(",") if item and item.partition("=")[0] not in point]
        return f"{before}:{','.join([*kept, describe_point(point)])}"

    @property
    def warnings(self) -> list[str]:  # type: ignore[override]
        """Reasons why the tuned options may not generalise."""
        validation = self.outcome.validation
        return [] if validation is None or self.curve else validation.warnings()

    def render_preset(self) -> str:
        """Render the preset file for `-m METRIC@FILE`, with the facts of its tuning."""
        return render_preset(self.preset, self.outcome.facts)

    def document(self) -> Document:
        if self.curve:
            return describe_curve(self.curve, self.statistics, self._option)
        return describe_outcome(self.outcome, label=self.label, digest=self.preset.digest)

    def chart(self) -> Chart:
        """Draw the values of one option: a panel per statistic, with a curve per language pair."""
        self.request.check_curve()
        title = f"{self.request.metric}: agreement with human judgments by {self._option}"
        return draw_curve(self.curve, self.statistics, self._option, title=title)

    @property
    def _option(self) -> str:
        """The name of the option that a curve is about."""
        (name,) = self.curve[0].point
        return name


@record
class _Data:
    """Training and held-out data, with notes on data that were left out."""

    training: list[JudgedSet]
    held_out: list[JudgedSet]
    choice: Choice
    notes: list[str]
    warnings: list[str]
    label: str


def _read(request: TuneRequest) -> _Data:
    """Read training and held-out data: another folder, half of the segments of a single pair, or none.

    A curve over an option is about all segments.
    """
    tuned = request.tuned
    request.judged.check_language(request.language)
    sets, notes = request.judged.read()
    choice = tuned.choose(sets)
    if request.held_out:
        others, more = JudgedData(folder=str(request.held_out)).read()
        second = tuned.choose(others)
        both = Choice(choice.sets, choice.builds | second.builds, choice.signatures, choice.warnings)
        return _Data(
            choice.sets, second.sets, both, notes + more, choice.warnings + second.warnings, tuned.label
        )
    if request.over is not None or len({judged.pair for judged in choice.sets}) > 1:
        return _Data(choice.sets, [], choice, notes, choice.warnings, tuned.label)
    halves = [split_segments(judged, np.random.default_rng(request.random_seed)) for judged in choice.sets]
    ours, theirs = [half for half, _ in halves], [half for _, half in halves]
    return _Data(ours, theirs, choice, notes, choice.warnings, tuned.label)


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


def _score_parts(
    trials: Trials, best: Point, data: _Data, statistics: Sequence[StatisticSpec]
) -> tuple[PartScore, ...]:
    """Score each part of a mix alone, as `_validate` scores the mix."""
    labels, weights = parse_label(data.label).options["parts"], best["weights"]
    scores = []
    for label, weight, point in zip(labels, weights, list_parts(len(labels)), strict=True):
        tested = _validate(trials, point, point, data, statistics)
        held_out = None if tested is None else tested.held_out_before
        scores.append(PartScore(label, weight, total(trials.run(point).values), held_out))
    return tuple(scores)


tune = function_of("tune", TuneRequest)
