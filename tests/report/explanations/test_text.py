"""Explanations on a terminal: whatever a metric fills in is drawn."""

import numpy as np

from tertium.report.explanations.text import render_explanation
from tertium.types import Explanation


def test_steps_and_facts_are_drawn() -> None:
    drawn = render_explanation(
        Explanation(
            "wer", ["a", "b"], ["a", "c"], 50.0, steps=["keep a"], facts={"long_name": 0.5, "parse": "[a]"}
        )
    )
    assert drawn == (
        "wer = 50.00\n  hypothesis  a b\n  reference   a c\n\nkeep a\n\nlong name  0.5\nparse      [a]\n"
    )


def test_links_are_drawn_when_no_steps_tell_them() -> None:
    drawn = render_explanation(
        Explanation("was", ["cat", "b"], ["dog"], 1.0, links=[(0, 0, "0.7"), (1, 0, "")])
    )
    assert drawn.endswith("cat – dog  0.7\nb – dog\n")


def test_a_matrix_is_drawn_as_a_heat_map_with_its_labels() -> None:
    matrix = np.array([[0.0, 0.5], [-1.0, 0.25]])
    drawn = render_explanation(
        Explanation("std", ["cat", "sat"], ["dog", "sits"], 1.0, matrices={"D": matrix})
    )
    assert drawn.split("\n\n")[1] == (
        "D (█ = 1)\n              1  2\n".replace("2\n", "2 \n")
        + "cat             ▒▒\n"
        + "sat          ██ ░░\n"
        + "columns: 1 dog, 2 sits\n"
    )


def test_a_matrix_of_other_units_takes_its_own_labels() -> None:
    matrix = np.ones((3, 1))
    told = Explanation(
        "std", ["cat"], ["dog"], 1.0, rows=["x y", "y z", "z x"], columns=["u v"], matrices={"flow": matrix}
    )
    assert "y z          ██" in render_explanation(told)
    unlabelled = Explanation("std", ["cat"], ["dog"], 1.0, matrices={"flow": matrix})
    assert "3            ██" in render_explanation(unlabelled)


def test_a_large_matrix_is_named_instead_of_drawn() -> None:
    drawn = render_explanation(Explanation("std", ["a"], ["b"], 1.0, matrices={"D": np.zeros((61, 2))}))
    assert "D: 61 × 2, too large to draw here" in drawn


def test_values_that_are_no_numbers_are_marked() -> None:
    drawn = render_explanation(
        Explanation("std", ["a"], ["b", "c"], 1.0, matrices={"D": np.array([[np.nan, 0.0]])})
    )
    assert "a            ??" in drawn


def test_control_characters_do_not_reach_the_terminal() -> None:
    assert "\x1b" not in render_explanation(
        Explanation("wer", ["\x1b[31m"], ["b"], 1.0, steps=["keep \x1b[31m"])
    )
