"""Runs: evaluations that are saved as files, opened again and joined."""

from tertium.evaluation.runs.files import Run, RunContents, RunFile, open_run, open_runs, save_run, save_runs
from tertium.evaluation.runs.manifest import InputFile, Origin, check_recordable

__all__ = [
    "InputFile",
    "Origin",
    "Run",
    "RunContents",
    "RunFile",
    "check_recordable",
    "open_run",
    "open_runs",
    "save_run",
    "save_runs",
]
