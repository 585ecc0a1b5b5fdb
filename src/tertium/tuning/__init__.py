"""Searches over a metric's options for the best agreement with people."""
