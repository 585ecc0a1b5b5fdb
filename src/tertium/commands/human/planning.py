"""The plan of a human evaluation: its options, and the designs as a table."""

from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import Annotated

from tertium.commands.base.options import COMPARISONS, COST, DIFFERENCE, POWER
from tertium.declarations import Opt, options_of
from tertium.errors import OptionError, argument
from tertium.humaneval.planning import HumanVariances, PlannedDesign, estimate_variances, plan_designs
from tertium.humaneval.ranking import Ranking
from tertium.presentation.tables.fields import Field, make_object, make_records, make_table
from tertium.presentation.tables.model import Document, Note
from tertium.records import record
from tertium.stats.significance import DEFAULT_POWER

_OF_PLANS = ("plan",)


@record(kw_only=True)
class PlanOptions:
    """Options of the plan of a human evaluation."""

    plan: Annotated[
        bool,
        Opt(
            "Plan the next campaign: the segments and judgments that show a difference, from the variances of this one.",
            "Analysis",
        ),
    ] = False
    difference: Annotated[
        float | None,
        replace(
            DIFFERENCE, help="The true difference to detect, in points of human scores.", requires=_OF_PLANS
        ),
    ] = None
    raters: Annotated[
        int,
        Opt(
            "Plan with up to N raters of every output.", "Analysis", metavar="N", least=1, requires=_OF_PLANS
        ),
    ] = 3
    n_systems: Annotated[
        int,
        Opt("Number of systems of the next campaign.", "Analysis", metavar="N", least=2, requires=_OF_PLANS),
    ] = 2
    comparisons: Annotated[int, replace(COMPARISONS, requires=_OF_PLANS)] = 1
    power: Annotated[float, replace(POWER, requires=_OF_PLANS)] = DEFAULT_POWER
    cost: Annotated[float | None, replace(COST, help="Cost of a judgment.", requires=_OF_PLANS)] = None

    def check_plan(self) -> None:
        """Raise on a plan without a difference, and on options that a plan does not read."""
        if not self.plan:
            return
        if self.difference is None:
            raise OptionError(
                f"give the difference of human scores to detect with {argument('difference', 'D')}"
            )
        for option in options_of(type(self)):
            if option.name in ("table", "ranking", "unit", "test") and not option.is_default(
                getattr(self, option.name)
            ):
                text = f"{argument('plan')} does not read {argument(option.name)}; leave it out"
                raise OptionError(text).about(option.name)

    def make_plan(self, rankings: Sequence[Ranking], alpha: float) -> "HumanPlan":
        """Plan the next campaign from the variances of this one, ranked by the mixed model."""
        if len(rankings) > 1:
            listed = ", ".join(ranking.campaign.pair for ranking in rankings)
            raise OptionError(
                f"the judgments have several language pairs: {listed}; choose one with {argument('pairs')}"
            )
        variances = estimate_variances(rankings[0])
        designs = plan_designs(
            variances,
            [self.difference or 0.0],
            n_systems=self.n_systems,
            n_comparisons=self.comparisons,
            max_raters=self.raters,
            alpha=alpha,
            power=self.power,
        )
        return HumanPlan(variances, tuple(designs), alpha / self.comparisons, self.power, self.cost)


@record
class HumanPlan:
    """Designs of a human evaluation, and the variances from which they are planned.

    `level` is the significance level of one comparison, and `cost` the cost of one judgment, if it is given.
    """

    variances: HumanVariances
    designs: tuple[PlannedDesign, ...]
    level: float
    power: float
    cost: float | None


def describe_plan(plan: HumanPlan) -> Document:
    """Describe the designs of a human evaluation."""
    fields = _fields(plan.cost)
    return Document(
        "human plan",
        lambda: [make_table(fields, plan.designs, notes=[*map(Note, _notes(plan))])],
        lambda: make_records(fields, plan.designs),
        lambda: {
            "schema_version": 1,
            "alpha": plan.level,
            "power": plan.power,
            "variances": asdict(plan.variances),
            "plans": [make_object(fields, design) for design in plan.designs],
        },
    )


def _fields(cost: float | None) -> list[Field[PlannedDesign]]:
    fields: list[Field[PlannedDesign]] = [
        Field("difference", float, form="{:g}", is_key=True),
        Field("raters", int, heading="raters per output", is_key=True),
        Field("segments", int, heading="segments needed"),
        Field("judgments", int, heading="judgments of all systems"),
        Field("segments_other_raters", int, heading="segments, different raters"),
    ]
    if cost is not None:
        fields.append(Field("cost", float, lambda design: cost * design.judgments, form="{:,.2f}"))
    return fields


def _notes(plan: HumanPlan) -> list[str]:
    known = plan.variances
    parts = {
        "segments": known.segment,
        "raters": known.rater,
        "outputs": known.output,
        "judgments": known.judgment,
    }
    listed = ", ".join(f"{name} {value:.3g}" for name, value in parts.items() if value is not None)
    notes = [
        f"two-sided test at level {plan.level:.3g}, power {100 * plan.power:.3g} %; the same raters judge all systems of a segment",
        "different raters: each system of a segment is judged by other raters, and their strictness is not adjusted for",
        f"variances of the campaign: {listed}; documents enlarge the variance by the factor {known.clustering:.2f}",
    ]
    if known.output is None:
        notes.append(
            "too few outputs were judged by several raters to tell what further raters of an output would gain"
        )
    return notes
