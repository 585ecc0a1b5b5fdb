"""Open runs: what `score` saved, with the same methods as its result."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from os import PathLike, fspath
from typing import Any

from tertium.api.results import Shown
from tertium.api.scored import Scored, View
from tertium.api.settings import read_view
from tertium.evaluation import Evaluation
from tertium.evaluation.runs import Run
from tertium.evaluation.runs import open_run as open_file
from tertium.report.runs import RUN_TABLES, describe_run
from tertium.report.tables.model import Document
from tertium.types import Corpus

__all__ = ["TABLES", "RunResult", "RunTable", "ShowRequest", "open_run"]

TABLES = ("scores", "segments", *RUN_TABLES)
"""What can be shown of a run."""


@dataclass(frozen=True, eq=False, repr=False)
class RunResult(Scored):
    """The scores of a run, and everything else that can be asked of them; statistics and texts are read on demand."""

    run: Run
    asked: View = field(default_factory=View)

    @property
    def view(self) -> View:
        return self.asked

    @cached_property
    def evaluation(self) -> Evaluation:  # type: ignore[override]
        return self.run.evaluation

    @property
    def corpus(self) -> Corpus | None:
        """The texts; None if the run has only their checksums."""
        return self.run.corpus

    def show(self, table: str) -> Shown:
        """Choose one of TABLES."""
        if table == "scores":
            return self
        return self.by_segment() if table == "segments" else RunTable(self.run, table)


@dataclass(frozen=True)
class RunTable(Shown):
    """One of the tables of a run that have nothing to do with scores."""

    run: Run
    table: str

    def document(self) -> Document:
        return describe_run(self.run, self.table)


@dataclass(frozen=True, kw_only=True)
class ShowRequest:
    """Everything that `tertium show` can be told.

    Attributes
    ----------
    table
        One of TABLES.
    changes
        Fields of a `View` that differ from what was asked for when the run was made; None changes nothing.
    """

    path: str
    table: str = "scores"
    changes: Mapping[str, Any] = field(default_factory=dict)

    def run(self) -> Shown:
        """Open the run and choose the table."""
        run = open_file(self.path)
        view = read_view(self.path, run.manifest.origin.settings, **self.changes)
        view.check_systems(run.manifest.systems)
        return RunResult(run, view).show(self.table)


def open_run(path: "str | PathLike[str]") -> RunResult:
    """Open a run that `tertium score --save` or `result.save` wrote.

    Only the manifest is read at once; it is shown with the intervals and tests that were asked for when
    the run was made.
    """
    run = open_file(fspath(path))
    view = read_view(run.path, run.manifest.origin.settings)
    return RunResult(run, view)
