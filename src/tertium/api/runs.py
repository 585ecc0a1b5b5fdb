"""Open runs: what `score` saved, with the same methods as its result."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from os import PathLike, fspath
from typing import Any

import numpy as np
import numpy.typing as npt

from tertium.api.results import Shown
from tertium.api.scored import Scored, View
from tertium.api.settings import read_resources, read_view
from tertium.evaluation import Evaluation
from tertium.evaluation.runs import Run
from tertium.evaluation.runs import open_run as open_file
from tertium.evaluation.selection import (
    SegmentColumns,
    parse_conditions,
    select_rows,
    select_segments,
    select_texts,
)
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
    where: tuple[str, ...] = ()
    """Conditions on the segments that are looked at; metrics keep what they learnt from all."""

    @property
    def view(self) -> View:
        return self.asked

    @property
    def target(self) -> str | None:
        return read_resources(self.run.manifest.origin.settings).target

    @cached_property
    def evaluation(self) -> Evaluation:  # type: ignore[override]
        return self.run.evaluation if self._rows is None else select_segments(self.run.evaluation, self._rows)

    @cached_property
    def corpus(self) -> Corpus | None:
        """The texts; None if the run has only their checksums."""
        whole = self.run.corpus
        return whole if whole is None or self._rows is None else select_texts(whole, self._rows)

    @cached_property
    def segment_columns(self) -> Mapping[str, Sequence[str]]:
        if self._rows is None:
            return self._all_columns
        return {
            name: [values[row] for row in self._rows.tolist()] for name, values in self._all_columns.items()
        }

    @cached_property
    def _all_columns(self) -> Mapping[str, Sequence[str]]:
        if self.run.corpus is not None:
            return SegmentColumns(self.run.corpus)
        documents = self.run.document_ids
        return {**({} if documents is None else {"document": documents}), **self.run.columns}

    @cached_property
    def _rows(self) -> "npt.NDArray[np.int64] | None":
        if not (conditions := parse_conditions(self.where)):
            return None
        rows = select_rows(conditions, self._all_columns, self.run.manifest.n_segments)
        self.view.check_size(len(rows))
        return rows

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
    by
        A column: show scores for each of its values.
    where
        Conditions on the segments that are looked at.
    changes
        Fields of a `View` that differ from what was asked for when the run was made; None changes nothing.
    """

    path: str
    table: str = "scores"
    by: str | None = None
    where: tuple[str, ...] = ()
    changes: Mapping[str, Any] = field(default_factory=dict)

    def run(self) -> Shown:
        """Open the run and choose the table."""
        run = open_file(self.path)
        view = read_view(self.path, run.manifest.origin.settings, **self.changes)
        view.check_systems(run.manifest.systems)
        result = RunResult(run, view, self.where)
        return result.show(self.table) if self.by is None else result.by(self.by)


def open_run(path: "str | PathLike[str]") -> RunResult:
    """Open a run that `tertium score --save` or `result.save` wrote.

    Only the manifest is read at once; it is shown with the intervals and tests that were asked for when
    the run was made.
    """
    run = open_file(fspath(path))
    view = read_view(run.path, run.manifest.origin.settings)
    return RunResult(run, view)
