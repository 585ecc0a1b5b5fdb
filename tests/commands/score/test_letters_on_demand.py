"""Many segments get letters on demand, and the table says so."""

import pytest

import tertium
from tertium.commands.base import scores

SYSTEMS = {"a": ["a b c"] * 60, "b": ["a b d"] * 60}


def test_beyond_the_limit_the_table_says_how_letters_are_had(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scores, "MAX_SEGMENTS_FOR_TESTS", 50)
    shown = tertium.score(SYSTEMS, ["a b c"] * 60, "wer").render("text")
    assert "more than 50 segments: intervals and tests on request with ci= or paired=" in shown
    assert "share a letter" not in shown


def test_on_demand_they_are_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scores, "MAX_SEGMENTS_FOR_TESTS", 50)
    shown = tertium.score(SYSTEMS, ["a b c"] * 60, "wer", ci=True).render("text")
    assert "on request" not in shown
    assert "share a letter" in shown
