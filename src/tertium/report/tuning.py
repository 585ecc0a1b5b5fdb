"""Outcomes of searches and sweeps in words, tables and curves."""

import json
from collections.abc import Mapping, Sequence
from math import inf, isnan

from tertium.errors import OptionError
from tertium.meta.statistics import StatisticSpec
from tertium.report.charts.curves import Panel, draw_curves
from tertium.report.charts.model import Chart
from tertium.report.formats import render_layout, render_rows
from tertium.tuning.outcome import Outcome
from tertium.tuning.space import describe_point
from tertium.tuning.trials import Trial, Values

__all__ = ["check_curve", "draw_sweep", "render_outcome", "render_sweep"]


def render_outcome(outcome: Outcome, form: str, *, digest: str) -> str:
    """Write the best options, the objective in training and held out, and every statistic behind it."""
    if form == "json":
        document = {
            "metric": outcome.metric,
            "options": outcome.options,
            "preset": digest,
            "values": _plain(outcome.best.values),
            **{name: None if value == -inf else value for name, value in outcome.facts.items()},
        }
        return json.dumps(document, ensure_ascii=False, indent=1) + "\n"
    lines = [
        f"{outcome.metric}:{describe_point(outcome.best.point)}",
        f"objective {outcome.objective}, {outcome.n_trials:,} trials",
        *_validation_lines(outcome),
    ]
    for statistic, by_pair in outcome.best.values.items():
        lines.append(
            f"{statistic}: " + ", ".join(f"{pair or 'all'} {_show(value)}" for pair, value in by_pair.items())
        )
    return "\n".join(lines) + "\n"


def render_sweep(trials: Sequence[Trial], statistics: Sequence[StatisticSpec], name: str, form: str) -> str:
    """Write a table per statistic: a row per value of the option, a column per language pair."""
    if form == "json":
        records = [{"point": dict(trial.point), "values": _plain(trial.values)} for trial in trials]
        return json.dumps({"option": name, "trials": records}, ensure_ascii=False, indent=1) + "\n"
    if form in ("csv", "tsv"):
        return render_rows([[name, "statistic", "pair", "value"], *_long_rows(trials, name)], form)
    texts = []
    for spec in statistics:
        pairs = list(trials[0].values[str(spec)])
        layout = [[name, *(pair or "all" for pair in pairs), *(["average"] if len(pairs) > 1 else [])]]
        layout += [[str(trial.point[name]), *_numbers(trial, str(spec))] for trial in trials]
        title = f"### {spec.title}\n" if form == "md" else f"{'% ' * (form == 'latex')}{spec.title}"
        texts.append(f"{title}\n{render_layout(layout, [], form)}")
    return "\n".join(texts)


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


def _validation_lines(outcome: Outcome) -> list[str]:
    scores = outcome.validation
    if scores is None:
        return ["no held-out score: fewer than two language pairs have every statistic"]
    return [
        f"training {scores.train:.4f} (before tuning {scores.train_before:.4f})",
        f"{scores.how} {scores.held_out:.4f} (before tuning {scores.held_out_before:.4f})",
    ]


def _long_rows(trials: Sequence[Trial], name: str) -> list[list[object]]:
    return [
        [trial.point[name], statistic, pair, "" if isnan(value) else repr(value)]
        for trial in trials
        for statistic, by_pair in trial.values.items()
        for pair, value in by_pair.items()
    ]


def _numbers(trial: Trial, statistic: str) -> list[str]:
    values = list(trial.values[statistic].values())
    return [_show(value) for value in (values if len(values) < 2 else [*values, sum(values) / len(values)])]


def _show(value: float) -> str:
    return "–" if isnan(value) else f"{value:.3f}"


def _plain(values: Values) -> Mapping[str, Mapping[str, float | None]]:
    return {
        statistic: {pair: None if isnan(value) else value for pair, value in by_pair.items()}
        for statistic, by_pair in values.items()
    }
