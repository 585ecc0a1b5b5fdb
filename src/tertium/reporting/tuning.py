"""Outcomes of searches and sweeps as documents, and sweeps as curves."""

from collections.abc import Mapping, Sequence
from math import inf, isfinite, isnan

from tertium.errors import OptionError
from tertium.metaeval.statistics import StatisticSpec
from tertium.reporting.charts.curves import Panel, draw_curves
from tertium.reporting.charts.model import Chart
from tertium.reporting.tables.model import (
    Cell,
    Column,
    Document,
    Note,
    Records,
    Table,
    Value,
    prose_lines,
    type_of_values,
)
from tertium.tuning.trials import Outcome, Trial, Values

_OUTCOME_RECORD: Mapping[str, type] = {"kind": str, "name": str, "pair": str, "value": float, "text": str}


def describe_outcome(outcome: Outcome, *, label: str, digest: str) -> Document:
    """Describe the best options, the objective in training and held out, and every statistic behind it.

    Parameters
    ----------
    label
        The metric with its best options, as `-m` takes it.
    digest
        The checksum of the preset.
    """
    data = {
        "metric": outcome.metric,
        "options": outcome.options,
        "preset": digest,
        "values": outcome.best.values,
        **{name: None if value == -inf else value for name, value in outcome.facts.items()},
    }
    summary = _summary(outcome)
    statistics = [f"{name}: {_list_values(by_pair)}" for name, by_pair in outcome.best.values.items()]
    return Document(
        "outcome",
        [_best_table(outcome, label, summary)],
        Records(_OUTCOME_RECORD, _outcome_records(outcome)),
        data,
        prose=prose_lines([label, *summary, *statistics]),
    )


def describe_sweep(trials: Sequence[Trial], statistics: Sequence[StatisticSpec], name: str) -> Document:
    """Describe a sweep, a table per statistic: a row per value of the option, a column per language pair."""
    points = [{"point": dict(trial.point), "values": trial.values} for trial in trials]
    kind = type_of_values(trial.point[name] for trial in trials)
    kind = kind if kind in (int, float) else str  # words, and several numbers at once
    records = [[kind(trial.point[name]), *rest] for trial in trials for rest in _long_values(trial.values)]
    return Document(
        "sweep",
        [_sweep_table(trials, spec, name) for spec in statistics],
        Records({name: kind, "statistic": str, "pair": str, "value": float}, records),
        {"option": name, "trials": points},
    )


def draw_sweep(
    trials: Sequence[Trial], statistics: Sequence[StatisticSpec], name: str, *, title: str
) -> Chart:
    """Draw a panel per statistic: a curve per language pair over the values of the option, and their average."""
    values = [trial.point[name] for trial in trials]
    check_curve(name, values)
    panels = [_panel(trials, spec) for spec in statistics]
    return draw_curves([float(str(value)) for value in values], panels, title=title, x_label=name)


def check_curve(name: str, values: Sequence[object]) -> None:
    """Refuse to draw a curve over words."""
    if not all(isinstance(value, (int, float)) and not isinstance(value, bool) for value in values):
        raise OptionError(f"{name} is not a number, so there is no curve to draw; leave out --chart")


def _panel(trials: Sequence[Trial], spec: StatisticSpec) -> Panel:
    by_pair = {
        pair or "all": [trial.values[str(spec)][pair] for trial in trials]
        for pair in trials[0].values[str(spec)]
    }
    y_label = spec.title.replace(" level, ", ": ")
    if len(by_pair) < 2:
        return Panel(y_label, by_pair, next(iter(by_pair)))
    means = [sum(values) / len(values) for values in zip(*by_pair.values(), strict=True)]
    return Panel(y_label, {**by_pair, "average": means}, "average")


def _summary(outcome: Outcome) -> list[str]:
    return [
        f"objective {outcome.objective}, {outcome.n_trials:,} trials",
        *_validation_lines(outcome),
    ]


def _list_values(by_pair: Mapping[str, float]) -> str:
    return ", ".join(f"{pair or 'all'} {_show(value)}" for pair, value in by_pair.items())


def _validation_lines(outcome: Outcome) -> list[str]:
    scores = outcome.validation
    if scores is None:
        return ["no held-out score: fewer than two language pairs have every statistic"]
    return [
        f"training {scores.train:.4f} (before tuning {scores.train_before:.4f})",
        f"{scores.how} {scores.held_out:.4f} (before tuning {scores.held_out_before:.4f})",
    ]


def _best_table(outcome: Outcome, title: str, summary: Sequence[str]) -> Table:
    """A row per statistic and language pair; how the options were found stands below."""
    return Table(
        [
            Column("statistic", "statistic", is_key=True),
            Column("pair", "pair", is_key=True),
            Column("value", "value", is_number=True),
        ],
        [
            [Cell(statistic), Cell(pair or "all"), Cell(_show(value), value)]
            for statistic, by_pair in outcome.best.values.items()
            for pair, value in by_pair.items()
        ],
        title,
        [Note(line) for line in summary],
    )


def _outcome_records(outcome: Outcome) -> list[list[Value]]:
    """Options, facts and statistics of a search, one per row; a fact is a number or a text."""
    found: list[tuple[str, str, object]] = [("option", *item) for item in outcome.options.items()]
    found += [("fact", *item) for item in outcome.facts.items()]
    rows = [[kind, name, "", *_number_or_text(value)] for kind, name, value in found]
    return rows + [
        ["statistic", name, pair, value, None] for name, pair, value in _long_values(outcome.best.values)
    ]


def _number_or_text(value: object) -> tuple[float | None, str | None]:
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return (float(value) if isfinite(value) else None), None
    return None, str(value)


def _sweep_table(trials: Sequence[Trial], spec: StatisticSpec, name: str) -> Table:
    pairs = [pair or "all" for pair in trials[0].values[str(spec)]]
    headings = [*pairs, *(["average"] if len(pairs) > 1 else [])]
    return Table(
        [Column(name, name, is_key=True), *(Column(each, each, is_number=True) for each in headings)],
        [[Cell(str(trial.point[name])), *_numbers(trial, str(spec))] for trial in trials],
        spec.title,
    )


def _long_values(values: Values) -> list[tuple[str, str, float | None]]:
    return [
        (statistic, pair, None if isnan(value) else value)
        for statistic, by_pair in values.items()
        for pair, value in by_pair.items()
    ]


def _numbers(trial: Trial, statistic: str) -> list[Cell]:
    values = list(trial.values[statistic].values())
    shown = values if len(values) < 2 else [*values, sum(values) / len(values)]
    return [Cell(_show(value), value) for value in shown]


def _show(value: float) -> str:
    return "–" if isnan(value) else f"{value:.3f}"
