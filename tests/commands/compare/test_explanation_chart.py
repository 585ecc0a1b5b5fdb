"""Pictures of explanations: lines between words, trees with structures, and what has neither."""

import numpy as np
import pytest

from reference.pictures import shapes, texts
from tertium.commands.compare.explanation_chart import (
    draw_arcs,
    draw_explanation,
    draw_word_alignment,
    place_words,
)
from tertium.errors import InputError
from tertium.values import Explanation

WORDS = ["we", "meet", "now"], ["now", "we", "eat"]
EDITS = Explanation("wer", *WORDS, 50.0, links=[(0, 1, "match"), (1, 2, "substitution")])
TREE = Explanation(
    "red", *WORDS, 40.0,
    heads=[2, 2, -1],
    ngrams=[("word", (0,), 1.0), ("chain", (2, 1), 0.5), ("structure", (0, 1), 0.0), ("structure", (1, 2), 1.0)],
)  # fmt: skip


def test_every_word_is_drawn_and_every_link_by_its_kind() -> None:
    svg = draw_word_alignment(EDITS).svg()
    assert sorted(texts(svg, group="role-mark")) == sorted([*WORDS[0], *WORDS[1]])
    assert texts(svg, group="role-legend-label") == ["match", "substitution"]
    assert len(shapes(svg, "line", group="mark-rule role-mark")) == 2


def test_labels_that_are_no_kinds_make_no_legend_of_words() -> None:
    ranks = Explanation("ribes", *WORDS, 50.0, links=[(0, 1, "we"), (2, 0, "now")])
    assert texts(draw_word_alignment(ranks).svg(), group="role-legend-label") == ["joined"]


def test_words_stand_side_by_side_without_touching() -> None:
    places = place_words(["a", "translation", "of"])
    assert places == sorted(places)
    assert places[1] - places[0] > 30


def test_a_tree_has_an_arc_per_dependent_and_a_bar_per_structure() -> None:
    svg = draw_arcs(TREE).svg()
    assert len(shapes(svg, "path", group="mark-line role-mark")) == 2
    assert len(shapes(svg, "line", group="mark-rule role-mark")) == 2
    assert texts(svg, group="role-legend-label") == ["matched", "not matched"]
    arcs = [layer for layer in draw_arcs(TREE).to_dict()["layer"] if layer["mark"]["type"] == "line"]  # type: ignore[attr-defined]
    states = {(point["head"], point["dependent"]): point["state"] for point in arcs[0]["data"]["values"]}
    assert states == {("eat", "now"): "not matched", ("eat", "we"): "matched"}


def test_a_matrix_goes_before_a_tree_and_a_tree_before_links() -> None:
    matrix = {"distance": np.zeros((3, 3))}
    both = Explanation("std", *WORDS, 1.0, *WORDS, matrix, links=EDITS.links)
    assert "std: distance" in draw_explanation(both).svg()
    assert draw_explanation(TREE) == draw_arcs(TREE)
    assert draw_explanation(EDITS) == draw_word_alignment(EDITS)


@pytest.mark.parametrize("draw", [draw_word_alignment, draw_arcs, draw_explanation])
def test_what_has_nothing_to_draw_says_so(draw: object) -> None:
    with pytest.raises(InputError, match="bleu"):
        draw(Explanation("bleu", *WORDS, 1.0))  # type: ignore[operator]
