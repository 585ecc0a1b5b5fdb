"""Gate rules, and the tests that decide whether a new system passes them."""

from collections.abc import Sequence
from dataclasses import replace
from math import ceil, floor, inf, isfinite
from statistics import NormalDist
from typing import Literal

import numpy as np
import numpy.typing as npt

from tertium.errors import OptionError, argument
from tertium.evaluation.comparison import compare
from tertium.evaluation.differences import measure_influence_on_difference
from tertium.evaluation.selection import select_metric, select_segments, select_systems
from tertium.evaluation.statistics import Evaluation
from tertium.records import record
from tertium.stats.analysis import DEFAULT_ALPHA, DEFAULT_SEED, MAX_SAMPLES, MIN_ALPHA, Analysis
from tertium.stats.significance import min_units
from tertium.types import FloatArray

Verdict = Literal["pass", "fail", "undecided"]


@record(kw_only=True)
class Rule:
    """A condition on the new system under one metric.

    Attributes
    ----------
    not_worse
        Margin of a one-sided non-inferiority test: the lower end of the interval of the gain must lie above
        minus the margin.
    not_significantly_worse
        The one-sided paired test must not be significant. This is weaker: a small test set shows little.
    at_least, at_most
        The score that the system must reach, or must not exceed if lower is better.
    by
        The rule must hold for each value of this column; tests are adjusted by Holm's method.
    undecided
        The verdict if the test set is too small to decide.
    alpha
        Significance level of the one-sided test.
    """

    metric: str
    not_worse: float | None = None
    not_significantly_worse: bool = False
    at_least: float | None = None
    at_most: float | None = None
    by: str | None = None
    undecided: Literal["fail", "pass"] = "fail"
    alpha: float = DEFAULT_ALPHA

    def __post_init__(self) -> None:
        if not MIN_ALPHA <= self.alpha < 1:
            raise OptionError(
                f"alpha must be at least {MIN_ALPHA:g} and below 1, but is {self.alpha:g} for {self.metric}"
            )
        if self.undecided not in ("fail", "pass"):
            raise OptionError(f"undecided must be fail or pass, but is {self.undecided!r} for {self.metric}")
        self._check_demands()

    def _check_demands(self) -> None:
        if not self.kinds:
            raise OptionError(
                f"the rule for {self.metric} asks for nothing; give not_worse, not_significantly_worse, at_least or at_most"
            )
        if self.not_worse is not None and not 0 <= self.not_worse < inf:
            raise OptionError(
                f"not_worse must be a number from 0 on, but is {self.not_worse:g} for {self.metric}"
            )
        for name in ("at_least", "at_most"):
            if (level := getattr(self, name)) is not None and not isfinite(level):
                raise OptionError(f"{name} must be a number, but is {level:g} for {self.metric}")
        if self.not_worse is not None and self.not_significantly_worse:
            raise OptionError(
                f"the rules for {self.metric} contradict: not_worse asks for a proof, not_significantly_worse for none;"
                " choose one"
            )

    @property
    def kinds(self) -> tuple[str, ...]:
        """The conditions of the rule: a score to reach, a comparison with the base, or both."""
        compares = self.not_worse is not None or self.not_significantly_worse
        has_level = self.at_least is not None or self.at_most is not None
        return ("level",) * has_level + ("gain",) * compares

    @property
    def margin(self) -> float:
        """The margin by which the new system may be worse."""
        return 0.0 if self.not_worse is None else self.not_worse


def check_rules(rules: Sequence[Rule]) -> None:
    """Raise if two rules check one metric on the same segments."""
    seen: dict[tuple[str, str | None, str], int] = {}
    for number, rule in enumerate(rules, start=1):
        for kind in rule.kinds:
            other = seen.setdefault((rule.metric, rule.by, kind), number)
            if other != number:
                raise OptionError(f"rules {other} and {number} for {rule.metric} contradict or repeat each other; keep one")  # fmt: skip


