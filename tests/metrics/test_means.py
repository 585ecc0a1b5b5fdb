"""Metrics whose system score is the mean of segment scores, and those whose scores another tool computed."""

import numpy as np
import pytest

from tertium.errors import InputError
from tertium.metrics.means import average_scores, make_external, tabulate_scores


def test_segments_without_a_score_do_not_enter_the_mean() -> None:
    table = tabulate_scores(np.array([1.0, np.nan, 4.0]))
    assert table.tolist() == [[1, 1], [0, 0], [4, 1]]
    assert average_scores(table.sum(axis=0)) == 2.5
    assert np.isnan(average_scores(table[1]))


def test_given_scores_are_averaged_and_counted() -> None:
    metric = make_external("comet", "1f3a9c02")
    totals = tabulate_scores(np.array([0.5, np.nan, 1.0])).sum(axis=0)
    assert metric.combine(totals) == 0.75
    assert metric.count_scores(totals) == 2


@pytest.mark.parametrize(("scores", "scale"), [([0.8, -0.2], 1), ([80.0, 9.0], 100)])
def test_the_scale_of_given_scores_follows_their_size(scores: list[float], scale: int) -> None:
    assert make_external("comet", "").shown_scale(np.array(scores), 100) == scale


def test_given_scores_cannot_be_computed() -> None:
    metric = make_external("comet", "")
    with pytest.raises(
        InputError, match="comet is computed by another tool: pass its scores of these texts with scores="
    ):
        metric.sentence_score("a", ["b"])


@pytest.mark.parametrize(("label", "title"), [("cometkiwi", "COMETKiwi"), ("mine", "mine")])
def test_titles_are_written_as_in_papers(label: str, title: str) -> None:
    assert make_external(label, "").write_title(label) == title


def test_the_signature_of_given_scores_names_their_file() -> None:
    assert (
        make_external("comet", "1f3a9c02").signature((1, 1), bs=1000) == "comet|given|bs:1000|sha256:1f3a9c02"
    )
