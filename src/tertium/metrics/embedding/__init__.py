"""Metrics over word vectors. Files whose names begin with _ hold shared code, not metrics."""
