"""Histograms of differences: nothing lost, no bar on both sides of zero."""

import numpy as np
import pytest

from reference.pictures import shapes, texts
from tertium.report.charts.distribution import draw_distribution
from tertium.report.charts.model import Chart


def draw(differences: object, **more: bool) -> Chart:
    return draw_distribution(
        np.asarray(differences, dtype=float), title="t", metric="bleu", first="A", second="B", **more
    )


def bars(chart: Chart) -> list[dict[str, object]]:
    found: list[dict[str, object]] = chart.to_dict(None)["layer"][0]["data"]["values"]  # type: ignore[index]
    return found


def test_every_unequal_segment_is_in_a_bar_of_the_system_that_is_better() -> None:
    differences = np.random.default_rng(2).normal(0.3, 5, size=5000)
    counts = {"A": 0, "B": 0}
    for bar in bars(draw(differences)):
        counts[str(bar["winner"])] += int(str(bar["n"]))
        assert float(str(bar["low"])) * float(str(bar["high"])) >= 0
    assert counts == {"A": int((differences < 0).sum()), "B": int((differences > 0).sum())}


def test_lower_is_better_turns_the_winners_around() -> None:
    first, *_, last = bars(draw([-1.0, 1.0], lower_is_better=True))
    assert (first["winner"], last["winner"]) == ("B", "A")


def test_the_subtitle_counts_what_is_drawn_and_what_is_not() -> None:
    differences = [*np.linspace(-1, -0.01, 150), *np.linspace(0.01, 1, 149), 90.0, 0.0, 0.0, np.nan]
    shown = " ".join(texts(draw(differences).svg(), group="role-title-subtitle"))
    assert "better: A in 150 segments, B in 150, neither in 2 (not drawn)" in shown
    assert "3 beyond ±0.993 are in the outermost bars" in shown


def test_axes_legend_and_mean_are_named() -> None:
    svg = draw([1.0, 2.0, -0.5]).svg()
    assert texts(svg, group="role-axis-title") == ["bleu of B − bleu of A", "segments"]
    assert texts(svg, group="role-legend-label") == ["A", "B"]
    assert "mean +0.833" in texts(svg)


@pytest.mark.parametrize(
    "differences", [[], [np.nan, np.inf], [0.0, 0.0]], ids=["none", "no number", "equal"]
)
def test_without_differences_the_bars_are_empty(differences: list[float]) -> None:
    chart = draw(differences)
    assert {bar["n"] for bar in bars(chart)} == {0}
    assert "better: A in 0 segments, B in 0" in " ".join(texts(chart.svg()))


def test_a_mean_far_outside_stays_on_the_chart() -> None:
    svg = draw([0.1] * 500 + [1e6]).svg()
    (line,) = shapes(svg, "line")
    frame = max(cell.x for cell in shapes(svg, "path"))
    assert 0 < line.x <= frame + 480
