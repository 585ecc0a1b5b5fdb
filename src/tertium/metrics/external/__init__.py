"""Metrics that other programs compute."""
