"""The tests that decide whether a new system passes the rules of a gate."""

from collections.abc import Sequence
from dataclasses import replace
from math import ceil, isfinite
from statistics import NormalDist
from typing import Literal

import numpy as np
import numpy.typing as npt

from tertium.errors import OptionError, argument
from tertium.evaluation.comparison import unite_segments
from tertium.evaluation.differences import measure_influence, measure_influence_on_difference
from tertium.evaluation.evaluation import Evaluation
from tertium.evaluation.gaps import describe_missing, find_common, list_gaps
from tertium.evaluation.gate_rules import Rule
from tertium.evaluation.selection import select_metric, select_segments, select_systems
from tertium.records import record
from tertium.stats.analysis import SEGMENT
from tertium.stats.one_sided import SkewedDifference
from tertium.verdicts import describe_test, describe_uncertain, name_demand

Verdict = Literal["pass", "fail", "undecided"]


@record
class RuleResult:
    """The result of a rule on all segments or on a subset.

    Attributes
    ----------
    scores
        The scores of the base and of the new system, or of the new system alone if there is no base.
    gain
        Positive if the new system is better; None without a base.
    low
        The lower end of the one-sided interval of the gain; None without a test.
    n_segments
        The number of segments that both systems have a score for.
    units, n_units
        What the test takes as independent, such as "227 documents", and their number; empty without a test.
    segments_needed
        An estimate of how many segments would decide, if this test set does not.
    costliest
        The numbers of the segments, from 1, that lower the gain most, and by how much; for rules that do not pass.
    """

    rule: Rule
    what: str
    subset: str
    verdict: Verdict
    message: str
    gain: float | None = None
    low: float | None = None
    n_segments: int = 0
    segments_needed: int | None = None
    scores: tuple[float, ...] | None = None
    costliest: tuple[tuple[int, float], ...] = ()
    units: str = ""
    n_units: int | None = None

    @property
    def passes(self) -> bool:
        """Whether the rule does not block the new system."""
        return self.verdict == "pass" or (self.verdict == "undecided" and self.rule.undecided == "pass")


MIN_SEGMENTS, MIN_GROUPS = 50, 10
"""With fewer segments, or documents and other groups of segments, too many losses pass (docs/significance.md)."""

_POWER = 0.8  # power of the test with the estimated number of segments
_ENDLESS = 1e9  # larger estimates are not reported
_N_COSTLIEST = 3


@record(eq=False)
class GatedSet:
    """The systems on one test set, or on some of its segments.

    Attributes
    ----------
    base
        The system in use; None for rules that demand a score of the new system only.
    name
        The name of the test set; "" if there is only one.
    values
        The value of the rule's column `by` for each segment.
    rows
        The places of the segments in the test set, if only some of them are used.
    """

    evaluation: Evaluation
    base: str | None
    new: str
    name: str = ""
    values: Sequence[str] = ()
    rows: npt.NDArray[np.int64] | None = None


def apply_rule(sets: Sequence[GatedSet], rule: Rule, *, scale: int = 100) -> list[RuleResult]:
    """Apply a rule to every test set; all tests are one family.

    Parameters
    ----------
    scale
        The scale of the numbers in the rule and in the result, for bounded metrics: 100 or 1.
    """
    parts = [part for gated in sets for part in _split(gated, rule, scale)]
    findings = [_check_level(part) for part in parts] if "level" in rule.kinds else []
    if "gain" in rule.kinds:
        findings += _check_gains(parts, rule.alpha)
    places = {part.subset: part for part in parts}
    return [
        finding if finding.passes else _find_costliest(finding, places[finding.subset])
        for finding in findings
    ]


def _find_costliest(found: RuleResult, part: "_RuleScope") -> RuleResult:
    """Add the three segments that lower the gain most."""
    if part.pair.n_segments < 2 or not part.has_base:
        return found
    influence = measure_influence_on_difference(part.pair, found.rule.metric, *part.pair.systems)
    influence *= part.factor * part.sign
    order = [i for i in np.argsort(influence, kind="stable")[:_N_COSTLIEST].tolist() if influence[i] < 0]
    return replace(found, costliest=tuple((int(part.rows[i]) + 1, float(influence[i])) for i in order))