@record
class RuleResult:
    """The result of a rule on all segments or on a subset.

    Attributes
    ----------
    scores
        The scores of the base and of the new system.
    gain
        Positive if the new system is better.
    low
        The lower end of the one-sided interval of the gain; None without a test.
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
    scores: tuple[float, float] | None = None
    costliest: tuple[tuple[int, float], ...] = ()

    @property
    def passes(self) -> bool:
        """Whether the rule does not block the new system."""
        return self.verdict == "pass" or (self.verdict == "undecided" and self.rule.undecided == "pass")


# With fewer segments the intervals of the bootstrap are too narrow.
MIN_SEGMENTS = min_units("bootstrap", 2)
_POWER = 0.8  # power of the test with the estimated number of segments
_ENDLESS = 1e9  # larger estimates are not reported
_FEWEST_SAMPLES = 1000
_N_COSTLIEST = 3
_SAMPLES_BEYOND = 50  # samples beyond the end of an interval that make it stable


@record(eq=False)
class GatedSet:
    """The systems on one test set, or on some of its segments.

    Attributes
    ----------
    name
        The name of the test set; "" if there is only one.
    values
        The value of the rule's column `by` for each segment.
    rows
        The places of the segments in the test set, if only some of them are used.
    """

    evaluation: Evaluation
    base: str
    new: str
    name: str = ""
    values: Sequence[str] = ()
    rows: npt.NDArray[np.int64] | None = None


def apply_rule(
    sets: Sequence[GatedSet],
    rule: Rule,
    *,
    n_samples: int | None = None,
    seed: int = DEFAULT_SEED,
    scale: int = 100,
) -> list[RuleResult]:
    """Apply a rule to every test set; all tests are one family.

    Parameters
    ----------
    scale
        The scale of the rule's numbers, and of those in the result, for bounded metrics: 100 or 1.
    """
    parts = [part for each in sets for part in _split(each, rule, scale)]
    findings = [_check_level(part) for part in parts] if "level" in rule.kinds else []
    if "gain" in rule.kinds:
        findings += _check_gains(parts, rule.alpha, n_samples, seed)
    places = {part.subset: part for part in parts}
    return [each if each.passes else _find_costliest(each, places[each.subset]) for each in findings]


def _find_costliest(found: RuleResult, part: "_RuleScope") -> RuleResult:
    """Add the three segments that lower the gain most."""
    if part.pair.n_segments < 2:
        return found
    influence = measure_influence_on_difference(part.pair, found.rule.metric, *part.pair.systems)
    influence *= part.factor * part.sign
    order = [i for i in np.argsort(influence, kind="stable")[:_N_COSTLIEST].tolist() if influence[i] < 0]
    return replace(found, costliest=tuple((int(part.rows[i]) + 1, float(influence[i])) for i in order))


@record(eq=False)
class _RuleScope:
    """The segments on which a rule must hold, with the statistics of the base and the new system."""

    rule: Rule
    subset: str
    pair: Evaluation
    rows: npt.NDArray[np.int64]
    """The segments' places among all segments."""
    scale: int = 100

    @property
    def factor(self) -> float:
        """The factor from computed scores to the scale of the rule."""
        return self.pair.metric(self.rule.metric).display_factor(self.scale)

    def write(self, number: float) -> str:
        """Format a number on the scale of the rule."""
        return f"{number:.2f}" if self.factor == 1 else f"{number:.4f}"

    def write_change(self, gain: float) -> str:
        """Write a gain as a change of the score: TER falls where the system gets better."""
        change = self.sign * gain
        return f"{'−' if change < 0 else '+'}{self.write(abs(change))}"

    @property
    def head(self) -> str:
        """The subset, the metric and both scores, for messages: `news: BLEU 29.41 → 26.57`."""
        where = f"{self.subset}: " if self.subset else ""
        before, after = self.scores
        return f"{where}{self.title} {self.write(before)} → {self.write(after)}"

    @property
    def title(self) -> str:
        return self.pair.metric(self.rule.metric).write_title(self.rule.metric)

    @property
    def scores(self) -> tuple[float, float]:
        before, after = self.pair.system_scores(self.rule.metric)
        return self.factor * float(before), self.factor * float(after)

    @property
    def sign(self) -> float:
        return 1.0 if self.pair.metric(self.rule.metric).higher_is_better else -1.0

    def find(
        self,
        verdict: Verdict,
        message: str,
        *,
        gain: float,
        low: float | None = None,
        segments_needed: int | None = None,
    ) -> RuleResult:
        what = "not worse" if self.rule.not_worse is not None else "not significantly worse"
        n_segments = self.pair.n_segments
        return RuleResult(
            self.rule,
            what,
            self.subset,
            verdict,
            message,
            gain,
            low,
            n_segments,
            segments_needed,
            self.scores,
        )


