"""Metrics over words and characters as they are written. A file whose name begins with _ is not a metric."""