@record(eq=False)
class _RuleScope:
    """The segments on which a rule must hold, with the statistics of the base and the new system.

    Attributes
    ----------
    whole
        The statistics of all these segments.
    pair
        The statistics of the segments that both systems have a score for.
    rows
        The places of the segments of `pair` among all segments.
    """

    rule: Rule
    subset: str
    whole: Evaluation
    pair: Evaluation
    rows: npt.NDArray[np.int64]
    scale: int = 100

    @classmethod
    def of(
        cls, rule: Rule, subset: str, whole: Evaluation, rows: npt.NDArray[np.int64], scale: int
    ) -> "_RuleScope":
        common = find_common(whole, rule.metric)
        if common is None:
            return cls(rule, subset, whole, whole, rows, scale)
        return cls(rule, subset, whole, select_segments(whole, common), rows[common], scale)

    @property
    def factor(self) -> float:
        """The factor from computed scores to the scale of the rule."""
        return self.pair.metric(self.rule.metric).display_factor(self.scale)

    def write(self, number: float) -> str:
        """Format a number on the scale of the rule."""
        if not isfinite(number):
            return "–"
        return f"{number:.2f}" if self.factor == 1 else f"{number:.4f}"

    def write_change(self, gain: float) -> str:
        """Write a gain as a change of the score: TER falls where the system gets better."""
        change = self.sign * gain
        return f"{'−' if change < 0 else '+'}{self.write(abs(change))}"

    def write_head(self, evaluation: Evaluation) -> str:
        """Write the subset, the metric and the scores, for messages: `news: BLEU 29.41 → 26.57`."""
        where = f"{self.subset}: " if self.subset else ""
        return f"{where}{self.title} {' → '.join(map(self.write, self.scores(evaluation)))}"

    @property
    def head(self) -> str:
        """The beginning of a message about the difference; with the number of segments if scores are missing."""
        n_common, n_segments = self.pair.n_segments, self.whole.n_segments
        if n_common == n_segments:
            return self.write_head(self.pair)
        return (
            f"{self.write_head(self.pair)} on the {n_common:,} of {n_segments:,} segments that both systems have"
            " a score for"
        )

    @property
    def title(self) -> str:
        return self.pair.metric(self.rule.metric).write_title(self.rule.metric)

    @property
    def has_base(self) -> bool:
        """Whether the new system is compared with one in use."""
        return len(self.pair.systems) > 1

    def scores(self, evaluation: Evaluation) -> tuple[float, ...]:
        """Return the scores of the base, if there is one, and of the new system."""
        return tuple(self.factor * float(score) for score in evaluation.system_scores(self.rule.metric))

    @property
    def sign(self) -> float:
        return 1.0 if self.pair.metric(self.rule.metric).higher_is_better else -1.0

    @property
    def gain(self) -> float:
        """By how much the new system is better on the segments that both have a score for."""
        before, after = self.scores(self.pair)
        return self.sign * (after - before)

    @property
    def n_units(self) -> int:
        """The number of segments, documents or other groups that are taken as independent."""
        return self.pair.units.count(self.pair.n_segments)

    def measure_level(self) -> SkewedDifference:
        """Measure the score of the new system with its uncertainty."""
        influence = measure_influence(unite_segments(self.pair), self.rule.metric)[-1]
        return SkewedDifference.of(self.scores(self.pair)[-1], self.factor * influence)

    def measure(self) -> SkewedDifference:
        """Measure the gain with its uncertainty."""
        units = unite_segments(self.pair)
        influence = measure_influence_on_difference(units, self.rule.metric, *units.systems)
        return SkewedDifference.of(self.gain, self.factor * self.sign * influence)

    def find(
        self,
        verdict: Verdict,
        message: str,
        *,
        low: float | None = None,
        segments_needed: int | None = None,
        is_tested: bool = True,
    ) -> RuleResult:
        """Return the result of a comparison."""
        return RuleResult(
            self.rule,
            name_demand(has_margin=self.rule.not_worse is not None),
            self.subset,
            verdict,
            message,
            gain=self.gain if self.pair.n_segments else None,
            low=low,
            n_segments=self.pair.n_segments,
            segments_needed=segments_needed,
            scores=self.scores(self.pair) if self.pair.n_segments else None,
            units=_describe_units(self.pair) if is_tested else "",
            n_units=self.n_units if is_tested else None,
        )


