"""Heat maps: every word and value, dark for much, frames that are explained, and no number called so."""

import numpy as np
import pytest

from reference.pictures import Shape, shapes, texts
from tertium.errors import InputError, OptionError
from tertium.presentation.charts.matrix import Matrix, draw_heatmap, matrix_specification
from tertium.presentation.charts.model import Chart
from tertium.values import Explanation


def explain(rows: list[str], columns: list[str], **matrices: object) -> Explanation:
    arrays = {name: np.array(values, dtype=float) for name, values in matrices.items()}
    return Explanation("std", rows, columns, 3.5, rows, columns, arrays, links=[(0, 1, "0.1")])


TOLD = explain(
    ["a", "b"], ["c", "d", "e"], distance=[[0.1, 0.2, 0.3], [0, 1, 0.25]], flow=[[0, 0.02, 0], [0, 0, 0]]
)


def cells(svg: str) -> list[Shape]:
    return shapes(svg, "path", group="mark-rect role-mark layer_0")


def lightness(fill: str) -> int:
    if fill.startswith("rgb"):
        return sum(int(part) for part in fill.removeprefix("rgb(").removesuffix(")").split(","))
    return sum(int(fill[i : i + 2], 16) for i in (1, 3, 5))


def contrast(fill: str, ink: str) -> float:
    def luminance(colour: str) -> float:
        parts = (
            [int(part) for part in colour[4:-1].split(",")]
            if colour.startswith("rgb")
            else [int(colour[i : i + 2], 16) for i in (1, 3, 5)]
        )
        linear = [p / 255 / 12.92 if p <= 10 else ((p / 255 + 0.055) / 1.055) ** 2.4 for p in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    high, low = sorted((luminance(fill), luminance(ink)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_every_word_and_every_value_is_drawn() -> None:
    svg = draw_heatmap(TOLD).svg()
    assert texts(svg, group="role-title-text") == ["std: distance (score 3.50)"]
    assert texts(svg, group="role-axis-label") == ["c", "d", "e", "a", "b"]
    assert texts(svg, group="role-mark") == ["0.10", "0.20", "0.30", "0.00", "1.00", "0.25"]


def test_axes_colours_and_frames_are_named() -> None:
    svg = draw_heatmap(TOLD).svg()
    assert texts(svg, group="role-axis-title") == ["reference", "hypothesis"]
    assert texts(svg, group="role-legend-title") == ["distance"]
    assert "linked" in texts(svg, group="role-legend-label")


def test_a_word_that_stands_twice_has_two_rows() -> None:
    svg = draw_heatmap(explain(["the", "the"], ["a", "b"], distance=np.ones((2, 2)))).svg()
    assert texts(svg, group="role-axis-label") == ["a", "b", "the", "the"]
    assert len(cells(svg)) == 4


def test_a_named_matrix_is_drawn_and_zeros_of_a_sparse_one_stay_blank() -> None:
    svg = draw_heatmap(TOLD, "flow").svg()
    assert [text for text in texts(svg, group="role-mark") if text.strip()] == ["0.020"]
    assert len(cells(svg)) == 6


def test_linked_pairs_are_framed() -> None:
    svg = draw_heatmap(TOLD).svg()
    (frame,) = shapes(svg, "path", group="layer_2")
    assert (frame.x, frame.y) == (cells(svg)[1].x, cells(svg)[1].y)
    assert frame.fill in ("", "transparent")


def test_text_is_escaped_and_what_xml_forbids_is_replaced() -> None:
    told = explain(
        ["<script>alert('x')</script>", "a&b"], ['"', "\x00\x1f", "我的"], distance=np.ones((2, 3))
    )
    svg = draw_heatmap(told).svg()
    assert "<script" not in svg
    assert texts(svg, group="role-axis-label") == [
        '"',
        "\ufffd\ufffd",
        "我的",
        "<script>alert('x')</script>",
        "a&b",
    ]


def test_darker_means_more() -> None:
    shades = [lightness(cell.fill) for cell in cells(draw_heatmap(TOLD).svg())]
    assert np.argsort(shades).tolist() == [4, 2, 5, 1, 0, 3]


def test_negative_values_have_another_hue_and_darken_away_from_zero() -> None:
    told = explain(["a"], ["c", "d", "e", "f", "g"], similarity=[[-1, -0.3, 0, 0.3, 1]])
    svg = draw_heatmap(told).svg()
    shades = [lightness(cell.fill) for cell in cells(svg)]
    assert shades[0] < shades[1] < shades[2] > shades[3] > shades[4]
    assert len({cell.fill for cell in cells(svg)}) == 5
    assert texts(svg, group="role-mark") == ["−1.00", "−0.30", "0.00", "0.30", "1.00"]
    assert any(label.startswith("−") for label in texts(svg, group="role-legend-label"))


@pytest.mark.parametrize("low", [0.0, -1.0], ids=["from zero", "around zero"])
def test_every_number_is_read_on_its_cell(low: float) -> None:
    values = np.linspace(low, 1, 41)
    chart = Chart.of(
        matrix_specification(
            Matrix(values[None, 1:], ["a"], ["b"] * 40, "q", "r", "c", low=low, high=1.0), title="t"
        )
    )
    svg = chart.svg()
    inks = [shape.fill for shape in shapes(svg, "text")]
    assert len(inks) == 40
    ratios = [contrast(cell.fill, ink) for cell, ink in zip(cells(svg), inks, strict=True)]
    assert min(ratios) >= 4.5  # as WCAG asks


def test_what_is_no_number_is_grey_and_said() -> None:
    told = explain(["a"], ["c", "d", "e", "f"], distance=[[np.nan, np.inf, -np.inf, 0.5]])
    svg = draw_heatmap(told).svg()
    assert texts(svg, group="role-mark") == ["NaN", "∞", "−∞", "0.50"]
    assert "no number" in texts(svg, group="role-legend-label")
    assert [cell.fill for cell in shapes(svg, "path", group="layer_1")] == ["#b8b8b8"] * 3


def test_a_matrix_without_any_number_is_drawn() -> None:
    told = explain(["a"], ["c", "d"], distance=np.full((1, 2), np.nan))
    assert texts(draw_heatmap(told).svg(), group="role-mark") == ["NaN", "NaN"]


@pytest.mark.slow
def test_a_large_matrix_leaves_its_numbers_to_the_colours() -> None:
    words = [f"w{i}" for i in range(100)]
    chart = draw_heatmap(explain(words, words, distance=np.random.default_rng(0).random((100, 100))))
    svg = chart.svg()
    assert not texts(svg, group="role-mark")
    assert len(cells(svg)) == 10_000
    assert len(texts(svg, group="role-axis-label")) == 200
    assert len(chart.to_json()) < 2_000_000


@pytest.mark.parametrize(
    ("explanation", "matrix", "error", "message"),
    [
        (explain(["a"], ["b"]), None, InputError, "std has no matrix to draw"),
        (TOLD, "flows", OptionError, "no matrix 'flows'; choose from distance, flow"),
        (explain([], ["a"], distance=np.ones((0, 1))), None, InputError, "without words"),
    ],
)
def test_what_cannot_be_drawn_is_said(
    explanation: Explanation, matrix: str | None, error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        draw_heatmap(explanation, matrix)
