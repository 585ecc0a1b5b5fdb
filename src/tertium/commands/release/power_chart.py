"""The power of a test by the number of segments."""

from collections.abc import Sequence

import numpy as np

from tertium.commands.release.plan_tables import PlanRow
from tertium.presentation.charts.model import Chart, Spec, heading, layer, named, number, parameters, tooltip
from tertium.stats.significance import power_of

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
