"""Scored systems, however they came to be: what can be asked of their statistics, and how it is shown."""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from tertium.api.results import Shown
from tertium.api.views import View, find_groups
from tertium.evaluation import Evaluation
from tertium.evaluation.comparison import Comparison, compare
from tertium.evaluation.resampling import SystemTotals
from tertium.evaluation.selection import part_by, select_segments
from tertium.report.score_table import ScoreTable, make_score_table, sort_table, with_expected_agreement
from tertium.report.scores import describe_scores, describe_segments, describe_subsets
from tertium.report.tables.model import Document
from tertium.stats.significance import PairedTest
from tertium.types import Score

__all__ = ["CLUSTERS_UNASKED", "Scored", "ScoredSums", "SegmentScores", "SubsetScores", "View"]

# Beyond this many segments a table gets its clusters only on demand: resampling would take longer
# than scoring.
CLUSTERS_UNASKED = 100_000


class ScoredSums(Shown):
    """Scores by metric and system, and what can be asked where only sums of statistics are known."""

    evaluation: SystemTotals

    @property
    @abstractmethod
    def view(self) -> View:
        """What is asked for."""

    @property
    @abstractmethod
    def target(self) -> str | None:
        """The target language, if it is known."""

    @abstractmethod
    def compare(
        self, test: PairedTest = "bootstrap", *, n_samples: int | None = None, baseline: str | None = None
    ) -> Comparison:
        """Compute intervals, paired tests and clusters."""

    def __getitem__(self, label: str) -> dict[str, Score]:
        """Each system's score under the metric of this label."""
        metric = self.evaluation.metric(label)
        signature, totals = self.evaluation.signature(label), self.evaluation.totals(label)
        return {
            system: Score(label, float(metric.combine(totals[i])), signature, metric.details(totals[i]))
            for i, system in enumerate(self.evaluation.systems)
        }

    def __repr__(self) -> str:
        systems, metrics = len(self.evaluation.systems), len(self.evaluation.metrics)
        kind, n_segments = type(self).__name__, self.evaluation.n_segments
        return f"<{kind}: {systems} systems, {metrics} metrics, {n_segments:,} segments>"

    @cached_property
    def comparison(self) -> Comparison | None:
        """The intervals, tests and clusters that are asked for; None if none are."""
        view = self.view
        if not (self._shows_intervals or view.paired or self._shows_clusters):
            return None
        baseline = (view.baseline or self.evaluation.systems[0]) if view.paired else None
        return self.compare(view.paired or "bootstrap", n_samples=view.samples, baseline=baseline)

    @property
    def _shows_intervals(self) -> bool:
        return self.view.ci or self.view.full

    @property
    def _shows_clusters(self) -> bool:
        is_quick = self.evaluation.n_segments <= CLUSTERS_UNASKED
        wanted = self.view.full or (is_quick if self.view.clusters is None else self.view.clusters)
        return wanted and len(self.evaluation.systems) > 1

    @property
    def _remark(self) -> str:
        if self.comparison is not None or self.view.clusters is not None or len(self.evaluation.systems) < 2:
            return ""
        return f"more than {CLUSTERS_UNASKED:,} segments get intervals and clusters on demand: --ci, --paired"

    @cached_property
    def table(self) -> ScoreTable:
        """The systems' scores with all that was asked for beside them."""
        view = self.view
        view.check_sort([each.label for each in self.evaluation.metrics])
        table = make_score_table(
            self.evaluation, self.comparison, shows_intervals=self._shows_intervals, scale=view.scale
        )
        if len(self.evaluation.systems) > 1 or view.calibration is not None:
            table = self._with_promises(table)
        table = replace(table, remark=self._remark)
        return table if view.sort is None else sort_table(table, view.sort)

    def _with_promises(self, table: ScoreTable) -> ScoreTable:
        """Say what people made of differences like these."""
        # A single system has no difference, and should not wait for what tells of it.
        from tertium.metaeval.calibration import read_calibration

        return with_expected_agreement(table, read_calibration(self.view.calibration), self.target)

    def document(self) -> Document:
        return describe_scores(self.table, full_records=self.view.full)

    def numbers(self) -> str:
        """Write only the scores in full precision: a line per system, a tab between metrics."""
        rows = zip(*(column.cells for column in self.table.columns), strict=True)
        return "".join("\t".join(repr(cell.score) for cell in row) + "\n" for row in rows)


class Scored(ScoredSums):
    """Scores by metric and system, and everything else that can be asked of tables of statistics."""

    evaluation: Evaluation

    @property
    @abstractmethod
    def segment_columns(self) -> Mapping[str, Sequence[str]]:
        """What is known about each segment: columns, documents, `length`."""

    def segments(self, label: str) -> dict[str, list[float]]:
        """Each system's segment scores under the metric of this label."""
        rows = self.evaluation.segment_scores(label).tolist()
        return dict(zip(self.evaluation.systems, rows, strict=True))

    def compare(
        self, test: PairedTest = "bootstrap", *, n_samples: int | None = None, baseline: str | None = None
    ) -> Comparison:
        return compare(
            self.evaluation,
            test=test,
            n_samples=n_samples,
            seed=self.view.seed,
            baseline=baseline,
            alpha=self.view.alpha,
            groups=self.groups,
            unit=self.view.resample,
        )

    @property
    def groups(self) -> Sequence[str] | None:
        """Each segment's group, if groups are drawn whole."""
        return None if self.view.resample is None else find_groups(self.segment_columns, self.view.resample)

    def by(self, column: str) -> "SubsetScores":
        """Show scores for every value of a column, such as `domain`."""
        return SubsetScores(self, column)

    def by_segment(self) -> "SegmentScores":
        """Show every segment's score instead of the systems'."""
        return SegmentScores(self.evaluation, self)


@dataclass(frozen=True)
class SegmentScores(Shown):
    """Every segment's score under every metric for every system."""

    evaluation: Evaluation
    result: ScoredSums

    def document(self) -> Document:
        full = self.result.view.full
        return describe_segments(self.evaluation, self.result.table, full_records=full)


@dataclass(frozen=True)
class SubsetScores(Shown):
    """Every system's score for every value of a column, their mean (macro), and the score of all segments (micro)."""

    result: Scored
    column: str

    @cached_property
    def tables(self) -> dict[str, ScoreTable]:
        """The scores of each part, by the column's value."""
        parts = part_by(self.result.segment_columns, self.column)
        return {value: self._table(rows) for value, rows in parts.items()}

    def _table(self, rows: npt.NDArray[np.int64]) -> ScoreTable:
        view, part = self.result.view, select_segments(self.result.evaluation, rows)
        comparison = None
        if (view.ci or view.paired) and len(rows) > 1:
            groups = self.result.groups
            comparison = compare(
                part,
                test=view.paired or "bootstrap",
                n_samples=view.samples,
                seed=view.seed,
                baseline=(view.baseline or part.systems[0]) if view.paired else None,
                alpha=view.alpha,
                groups=None if groups is None else [groups[row] for row in rows.tolist()],
                unit=view.resample,
            )
        return make_score_table(
            part, comparison, shows_intervals=comparison is not None and view.ci, scale=view.scale
        )

    def document(self) -> Document:
        return describe_subsets(self.column, self.tables, self.result.table)
