"""Slow textbook twins that judge the fast code."""
