"""Metrics over dependency trees. Files whose names begin with _ hold shared code, not metrics."""
