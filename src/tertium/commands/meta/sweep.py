"""Sweep one option of a metric: judged outputs in, a curve of agreement with human judgments out."""

from collections.abc import Callable
from dataclasses import KW_ONLY
from functools import cached_property
from typing import Annotated

from tertium.catalog import MetricMaker
from tertium.commands.base.judged_options import FixedMetric, JudgedFolder, JudgedOptions
from tertium.commands.base.options import EngineOptions, ResourceOptions, check_given
from tertium.commands.base.request import Opt, Request, Strings, function_of
from tertium.commands.base.results import Result
from tertium.commands.meta.tuning_tables import check_curve, describe_sweep, draw_sweep
from tertium.engines.engine import open_engine
from tertium.engines.items import compute_items
from tertium.metaeval.data import JudgedData
from tertium.metaeval.statistics import StatisticSpec, parse_statistics, usual_statistics
from tertium.presentation.charts.model import Chart
from tertium.presentation.tables.model import Document
from tertium.progress import report_progress
from tertium.records import record
from tertium.tuning.search import Dimension, Point, parse_dimensions
from tertium.tuning.trials import Choice, Trial, Trials, TunedMetric


@record
class SweepRequest(JudgedOptions, ResourceOptions, EngineOptions, Request["SweepResult"]):
    """Show how the agreement with human judgments changes with one option of a metric.

    The judged data are the same as for 'tertium meta'.
    """

    data: JudgedFolder = None
    metric: FixedMetric = ""
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
        parse_statistics(tuple(self.statistics))

    @cached_property
    def judged(self) -> JudgedData:
        return self.judged_data(self.data)

    def prepare(self) -> Callable[[Point], Trial]:
        """Load the data; the function tries one value of the option."""
        choice = TunedMetric.parse(self.metric, MetricMaker(self.resources)).choose(self.judged.read()[0])
        return self._make_trials(choice).run

    def _make_trials(self, choice: Choice) -> Trials:
        return Trials(choice.builds, choice.sets, self._choose_statistics(choice), threads=self.threads)

    def _choose_statistics(self, choice: Choice) -> list[StatisticSpec]:
        return parse_statistics(tuple(self.statistics)) or usual_statistics(choice.sets)

    def run(self) -> "SweepResult":
        tuned = TunedMetric.parse(self.metric, MetricMaker(self.resources))
        (dimension,) = parse_dimensions(type(tuned.metric), [self.option])
        values = dimension.listed()
        if self.draws:
            check_curve(dimension.name, values)
        sets, notes = self.judged.read()
        choice = tuned.choose(sets)
        trials = self._make_trials(choice)
        points = [{dimension.name: value} for value in values]
        done: list[Trial] = []
        with open_engine(self.engine_choice) as engine:
            for trial in compute_items(engine, self, trials.run, points):
                done.append(trial)
                report_progress("sweeping", len(done), len(values))
        statistics = self._choose_statistics(choice)
        return SweepResult(self, tuple(done), tuple(statistics), dimension, (*notes,), (*choice.warnings,))


@record
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
