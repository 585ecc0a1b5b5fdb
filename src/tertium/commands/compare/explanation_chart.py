"""Charts of explanations: word alignments, arcs over trees, and heat maps."""

from collections.abc import Sequence
from math import pi, sin

from tertium.errors import InputError
from tertium.presentation.charts.matrix import draw_heatmap
from tertium.presentation.charts.model import (
    N_COLOURS,
    Chart,
    Spec,
    category,
    heading,
    layer,
    named,
    number,
    parameters,
    text_width,
)
from tertium.values import Explanation

_SIZE, _GAP = 12, 14  # of letters, and pixels between words
_HEIGHT = 150
_TOP, _BOTTOM = 0.9, 0.1  # vertical positions of the texts
_LINE_TOP, _LINE_BOTTOM = 0.8, 0.2
_JOINED = "joined"


def draw_word_alignment(explanation: Explanation) -> Chart:
    """Draw the links of an explanation; unlinked words are faint. Crossing lines are words that moved."""
    if not explanation.links:
        raise InputError(f"{explanation.metric} joins no words of this pair, so there is nothing to draw")
    above, below = place_words(explanation.hypothesis), place_words(explanation.compared[1])
    width = max([*above, *below]) + 40
    title = f"{explanation.metric} = {explanation.score:.2f}"
    return Chart.of(
        {
            "description": title,
            "title": heading(
                title,
                f"hypothesis above, {explanation.compared[0]} below; faint words have no partner",
                max(width, 360),
            ),
            "params": parameters(kinds=_kinds(explanation)),
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
    """Return the middle of each word on a line of text, in pixels."""
    places, begin = [], 0.0
    for word in words:
        room = text_width(word, _SIZE)
        places.append(round(begin + room / 2, 1))
        begin += room + _GAP
    return places


def _link_layer(explanation: Explanation, above: Sequence[float], below: Sequence[float]) -> Spec:
    kinds = _kinds(explanation)
    numbers = {kind: number for number, kind in enumerate(kinds)}
    name, words = explanation.compared
    lines = [
        {
            "x": above[i], "x2": below[j], "y": _LINE_TOP, "y2": _LINE_BOTTOM, "colour": numbers.get(kind, 0),
            "kind": kind if kind in numbers else _JOINED,
            "hypothesis": explanation.hypothesis[i], name: words[j],
        }
        for i, j, kind in explanation.links
    ]  # fmt: skip
    encoding: Spec = {
        "x2": {"field": "x2"},
        "y2": {"field": "y2"},
        "color": named("colour", "kinds", len(kinds), legend={"title": "link"}),
        "tooltip": [{"field": name, "type": "nominal"} for name in ("hypothesis", name, "kind")],
    }
    return layer("rule", lines, encoding, strokeWidth=2)


def _kinds(explanation: Explanation) -> list[str]:
    """Return the kinds of links that have colours of their own; one for all if there are too many or they are words."""
    kinds = list(dict.fromkeys(kind for _, _, kind in explanation.links))
    is_told = len(kinds) <= N_COLOURS and all(map(_is_name, kinds)) and not _are_words(explanation)
    return kinds if is_told else [_JOINED]


def _is_name(kind: str) -> bool:
    """Whether a link is labelled with a kind such as `stem` or `2-gram`, not with a number."""
    return kind.replace("-gram", "gram").isalnum() and not kind.isdecimal()


def _are_words(explanation: Explanation) -> bool:
    """Whether links are labelled with the words that they join instead of a kind, as those of RIBES are."""
    return all(kind == explanation.hypothesis[i] for i, _, kind in explanation.links)


def _word_layers(explanation: Explanation, above: Sequence[float], below: Sequence[float]) -> list[Spec]:
    sides = [
        (explanation.hypothesis, above, _TOP, {i for i, _, _ in explanation.links}),
        (explanation.compared[1], below, _BOTTOM, {j for _, j, _ in explanation.links}),
    ]
    words = [
        {"text": word, "x": x, "y": y, "joined": i in joined}
        for texts, places, y, joined in sides
        for i, (word, x) in enumerate(zip(texts, places, strict=True))
    ]
    return [
        layer("text", [word for word in words if word["joined"] is joined], {"text": {"field": "text"}}, style=style, fontSize=_SIZE)
        for joined, style in ((True, "ink"), (False, "faint"))
    ]  # fmt: skip


_POINTS = 16  # points of an arc: enough to look round
_STEP = 26.0  # pixels by which an arc rises for each word that it spans
_HIGHEST = 200.0
_ROW = 14.0  # pixels between two structures
_STATES = ("matched", "not matched")


def draw_arcs(explanation: Explanation) -> Chart:
    """Draw the tree from heads to dependents; arcs and structures that the hypothesis also has are highlighted."""
    if not explanation.heads:
        raise InputError(f"{explanation.metric} has no tree to draw for this pair")
    places = place_words(explanation.reference)
    structures = _stack([ngram for ngram in explanation.ngrams if ngram[0] == "structure"])
    width, depth = places[-1] + 40, 20 + _ROW * len(structures)
    arcs = _arcs(explanation, places)
    top = max((float(str(point["y"])) for point in arcs), default=0.0) + 10
    title = f"{explanation.metric} = {explanation.score:.2f}"
    bars = ", bars below join the words of a structure" if structures else ""
    said = f"the reference: arcs go from heads to dependents{bars}"
    return Chart.of(
        {
            "description": title,
            "title": heading(title, said, max(width, 360)),
            "width": width,
            "height": top + depth,
            "encoding": {
                "x": number("x", (0, width), axis=None),
                "y": number("y", (-depth, top), axis=None),
            },
            "layer": [
                _arc_layer(arcs),
                *_structure_layers(structures, places, explanation.reference),
                *_arc_word_layers(explanation, places),
            ],
        }
    )


def _arcs(explanation: Explanation, places: Sequence[float]) -> list[Spec]:
    found = {positions for kind, positions, value in explanation.ngrams if kind == "chain" and value > 0}
    points: list[Spec] = []
    for word, head in enumerate(explanation.heads):
        if head < 0:
            continue
        height = min(_HIGHEST, _STEP * abs(word - head))
        told = {
            "arc": word, "state": _STATES[(head, word) not in found],
            "head": explanation.reference[head], "dependent": explanation.reference[word],
        }  # fmt: skip
        for step in range(_POINTS + 1):
            share = step / _POINTS
            x = places[head] + (places[word] - places[head]) * share
            points.append(
                {**told, "x": round(x, 1), "y": round(8 + height * sin(pi * share), 1), "step": step}
            )
    return points


def _arc_layer(points: Sequence[Spec]) -> Spec:
    encoding: Spec = {
        "detail": {"field": "arc", "type": "nominal"},
        "order": {"field": "step", "type": "quantitative"},
        "color": _colour(),
        "tooltip": [{"field": name, "type": "nominal"} for name in ("head", "dependent", "state")],
    }
    return layer("line", points, encoding, strokeWidth=2)


def _colour() -> Spec:
    return category("state", list(_STATES), title="in the hypothesis")


def _stack(
    structures: Sequence[tuple[str, tuple[int, ...], float]],
) -> list[list[tuple[tuple[int, ...], float]]]:
    """Distribute structures over rows without overlaps."""
    rows: list[list[tuple[tuple[int, ...], float]]] = []
    for _, positions, value in structures:
        free = (
            row
            for row in rows
            if all(min(positions) > max(other) or max(positions) < min(other) for other, _ in row)
        )
        row = next(free, None)
        if row is None:
            rows.append(row := [])
        row.append((positions, value))
    return rows


def _structure_layers(
    rows: Sequence[Sequence[tuple[tuple[int, ...], float]]], places: Sequence[float], words: Sequence[str]
) -> list[Spec]:
    bars, dots = [], []
    for i, row in enumerate(rows):
        for positions, value in row:
            told = {
                "y": -20 - _ROW * i, "state": _STATES[value <= 0],
                "structure": " ".join(words[at] for at in positions), "earned": round(value, 3),
            }  # fmt: skip
            bars.append({**told, "x": places[min(positions)], "x2": places[max(positions)]})
            dots += [{**told, "x": places[at]} for at in positions]
    tooltip = [{"field": name, "type": "nominal"} for name in ("structure", "earned", "state")]
    return [
        layer("rule", bars, {"x2": {"field": "x2"}, "color": _colour(), "tooltip": tooltip}, strokeWidth=2),
        layer("point", dots, {"color": _colour()}, filled=True, size=24),
    ]


def _arc_word_layers(explanation: Explanation, places: Sequence[float]) -> list[Spec]:
    kept = {positions[0] for kind, positions, value in explanation.ngrams if kind == "word" and value > 0}
    words = list(enumerate(zip(explanation.reference, places, strict=True)))
    return [
        layer("text", [{"text": word, "x": x, "y": 0} for i, (word, x) in words if (i in kept) is joined],
              {"text": {"field": "text"}}, style=style, fontSize=12)
        for joined, style in ((True, "ink"), (False, "faint"))
    ]  # fmt: skip


def draw_explanation(explanation: Explanation) -> Chart:
    """Draw a matrix as a heat map, a tree as arcs, links as lines between the texts: the first of them that the explanation has."""
    if explanation.matrices:
        return draw_heatmap(explanation)
    if explanation.heads:
        return draw_arcs(explanation)
    if explanation.links:
        return draw_word_alignment(explanation)
    raise InputError(f"{explanation.metric} has nothing to draw for this pair")
