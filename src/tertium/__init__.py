"""Tertium: which translation system is better, by how much, how sure is that, and why."""

__version__ = "0.1.0"
