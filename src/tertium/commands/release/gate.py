"""Gate a build: a new system and the one in use, judged by rules."""

import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, field, replace
from functools import cached_property
from os import PathLike, fspath
from typing import Annotated, Literal, TypeAlias

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
from tertium.commands.base.scores import ScoreSetsResult, SystemScores
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


GateInput: TypeAlias = str | PathLike[str] | SystemScores | ScoreSetsResult
"""A run, an output, or a result."""

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
        GateInput,
        Opt(
            "The new system: a run, FILE.run#SYSTEM, or an output. The rules must hold on each test set of a run.",
            "Input",
            is_argument=True,
            metavar="NEW",
            python="In Python also a result of `score`, `score_sets` or `open_run`.",
        ),
    ]
    against: Annotated[
        GateInput | None,
        Opt(
            "The system in use: a run, FILE.run#SYSTEM, or an output. Rules that only demand a score need none.",
            "Input",
            metavar="BASE",
            python="In Python also a result.",
        ),
    ] = None
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
        for rule in rules:
            if self.against is None and "gain" in rule.kinds:
                raise OptionError(
                    f"the rule for {rule.metric} compares the new system with the one in use: give"
                    f" {argument('against', 'BASE')}, or a score to reach with {argument('at_least', '40')}"
                )
        return rules

    @property
    def inputs(self) -> list[GateInput]:
        """The system in use, if there is one, and the new system."""
        return [self.new] if self.against is None else [self.against, self.new]

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
        sets = split_sets(self.inputs)
        if sets.left_out:
            raise InputError(
                f"{_name_both(self.inputs)} do not both have the test sets {', '.join(sets.left_out)}"
            )
        scored = {name: self._load(inputs) for name, inputs in sets.inputs.items()}
        gated = {name: self._gate(name or "", inputs) for name, inputs in scored.items()}
        findings = [found for rule in rules for found in self._apply(rule, scored, gated)]
        base, new = next((pair.base, pair.new) for pair in gated.values())
        if sets.names:
            base, new = None if self.against is None else _name(self.against), _name(self.new)
        warnings = dict.fromkeys(line for inputs in scored.values() for line in self._warn(inputs))
        return GateResult(self, base, new, tuple(findings), tuple(warnings), tuple(sets.names))

    def _load(self, inputs: Sequence[ScoredInput]) -> ScoredInputs:
        has_run = any(map(_is_scored, self.inputs))
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
        *bases, new = map(_take_only, scored.names, self.inputs)
        base = bases[0] if bases else None
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
                have, has = (
                    ("do not both have", "they share") if self.against else ("does not have", "it has")
                )
                raise InputError(
                    f"{_name_both(self.inputs)} {have} the metric {label}; {has} {', '.join(known)}"
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


def _pick(values: Sequence[str], rows: npt.NDArray[np.int64] | None) -> Sequence[str]:
    return values if rows is None else [values[row] for row in rows.tolist()]


def _take_only(names: Sequence[str], given: GateInput) -> str:
    if len(names) != 1:
        name = _name(given)
        remedy = f"choose one with {name}#SYSTEM" if isinstance(given, str | PathLike) else "score one alone"
        raise OptionError(f"{name} holds {len(names)} systems: {', '.join(names)}; {remedy}")
    return names[0]


def _is_scored(given: object) -> bool:
    """Whether an input has scores already: a run or a result."""
    if isinstance(given, str | PathLike):
        return is_run(fspath(given))
    return isinstance(given, SystemScores | ScoreSetsResult)


def _name(given: GateInput) -> str:
    """Name an input in messages."""
    return fspath(given) if isinstance(given, str | PathLike) else "the result"


def _name_both(inputs: Sequence[GateInput]) -> str:
    return " and ".join(map(_name, inputs))


def _name_next_command(request: GateRequest, test_set: str | None = None) -> str:
    """Write the command that shows where the systems differ, or the worst segments, on one test set if there are several.

    There is none for results, which have no files.
    """
    paths = [fspath(given) for given in request.inputs if isinstance(given, str | PathLike)]
    if len(paths) < len(request.inputs):
        return ""
    texts: list[str] = []
    if not any(map(is_run, paths)):
        texts = ["-r", *request.references] if request.references else []
        texts += [] if request.source is None else ["-s", str(request.source)]
        texts += ["-m", ",".join(dict.fromkeys(rule.metric for rule in request.all_rules))]
    inputs = [path if test_set is None else choose_set(path, test_set) for path in paths]
    command = "segments" if request.against is None else "compare"
    return shlex.join(["tertium", command, *inputs, *texts])


@record
class GateResult(Result):
    """The verdict on every rule."""

    request: GateRequest = field(repr=False)
    base: str | None
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
        return _name_next_command(self.request, next(named, next(iter(self.test_sets), None)))

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
