"""Whether a new system may take an old one's place: rules, and tests that show that they hold."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, inf
from statistics import NormalDist
from typing import Literal

import numpy as np

from tertium.errors import OptionError
from tertium.evaluation.comparison import compare
from tertium.evaluation.joining import select_systems
from tertium.evaluation.selection import select_segments
from tertium.evaluation.statistics import Evaluation
from tertium.types import FloatArray

__all__ = ["Finding", "Rule", "Verdict", "apply_rule"]

Verdict = Literal["pass", "fail", "undecided"]

# What a single segment says about a difference is nothing.
FEWEST_SEGMENTS = 2
_POWER = 0.8  # how surely the number of segments that we name would decide


@dataclass(frozen=True, kw_only=True)
class Rule:
    """One thing that the new system must fulfil under one metric.

    Attributes
    ----------
    not_worse
        It must be *shown* to be worse by less than this margin: the lower end of the one-sided interval of the
        gain lies above minus the margin.
    not_significantly_worse
        The paired test must not show it to be worse. This is weaker: a small test set shows nothing.
    at_least
        The score that it must reach (or stay below, where lower is better).
    by
        Check `not_worse` or `not_significantly_worse` on each value of this column, Holm-adjusted.
    undecided
        What it means when the test set is too small to decide.
    """

    metric: str
    not_worse: float | None = None
    not_significantly_worse: bool = False
    at_least: float | None = None
    by: str | None = None
    undecided: Literal["fail", "pass"] = "fail"
    alpha: float = 0.05

    def __post_init__(self) -> None:
        if self.not_worse is None and not self.not_significantly_worse and self.at_least is None:
            raise OptionError(
                f"the rule for {self.metric} asks for nothing; give not_worse, not_significantly_worse or at_least"
            )
        if self.not_worse is not None and self.not_worse < 0:
            raise OptionError(f"not_worse must not be negative, but is {self.not_worse:g} for {self.metric}")
        if self.not_worse is not None and self.not_significantly_worse:
            raise OptionError(
                f"the rules for {self.metric} contradict: not_worse asks for a proof, not_significantly_worse for none;"
                " choose one"
            )
        if not 0 < self.alpha < 1:
            raise OptionError(f"alpha must lie between 0 and 1, but is {self.alpha:g} for {self.metric}")


@dataclass(frozen=True)
class Finding:
    """What became of one rule, on all segments or on a subset.

    `gain` is positive where the new system is better; `low` is the lower end of its one-sided interval, and
    `segments_needed` how many segments would probably decide, if this test set does not.
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

    @property
    def passes(self) -> bool:
        """Whether the gate stays open."""
        return self.verdict == "pass" or (self.verdict == "undecided" and self.rule.undecided == "pass")


def apply_rule(
    evaluation: Evaluation,
    rule: Rule,
    *,
    base: str,
    new: str,
    values: Sequence[str] = (),
    n_samples: int | None = None,
    seed: int = 12345,
) -> list[Finding]:
    """Apply a rule; `values` are those of the column that the rule's `by` names, one per segment."""
    pair = select_systems(evaluation, [base, new])
    findings = []
    if rule.at_least is not None:
        findings.append(_check_level(pair, rule, new))
    if rule.not_worse is None and not rule.not_significantly_worse:
        return findings
    if rule.by is None:
        return [*findings, _check_gain(pair, rule, "", rule.alpha, n_samples, seed)]
    parts = {
        value: np.flatnonzero(np.array(values, dtype=object) == value) for value in dict.fromkeys(values)
    }
    level = rule.alpha / len(parts)  # Bonferroni: each subset must hold, and each may fail by chance
    for value, rows in parts.items():
        subset = f"{rule.by}={value}"
        findings.append(_check_gain(select_segments(pair, rows), rule, subset, level, n_samples, seed))
    return findings


def _check_level(pair: Evaluation, rule: Rule, new: str) -> Finding:
    metric = pair.metric(rule.metric)
    score = float(pair.system_scores(rule.metric)[1])
    wanted = rule.at_least if rule.at_least is not None else 0.0
    holds = score >= wanted if metric.higher_is_better else score <= wanted
    relation = "at least" if metric.higher_is_better else "at most"
    message = f"{new} has {rule.metric} {score:.2f}; {relation} {wanted:g} is asked for"
    return Finding(rule, "level", "", "pass" if holds else "fail", message, n_segments=pair.n_segments)


def _check_gain(
    pair: Evaluation, rule: Rule, subset: str, alpha: float, n_samples: int | None, seed: int
) -> Finding:
    what = "not worse" if rule.not_worse is not None else "not significantly worse"
    if pair.n_segments < FEWEST_SEGMENTS:
        message = f"{_where(subset)}{pair.n_segments} segment is too few to decide anything"
        return Finding(rule, what, subset, "undecided", message, n_segments=pair.n_segments)
    gain, drawn = _draw_gains(pair, rule.metric, n_samples, seed)
    low, high = (float(np.quantile(drawn, level)) for level in (alpha, 1 - alpha))
    margin = 0.0 if rule.not_worse is None else rule.not_worse
    if rule.not_worse is None:
        verdict: Verdict = "fail" if high < 0 else "pass"
    elif low > -margin:
        verdict = "pass"
    else:
        verdict = "fail" if high < -margin or gain <= -margin else "undecided"
    needed = (
        _segments_needed(gain + margin, drawn, pair.n_segments, alpha) if verdict == "undecided" else None
    )
    message = _describe(rule, subset, verdict, gain, low, high, margin, needed)
    return Finding(rule, what, subset, verdict, message, gain, low, pair.n_segments, needed)


def _draw_gains(pair: Evaluation, label: str, n_samples: int | None, seed: int) -> tuple[float, FloatArray]:
    compared = compare(pair, n_samples=n_samples, seed=seed).metrics[label]
    sign = 1.0 if pair.metric(label).higher_is_better else -1.0
    before, after = pair.system_scores(label)
    drawn: FloatArray = sign * (compared.resampled_scores[1] - compared.resampled_scores[0])
    return sign * float(after - before), drawn


def _segments_needed(distance: float, drawn: FloatArray, n_segments: int, alpha: float) -> int | None:
    """Estimate how many segments would show with probability 0.8 that the gain lies above the margin."""
    error = float(drawn.std(ddof=1))
    if distance <= 0 or error == 0:
        return None
    quantiles = NormalDist().inv_cdf(1 - alpha) + NormalDist().inv_cdf(_POWER)
    needed = n_segments * (quantiles * error / distance) ** 2
    return None if needed == inf else max(n_segments + 1, ceil(needed))


def _describe(
    rule: Rule,
    subset: str,
    verdict: Verdict,
    gain: float,
    low: float,
    high: float,
    margin: float,
    needed: int | None,
) -> str:
    head = f"{_where(subset)}{rule.metric} gains {gain:+.2f}"
    if rule.not_worse is None:
        return f"{head}; {'significantly worse' if verdict == 'fail' else 'not significantly worse'}"
    if verdict == "pass":
        return f"{head}; shown to be worse by less than {margin:g} (gain above {low:+.2f})"
    if verdict == "fail":
        return f"{head}; worse by {margin:g} or more is what the test set shows (gain below {high:+.2f})"
    more = (
        ""
        if needed is None
        else f"; about {needed:,} segments would decide, if the gain is what it looks like now"
    )
    return f"{head}; the test set is too small to show that it is worse by less than {margin:g} (gain above {low:+.2f}){more}"


def _where(subset: str) -> str:
    return f"{subset}: " if subset else ""