def _split(given: GatedSet, rule: Rule, scale: int) -> list[_RuleScope]:
    pair = select_metric(select_systems(given.evaluation, [given.base, given.new]), rule.metric)
    numbers = np.arange(pair.n_segments) if given.rows is None else given.rows
    if rule.by is None:
        return [_RuleScope(rule, given.name, pair, numbers, scale)]
    column = np.array(given.values, dtype=object)
    places = {value: np.flatnonzero(column == value) for value in dict.fromkeys(given.values)}
    return [
        _RuleScope(
            rule,
            f"{given.name} {rule.by}={value}".lstrip(),
            select_segments(pair, rows),
            numbers[rows],
            scale,
        )
        for value, rows in places.items()
    ]


def _check_level(part: _RuleScope) -> RuleResult:
    rule, (before, after) = part.rule, part.scores
    is_ceiling = part.sign < 0
    if rule.at_most is not None and not is_ceiling:
        raise OptionError(f"higher {part.title} is better, so a rule gives at_least, not at_most")
    if rule.at_most is not None and rule.at_least is not None:
        raise OptionError(f"the rule for {rule.metric} gives at_least and at_most; give at_most")
    wanted = rule.at_least if rule.at_most is None else rule.at_most
    assert wanted is not None  # noqa: S101 - the rule has a level
    relation = "at most" if is_ceiling else "at least"
    verdict: Verdict = "pass" if part.sign * after >= part.sign * wanted else "fail"
    message = f"{part.head}; {relation} {wanted:g} is required"
    return RuleResult(
        rule, "level", part.subset, verdict, message, part.sign * (after - before),
        n_segments=part.pair.n_segments, scores=(before, after),
    )  # fmt: skip


