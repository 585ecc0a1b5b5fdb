"""Many segments get clusters on demand, and the table says so."""

import pytest

import tertium
from tertium.api import scores

SYSTEMS = {"a": ["a b c"] * 60, "b": ["a b d"] * 60}


def test_beyond_the_limit_the_table_says_how_clusters_are_had(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scores, "MAX_SEGMENTS_FOR_CLUSTERS", 50)
    shown = tertium.score(SYSTEMS, ["a b c"] * 60, "wer").render("text")
    assert "more than 50 segments: intervals and clusters on request with ci= or paired=" in shown
    assert "clusters of systems" not in shown


def test_on_demand_they_are_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scores, "MAX_SEGMENTS_FOR_CLUSTERS", 50)
    shown = tertium.score(SYSTEMS, ["a b c"] * 60, "wer", ci=True).render("text")
    assert "on request" not in shown
    assert "clusters of systems" in shown
