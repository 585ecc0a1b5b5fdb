"""Sweep one option of a metric: judged outputs in, a curve of agreement with human judgments out."""

from dataclasses import KW_ONLY, dataclass
from functools import cached_property
from os import PathLike
from typing import Annotated

from tertium.api.command import Opt, Request, Strings, function_of
from tertium.api.judged_options import JudgedOptions
from tertium.api.options import EngineOptions, ResourceOptions, check_given
from tertium.api.parallel import try_points
from tertium.api.results import Result
from tertium.catalog import MetricMaker
from tertium.engines.engine import open_engine
from tertium.metaeval.data import JudgedData
from tertium.metaeval.statistics import StatisticSpec, parse_statistics, usual_statistics
from tertium.progress import report_progress
from tertium.reporting.charts.model import Chart
from tertium.reporting.tables.model import Document
from tertium.reporting.tuning import check_curve, describe_sweep, draw_sweep
from tertium.tuning.search import Dimension, parse_dimensions
from tertium.tuning.trials import Trial, Trials, TunedMetric


@dataclass(frozen=True)
class SweepRequest(JudgedOptions, ResourceOptions, EngineOptions, Request["SweepResult"]):
    """Show how the agreement with human judgments changes with one option of a metric.

    The judged data are the same as for 'tertium meta'.
    """

    data: Annotated[
        str | PathLike[str] | JudgedData | None,
        Opt("The folder of judged data.", "Input", is_argument=True, metavar="[FOLDER]"),
    ] = None
    metric: Annotated[
        str,
        Opt(
            "The metric, with options that stay fixed: bleu:lowercase=yes.",
            "Metrics",
            flags=("-m", "--metric"),
            metavar="METRIC",
            completes="metrics",
        ),
    ] = ""
    option: Annotated[
        str,
        Opt(
            "The option to sweep: threshold=0:0.9:0.1, order=2,3,4, or a name whose grid the metric declares.",
            "Analysis",
            metavar="NAME=VALUES",
        ),
    ] = ""
    _: KW_ONLY
    statistics: Annotated[
        Strings,
        Opt(
            "As for 'tertium meta'.",
            "Analysis",
            flags=("-s", "--statistics"),
            metavar="LIST",
            default="the ones that the judgments support",
        ),
    ] = ()
    draws: bool = False
    """Whether a chart will be drawn: the values of the option must then be numbers."""

    def __post_init__(self) -> None:
        super().__post_init__()
        check_given(self, "metric", "option")

    @cached_property
    def judged(self) -> JudgedData:
        return self.judged_data(self.data)

    def make_trials(self) -> Trials:
        """Load the data and prepare the trials."""
        choice = TunedMetric.read(self.metric, MetricMaker(self.resources)).choose(self.judged.read()[0])
        statistics = parse_statistics(tuple(self.statistics)) or usual_statistics(choice.sets)
        return Trials(choice.builds, choice.sets, statistics, threads=self.threads)

    def run(self) -> "SweepResult":
        tuned = TunedMetric.read(self.metric, MetricMaker(self.resources))
        (dimension,) = parse_dimensions(type(tuned.metric), [self.option])
        values = dimension.listed()
        if self.draws:
            check_curve(dimension.name, values)
        statistics = parse_statistics(tuple(self.statistics))
        sets, notes = self.judged.read()
        choice = tuned.choose(sets)
        statistics = statistics or usual_statistics(choice.sets)
        trials = Trials(choice.builds, choice.sets, statistics, threads=self.threads)
        points = [{dimension.name: value} for value in values]
        done: list[Trial] = []
        with open_engine(self.engine_choice) as engine:
            tried = try_points(engine, self, points) if engine.is_remote else map(trials.run, points)
            for trial in tried:
                done.append(trial)
                report_progress("sweeping", len(done), len(values))
        return SweepResult(self, tuple(done), tuple(statistics), dimension, (*notes,), (*choice.warnings,))


@dataclass(frozen=True)
class SweepResult(Result):
    """A trial for every value of the option."""

    request: SweepRequest
    trials: tuple[Trial, ...]
    statistics: tuple[StatisticSpec, ...]
    dimension: Dimension
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    def document(self) -> Document:
        return describe_sweep(self.trials, self.statistics, self.dimension.name)

    def chart(self) -> Chart:
        """Draw a panel per statistic, with a curve per language pair."""
        name = self.dimension.name
        title = f"{self.request.metric}: agreement with human judgments by {name}"
        return draw_sweep(self.trials, self.statistics, name, title=title)


sweep = function_of("sweep", SweepRequest)
