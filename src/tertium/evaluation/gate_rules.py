"""What a new system must fulfil, and what became of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, isfinite
from typing import Literal

from tertium.errors import OptionError

__all__ = ["Finding", "Rule", "Verdict", "check_rules"]

Verdict = Literal["pass", "fail", "undecided"]


@dataclass(frozen=True, kw_only=True)
class Rule:
    """One thing that the new system must fulfil under one metric.

    Attributes
    ----------
    not_worse
        It must be *shown* to be worse by less than this margin: the lower end of the one-sided interval of the
        gain lies above minus the margin.
    not_significantly_worse
        The one-sided paired test must not show it to be worse. This is weaker: a small test set shows little.
    at_least
        The score that it must reach (or stay below, where lower is better).
    by
        The rule must hold on each value of this column; tests are adjusted by Holm's method.
    undecided
        What it means when the test set is too small to decide.
    alpha
        The level of the one-sided test: how often it may show what is not so.
    """

    metric: str
    not_worse: float | None = None
    not_significantly_worse: bool = False
    at_least: float | None = None
    by: str | None = None
    undecided: Literal["fail", "pass"] = "fail"
    alpha: float = 0.05

    def __post_init__(self) -> None:
        if not 0 < self.alpha < 1:
            raise OptionError(f"alpha must lie between 0 and 1, but is {self.alpha:g} for {self.metric}")
        if self.undecided not in ("fail", "pass"):
            raise OptionError(f"undecided must be fail or pass, but is {self.undecided!r} for {self.metric}")
        self._check_demands()

    def _check_demands(self) -> None:
        if self.not_worse is None and not self.not_significantly_worse and self.at_least is None:
            raise OptionError(
                f"the rule for {self.metric} asks for nothing; give not_worse, not_significantly_worse or at_least"
            )
        if self.not_worse is not None and not 0 <= self.not_worse < inf:
            raise OptionError(
                f"not_worse must be a number from 0 on, but is {self.not_worse:g} for {self.metric}"
            )
        if self.at_least is not None and not isfinite(self.at_least):
            raise OptionError(f"at_least must be a number, but is {self.at_least:g} for {self.metric}")
        if self.not_worse is not None and self.not_significantly_worse:
            raise OptionError(
                f"the rules for {self.metric} contradict: not_worse asks for a proof, not_significantly_worse for none;"
                " choose one"
            )

    @property
    def kinds(self) -> tuple[str, ...]:
        """What is asked for: a level, a comparison with the base, or both."""
        compares = self.not_worse is not None or self.not_significantly_worse
        return ("level",) * (self.at_least is not None) + ("gain",) * compares

    @property
    def margin(self) -> float:
        """How much worse the new system may be."""
        return 0.0 if self.not_worse is None else self.not_worse


def check_rules(rules: Sequence[Rule]) -> None:
    """Refuse rules that ask for two things of one metric on the same segments."""
    seen: dict[tuple[str, str | None, str], int] = {}
    for number, rule in enumerate(rules, start=1):
        for kind in rule.kinds:
            other = seen.setdefault((rule.metric, rule.by, kind), number)
            if other != number:
                raise OptionError(f"rules {other} and {number} for {rule.metric} contradict or repeat each other; keep one")  # fmt: skip


@dataclass(frozen=True)
class Finding:
    """What became of one rule, on all segments or on a subset.

    `gain` is positive where the new system is better; `low` is the lower end of its one-sided interval (None if
    nothing was tested), and `segments_needed` how many segments would probably decide, if this test set does not.
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
