"""Gate a build: a new system and the one in use, judged by rules."""

import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, field, replace
from functools import cached_property
from os import PathLike, fspath
from typing import Annotated, Literal

import numpy as np
import numpy.typing as npt

from tertium.arguments import describe_value, list_items
from tertium.catalog import check_labels, split_labels
from tertium.commands.base.options import (
    METRICS,
    RESAMPLE,
    SCALE,
    ConsentOption,
    ResourceOptions,
    ThreadOptions,
    WhereOption,
)
from tertium.commands.base.request import Request, Strings, function_of
from tertium.commands.base.results import Result
from tertium.commands.base.runs import choose_set, is_run
from tertium.commands.base.scored_inputs import (
    ScoredInput,
    ScoredInputs,
    check_column,
    load_scored,
    split_sets,
)
from tertium.commands.base.text_options import OutputFileOptions
from tertium.commands.release.gate_tables import describe_gate, render_github, render_junit
from tertium.declarations import Opt, options_of
from tertium.errors import InputError, OptionError, argument
from tertium.evaluation.gate_rules import Rule, RuleOptions, check_rules, read_rules
from tertium.evaluation.gating import GatedSet, apply_rule
from tertium.evaluation.gating import RuleResult as GateFinding
from tertium.evaluation.selection import SegmentColumns, parse_conditions, select_rows, select_segments
from tertium.presentation.tables.model import Document
from tertium.records import record

FAILED = 3
"""The exit code of a gate that fails."""


_RULE_OPTIONS = ("metrics", *(option.name for option in options_of(RuleOptions)))


@record
class GateRequest(
    RuleOptions,
    ConsentOption,
    OutputFileOptions,
    WhereOption,
    ResourceOptions,
    ThreadOptions,
    Request["GateResult"],
):
    """Check whether a new system may replace the one in use; exit code 0 if so, 3 if not."""

    new: Annotated[
        str,
        Opt(
            "The new system: a run, FILE.run#SYSTEM, or an output. The rules must hold on each test set of a run.",
            "Input",
            is_argument=True,
            metavar="NEW",
        ),
    ]
    base: Annotated[
        str,
        Opt(
            "The system in use: a run, FILE.run#SYSTEM, or an output.",
            "Input",
            flags=("--against",),
            metavar="BASE",
        ),
    ]
    rules: Annotated[
        Sequence[Rule] | str | PathLike[str] | None,
        Opt(
            f"Rules in a TOML file: tables [[rule]] with {', '.join(option.name for option in options_of(Rule))}.",
            "Analysis",
            metavar="FILE.toml",
            excludes=_RULE_OPTIONS,
            python="In Python also a list of rules.",
        ),
    ] = None
    _: KW_ONLY
    metrics: Annotated[
        Strings,
        replace(
            METRICS,
            help="Metrics that must all pass one rule, instead of a file of rules.",
            flags=("--metric",),
        ),
    ] = ()
    scale: Annotated[
        Literal[100, 1] | None,
        replace(
            SCALE,
            help="The scale of the margin, of the score to reach and of the verdict, for bounded metrics: 0–100 or 0–1.",
            group="Analysis",
            default="the scale with which the runs were saved, otherwise 100",
        ),
    ] = None
    resample: Annotated[
        str | None,
        replace(
            RESAMPLE,
            help="The unit that tests take as independent: segment, document, or a column of the segments.",
        ),
    ] = None

    @cached_property
    def all_rules(self) -> tuple[Rule, ...]:
        """The rules of the file or list, or the one rule that the options make for each metric."""
        if self.rules is not None:
            self._check_single_source()
            rules = (
                read_rules(fspath(self.rules))
                if isinstance(self.rules, str | PathLike)
                else tuple(_check_rule(rule) for rule in list_items(self.rules, "rules"))
            )
        else:
            rules = tuple(self.make_rule(label) for label in split_labels(tuple(self.metrics)))
        if not rules:
            raise OptionError(
                f"a gate needs a rule: {argument('metrics', 'bleu')} {argument('not_worse', '0.3')},"
                f" or {argument('rules', 'FILE.toml')}"
            )
        check_rules(rules)
        return rules

    def _check_single_source(self) -> None:
        """Raise on options of a single rule beside a file of rules, which would ignore them."""
        for option in options_of(GateRequest):
            if option.name in _RULE_OPTIONS and not option.is_default(getattr(self, option.name)):
                raise OptionError(
                    f"give either {argument('rules')} or {argument('metrics')} with its options, not both;"
                    f" {argument(option.name)} belongs in the file"
                )

    def run(self) -> "GateResult":
        rules = self.all_rules
        sets = split_sets([self.base, self.new])
        if sets.left_out:
            raise InputError(
                f"{self.base} and {self.new} do not both have the test sets {', '.join(sets.left_out)}"
            )
        scored = {name: self._load(inputs) for name, inputs in sets.inputs.items()}
        gated = {name: self._gate(name or "", inputs) for name, inputs in scored.items()}
        findings = [found for rule in rules for found in self._apply(rule, scored, gated)]
        base, new = next((pair.base, pair.new) for pair in gated.values())
        if sets.names:
            base, new = self.base, self.new
        warnings = dict.fromkeys(line for inputs in scored.values() for line in self._warn(inputs))
        return GateResult(self, base, new, tuple(findings), tuple(warnings), tuple(sets.names))

    def _load(self, inputs: Sequence[ScoredInput]) -> ScoredInputs:
        has_run = is_run(self.new) or is_run(self.base)
        labels = tuple(dict.fromkeys(rule.metric for rule in self.all_rules))
        if isinstance(self.rules, str | PathLike) and not has_run:
            with self.ask_consent(fspath(self.rules)):
                check_labels(labels)
        scored = load_scored(
            inputs,
            references=tuple(self.references),
            source=None if self.source is None else str(self.source),
            columns=None if self.columns is None else str(self.columns),
            metrics=None if has_run else labels,  # a run records how its metrics were computed
            resources=self.resources if self.names_resources else None,
            threads=self.threads,
        )
        self._check(scored, labels)
        return scored.choose_units(self.resample)

    def _gate(self, name: str, scored: ScoredInputs) -> GatedSet:
        """Take the two systems of a test set, and the selected segments."""
        base, new = map(_take_only, scored.names, (self.base, self.new))
        if not (conditions := parse_conditions(tuple(self.where))):
            return GatedSet(scored.evaluation, base, new, name)
        rows = select_rows(conditions, self._columns(scored), scored.evaluation.n_segments)
        return GatedSet(select_segments(scored.evaluation, rows), base, new, name, rows=rows)

    def _warn(self, scored: ScoredInputs) -> Iterator[str]:
        """Warn about scores to reach that look like those of the other scale."""
        scale = self.scale or scored.scale
        for rule in self.all_rules:
            is_fraction = rule.at_least is not None and 0 < rule.at_least <= 1
            if is_fraction and scale == 100 and scored.evaluation.metric(rule.metric).bounded:
                yield (
                    f"the rule for {rule.metric} requires {rule.at_least:g} on a scale of 0 to 100;"
                    f" for a scale of 0 to 1 give {argument('scale', '1')}"
                )

    def _check(self, scored: ScoredInputs, labels: Sequence[str]) -> None:
        known = [metric.label for metric in scored.evaluation.metrics]
        for label in labels:
            if label not in known:
                raise InputError(
                    f"{self.base} and {self.new} do not both have the metric {label}; they share {', '.join(known)}"
                )
        for rule in self.all_rules:
            if rule.by is not None:
                check_column(rule.by, scored.columns)

    def _columns(self, scored: ScoredInputs) -> Mapping[str, Sequence[str]]:
        return scored.columns if scored.corpus is None else SegmentColumns(scored.corpus)

    def _apply(
        self, rule: Rule, scored: Mapping[str | None, ScoredInputs], gated: Mapping[str | None, GatedSet]
    ) -> list[GateFinding]:
        """Apply a rule to all test sets."""
        sets = list(gated.values())
        if rule.by is not None:
            columns = [inputs.columns[rule.by] for inputs in scored.values()]
            sets = [
                replace(pair, values=_pick(values, pair.rows))
                for pair, values in zip(sets, columns, strict=True)
            ]
        return apply_rule(sets, rule, scale=self.scale or next(iter(scored.values())).scale)

    def name_next_command(self, test_set: str | None = None) -> str:
        """Write the command that shows where the systems differ, on one test set if there are several."""
        texts: list[str] = []
        if not (is_run(self.new) or is_run(self.base)):
            texts = ["-r", *self.references] if self.references else []
            texts += [] if self.source is None else ["-s", str(self.source)]
            texts += ["-m", ",".join(dict.fromkeys(rule.metric for rule in self.all_rules))]
        inputs = [path if test_set is None else choose_set(path, test_set) for path in (self.base, self.new)]
        return shlex.join(["tertium", "compare", *inputs, *texts])


