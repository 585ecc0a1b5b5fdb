"""Sweep one option of a metric: judged outputs in, a curve of agreement with people out."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from tertium.api.parallel import try_points
from tertium.api.results import Progress, Shown
from tertium.catalog import MetricMaker, ResourceChoice
from tertium.engines.engine import EngineChoice, open_engine
from tertium.metaeval.data import JudgedData
from tertium.metaeval.statistics import StatisticSpec, parse_statistics, usual_statistics
from tertium.report.charts.model import Chart
from tertium.report.tables.model import Document
from tertium.report.tuning import check_curve, describe_sweep, draw_sweep
from tertium.tuning.search import Dimension, parse_dimensions
from tertium.tuning.trials import Trial, Trials, TunedMetric

__all__ = ["SweepRequest", "SweepResult", "sweep"]


@dataclass(frozen=True, kw_only=True)
class SweepRequest:
    """Everything that `tertium sweep` can be told.

    Attributes
    ----------
    metric
        The metric, with the options that stay: `bleu:lowercase=yes`.
    option
        What to sweep: `threshold=0:0.9:0.1`, `order=2,3,4`, or a name whose grid the metric declares.
    statistics
        As for `MetaRequest`.
    draws
        Whether a chart is wanted: then the option's values must be numbers.
    """

    data: JudgedData
    metric: str
    option: str
    statistics: tuple[str, ...] = ()
    draws: bool = False
    resources: ResourceChoice = field(default_factory=ResourceChoice)
    threads: int | None = None
    engine: EngineChoice = EngineChoice()

    def make_trials(self) -> Trials:
        """Read the data, and make ready what is tried, as `run` does."""
        choice = TunedMetric.read(self.metric, MetricMaker(self.resources)).choose(self.data.read()[0])
        statistics = parse_statistics(self.statistics) or usual_statistics(choice.sets)
        return Trials(choice.builds, choice.sets, statistics, threads=self.threads)

    def run(self, progress: Progress | None = None) -> "SweepResult":
        """Try every value of the option."""
        tuned = TunedMetric.read(self.metric, MetricMaker(self.resources))
        (dimension,) = parse_dimensions(type(tuned.metric), [self.option])
        values = dimension.listed()
        if self.draws:
            check_curve(dimension.name, values)
        statistics = parse_statistics(self.statistics)
        sets, notes = self.data.read()
        choice = tuned.choose(sets)
        statistics = statistics or usual_statistics(choice.sets)
        trials = Trials(choice.builds, choice.sets, statistics, threads=self.threads)
        points = [{dimension.name: value} for value in values]
        done: list[Trial] = []
        with open_engine(self.engine) as engine:
            tried = try_points(engine, self, points) if engine.is_remote else map(trials.run, points)
            for trial in tried:
                done.append(trial)
                if progress is not None:
                    progress(len(done), len(values))
        return SweepResult(self, tuple(done), tuple(statistics), dimension, (*notes,), (*choice.warnings,))


@dataclass(frozen=True)
class SweepResult(Shown):
    """A trial for every value of the option."""

    request: SweepRequest
    trials: tuple[Trial, ...]
    statistics: tuple[StatisticSpec, ...]
    dimension: Dimension
    notes: tuple[str, ...] = ()
    failures: tuple[str, ...] = ()

    def document(self) -> Document:
        return describe_sweep(self.trials, self.statistics, self.dimension.name)

    def chart(self) -> Chart:
        """Draw a panel per statistic, with a curve per language pair."""
        name = self.dimension.name
        title = f"{self.request.metric}: agreement with people by {name}"
        return draw_sweep(self.trials, self.statistics, name, title=title)


def sweep(
    data: str | JudgedData,
    metric: str,
    option: str,
    *,
    statistics: str | Sequence[str] = (),
    resources: ResourceChoice | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> SweepResult:
    """Show how agreement with people changes with one option; the options are those of `tertium sweep`."""
    request = SweepRequest(
        data=JudgedData(folder=data) if isinstance(data, str) else data,
        metric=metric,
        option=option,
        statistics=(statistics,) if isinstance(statistics, str) else tuple(statistics),
        resources=resources or ResourceChoice(),
        threads=threads,
    )
    return request.run(progress)
