"""Metrics over words and characters. Files whose names begin with _ hold shared code, not metrics."""
