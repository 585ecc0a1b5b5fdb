"""Runs: evaluations that are saved as files, opened again and joined."""

from tertium.evaluation.runs.files import Run, open_run, save_run
from tertium.evaluation.runs.manifest import InputFile, Origin

__all__ = ["InputFile", "Origin", "Run", "open_run", "save_run"]