def _describe_units(pair: Evaluation) -> str:
    """Describe what a test takes as independent."""
    units = pair.units
    if units.name != SEGMENT:
        return f"{units.name}s"
    return "segments, taken as independent" + (f" ({units.reason})" if units.reason else "")


def _split(given: GatedSet, rule: Rule, scale: int) -> list[_RuleScope]:
    systems = [given.new] if given.base is None else [given.base, given.new]
    pair = select_metric(select_systems(given.evaluation, systems), rule.metric)
    numbers = np.arange(pair.n_segments) if given.rows is None else given.rows
    if rule.by is None:
        return [_RuleScope.of(rule, given.name, pair, numbers, scale)]
    column = np.array(given.values, dtype=object)
    places = {value: np.flatnonzero(column == value) for value in dict.fromkeys(given.values)}
    return [
        _RuleScope.of(
            rule,
            f"{given.name} {rule.by}={value}".lstrip(),
            select_segments(pair, rows),
            numbers[rows],
            scale,
        )
        for value, rows in places.items()
    ]


def _check_level(part: _RuleScope) -> RuleResult:
    """Check the score of the new system, over all segments that it has a score for."""
    rule, (*before, after) = part.rule, part.scores(part.whole)
    is_ceiling = part.sign < 0
    if rule.at_most is not None and not is_ceiling:
        raise OptionError(f"higher {part.title} is better, so a rule gives at_least, not at_most")
    if rule.at_most is not None and rule.at_least is not None:
        raise OptionError(f"the rule for {rule.metric} gives at_least and at_most; give at_most")
    wanted = rule.at_least if rule.at_most is None else rule.at_most
    assert wanted is not None  # noqa: S101 - the rule has a level
    relation = "at most" if is_ceiling else "at least"
    verdict: Verdict = "pass" if part.sign * after >= part.sign * wanted else "fail"
    if not isfinite(after):
        verdict = "undecided"
    interval, remark = ("", "") if part.has_base else _describe_level(part, wanted)
    message = f"{part.write_head(part.whole)}{interval}; {relation} {wanted:g} is required{remark}"
    message += "".join(f" ({line})" for line in list_gaps(part.whole))
    is_known = all(map(isfinite, (*before, after)))
    return RuleResult(
        rule, "level", part.subset, verdict, message,
        gain=part.sign * (after - before[0]) if before and is_known else None,
        n_segments=part.whole.n_segments,
        scores=(*before, after) if is_known else None,
    )  # fmt: skip


def _describe_level(part: _RuleScope, wanted: float) -> tuple[str, str]:
    """Write the two-sided interval of a score, and whether another test set could decide otherwise."""
    if part.pair.n_segments < 2 or part.n_units < 2:
        return "", ""
    score = part.measure_level()
    low, high = score.lower_end(part.rule.alpha / 2), score.upper_end(part.rule.alpha / 2)
    interval = f" ({_confidence(part)} interval {part.write(low)} to {part.write(high)})"
    is_close = low < wanted < high
    return interval, "; another test set of this size could decide otherwise" if is_close else ""


def _check_gains(parts: Sequence[_RuleScope], alpha: float) -> list[RuleResult]:
    """Test all subsets as one family by Holm's method; subsets that are too small or equal need no test."""
    untested = {part.subset: _judge_untested(part) for part in parts}
    tested = [part for part in parts if untested[part.subset] is None]
    gains = [part.measure() for part in tested]
    above = [gain.test_above(-part.rule.margin) for part, gain in zip(tested, gains, strict=True)]
    below = [gain.turned.test_above(part.rule.margin) for part, gain in zip(tested, gains, strict=True)]
    levels = zip(find_levels(above, alpha), find_levels(below, alpha), strict=True)
    found = {
        part.subset: _judge(part, gain, *pair) for part, gain, pair in zip(tested, gains, levels, strict=True)
    }
    return [untested[part.subset] or found[part.subset] for part in parts]


