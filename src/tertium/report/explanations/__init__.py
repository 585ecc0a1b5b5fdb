"""Explanations of single segments, drawn in a terminal or written as JSON."""
