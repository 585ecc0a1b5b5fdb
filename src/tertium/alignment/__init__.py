"""Outputs whose segments are not those of the references: cutting them, and aligning their sentences."""

from tertium.alignment.cutting import CutOptions, Cutting, cut_output
from tertium.alignment.streams import Stream

__all__ = ["CutOptions", "Cutting", "Stream", "cut_output"]