def _check_gains(
    parts: Sequence[_RuleScope], alpha: float, n_samples: int | None, seed: int
) -> list[RuleResult]:
    """Test all subsets as one family by Holm's method; subsets that are too small or equal need no test."""
    untested = {part.subset: _judge_untested(part) for part in parts}
    tested = [part for part in parts if untested[part.subset] is None]
    n_drawn = n_samples or max(_FEWEST_SAMPLES, ceil(_SAMPLES_BEYOND * len(tested) / alpha))
    if n_drawn > MAX_SAMPLES:
        raise OptionError(
            f"alpha {alpha:g} for {len(tested):,} tests needs {n_drawn:,} samples, but {MAX_SAMPLES:,} are the most"
            f" that are drawn; use a larger alpha, or set {argument('samples')}"
        )
    drawn = [_draw_gains(part, n_drawn, seed) for part in tested]
    limits = [-part.rule.margin for part in tested]
    above = [_share(gains <= limit) for gains, limit in zip(drawn, limits, strict=True)]
    below = [_share(gains >= limit) for gains, limit in zip(drawn, limits, strict=True)]
    levels = zip(find_levels(above, alpha), find_levels(below, alpha), strict=True)
    found = {
        part.subset: _judge(part, gains, *pair)
        for part, gains, pair in zip(tested, drawn, levels, strict=True)
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


def _share(is_beyond: npt.NDArray[np.bool_]) -> float:
    """Return the p-value of a resampling test that counts the test set itself as one more sample."""
    return (int(is_beyond.sum()) + 1) / (len(is_beyond) + 1)


def _judge_untested(part: _RuleScope) -> RuleResult | None:
    """Decide a subset without a test if no test is needed or possible."""
    before, after = part.pair.tables[part.rule.metric]
    if np.array_equal(before, after):
        return part.find("pass", f"{part.head}, the same on every segment", gain=0.0)
    n = part.pair.n_segments
    if n >= MIN_SEGMENTS:
        return None
    segments = "1 segment is" if n == 1 else f"{n} segments are"
    message = f"{part.head} ({part.write_change(_gain(part))}); {segments} too few for a test, which needs {MIN_SEGMENTS}"
    return part.find("undecided", message, gain=_gain(part), segments_needed=MIN_SEGMENTS)


def _judge(part: _RuleScope, drawn: FloatArray, level_above: float, level_below: float) -> RuleResult:
    gain, margin = _gain(part), part.rule.margin
    low, high = _lower_end(drawn, level_above), -_lower_end(-drawn, level_below)
    verdict: Verdict = "pass" if low > -margin else "fail" if high < -margin else "undecided"
    known_low = low if isfinite(low) else None
    if part.rule.not_worse is None:
        is_worse = verdict == "fail"
        certain = "significantly worse" if is_worse else "not significantly worse"
        message = f"{part.head} ({part.write_change(gain)}), {certain}"
        return part.find("fail" if is_worse else "pass", message, gain=gain, low=known_low)
    needed = None
    if verdict == "undecided":
        needed = _segments_needed(gain + margin, drawn, part.pair.n_segments, level_above)
    message = f"{part.head} ({part.write_change(gain)}{_explain(part, verdict, low, high)}); {_allow(part)}"
    message += _explain_undecided(needed, has_samples=isfinite(low)) if verdict == "undecided" else ""
    return part.find(verdict, message, gain=gain, low=known_low, segments_needed=needed)


def _gain(part: _RuleScope) -> float:
    before, after = part.pair.system_scores(part.rule.metric)
    return part.factor * part.sign * float(after - before)


def _draw_gains(part: _RuleScope, n_samples: int, seed: int) -> FloatArray:
    compared = compare(part.pair, Analysis(n_samples=n_samples, seed=seed)).metrics[part.rule.metric]
    before, after = compared.resampled_scores
    drawn: FloatArray = part.factor * part.sign * (after - before)
    return drawn


def _lower_end(drawn: FloatArray, level: float) -> float:
    """Return the lower end of the one-sided interval that agrees with the test at this level."""
    rank = floor(level * (len(drawn) + 1))
    return float(np.sort(drawn)[rank - 1]) if rank else -inf


def _segments_needed(distance: float, drawn: FloatArray, n_segments: int, alpha: float) -> int | None:
    """Estimate how many segments would show with probability 0.8 that the gain lies above the margin."""
    error = float(drawn.std(ddof=1)) if len(drawn) > 1 else 0.0
    if distance <= 0 or error == 0:
        return None
    quantiles = NormalDist().inv_cdf(1 - alpha) + NormalDist().inv_cdf(_POWER)
    needed = n_segments * (quantiles * error / distance) ** 2
    return max(n_segments + 1, ceil(needed)) if needed < _ENDLESS else None


def _explain(part: _RuleScope, verdict: Verdict, low: float, high: float) -> str:
    """Write the end of the interval that decides."""
    level = f"with {100 * (1 - part.rule.alpha):g} % confidence"
    if verdict == "fail":
        return f"; at least {part.write_change(high)} {level}"
    return f"; at worst {part.write_change(low)} {level}" if isfinite(low) else ""


def _allow(part: _RuleScope) -> str:
    if not part.rule.margin:
        return "no loss is allowed"
    return f"allowed {'−' if part.sign > 0 else '+'}{part.rule.margin:g}"


def _explain_undecided(needed: int | None, *, has_samples: bool) -> str:
    if not has_samples:
        return "; too few samples were drawn for a test at this level"
    more = "" if needed is None else f"; about {needed:,} segments would, if this is the true difference"
    return f": too few segments to decide{more}"
