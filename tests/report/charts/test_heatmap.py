"""Heat maps: well-formed SVG whatever the words are."""

from xml.etree import ElementTree as ET

import numpy as np
import pytest

from tertium.errors import InputError, OptionError
from tertium.report.charts.heatmap import render_heatmap
from tertium.types import Explanation

SVG = "{http://www.w3.org/2000/svg}"


def explain(rows: list[str], columns: list[str], **matrices: object) -> Explanation:
    arrays = {name: np.array(values, dtype=float) for name, values in matrices.items()}
    return Explanation("std", rows, columns, 3.5, rows, columns, arrays, links=[(0, 1, "0.1")])


TOLD = explain(
    ["a", "b"], ["c", "d", "e"], distance=[[0.1, 0.2, 0.3], [0, 1, 0.25]], flow=[[0, 0.02, 0], [0, 0, 0]]
)


def texts_of(svg: str) -> list[str]:
    return [element.text or "" for element in ET.fromstring(svg).iter(f"{SVG}text")]


def test_every_word_and_every_value_is_drawn() -> None:
    texts = texts_of(render_heatmap(TOLD))
    assert texts[0] == "std: distance (score 3.50)"
    assert texts[1:6] == ["a", "b", "c", "d", "e"]
    assert texts[6:] == ["0.10", "0.20", "0.30", "0.00", "1.00", "0.25"]


def test_a_named_matrix_is_drawn_and_zeros_of_a_sparse_one_stay_blank() -> None:
    assert texts_of(render_heatmap(TOLD, "flow"))[6:] == ["0.020"]


def test_linked_pairs_are_framed() -> None:
    frames = [r for r in ET.fromstring(render_heatmap(TOLD)).iter(f"{SVG}rect") if r.get("fill") == "none"]
    assert len(frames) == 1


def test_text_is_escaped_and_what_xml_forbids_is_replaced() -> None:
    told = explain(
        ["<script>alert('x')</script>", "a&b"], ['"', "\x00\x1f", "我的"], distance=np.ones((2, 3))
    )
    svg = render_heatmap(told)
    assert "<script" not in svg
    assert texts_of(svg)[1:6] == ["<script>alert('x')</script>", "a&b", '"', "\ufffd\ufffd", "我的"]


def test_darker_means_more() -> None:
    cells = [r for r in ET.fromstring(render_heatmap(TOLD)).iter(f"{SVG}rect") if r.get("stroke") == "white"]
    lightness = [sum(int(cell.get("fill", "")[i : i + 2], 16) for i in (1, 3, 5)) for cell in cells]
    assert np.argsort(lightness).tolist() == [4, 2, 5, 1, 0, 3]


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
        render_heatmap(explanation, matrix)