def _pick(values: Sequence[str], rows: npt.NDArray[np.int64] | None) -> Sequence[str]:
    return values if rows is None else [values[row] for row in rows.tolist()]


def _take_only(names: Sequence[str], path: str) -> str:
    if len(names) != 1:
        raise OptionError(
            f"{path} holds {len(names)} systems: {', '.join(names)}; choose one with {path}#SYSTEM"
        )
    return names[0]


@record
class GateResult(Result):
    """The verdict on every rule."""

    request: GateRequest = field(repr=False)
    base: str
    new: str
    findings: tuple[GateFinding, ...]
    warnings: tuple[str, ...] = ()
    test_sets: tuple[str, ...] = ()
    """The names of the test sets, if there are several."""

    @property
    def passes(self) -> bool:
        """Whether every rule holds."""
        return all(finding.passes for finding in self.findings)

    @property
    def exit_code(self) -> int:
        return 0 if self.passes else FAILED

    @property
    def next_command(self) -> str:
        """The command that shows where the systems differ, on the first test set that fails."""
        failed = [finding.subset for finding in self.findings if not finding.passes]
        named = (
            name
            for name in self.test_sets
            if any(subset == name or subset.startswith(f"{name} ") for subset in failed)
        )
        return self.request.name_next_command(next(named, next(iter(self.test_sets), None)))

    def document(self) -> Document:
        return describe_gate(
            self.findings,
            base=self.base,
            new=self.new,
            passes=self.passes,
            next_command=self.next_command,
        )

    def render(self, form: str = "text", *, signatures: bool = False) -> str:
        """Render the result in a format of the command line, as JUnit XML (junit) or as GitHub annotations (github)."""
        if form == "junit":
            return render_junit(self.findings, self.next_command)
        if form == "github":
            return render_github(self.findings, self.next_command)
        return super().render(form, signatures=signatures)


def _check_rule(rule: object) -> Rule:
    if not isinstance(rule, Rule):
        raise OptionError(
            f"{argument('rules')} must hold objects of the class Rule, not {describe_value(rule)}"
        )
    return rule


gate = function_of("gate", GateRequest)
