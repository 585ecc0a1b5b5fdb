"""Documents of searches, and curves over one option."""

from collections.abc import Iterator, Mapping, Sequence
from math import inf, isfinite, isnan
from typing import Any

from tertium.errors import OptionError, argument
from tertium.metaeval.agreement import StatisticSpec
from tertium.presentation.charts.curves import Panel, draw_curves
from tertium.presentation.charts.model import Chart
from tertium.presentation.tables.fields import (
    RECORDS,
    TABLE,
    Field,
    make_object,
    make_records,
    make_table,
    make_wide_table,
)
from tertium.presentation.tables.model import Document, Note, Table, prose_lines, type_of_values
from tertium.records import record
from tertium.tuning.trials import Outcome, PartScore, Trial, Values


@record
class OutcomeRow:
    """An option, a fact or a statistic of a search; a fact is a number or a text."""

    kind: str
    name: str
    pair: str = ""
    value: float | None = None
    text: str | None = None


_OUTCOME_FIELDS: list[Field[OutcomeRow]] = [
    Field("kind", outputs=RECORDS),
    Field("name", heading="statistic", is_key=True),
    Field("pair", text=lambda row: row.pair or "all", is_key=True),
    Field("value", float, form="{:.3f}", missing="–"),
    Field("text", outputs=RECORDS),
]


_PART_FIELDS: list[Field[PartScore]] = [
    Field("label", heading="metric", is_key=True),
    Field("weight", float, form="{:g}", missing=""),
    Field("train", float, form="{:.4f}", heading="training"),
    Field("held_out", float, form="{:.4f}", heading="held out", missing="–"),
]


def _list_parts(outcome: Outcome) -> list[str]:
    return [
        f"{part.label} alone: training {part.train:.4f}"
        + ("" if part.held_out is None else f", held out {part.held_out:.4f}")
        for part in outcome.parts
    ]


@record
class CurveRow:
    """The value of a statistic on a language pair for one value of the option."""

    point: Any
    statistic: str
    pair: str
    value: float | None


def describe_outcome(outcome: Outcome, *, label: str, digest: str) -> Document:
    """Describe the best options, the objective in training and held out, and every statistic behind it.

    Parameters
    ----------
    label
        The metric with its best options, as the option `metrics` takes it.
    digest
        The checksum of the preset.
    """
    found = [
        OutcomeRow("statistic", name, pair, value) for name, pair, value in _long_values(outcome.best.values)
    ]
    summary = _summary(outcome)
    statistics = [f"{name}: {_list_values(by_pair)}" for name, by_pair in outcome.best.values.items()]
    parts = [make_table(_PART_FIELDS, outcome.parts, title="each metric alone")] if outcome.parts else []
    return Document(
        "outcome",
        lambda: [make_table(_OUTCOME_FIELDS, found, title=label, notes=[*map(Note, summary)]), *parts],
        lambda: make_records(_OUTCOME_FIELDS, [*_make_outcome_rows(outcome), *found]),
        lambda: {
            "metric": outcome.metric,
            "options": outcome.options,
            "preset": digest,
            "values": outcome.best.values,
            **{name: None if value == -inf else value for name, value in outcome.facts.items()},
            **(
                {"parts": [make_object(_PART_FIELDS, part) for part in outcome.parts]}
                if outcome.parts
                else {}
            ),
        },
        make_prose=lambda: prose_lines([label, *summary, *statistics, *_list_parts(outcome)]),
    )


def _make_outcome_rows(outcome: Outcome) -> Iterator[OutcomeRow]:
    facts = {"option": outcome.options, "fact": outcome.facts}
    for kind, values in facts.items():
        for name, value in values.items():
            if isinstance(value, (int, float)) and not isinstance(value, bool):
                yield OutcomeRow(kind, name, value=float(value) if isfinite(value) else None)
            else:
                yield OutcomeRow(kind, name, text=str(value))
    for part in outcome.parts:
        yield OutcomeRow("training of part", part.label, value=part.train)
        yield OutcomeRow("held out of part", part.label, value=part.held_out)


def describe_curve(trials: Sequence[Trial], statistics: Sequence[StatisticSpec], name: str) -> Document:
    """Describe trials of one option, a table per statistic: a row per value of the option, a column per language pair."""
    found = type_of_values(trial.point[name] for trial in trials)
    kind = found if found in (int, float) else str  # words, and several numbers at once
    fields: list[Field[CurveRow]] = [
        Field(name, str, lambda row: str(row.point), TABLE, is_key=True),
        Field(name, kind, lambda row: kind(row.point), RECORDS),
        Field("statistic", outputs=RECORDS),
        Field("pair", outputs=RECORDS),
        Field("value", float, form="{:.3f}", missing="–"),
    ]  # fmt: skip

    def make_table(spec: StatisticSpec) -> Table:
        rows = [list(_with_average(trial, name, str(spec))) for trial in trials]
        headings = {row.pair: row.pair for row in rows[0]}
        return make_wide_table(fields, rows, headings, title=spec.title)

    return Document(
        "curve",
        lambda: [make_table(spec) for spec in statistics],
        lambda: make_records(
            fields,
            [CurveRow(trial.point[name], *value) for trial in trials for value in _long_values(trial.values)],
        ),
        lambda: {
            "option": name,
            "trials": [{"point": dict(trial.point), "values": trial.values} for trial in trials],
        },
    )


def _with_average(trial: Trial, name: str, statistic: str) -> Iterator[CurveRow]:
    """List the values of a statistic on all pairs, and their average if there are several."""
    values = trial.values[statistic]
    for pair, value in values.items():
        yield CurveRow(trial.point[name], statistic, pair or "all", _known(value))
    if len(values) > 1:
        yield CurveRow(trial.point[name], statistic, "average", _known(sum(values.values()) / len(values)))


def draw_curve(
    trials: Sequence[Trial], statistics: Sequence[StatisticSpec], name: str, *, title: str
) -> Chart:
    """Draw a panel per statistic: a curve per language pair over the values of the option, and their average."""
    values = [trial.point[name] for trial in trials]
    check_curve(name, values)
    panels = [_panel(trials, spec) for spec in statistics]
    return draw_curves([float(str(value)) for value in values], panels, title=title, x_label=name)


def check_curve(name: str, values: Sequence[object]) -> None:
    """Raise if the values of an option are not numbers."""
    if not all(isinstance(value, (int, float)) and not isinstance(value, bool) for value in values):
        raise OptionError(
            f"{name} is not a number, so there is no curve to draw; leave out {argument('chart')}"
        )


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
    return ", ".join(
        f"{pair or 'all'} {'–' if isnan(value) else f'{value:.3f}'}" for pair, value in by_pair.items()
    )


def _validation_lines(outcome: Outcome) -> list[str]:
    scores = outcome.validation
    if scores is None:
        return ["no held-out score: fewer than two language pairs have every statistic"]
    before = "best metric alone" if outcome.parts else "before tuning"
    return [
        f"training {scores.train:.4f} ({before} {scores.train_before:.4f})",
        f"{scores.how} {scores.held_out:.4f} ({before} {scores.held_out_before:.4f})",
    ]


def _long_values(values: Values) -> list[tuple[str, str, float | None]]:
    return [
        (statistic, pair, _known(value))
        for statistic, by_pair in values.items()
        for pair, value in by_pair.items()
    ]


def _known(value: float) -> float | None:
    return None if isnan(value) else value
