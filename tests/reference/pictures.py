"""What a picture shows, read back from its SVG."""

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from dataclasses import dataclass

from tertium.presentation.charts.model import text_width

__all__ = ["Box", "Shape", "boxes", "overlap", "shapes", "size", "texts"]

_SVG = "{http://www.w3.org/2000/svg}"
_SHIFT = re.compile(r"translate\(([-\d.e]+),([-\d.e]+)\)")

Box = tuple[float, float, float, float]
"""Left, top, right, bottom."""


@dataclass(frozen=True)
class Shape:
    """An element, where it stands on the paper, and the class of the group in which Vega put it."""

    element: ET.Element
    x: float
    y: float
    group: str

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.element.itertext()).split())  # browsers show white space as one space

    @property
    def fill(self) -> str:
        return self.element.get("fill", "")

    @property
    def is_turned(self) -> bool:
        return "rotate" in self.element.get("transform", "")


def shapes(svg: str, kind: str, *, group: str = "role-mark") -> list[Shape]:
    """Every `text`, `path` or `line` among the marks, or in groups of another class."""
    return [
        shape for shape in _walk(ET.fromstring(svg), 0, 0, "") if _is(shape, kind) and group in shape.group
    ]


def texts(svg: str, *, group: str = "") -> list[str]:
    """Every text on the paper, in the order of drawing."""
    return [shape.text for shape in shapes(svg, "text", group=group)]


def size(svg: str) -> tuple[float, float]:
    root = ET.fromstring(svg)
    return float(root.get("width", "nan")), float(root.get("height", "nan"))


def boxes(svg: str, *, group: str = "") -> dict[str, Box]:
    """The estimated box of every level text of one line, by its words."""
    level = [
        shape for shape in shapes(svg, "text", group=group) if not shape.is_turned and len(shape.element) == 0
    ]
    return {shape.text: _box(shape) for shape in level}


def overlap(a: Box, b: Box) -> bool:
    return min(a[2], b[2]) - max(a[0], b[0]) > 1 and min(a[3], b[3]) - max(a[1], b[1]) > 1


def _box(shape: Shape) -> Box:
    height = float(shape.element.get("font-size", "0px").removesuffix("px"))
    width = text_width(shape.text, height)
    anchor = {"start": 0.0, "middle": 0.5, "end": 1.0}[shape.element.get("text-anchor", "start")]
    left = shape.x - anchor * width
    return left, shape.y - 0.7 * height, left + width, shape.y


def _is(shape: Shape, kind: str) -> bool:
    is_frame = shape.element.get("class") in ("background", "foreground")
    return shape.element.tag == f"{_SVG}{kind}" and not is_frame


def _walk(element: ET.Element, x: float, y: float, group: str) -> Iterator[Shape]:
    if found := _SHIFT.match(element.get("transform", "")):
        x, y = x + float(found[1]), y + float(found[2])
    if element.tag == f"{_SVG}g" and "mark-" in element.get("class", ""):
        group = element.get("class", "")
    yield Shape(element, x, y, group)
    for child in element:
        yield from _walk(child, x, y, group)
