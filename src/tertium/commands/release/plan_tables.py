"""Tables and the chart of a plan: segments needed, their cost, and the power by the number of segments."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from tertium.evaluation.planning import Deviation, PlanRow
from tertium.presentation.charts.model import Chart, Spec, heading, layer, named, number, parameters, tooltip
from tertium.presentation.tables.fields import Field, make_object, make_records, make_table
from tertium.presentation.tables.model import Cell, Column, Document, Note, Table
from tertium.stats.analysis import SEGMENT, Analysis
from tertium.stats.significance import power_of


def describe_plan(
    rows: Sequence[PlanRow], curves: Mapping[int, Sequence[float | None]], *, alpha: float, power: float
) -> Document:
    """Describe a plan as a table, and a table of the power by the number of units."""
    fields = _fields(rows)
    return Document(
        "plan",
        lambda: [
            make_table(fields, rows, notes=[*map(Note, _notes(rows, alpha, power))]),
            *_make_curve_tables(rows, curves),
        ],
        lambda: make_records(fields, rows),
        lambda: {
            "schema_version": 1,
            "alpha": alpha,
            "power": power,
            "plans": [make_object(fields, row) for row in rows],
            "power_curve": [
                {"segments": n, "power": list(values)} for n, values in curves.items() if None not in values
            ],
        },
    )


def _fields(rows: Sequence[PlanRow]) -> list[Field[PlanRow]]:
    fields: list[Field[Any]] = [
        Field(
            "metric",
            get=lambda row: row.deviation.label,
            is_key=True,
            text=lambda row: row.deviation.title or row.deviation.label,
        ),
        Field("systems", get=lambda row: row.deviation.source, heading="variance of", is_key=True),
        Field(
            "deviation", float, lambda row: row.deviation.deviation, heading="sd per segment", form="{:.2f}"
        ),
        Field("difference", float, form="{:.2f}", missing="–"),
        Field("segments", int, lambda row: row.n_units, heading="segments needed", missing="–"),
    ]
    if units := {row.deviation.unit for row in rows} - {SEGMENT}:
        fields.append(Field("units", int, _count_units, heading=f"{units.pop()}s needed", missing="–"))
    if any(row.cost is not None for row in rows):
        fields.append(Field("cost", float, form="{:,.2f}", missing="–"))
    if any(row.n_given is not None for row in rows):
        fields += [
            Field("detectable", float, heading=f"detectable with {rows[0].n_given:,}", form="{:.2f}"),
            Field("power", float, heading=f"power with {rows[0].n_given:,}", text=_write_power),
        ]
    return fields


def _count_units(row: PlanRow) -> int | None:
    return None if row.n_units is None else row.deviation.count_units(row.n_units)


def _write_power(row: PlanRow) -> str:
    return "–" if row.power is None else f"{100 * row.power:.0f} %"


def _notes(rows: Sequence[PlanRow], alpha: float, power: float) -> list[str]:
    deviation = "sd per segment: the standard error of the difference is this divided by the root of the number of segments"
    notes = [
        f"two-sided paired test at level {alpha:.3g}, power {100 * power:.3g} %; at least 50 segments for the bootstrap",
        f"{deviation}; {_describe_unit(rows[0].deviation)}",
    ]
    if any(row.deviation.n_segments is None for row in rows):
        notes.append(
            "similar, typical, different systems: quartiles over pairs of systems with neighbouring scores in WMT15, 21"
            " and 22; your own run gives a better estimate"
        )
    return notes


def _describe_unit(deviation: Deviation) -> str:
    if deviation.unit == SEGMENT:
        return Analysis().describe_unit(0)
    return f"measured over {deviation.n_units:,} {deviation.unit}s, and planned for {deviation.unit}s of the same length"


def _make_curve_tables(rows: Sequence[PlanRow], curves: Mapping[int, Sequence[float | None]]) -> list[Table]:
    if any(row.difference is None for row in rows):
        return []
    columns = [Column("n", "segments", is_number=True, is_key=True)]
    columns += [Column(row.name, row.name, is_number=True) for row in rows]
    cells = [
        [Cell(f"{n:,}", n), *(Cell(f"{100 * value:.0f} %", value) for value in values if value is not None)]
        for n, values in curves.items()
    ]
    return [Table(columns, cells, "power by the number of segments")]


_WIDTH, _HEIGHT, _POINTS = 460, 260, 60


def draw_power(rows: Sequence[PlanRow], *, alpha: float, power: float) -> Chart:
    """Draw a curve for each row with a difference, and the requested power as a line."""
    shown = [row for row in rows if row.difference is not None]
    largest = max((2 * (row.n_units or 1000) for row in shown), default=1000)
    grid = np.unique(np.geomspace(50, max(largest, 100), _POINTS).astype(int)).tolist()
    values: list[Spec] = [
        {
            "colour": i,
            "plan": row.name,
            "segments": n,
            "power": power_of(row.difference or 0, row.deviation.deviation, n, alpha=alpha),
        }
        for i, row in enumerate(shown)
        for n in grid
    ]
    x = {**number("segments", [50, grid[-1]], title="segments")}
    x["scale"] = {"type": "log", "domain": [50, grid[-1]], "nice": False}
    y = number("power", [0, 1], title="power", axis={"format": "%"})
    names = named("colour", "plans", len(shown), legend={"title": None})
    told = tooltip("plan", segments="segments", power="power")
    title = "Power by the number of segments"
    subtitle = f"two-sided paired test at level {alpha:.3g}; dashed: power {100 * power:.3g} %"
    return Chart.of(
        {
            "description": title,
            "title": heading(title, subtitle, _WIDTH),
            "params": parameters(plans=[row.name for row in shown]),
            "width": _WIDTH,
            "height": _HEIGHT,
            "layer": [
                layer("line", values, {"x": x, "y": y, "color": names, "tooltip": told}, strokeWidth=2),
                layer("rule", [{"power": power}], {"y": y}, style="faint", strokeDash=[4, 3]),
            ],
        }
    )
