"""Runs: evaluations that are saved as files, opened again and joined."""

from tertium.evaluation.runs.files import Run, open_run, save_run
from tertium.evaluation.runs.manifest import InputFile, Origin, check_recordable

__all__ = ["InputFile", "Origin", "Run", "check_recordable", "open_run", "save_run"]
