"""Pictures in files: the ending says how, and what is missing is said with its remedy."""

import struct
import sys

import pytest

from tertium.errors import MissingExtraError, OptionError
from tertium.report.charts.pictures import check_picture, encode_picture
from tertium.report.charts.svg import Drawing


def size_of(png: bytes) -> tuple[int, int]:
    width, height = struct.unpack(">II", png[16:24])
    return width, height


def test_an_svg_is_written_as_it_is_drawn() -> None:
    svg = Drawing(40, 30, "é").render()
    assert encode_picture(svg, "a.SVG") == svg.encode()


def test_a_png_is_sharper_than_the_drawing() -> None:
    pytest.importorskip("vl_convert")
    png = encode_picture(Drawing(40, 30).render(), "a.png")
    assert png.startswith(b"\x89PNG")
    assert size_of(png) == (120, 90)


def test_a_huge_drawing_does_not_become_a_huge_png() -> None:
    pytest.importorskip("vl_convert")
    assert size_of(encode_picture(Drawing(8000, 10).render(), "a.png")) == (12000, 15)


@pytest.mark.parametrize("path", ["a.gif", "a", "png", "a.svg.gz"])
def test_other_endings_are_refused(path: str) -> None:
    with pytest.raises(OptionError, match=r"is written as \.svg or \.png"):
        check_picture(path)


def test_a_png_without_its_package_names_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    with pytest.raises(MissingExtraError, match=r"a\.png: a PNG needs .*: pip install 'tertium\[report\]'"):
        encode_picture("<svg/>", "a.png")
    check_picture("a.svg")
