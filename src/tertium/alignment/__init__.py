"""Outputs whose lines differ from the references': cutting them to the references' segments, and aligning their sentences."""
