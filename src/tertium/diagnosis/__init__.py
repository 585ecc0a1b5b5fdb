"""Checks for problems that silently change scores: in one text, in a pair of texts, and in a layout of files."""
