"""Searches over the options of a metric for the best human agreement."""
