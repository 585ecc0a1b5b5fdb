"""Scored systems, however they came to be: what can be asked of their statistics, and how it is shown."""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from tertium.api.results import Shown
from tertium.errors import OptionError
from tertium.evaluation import Evaluation
from tertium.evaluation.comparison import Comparison, PairedTest, compare
from tertium.report.score_table import ScoreTable, make_score_table, sort_table
from tertium.report.scores import describe_scores, describe_segments
from tertium.report.tables.model import Document
from tertium.types import Score

__all__ = ["Scored", "SegmentScores", "View"]

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

    def __post_init__(self) -> None:
        if self.baseline and not self.paired:
            raise OptionError("--baseline goes with --paired bootstrap or --paired randomization")
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


class Scored(Shown):
    """Scores by metric and system, and everything else that can be asked of them."""

    evaluation: Evaluation

    @property
    @abstractmethod
    def view(self) -> View:
        """What is asked for."""

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

    def segments(self, label: str) -> dict[str, list[float]]:
        """Each system's segment scores under the metric of this label."""
        rows = self.evaluation.segment_scores(label).tolist()
        return dict(zip(self.evaluation.systems, rows, strict=True))

    def compare(
        self, test: PairedTest = "bootstrap", *, n_samples: int | None = None, baseline: str | None = None
    ) -> Comparison:
        """Compute intervals, paired tests and clusters."""
        return compare(
            self.evaluation,
            test=test,
            n_samples=n_samples,
            seed=self.view.seed,
            baseline=baseline,
            alpha=self.view.alpha,
        )

    @cached_property
    def comparison(self) -> Comparison | None:
        """The intervals, tests and clusters that are asked for; None if none are."""
        view = self.view
        if not (view.ci or view.paired or self._shows_clusters):
            return None
        baseline = (view.baseline or self.evaluation.systems[0]) if view.paired else None
        return self.compare(view.paired or "bootstrap", n_samples=view.samples, baseline=baseline)

    @property
    def _shows_clusters(self) -> bool:
        is_quick = self.evaluation.n_segments <= _CLUSTERS_UNASKED
        wanted = is_quick if self.view.clusters is None else self.view.clusters
        return wanted and len(self.evaluation.systems) > 1

    @cached_property
    def table(self) -> ScoreTable:
        """The systems' scores with all that was asked for beside them."""
        view = self.view
        view.check_sort([each.label for each in self.evaluation.metrics])
        table = make_score_table(self.evaluation, self.comparison, shows_intervals=view.ci, scale=view.scale)
        return table if view.sort is None else sort_table(table, view.sort)

    def document(self) -> Document:
        return describe_scores(self.table)

    def numbers(self) -> str:
        """Write only the scores in full precision: a line per system, a tab between metrics."""
        rows = zip(*(column.cells for column in self.table.columns), strict=True)
        return "".join("\t".join(repr(cell.score) for cell in row) + "\n" for row in rows)

    def by_segment(self) -> "SegmentScores":
        """Show every segment's score instead of the systems'."""
        return SegmentScores(self)


@dataclass(frozen=True)
class SegmentScores(Shown):
    """Every segment's score under every metric for every system."""

    result: Scored

    def document(self) -> Document:
        return describe_segments(self.result.evaluation, self.result.table)
