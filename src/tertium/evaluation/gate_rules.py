"""Gate rules, declared once: options of `tertium gate`, its Python arguments and keys of a file are fields of `Rule`."""

import re
import typing
from collections.abc import Sequence
from dataclasses import fields
from typing import Annotated, Any, Literal

from tertium.declarations import Opt, options_of
from tertium.errors import InputError, OptionError, suggest, use_argument_style
from tertium.files.reading import parse_toml, read_text
from tertium.records import record
from tertium.stats.analysis import DEFAULT_ALPHA, MIN_ALPHA

Kind = Literal["level", "gain"]
"""A rule demands a score, a comparison with the system in use, or both."""


@record
class Demand:
    """The mark of a field that demands something of the new system."""

    kind: Kind


@record(kw_only=True)
class RuleOptions:
    """The fields of a rule that are also options of the command, where they make one rule per metric."""

    not_worse: Annotated[
        float | None,
        Opt(
            "Pass only if NEW is shown to be at most MARGIN points worse than BASE (one-sided non-inferiority test).",
            "Analysis",
            metavar="MARGIN",
            least=0,
        ),
        Demand("gain"),
    ] = None
    at_least: Annotated[
        float | None,
        Opt("The score that NEW must reach.", "Analysis", metavar="SCORE"),
        Demand("level"),
    ] = None
    at_most: Annotated[
        float | None,
        Opt(
            "The score that NEW must not exceed, for metrics where lower is better.",
            "Analysis",
            metavar="SCORE",
        ),
        Demand("level"),
    ] = None
    by: Annotated[
        str | None,
        Opt(
            "The rule must hold on each value of this column.",
            "Analysis",
            metavar="COLUMN",
            completes="columns",
        ),
    ] = None
    alpha: Annotated[
        float,
        Opt(
            "Significance level of the one-sided test; its confidence is 1 − alpha.",
            "Analysis",
            metavar="LEVEL",
            least=MIN_ALPHA,
            below=1,
        ),
    ] = DEFAULT_ALPHA
    undecided: Annotated[
        Literal["fail", "pass"], Opt("The verdict if the test set is too small to decide.", "Analysis")
    ] = "fail"

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """The kinds of the demands that are set."""
        kinds = dict.fromkeys(kind for name, kind in list_demands(type(self)) if _is_set(getattr(self, name)))
        return tuple(kind for kind in typing.get_args(Kind) if kind in kinds)

    def make_rule(self, label: str) -> "Rule":
        """Make the rule for a metric; without a demand, NEW must not be significantly worse."""
        values = {option.name: getattr(self, option.name) for option in options_of(RuleOptions)}
        return Rule(metric=label, not_significantly_worse=not self.kinds, **values)


@record(kw_only=True)
class Rule(RuleOptions):
    """A condition on the new system under one metric; tests of several subsets are adjusted by Holm's method."""

    metric: Annotated[str, Opt("The metric.", "Metrics")]
    not_significantly_worse: Annotated[
        bool,
        Opt(
            "Pass unless NEW is shown to be worse than BASE: weaker than not_worse, because a small test set shows little.",
            "Analysis",
        ),
        Demand("gain"),
    ] = False

    def __post_init__(self) -> None:
        for option in options_of(Rule):
            option.check(getattr(self, option.name))
        if not self.kinds:
            *names, last = (name for name, _ in list_demands(Rule))
            raise OptionError(
                f"the rule for {self.metric} asks for nothing; give {', '.join(names)} or {last}"
            )
        if self.not_worse is not None and self.not_significantly_worse:
            raise OptionError(
                f"the rules for {self.metric} contradict: not_worse asks for a proof, not_significantly_worse for none;"
                " choose one"
            )

    @property
    def margin(self) -> float:
        """The margin by which the new system may be worse."""
        return 0.0 if self.not_worse is None else self.not_worse


def list_demands(declared: type[RuleOptions]) -> list[tuple[str, Kind]]:
    """List the fields that demand something of the new system, and the kind of each demand."""
    return [
        (field.name, fact.kind)
        for field in fields(declared)
        for fact in typing.get_args(field.type)[1:]
        if isinstance(fact, Demand)
    ]


def _is_set(value: object) -> bool:
    return value is not None and value is not False


def check_rules(rules: Sequence[Rule]) -> None:
    """Raise if two rules check one metric on the same segments."""
    seen: dict[tuple[str, str | None, Kind], int] = {}
    for number, rule in enumerate(rules, start=1):
        for kind in rule.kinds:
            other = seen.setdefault((rule.metric, rule.by, kind), number)
            if other != number:
                raise OptionError(f"rules {other} and {number} for {rule.metric} contradict or repeat each other; keep one")  # fmt: skip


def read_rules(path: str) -> tuple[Rule, ...]:
    """Read the tables [[rule]] of a TOML file.

    Raises
    ------
    InputError
        If the file is not TOML, has no rule, or a rule has an unknown key or a wrong value.
    """
    text = read_text(path)
    tables = _parse(path, text)
    try:
        with use_argument_style(lambda name, _: name):
            rules = [
                _make_rule(place, table)
                for place, table in zip(_find_places(text, len(tables)), tables, strict=True)
            ]
        check_rules(rules)
    except OptionError as error:
        raise InputError(f"{path}: {error}") from None
    return tuple(rules)


def _parse(path: str, text: str) -> list[dict[str, Any]]:
    try:
        document = parse_toml(text)
    except ValueError as error:
        raise InputError(f"{path} is not TOML: {error}") from None
    unknown = sorted(set(document) - {"rule"})
    if unknown:
        raise InputError(f"{path}: unknown key {unknown[0]!r}; rules are tables [[rule]]")
    tables = document.get("rule")
    if not isinstance(tables, list) or not tables or not all(isinstance(table, dict) for table in tables):
        raise InputError(
            f'{path} has no rule; write [[rule]], followed by metric = "bleu" and not_worse = 0.3'
        )
    return tables


_HEADER = re.compile(r"\s*\[\[\s*rule\s*\]\]")


def _find_places(text: str, n_rules: int) -> list[str]:
    """Return the place of each rule for messages; tomllib reports no line numbers, so search for the headers."""
    lines = [number for number, line in enumerate(text.split("\n"), start=1) if _HEADER.match(line)]
    if len(lines) != n_rules:  # written in another way, such as rule = [{...}]
        return [f"rule {number}" for number in range(1, n_rules + 1)]
    return [f"rule {number} (line {line})" for number, line in enumerate(lines, start=1)]


def _make_rule(place: str, table: dict[str, Any]) -> Rule:
    keys = [option.name for option in options_of(Rule)]
    for key in table:
        if key not in keys:
            raise OptionError(f"{place} has an unknown key {key!r}; {suggest(key, keys)}")
    if "metric" not in table:
        raise OptionError(f'{place} has no metric; write metric = "bleu"')
    try:
        return Rule(**table)
    except OptionError as error:
        raise error.at(place) from None
