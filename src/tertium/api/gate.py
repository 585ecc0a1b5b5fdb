"""Gate a build: a new system and a base in, a verdict by rules out."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from tertium.api.columns import check_column
from tertium.api.inputs import ScoredInputs, is_run, load_scored
from tertium.api.results import Progress, Shown
from tertium.catalog import ResourceChoice
from tertium.errors import InputError, OptionError
from tertium.evaluation.gating import Rule, RuleResult, apply_rule, check_rules
from tertium.report.gates import describe_gate, render_github, render_junit
from tertium.report.tables.model import Document
from tertium.resources.gate_rules import read_rule_tables

__all__ = ["GateRequest", "GateResult", "gate", "read_rules"]


@dataclass(frozen=True, kw_only=True)
class GateRequest:
    """Everything that `tertium gate` can be told.

    Attributes
    ----------
    new, base
        A run, a system of a run (`FILE.run#SYSTEM`) or an output file each.
    rules
        What must hold; at least one.
    """

    new: str
    base: str
    rules: tuple[Rule, ...]
    references: tuple[str, ...] = ()
    columns: str | None = None
    samples: int | None = None
    seed: int = 12345
    resources: ResourceChoice | None = None
    threads: int | None = None

    def __post_init__(self) -> None:
        if not self.rules:
            raise OptionError("a gate needs a rule: --metric bleu --not-worse 0.3, or --rules FILE.toml")
        check_rules(self.rules)

    def run(self, progress: Progress | None = None) -> "GateResult":
        """Score what is not scored yet and apply every rule."""
        has_run = is_run(self.new) or is_run(self.base)
        scored = load_scored(
            [self.base, self.new],
            references=self.references,
            columns=self.columns,
            metrics=None if has_run else self._labels,  # a run says how its metrics were computed
            resources=self.resources,
            threads=self.threads,
            progress=progress,
        )
        self._check(scored)
        base, new = map(_take_only, scored.names, (self.base, self.new))
        findings = [found for rule in self.rules for found in self._apply(rule, scored, base, new)]
        return GateResult(self, base, new, tuple(findings))

    @property
    def _labels(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(rule.metric for rule in self.rules))

    def _check(self, scored: ScoredInputs) -> None:
        known = [each.label for each in scored.evaluation.metrics]
        for label in self._labels:
            if label not in known:
                raise InputError(f"{self.base} and {self.new} do not both have the metric {label}; they share {', '.join(known)}")  # fmt: skip
        for rule in self.rules:
            if rule.by is not None:
                check_column(rule.by, scored.columns)

    def _apply(self, rule: Rule, scored: ScoredInputs, base: str, new: str) -> list[RuleResult]:
        values = scored.columns[rule.by] if rule.by is not None else ()
        return apply_rule(
            scored.evaluation,
            rule,
            base=base,
            new=new,
            values=values,
            n_samples=self.samples,
            seed=self.seed,
        )


def _take_only(names: Sequence[str], path: str) -> str:
    if len(names) != 1:
        raise OptionError(
            f"{path} holds {len(names)} systems: {', '.join(names)}; choose one with {path}#SYSTEM"
        )
    return names[0]


@dataclass(frozen=True)
class GateResult(Shown):
    """What became of every rule."""

    request: GateRequest = field(repr=False)
    base: str
    new: str
    findings: tuple[RuleResult, ...]

    @property
    def passes(self) -> bool:
        """Whether every rule holds."""
        return all(finding.passes for finding in self.findings)

    def document(self) -> Document:
        return describe_gate(self.findings, base=self.base, new=self.new, passes=self.passes)

    def render(self, form: str = "text", *, spreadsheet_safe: bool = False) -> str:
        """Write the result in one of the formats of the command line, as JUnit XML or as GitHub annotations."""
        if form == "junit":
            return render_junit(self.findings)
        if form == "github":
            return render_github(self.findings)
        return super().render(form, spreadsheet_safe=spreadsheet_safe)


def read_rules(path: str) -> tuple[Rule, ...]:
    """Read the rules of a TOML file."""
    rules = []
    for where, table in read_rule_tables(path):
        try:
            rules.append(Rule(**table))
        except OptionError as error:
            raise InputError(f"{where}: {error}") from None
    try:
        check_rules(rules)
    except OptionError as error:
        raise InputError(f"{path}: {error}") from None
    return tuple(rules)


def gate(
    new: str,
    base: str,
    rules: Sequence[Rule] | str,
    *,
    references: Sequence[str] = (),
    columns: str | None = None,
    samples: int | None = None,
    seed: int = 12345,
    resources: ResourceChoice | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> GateResult:
    """Check whether a new system may take the place of a base; `rules` may be the path of a TOML file."""
    request = GateRequest(
        new=new,
        base=base,
        rules=read_rules(rules) if isinstance(rules, str) else tuple(rules),
        references=tuple(references),
        columns=columns,
        samples=samples,
        seed=seed,
        resources=resources,
        threads=threads,
    )
    return request.run(progress)
