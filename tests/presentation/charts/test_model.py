"""A chart: frozen, plain JSON inside, and the same picture whoever draws it."""

import json
import struct
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from reference.pictures import size
from tertium.errors import InputError, MissingExtraError, OptionError
from tertium.presentation.charts.model import DARK, LIGHT, Chart, check_picture


def bars(*names: str, **more: object) -> Chart:
    values = [{"name": name, "n": i} for i, name in enumerate(names)]
    encoding = {"x": {"field": "n", "type": "quantitative"}, "y": {"field": "name"}}
    return Chart.of(
        {"description": "bars", "data": {"values": values}, "mark": "bar", "encoding": encoding, **more}
    )


def size_of(png: bytes) -> tuple[int, int]:
    width, height = struct.unpack(">II", png[16:24])
    return width, height


def test_numpy_and_numbers_that_json_lacks_become_plain() -> None:
    chart = Chart.of(
        {"a": np.float64(1.5), "b": [np.nan, np.inf, 2], "c": np.arange(3), "d": (np.True_, None)}
    )
    values = chart.to_dict(None)
    assert {name: values[name] for name in "abcd"} == {
        "a": 1.5,
        "b": [None, None, 2],
        "c": [0, 1, 2],
        "d": [True, None],
    }
    json.dumps(values, allow_nan=False)


def test_characters_that_no_picture_can_hold_are_replaced() -> None:
    chart = Chart.of({"data": "bell\x07 lone \ud800 line\u2028 end\uffff 我 \t"})
    assert chart.to_dict(None)["data"] == "bell\ufffd lone \ufffd line  end\ufffd 我 \t"


def test_a_dictionary_handed_out_is_a_copy() -> None:
    chart = bars("a")
    chart.to_dict()["data"] = "gone"
    assert chart == bars("a")
    assert chart.to_dict()["data"] != "gone"


def test_the_theme_is_the_config_and_nothing_else() -> None:
    chart = bars("a")
    assert "config" not in chart.to_dict(None)
    assert chart.to_dict(DARK) == {**chart.to_dict(None), "config": DARK.config()}
    assert chart.to_dict() == chart.to_dict(LIGHT)


def test_json_may_stand_in_a_script() -> None:
    chart = bars("</script><!--", "a & b", "\u2028")
    text = chart.to_json()
    assert not set("<>&\u2028") & set(text)
    assert json.loads(text) == {key: value for key, value in chart.to_dict(None).items() if key != "$schema"}


def test_notebooks_get_the_specification_by_its_type() -> None:
    bundle = bars("a")._repr_mimebundle_(include=None, exclude=None)
    assert bundle == {"application/vnd.vegalite.v5+json": bars("a").to_dict(), "text/plain": "Chart('bars')"}


def test_drawing_again_gives_the_same_bytes_whatever_was_drawn_between() -> None:
    chart = bars("a", "b")
    first = chart.svg(), chart.png()
    bars("c", title="other").svg(DARK)
    assert (chart.svg(), chart.png()) == first


def test_names_are_escaped_and_the_picture_says_what_it_is() -> None:
    svg = bars("<script>alert('x')</script>", 'a"&b', description='<"&>').svg()
    assert "<script" not in svg
    assert "&lt;script&gt;alert('x')&lt;/script&gt;" in svg
    assert svg.startswith('<svg role="img" aria-label="&lt;&quot;&amp;&gt;" ')


def test_a_file_holds_what_its_ending_says(tmp_path: Path) -> None:
    chart = bars("é")
    for name in ("a.SVG", "a.png"):
        chart.write(tmp_path / name)
    assert (tmp_path / "a.SVG").read_text(encoding="utf-8") == chart.svg()
    assert (tmp_path / "a.png").read_bytes() == chart.png()


def test_a_png_is_sharper_than_its_units() -> None:
    chart = bars("a")
    width, height = size(chart.svg())
    assert size_of(chart.png()) == (3 * width, 3 * height)
    assert size_of(chart.png(1)) == (width, height)


def test_a_huge_chart_does_not_become_a_huge_png() -> None:
    assert max(size_of(bars("a", width=24_000, height=10).png())) <= 12_000


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"cannot write .*a\.svg"):
        bars("a").write(tmp_path / "no" / "a.svg")


@pytest.mark.parametrize("path", ["a.gif", "a", "png", "a.svg.gz"])
def test_other_endings_are_refused(path: str) -> None:
    with pytest.raises(OptionError, match=r"is written as \.svg or \.png"):
        check_picture(path)


@pytest.mark.parametrize("path", ["a.svg", "a.png"])
def test_pictures_without_their_package_name_the_command(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    with pytest.raises(
        MissingExtraError, match=rf"{path}: .* vl-convert-python: pip install 'vl-convert-python"
    ):
        check_picture(path)
    with pytest.raises(MissingExtraError, match="vl-convert-python"):
        bars("a").svg()
    assert bars("a").to_json()


def test_specifying_a_chart_does_not_load_what_draws_it() -> None:
    code = (
        "import sys; from tertium.presentation.charts.matrix import draw_agreement; "
        "draw_agreement(['a'], [[1.0]], title='t').to_json(); assert 'vl_convert' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
