"""Scored systems, however they came to be: what can be asked of their statistics, and how it is shown."""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import numpy as np
import numpy.typing as npt

from tertium.agreement.calibration_files import read_calibration
from tertium.api.results import Shown
from tertium.errors import InputError, OptionError
from tertium.evaluation import Evaluation
from tertium.evaluation.comparison import Comparison, PairedTest, compare
from tertium.evaluation.conditions import find_column
from tertium.evaluation.sampling import Summed
from tertium.evaluation.selection import select_segments
from tertium.evaluation.subsets import part_by
from tertium.report.calibrations import with_promises
from tertium.report.score_table import ScoreTable, make_score_table, sort_table
from tertium.report.scores import describe_scores, describe_segments
from tertium.report.subsets import describe_subsets
from tertium.report.tables.model import Document
from tertium.types import Score

__all__ = ["Scored", "ScoredSums", "SegmentScores", "SubsetScores", "View"]

# Beyond this many segments a table gets its clusters only on demand: resampling would take longer
# than scoring.
_CLUSTERS_UNASKED = 100_000


@dataclass(frozen=True, kw_only=True)
class View:
    """What is asked of statistics once they are there.

    Attributes
    ----------
    ci
        Whether scores get bootstrap intervals.
    paired
        The test of every system against the baseline; None for no test.
    baseline
        The system that others are tested against; the first by default.
    samples
        Resamples: 1,000 for the bootstrap and 10,000 for randomization by default.
    alpha
        The level of tests and clusters; intervals have the level 1 - alpha.
    sort
        The metric by which systems are ordered in tables, best first; as they were given by default.
    clusters
        Whether systems that cannot be told apart are marked; None marks them where that is quick.
    scale
        100 or 1: where a bounded metric's scores end.
    resample
        A column of segments, such as `document`: intervals and tests draw its groups of segments whole.
    full
        Whether records (CSV, TSV, pandas, Arrow) also carry intervals, p-values, clusters and signatures.
    by
        A column whose values `by` will show one by one; named here, it is looked for before anything is scored.
    calibration
        A table of how often people agree with differences, made by `tertium meta --calibrate`; the package's own, from
        WMT, by default.
    """

    ci: bool = False
    paired: PairedTest | None = None
    baseline: str | None = None
    samples: int | None = None
    seed: int = 12345
    alpha: float = 0.05
    sort: str | None = None
    clusters: bool | None = None
    scale: Literal[100, 1] = 100
    resample: str | None = None
    full: bool = False
    by: str | None = None
    calibration: str | None = None

    def __post_init__(self) -> None:
        if self.baseline and not self.paired:
            raise OptionError("--baseline goes with --paired bootstrap or --paired randomization")
        if self.full and self.by is not None:
            raise OptionError("--full is for tables of systems or segments; leave it out beside --by")
        if not 0 < self.alpha < 1:
            raise OptionError(f"alpha must lie between 0 and 1, not at {self.alpha:g}")

    def check_sort(self, labels: Sequence[str]) -> None:
        """Raise if systems are to be ordered by a metric that is not there."""
        if self.sort is not None and self.sort not in labels:
            raise OptionError(
                f"--sort {self.sort}: no such metric is computed; there are {', '.join(labels)}"
            )

    def check_systems(self, systems: tuple[str, ...]) -> None:
        """Raise if the test that is asked for cannot be made with these systems."""
        if self.paired and len(systems) < 2:
            raise OptionError("--paired needs two systems or more")
        if self.baseline is not None and self.baseline not in systems:
            raise OptionError(
                f"the baseline {self.baseline!r} is not among the systems: {', '.join(systems)}"
            )

    def check_columns(self, columns: Mapping[str, Sequence[str]]) -> None:
        """Raise if segments cannot be drawn or parted as this asks for."""
        if self.resample is not None:
            find_groups(columns, self.resample)
        if self.by is not None:
            find_column(columns, self.by)

    def check_size(self, n_segments: int) -> None:
        """Raise if so few segments were chosen that nothing can be drawn from them."""
        if n_segments == 1 and (self.ci or self.full or self.paired):
            raise InputError(
                "only 1 segment fits, and intervals and tests need several; choose more segments"
            )


class ScoredSums(Shown):
    """Scores by metric and system, and what can be asked where only sums of statistics are known."""

    evaluation: Summed

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
        is_quick = self.evaluation.n_segments <= _CLUSTERS_UNASKED
        wanted = self.view.full or (is_quick if self.view.clusters is None else self.view.clusters)
        return wanted and len(self.evaluation.systems) > 1

    @property
    def _remark(self) -> str:
        if self.comparison is not None or self.view.clusters is not None or len(self.evaluation.systems) < 2:
            return ""
        return (
            f"more than {_CLUSTERS_UNASKED:,} segments get intervals and clusters on demand: --ci, --paired"
        )

    @cached_property
    def table(self) -> ScoreTable:
        """The systems' scores with all that was asked for beside them."""
        view = self.view
        view.check_sort([each.label for each in self.evaluation.metrics])
        table = make_score_table(
            self.evaluation, self.comparison, shows_intervals=self._shows_intervals, scale=view.scale
        )
        table = with_promises(table, read_calibration(view.calibration), self.target)
        table = replace(table, remark=self._remark)
        return table if view.sort is None else sort_table(table, view.sort)

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


def find_groups(columns: Mapping[str, Sequence[str]], name: str) -> Sequence[str]:
    """Find each segment's group; every segment must have one."""
    groups = find_column(columns, name)
    if "" in groups:
        raise InputError(
            f"segment {groups.index('') + 1:,} has no {name}, so it belongs to no group; give every segment a value"
        )
    return groups
