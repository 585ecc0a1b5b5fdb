"""Runs: evaluations that are saved as files, opened again and joined."""

from tertium.evaluation.runs.files import Run, RunContents, RunFile, open_run, open_runs, save_run, save_runs
from tertium.evaluation.runs.manifest import InputFile, Origin, check_recordable, list_test_sets

__all__ = [
    "InputFile",
    "Origin",
    "Run",
    "RunContents",
    "RunFile",
    "check_recordable",
    "list_test_sets",
    "open_run",
    "open_runs",
    "save_run",
    "save_runs",
]