def find_levels(p_values: Sequence[float], alpha: float) -> list[float]:
    """Find the level at which Holm's method (1979) tests each p-value of a family.

    The smallest p-value is tested at alpha / tests, the next at alpha / (tests - 1), and so on until one fails; all
    others fail at that level too.

    >>> find_levels([0.02, 0.01, 0.5], 0.06)
    [0.03, 0.02, 0.06]
    """
    order = np.argsort(p_values, kind="stable")
    levels = alpha / np.arange(len(order), 0, -1)
    failed = np.flatnonzero(np.asarray(p_values)[order] > levels)
    if len(failed):
        levels[failed[0] :] = levels[failed[0]]
    found = np.empty(len(order))
    found[order] = levels
    return [float(level) for level in found]


def _judge_untested(part: _RuleScope) -> RuleResult | None:
    """Decide a subset without a test if no test is needed or possible."""
    before, after = part.pair.tables[part.rule.metric]
    if not len(before):
        where = f"{part.subset}: " if part.subset else ""
        return part.find(
            "undecided", f"{where}{describe_missing(part.whole, part.rule.metric)}", is_tested=False
        )
    if np.array_equal(before, after):
        return part.find("pass", f"{part.head}, the same on every segment", is_tested=False)
    unit = part.pair.units.name
    needed = MIN_SEGMENTS if unit == SEGMENT else MIN_GROUPS
    n = part.n_units
    if n >= needed:
        return None
    few = f"1 {unit} is" if n == 1 else f"{n} {unit}s are"
    message = f"{part.head} ({part.write_change(part.gain)}); {few} too few for a test, which needs {needed}"
    if unit != SEGMENT:
        message += f"; {argument('resample', 'segment')} takes segments as independent"
    wanted = needed if unit == SEGMENT else None
    return part.find("undecided", message, segments_needed=wanted, is_tested=False)


def _judge(part: _RuleScope, gain: SkewedDifference, level_above: float, level_below: float) -> RuleResult:
    margin, low, high = part.rule.margin, gain.lower_end(level_above), gain.upper_end(level_below)
    verdict: Verdict = "pass" if low > -margin else "fail" if high < -margin else "undecided"
    known_low = low if isfinite(low) else None
    change = part.write_change(gain.value)
    if part.rule.not_worse is None:
        is_worse = verdict == "fail"
        message = f"{part.head} ({change}), {describe_test(is_worse=is_worse)}"
        return part.find("fail" if is_worse else "pass", message, low=known_low)
    if verdict != "undecided":
        end = (
            f"at worst {part.write_change(low)}"
            if verdict == "pass"
            else f"at least {part.write_change(high)}"
        )
        message = f"{part.head} ({change}; {end} with {_confidence(part)} confidence); {_allow(part)}"
        return part.find(verdict, message, low=known_low)
    needed = _segments_needed(gain, margin, part.pair.n_segments, level_above)
    message = f"{part.head}: {_doubt(part, gain, level_above, level_below)}; {_allow(part)}"
    if needed is not None:
        message += f"; about {needed:,} segments would decide, if this is the true difference"
    return part.find(verdict, message, low=known_low, segments_needed=needed)


def _doubt(part: _RuleScope, gain: SkewedDifference, level_above: float, level_below: float) -> str:
    """Say on which side of the margin the new system probably is, with the two-sided interval of the change."""
    is_worse = gain.value < -part.rule.margin
    ends = gain.lower_end(level_above / 2), gain.upper_end(level_below / 2)
    low, high = sorted(part.sign * end for end in ends)
    interval = f"{_confidence(part)} interval {part.write_change(part.sign * low)} to {part.write_change(part.sign * high)}"
    change = part.write_change(gain.value)
    return describe_uncertain(change, interval, is_worse=is_worse)


def _confidence(part: _RuleScope) -> str:
    return f"{100 * (1 - part.rule.alpha):g} %"


def _allow(part: _RuleScope) -> str:
    if not part.rule.margin:
        return "no loss is allowed"
    return f"allowed {'−' if part.sign > 0 else '+'}{part.rule.margin:g}"


def _segments_needed(gain: SkewedDifference, margin: float, n_segments: int, alpha: float) -> int | None:
    """Estimate how many segments would show with probability 0.8 that the gain lies above minus the margin."""
    distance = gain.value + margin
    if distance <= 0 or gain.error == 0:
        return None
    quantiles = NormalDist().inv_cdf(1 - alpha) + NormalDist().inv_cdf(_POWER)
    needed = n_segments * (quantiles * gain.error / distance) ** 2
    return max(n_segments + 1, ceil(needed)) if needed < _ENDLESS else None
