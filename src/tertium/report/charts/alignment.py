"""Two texts and what joins their words: the hypothesis above, the reference below, a line for each link."""

from collections.abc import Sequence

from tertium.errors import InputError
from tertium.report.charts.grammar import Spec, category, layer, number
from tertium.report.charts.model import Chart
from tertium.report.charts.theme import N_COLOURS
from tertium.report.charts.words import heading, text_width
from tertium.types import Explanation

__all__ = ["draw_alignment", "place_words"]

_SIZE, _GAP = 12, 14  # of letters, and pixels between words
_HEIGHT = 150
_TOP, _BOTTOM = 0.9, 0.1  # where the texts stand
_LINE_TOP, _LINE_BOTTOM = 0.8, 0.2


def draw_alignment(explanation: Explanation) -> Chart:
    """Draw the links of an explanation; words that nothing joins are faint. Crossing lines are words that moved."""
    if not explanation.links:
        raise InputError(f"{explanation.metric} joins no words of this pair, so there is nothing to draw")
    above, below = place_words(explanation.hypothesis), place_words(explanation.reference)
    width = max([*above, *below]) + 40
    title = f"{explanation.metric} = {explanation.score:.2f}"
    return Chart.of(
        {
            "description": title,
            "title": heading(
                title, "hypothesis above, reference below; faint words have no partner", max(width, 360)
            ),
            "width": width,
            "height": _HEIGHT,
            "encoding": {
                "x": number("x", (0, width), axis=None),
                "y": number("y", (0, 1), axis=None),
            },
            "layer": [_link_layer(explanation, above, below), *_word_layers(explanation, above, below)],
        }
    )


def place_words(words: Sequence[str]) -> list[float]:
    """Find the middle of each word when they stand side by side, in pixels."""
    places, begin = [], 0.0
    for word in words:
        room = text_width(word, _SIZE)
        places.append(round(begin + room / 2, 1))
        begin += room + _GAP
    return places


def _link_layer(explanation: Explanation, above: Sequence[float], below: Sequence[float]) -> Spec:
    named = dict.fromkeys(kind for _, _, kind in explanation.links)
    is_told = (
        len(named) <= N_COLOURS and all(kind.isalpha() for kind in named) and not _are_words(explanation)
    )
    lines = [
        {
            "x": above[i], "x2": below[j], "y": _LINE_TOP, "y2": _LINE_BOTTOM, "kind": kind if is_told else "joined",
            "hypothesis": explanation.hypothesis[i], "reference": explanation.reference[j],
        }
        for i, j, kind in explanation.links
    ]  # fmt: skip
    kinds = list(named) if is_told else ["joined"]
    encoding: Spec = {
        "x2": {"field": "x2"},
        "y2": {"field": "y2"},
        "color": category("kind", kinds, title="link"),
        "tooltip": [{"field": name, "type": "nominal"} for name in ("hypothesis", "reference", "kind")],
    }
    return layer("rule", lines, encoding, strokeWidth=2)


def _are_words(explanation: Explanation) -> bool:
    """Whether links carry the words that they join instead of a kind, as those of RIBES do."""
    return all(kind == explanation.hypothesis[i] for i, _, kind in explanation.links)


def _word_layers(explanation: Explanation, above: Sequence[float], below: Sequence[float]) -> list[Spec]:
    sides = [
        (explanation.hypothesis, above, _TOP, {i for i, _, _ in explanation.links}),
        (explanation.reference, below, _BOTTOM, {j for _, j, _ in explanation.links}),
    ]
    words = [
        {"text": word, "x": x, "y": y, "joined": i in joined}
        for texts, places, y, joined in sides
        for i, (word, x) in enumerate(zip(texts, places, strict=True))
    ]
    return [
        layer("text", [each for each in words if each["joined"] is joined], {"text": {"field": "text"}}, style=style, fontSize=_SIZE)
        for joined, style in ((True, "ink"), (False, "faint"))
    ]  # fmt: skip
