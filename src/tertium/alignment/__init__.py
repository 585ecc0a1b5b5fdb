"""Outputs whose segments are not those of the references: cutting them, and aligning their sentences."""
