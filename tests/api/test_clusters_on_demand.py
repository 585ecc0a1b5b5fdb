"""Many segments get clusters on demand, and the table says so."""

import pytest

import tertium
from tertium.api import scored

SYSTEMS = {"a": ["a b c"] * 60, "b": ["a b d"] * 60}


def test_beyond_the_limit_the_table_says_how_clusters_are_had(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scored, "CLUSTERS_UNASKED", 50)
    shown = tertium.score(SYSTEMS, ["a b c"] * 60, "wer").render("text")
    assert "more than 50 segments get intervals and clusters on demand: --ci, --paired" in shown
    assert "clusters of systems" not in shown


def test_on_demand_they_are_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scored, "CLUSTERS_UNASKED", 50)
    shown = tertium.score(SYSTEMS, ["a b c"] * 60, "wer", ci=True).render("text")
    assert "on demand" not in shown
    assert "clusters of systems" in shown
