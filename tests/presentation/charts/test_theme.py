"""Colours: read on both kinds of paper, told apart, dark for much."""

from itertools import pairwise

import pytest

from tertium.presentation.charts.model import (  # fmt: skip
    CELL_INK,
    CELL_PALE,
    COUNTS,
    DARK,
    FRAME,
    LEVELS,
    LIGHT,
    N_COLOURS,
    Theme,
)


def luminance(colour: str) -> float:
    """Relative luminance as WCAG 2 defines it."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(a: str, b: str) -> float:
    high, low = sorted((luminance(a), luminance(b)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def heat(name: str) -> list[str]:
    ranges = LIGHT.config()["range"]
    assert isinstance(ranges, dict)
    return list(ranges[name])


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_texts_have_the_contrast_that_wcag_asks_for(theme: Theme) -> None:
    assert contrast(theme.ink, theme.paper) >= 7


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_lines_and_dots_stand_out_from_the_paper(theme: Theme) -> None:
    assert len(theme.category) == N_COLOURS
    assert min(contrast(colour, theme.paper) for colour in theme.category) >= 2
    assert contrast(theme.category[0], theme.paper) >= 3
    assert contrast(theme.faint, theme.paper) >= 3


@pytest.mark.parametrize(
    "scale", [heat("heatmap"), COUNTS, LEVELS, heat("diverging")[3:], heat("diverging")[3::-1]]
)
def test_more_is_darker_in_every_heat_map(scale: list[str]) -> None:
    assert all(luminance(a) > luminance(b) for a, b in pairwise(scale))


def test_heat_maps_look_the_same_on_both_papers() -> None:
    for name in ("heatmap", "diverging"):
        assert DARK.config()["range"][name] == LIGHT.config()["range"][name]  # type: ignore[index]


def test_frames_are_seen_on_the_lightest_and_on_the_darkest_cell() -> None:
    assert min(contrast(FRAME, cell) for cell in (heat("heatmap")[0], heat("heatmap")[-1])) >= 2.5


def test_numbers_are_read_on_every_level() -> None:
    inks = (CELL_INK, CELL_INK, CELL_PALE, CELL_PALE)
    assert min(contrast(ink, cell) for ink, cell in zip(inks, LEVELS, strict=True)) >= 4.5


def test_a_page_may_choose_the_background() -> None:
    assert DARK.config()["background"] == DARK.paper
    assert DARK.config(background="transparent")["background"] == "transparent"
