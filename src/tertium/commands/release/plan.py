"""Plan a test set: how many segments a difference needs to become significant, and what that costs."""

from collections.abc import Iterator, Sequence
from dataclasses import KW_ONLY, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Annotated

from tertium.catalog import split_labels
from tertium.commands.base.options import (
    ALPHA,
    COMPARISONS,
    COST,
    DIFFERENCE,
    METRICS,
    POWER,
    RESAMPLE,
)
from tertium.commands.base.request import Request, Strings, function_of
from tertium.commands.base.results import Result
from tertium.commands.base.scored_inputs import (
    ScoredInput,
    check_runs,
    choose_systems,
    list_inputs,
    load_scored,
)
from tertium.commands.base.text_options import INPUTS, SYSTEMS
from tertium.commands.release.plan_tables import describe_plan
from tertium.declarations import Opt
from tertium.errors import InputError, OptionError, argument
from tertium.evaluation import Evaluation
from tertium.evaluation.gaps import describe_gaps
from tertium.evaluation.planning import (
    Deviation,
    PlanRow,
    list_typical,
    measure_deviation,
    plan_test_set,
    trace_power,
    typical_deviations,
)
from tertium.evaluation.selection import select_systems
from tertium.presentation.tables.model import Document
from tertium.records import record
from tertium.stats.analysis import DEFAULT_ALPHA
from tertium.stats.significance import DEFAULT_POWER

if TYPE_CHECKING:
    from tertium.presentation.charts.model import Chart


@record
class PlanRequest(Request["PlanResult"]):
    """Estimate how many segments a difference between two systems needs to become significant.

    The variance comes from runs with the two systems, or, without any, from pairs of systems of WMT with neighbouring
    scores. `tertium human --plan` plans a human evaluation.

    Examples
    --------
    >>> [row.n_units for row in plan(metrics="bleu", difference=1.0).rows][1] > 500
    True
    """

    inputs: Annotated[
        ScoredInput | Sequence[ScoredInput],
        replace(INPUTS, help="Runs with the two systems, to measure the variance.", metavar="[RUN]..."),
    ] = ()
    _: KW_ONLY
    metrics: Annotated[
        Strings | None,
        replace(METRICS, help="Metrics.", default="the metrics of the runs, otherwise bleu"),
    ] = None
    alpha: Annotated[float | None, ALPHA] = None
    resample: Annotated[
        str | None,
        replace(RESAMPLE, help="The unit whose variance is measured: segment, document, or a column."),
    ] = None
    systems: Annotated[
        Strings,
        replace(SYSTEMS, help="The two systems, if the runs contain more: --systems A B."),
    ] = ()
    difference: Annotated[
        float | None, replace(DIFFERENCE, default="the observed difference of the two systems")
    ] = None
    n: Annotated[
        int | None,
        Opt(
            "Show what a test set of N segments can detect.",
            "Analysis",
            flags=("-n", "--segments"),
            metavar="N",
            least=2,
        ),
    ] = None
    power: Annotated[float, POWER] = DEFAULT_POWER
    comparisons: Annotated[int, COMPARISONS] = 1
    cost: Annotated[float | None, COST] = None

    def run(self) -> "PlanResult":
        evaluation = self._load_pair()
        found = tuple(self._list_typical() if evaluation is None else self._measure(evaluation))
        if (
            self.difference is None
            and self.n is None
            and any(deviation.observed is None for deviation in found)
        ):
            raise OptionError(
                f"give the difference to detect with {argument('difference', 'D')}, or the number of segments with"
                f" {argument('n', 'N')}"
            )
        return PlanResult(self, found, notes=() if evaluation is None else tuple(describe_gaps(evaluation)))

    @property
    def level(self) -> float:
        """The significance level of one comparison."""
        return (self.alpha or DEFAULT_ALPHA) / self.comparisons

    def _load_pair(self) -> Evaluation | None:
        """Load the two systems; return None without any inputs."""
        runs = list_inputs(self.inputs)
        if not runs:
            return None
        check_runs(runs)
        metrics = tuple(self.metrics) if self.metrics else None
        evaluation = load_scored(runs, metrics=metrics).choose_units(self.resample).evaluation
        if evaluation.n_segments < 2:
            raise InputError("1 segment does not show a variance; give several")
        return select_systems(evaluation, choose_systems(evaluation, tuple(self.systems), is_pair=True))

    def _measure(self, evaluation: Evaluation) -> Iterator[Deviation]:
        first, second = evaluation.systems
        for label in evaluation.labels:
            found = measure_deviation(evaluation, label, first, second)
            if found.deviation == 0:
                raise InputError(
                    f"{first} and {second} have the same {label} on every segment: there is no variance"
                )
            yield found

    def _list_typical(self) -> Iterator[Deviation]:
        for label in split_labels(tuple(self.metrics or ("bleu",))):
            found = list_typical(label)
            if not found:
                raise OptionError(
                    f"the typical variance of {label} is not known; give a run with {label}, or choose from"
                    f" {', '.join(typical_deviations())}"
                )
            yield from found


@record(eq=False)
class PlanResult(Result):
    """The numbers of segments for each variance, and the power by the number of segments."""

    request: PlanRequest
    deviations: tuple[Deviation, ...] = field(repr=False)
    notes: tuple[str, ...] = ()

    @cached_property
    def rows(self) -> tuple[PlanRow, ...]:
        """A row for each metric and variance."""
        request = self.request
        return tuple(
            plan_test_set(
                deviation,
                request.difference,
                n=request.n,
                cost=request.cost,
                alpha=request.level,
                power=request.power,
            )
            for deviation in self.deviations
        )

    @cached_property
    def curves(self) -> dict[int, tuple[float | None, ...]]:
        """The power of each row by the number of segments; None where no difference is given."""
        return trace_power(self.rows, alpha=self.request.level)

    def plot(self) -> "Chart":
        """Draw the power by the number of segments."""
        from tertium.commands.release.plan_tables import draw_power

        return draw_power(self.rows, alpha=self.request.level, power=self.request.power)

    def document(self) -> Document:
        return describe_plan(self.rows, self.curves, alpha=self.request.level, power=self.request.power)


plan = function_of("plan", PlanRequest)
