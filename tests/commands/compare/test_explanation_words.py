"""Explanations in words: whatever a metric fills in is told."""

import numpy as np

from tertium.commands.compare.explain import explain_in_words
from tertium.values import Explanation


def tell(explanation: Explanation) -> str:
    return "\n".join(explain_in_words(explanation)) + "\n"


def test_steps_and_facts_are_drawn() -> None:
    drawn = tell(
        Explanation(
            "wer", ["a", "b"], ["a", "c"], 50.0, steps=["keep a"], facts={"long_name": 0.5, "parse": "[a]"}
        )
    )
    assert drawn == (
        "wer = 50.00\n  hypothesis  a b\n  reference   a c\n\nkeep a\n\nlong name  0.5\nparse      [a]\n"
    )


def test_links_are_drawn_when_no_steps_tell_them() -> None:
    drawn = tell(Explanation("was", ["cat", "b"], ["dog"], 1.0, links=[(0, 0, "0.7"), (1, 0, "")]))
    assert drawn.endswith("cat – dog  0.7\nb – dog\n")


def test_a_matrix_is_drawn_as_a_heat_map_with_its_labels() -> None:
    matrix = np.array([[0.0, 0.5], [-1.0, 0.25]])
    drawn = tell(Explanation("std", ["cat", "sat"], ["dog", "sits"], 1.0, matrices={"D": matrix}))
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
    assert "y z          ██" in tell(told)
    unlabelled = Explanation("std", ["cat"], ["dog"], 1.0, matrices={"flow": matrix})
    assert "3            ██" in tell(unlabelled)


def test_a_large_matrix_is_named_instead_of_drawn() -> None:
    drawn = tell(Explanation("std", ["a"], ["b"], 1.0, matrices={"D": np.zeros((61, 2))}))
    assert "D: 61 × 2, too large to draw here" in drawn


def test_values_that_are_no_numbers_are_marked() -> None:
    drawn = tell(Explanation("std", ["a"], ["b", "c"], 1.0, matrices={"D": np.array([[np.nan, 0.0]])}))
    assert "a            ??" in drawn


def test_weights_of_rows_and_columns_are_told() -> None:
    told = tell(
        Explanation(
            "std", ["a", "b"], ["c"], 1.0, row_weights=[0.25, 0.5], column_weights=[1.0], facts={"x": 1}
        )
    )
    assert told.endswith("\n\nrow weights: a 0.25, b 0.5\ncolumn weights: c 1\n\nx  1\n")


def test_weights_of_other_units_take_their_labels() -> None:
    explanation = Explanation("std", ["a", "b"], ["c"], 1.0, rows=["a b"], row_weights=[0.25])
    assert tell(explanation).endswith("\n\nrow weights: a b 0.25\n")


def test_a_system_is_named_before_its_metric() -> None:
    assert explain_in_words(Explanation("wer", ["a"], ["b"], 100.0), system="x")[0] == "x: wer = 100.00"
