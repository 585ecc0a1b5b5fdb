"""Scatter plots: dots in proportion, names that cover nothing, counts where dots are too many."""

from itertools import combinations

import numpy as np
import pytest

from reference.pictures import boxes, overlap, shapes, size, texts
from tertium.commands.meta.scatter_chart import draw_scatter
from tertium.presentation.charts.model import Chart

LONG = "bleu:tokenizer=intl,lowercase=yes,max_ngram_order=2,smooth_method=floor,smooth_value=0.1"
STEMS = ("online", "uedin-syntax", "LIMSI-SOUL", "jhu")


def plot(human: object, metric: object, **more: object) -> Chart:
    return draw_scatter(
        np.asarray(human), np.asarray(metric), title="t", x_label="m", y_label="h", **more  # type: ignore[arg-type]
    )  # fmt: skip


def crowd(n_systems: int) -> tuple[str, list[str]]:
    rng = np.random.default_rng(5)
    names = [f"{STEMS[i % 4]}.{4000 + i}" for i in range(n_systems)]
    quality = rng.normal(size=n_systems)
    metric = quality + rng.normal(scale=0.3, size=n_systems)
    return draw_scatter(quality, metric, title=LONG, x_label=LONG, y_label="people", names=names).svg(), names


def test_dots_stand_where_their_scores_are() -> None:
    svg = plot([0.0, 1.0, 0.5, np.nan], [0.0, 10.0, 5.0, 5.0]).svg()
    low, high, middle = [(dot.x, dot.y) for dot in shapes(svg, "path")]
    assert low[0] < high[0]
    assert low[1] > high[1]
    assert middle == pytest.approx(((low[0] + high[0]) / 2, (low[1] + high[1]) / 2))


def test_a_scatter_says_how_many_and_how_well_they_agree() -> None:
    human = [1.0, 2.0, 3.0, np.nan]
    assert "3 judged segments, Pearson’s r = −1.000, Spearman’s ρ = −1.000" in texts(
        plot(human, [3.0, 2.0, 1.0, 9.0]).svg()
    )
    assert "3 judged segments, no correlation: one side is constant" in texts(plot(human, np.ones(4)).svg())
    assert "1 systems, too few for a correlation" in texts(plot([1.0], [1.0], names=["a"]).svg())


def test_axes_and_title_are_named() -> None:
    svg = plot([1.0, 2.0], [1.0, 3.0]).svg()
    assert texts(svg, group="role-axis-title") == ["m", "h"]
    assert texts(svg, group="role-title-text") == ["t"]


def test_names_of_25_systems_cover_neither_one_another_nor_a_dot() -> None:
    svg, names = crowd(25)
    places = boxes(svg, group="role-mark")
    assert set(places) == set(names)
    assert not [(a, b) for a, b in combinations(names, 2) if overlap(places[a], places[b])]
    dots = [(dot.x - 3, dot.y - 3, dot.x + 3, dot.y + 3) for dot in shapes(svg, "path")]
    assert len(dots) == 25
    assert not [name for name in names for dot in dots if overlap(places[name], dot)]


def test_names_stay_by_their_dots_or_get_a_line() -> None:
    svg, names = crowd(60)
    dots = dict(zip(names, shapes(svg, "path"), strict=True))
    starts = {(round(line.x), round(line.y)) for line in shapes(svg, "line")}
    far = [
        name
        for name, (left, top, right, bottom) in boxes(svg, group="role-mark").items()
        if max(left - dots[name].x, dots[name].x - right, top - dots[name].y, dots[name].y - bottom) > 25
    ]
    assert far
    assert all((round(dots[name].x), round(dots[name].y)) in starts for name in far)


def test_no_name_leaves_the_paper() -> None:
    svg, _ = crowd(25)
    width, height = size(svg)
    for text, (left, top, right, bottom) in boxes(svg).items():
        assert left >= -2, text
        assert right <= width + 2, text
        assert top >= 0, text
        assert bottom <= height, text


def test_a_long_name_is_cut_on_the_paper_and_whole_in_the_specification() -> None:
    name = "n" * 300
    chart = plot([1.0, 2.0], [1.0, 2.0], names=[name, "b"])
    assert any(text.endswith("…") for text in texts(chart.svg()))
    assert name in chart.to_json()


def test_thousands_of_segments_are_counted_in_cells() -> None:
    rng = np.random.default_rng(1)
    human = rng.normal(size=200_000)
    chart = plot(human, human + rng.normal(size=200_000))
    cells = chart.to_dict(None)["layer"][0]["data"]["values"]  # type: ignore[index]
    assert sum(cell["n"] for cell in cells) == 200_000
    assert len(chart.to_json()) < 300_000
    svg = chart.svg()
    assert len(shapes(svg, "path")) == len(cells) <= 1600
    assert "200,000 judged segments" in " ".join(texts(svg))
    assert texts(svg, group="role-legend-title") == ["segments"]


def test_two_thousand_segments_are_two_thousand_dots() -> None:
    scores = np.linspace(0, 1, 2000)
    assert len(shapes(plot(scores, scores).svg(), "path")) == 2000


def test_names_must_fit_the_dots() -> None:
    with pytest.raises(ValueError, match="zip"):
        plot([1.0, 2.0], [1.0, 2.0], names=["a"])
