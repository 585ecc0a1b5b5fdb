"""Vectors, parsers, word lists: path in, interface out."""
