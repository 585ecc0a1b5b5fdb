"""Scores of systems with intervals and tests, computed now or opened from a run."""

from abc import abstractmethod
from collections import deque
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, NoReturn

import numpy as np
import numpy.typing as npt

from tertium.commands.base.options import UNSORTED, AnalysisOptions
from tertium.commands.base.request import FilePath, guard_output
from tertium.commands.base.results import Result
from tertium.errors import OptionError, UnknownNameError, argument, suggest
from tertium.evaluation import Evaluation
from tertium.evaluation.comparison import Comparison, compare
from tertium.evaluation.evaluation import SystemTotals
from tertium.evaluation.gaps import keep_common
from tertium.evaluation.selection import part_by, select_segments
from tertium.evaluation.streaming import StreamedEvaluation
from tertium.evaluation.units import Units, choose_units
from tertium.presentation.score_table import ScoreTable, make_score_table, sort_table, with_expected_agreement
from tertium.presentation.score_tables import describe_scores, describe_segments, describe_subsets
from tertium.presentation.tables.model import Document
from tertium.records import record
from tertium.stats.analysis import Analysis, PairedTest
from tertium.values import Score

if TYPE_CHECKING:
    from tertium.commands.base.set_scores import SetsSummary
    from tertium.evaluation.many_sets import ManySets
    from tertium.evaluation.runs import RunContents
    from tertium.evaluation.training_runs import RunComparison
    from tertium.metaeval.calibration import Calibration
    from tertium.presentation.charts.model import Chart

# Above this number of segments all pairs are tested only on request: resampling would take longer than scoring.
MAX_SEGMENTS_FOR_TESTS = 100_000


def needs_comparison(options: AnalysisOptions, n_segments: int, n_systems: int) -> bool:
    """Whether the options ask for intervals or tests; systems with training runs have tests of their own."""
    is_quick = n_segments <= MAX_SEGMENTS_FOR_TESTS
    tests_pairs = n_systems > 1 and (is_quick if options.tests_pairs is None else options.tests_pairs)
    return not options.group and bool(options.ci or options.full or options.paired or tests_pairs)


def find_calibration(path: FilePath | None) -> "Calibration | None":
    """Read a table of expected human agreement, by default that of the package; None if calibration was removed."""
    try:
        from tertium.metaeval.calibration import read_calibration
    except ModuleNotFoundError:
        if path is not None:
            raise OptionError(
                f"{argument('calibration')} needs the calibration, which was removed from this installation"
            ) from None
        return None
    return read_calibration(None if path is None else str(path))


class ScoresBySystem(dict[str, Score]):
    """The scores of all systems by name; an unknown name raises with a suggestion."""

    @classmethod
    def of(cls, evaluation: SystemTotals, label: str, comparison: Comparison | None) -> "ScoresBySystem":
        """Compute the score of each system; with a comparison, each score has an interval."""
        facts = {} if comparison is None else comparison.signature_facts()
        metric, signature = evaluation.metric(label), evaluation.signature(label, **facts)
        totals, n_systems = evaluation.totals(label), len(evaluation.systems)
        bounds = None if comparison is None else comparison.metrics[label].intervals
        lows = [None] * n_systems if bounds is None else bounds.low.tolist()
        highs = [None] * n_systems if bounds is None else bounds.high.tolist()
        return cls(
            (system, Score(label, float(metric.combine(sums)), signature, metric.details(sums), low, high))
            for system, sums, low, high in zip(evaluation.systems, totals, lows, highs, strict=True)
        )

    def to_metrics(self, label: str, prefix: str = "") -> dict[str, float]:
        """Return a flat mapping from name to number; several systems precede the label of the metric."""
        found: dict[str, float] = {}
        for system, score in self.items():
            found |= score.to_metrics(f"{prefix}{label}" if len(self) == 1 else f"{prefix}{system}/{label}")
        return found

    def __missing__(self, name: str) -> NoReturn:
        raise UnknownNameError(f"no system {name!r}; {suggest(str(name), self)}")


class SystemScores(Result, Mapping[str, ScoresBySystem]):
    """A mapping from metric to the scores of the systems, with the comparisons that the statistics allow."""

    __eq__ = object.__eq__
    __hash__ = object.__hash__

    evaluation: SystemTotals

    @property
    @abstractmethod
    def options(self) -> AnalysisOptions:
        """The requested intervals, tests and order."""

    @property
    @abstractmethod
    def target(self) -> str | None:
        """The target language, if it is known."""

    @property
    def unfit_labels(self) -> Collection[str]:
        """Metrics whose tokenizer cannot split the texts into words, so that calibrations do not hold."""
        return ()

    @property
    @abstractmethod
    def segment_columns(self) -> Mapping[str, Sequence[str]]:
        """The columns of the segments: documents, `length` and others."""

    @cached_property
    def common(self) -> SystemTotals:
        """The statistics of the segments that every system has a score for: those of all scores and tests."""
        return keep_common(self.evaluation) if isinstance(self.evaluation, Evaluation) else self.evaluation

    def __iter__(self) -> Iterator[str]:
        return (metric.label for metric in self.evaluation.metrics)

    def __len__(self) -> int:
        return len(self.evaluation.metrics)

    def __contains__(self, label: object) -> bool:
        return label in list(self)  # without computing any score

    def __getitem__(self, label: str) -> ScoresBySystem:
        """Return each system's score for the metric with this label, with its interval if intervals were requested."""
        comparison = self.comparison if self.options.ci or self.options.full else None
        return ScoresBySystem.of(self.common, label, comparison)

    def to_metrics(self, prefix: str = "") -> dict[str, float]:
        """Return a flat mapping from name to number, as experiment trackers log it.

        The names are labels of metrics (`bleu`, and with intervals `bleu_low` and `bleu_high`); with several systems the name
        of the system precedes them (`aurora/bleu`).
        """
        found: dict[str, float] = {}
        for label, scores in self.items():
            found |= scores.to_metrics(label, prefix)
        return found

    def __repr__(self) -> str:
        systems, metrics = len(self.evaluation.systems), len(self.evaluation.metrics)
        kind, n_segments = type(self).__name__, self.evaluation.n_segments
        return f"<{kind}: {systems} systems, {metrics} metrics, {n_segments:,} segments>"

    def compare(
        self, test: PairedTest | None = None, *, n_samples: int | None = None, baseline: str | None = None
    ) -> Comparison:
        """Compute intervals, paired tests, letters and ranks.

        Parameters
        ----------
        test
            The test of systems. [default: bootstrap over segments, randomization over documents]
        n_samples
            Number of resamples.
        baseline
            The system that every other system is tested against.
        """
        options = self.options
        analysis = Analysis.of(
            test=test, n_samples=n_samples, seed=options.seed, alpha=options.alpha, baseline=baseline
        )
        return compare(self._with_units(test), analysis)

    def _with_units(self, test: PairedTest | None) -> SystemTotals:
        """Return the statistics with the units that this test resamples."""
        evaluation = self.evaluation
        if isinstance(evaluation, Evaluation | StreamedEvaluation):
            return replace(evaluation, units=self._choose_units(test))
        return evaluation

    def _choose_units(self, test: PairedTest | None) -> Units:
        """Choose what intervals and tests resample."""
        return choose_units(self.segment_columns, self.options.resample, test=test)

    @cached_property
    def comparison(self) -> Comparison | None:
        """The requested intervals and tests; None if there are none."""
        options = self.options
        if not needs_comparison(options, self.evaluation.n_segments, len(self.evaluation.systems)):
            return None
        baseline = (options.baseline or self.evaluation.systems[0]) if options.paired else None
        return self.compare(options.paired, n_samples=options.samples, baseline=baseline)

    @cached_property
    def table(self) -> ScoreTable:
        """The scores of the systems with everything that was requested."""
        options, n_systems = self.options, len(self.evaluation.systems)
        options.check_sort([metric.label for metric in self.evaluation.metrics])
        table = make_score_table(
            self.common,
            self.comparison,
            shows_intervals=options.ci or options.full,
            scale=options.score_scale,
        )
        # a single system has no difference and needs no calibration
        is_calibrated = n_systems > 1 or options.calibration is not None
        if is_calibrated and (calibration := find_calibration(options.calibration)) is not None:
            table = with_expected_agreement(table, calibration, unfit=self.unfit_labels)
        if self.comparison is None and options.tests_pairs is None and n_systems > 1:
            remark = (
                f"more than {MAX_SEGMENTS_FOR_TESTS:,} segments: intervals and tests on request with"
                f" {argument('ci')} or {argument('paired')}"
            )
            table = replace(table, remark=remark)
        return table if options.sort in (None, UNSORTED) else sort_table(table, options.sort)

    @property
    def sorted_table(self) -> ScoreTable:
        """The table for readers: the best system first, unless another order was requested."""
        if self.options.sort is not None:
            return self.table
        return sort_table(self.table, self.table.columns[0].label)

    def training_runs(self) -> "TrainingRuns":
        """Return mean scores over the training runs of each system, and tests of all pairs of systems."""
        return TrainingRuns(self, keep_common(self.tables))

    def document(self) -> Document:
        if self.options.group:
            return self.training_runs().document()
        if self.options.by is not None:
            return self.by(self.options.by).document()
        options = self.options
        return describe_scores(
            self.table, shown=self.sorted_table, full_records=options.full, details=options.details
        )

    def plot(self) -> "Chart":
        """Draw each system's score with its confidence interval; a notebook shows the chart.

        `result.plot().write("scores.svg")` writes a picture (requires the extra `report`).
        """
        from tertium.presentation.charts.forest import draw_scores

        comparison = self.comparison or self.compare(n_samples=self.options.samples)
        table = make_score_table(
            self.common, comparison, shows_intervals=True, scale=self.options.score_scale
        )
        if self.options.sort is not None:
            table = sort_table(table, self.options.sort)
        return draw_scores(table, comparison.analysis)

    def render(self, form: str = "text", *, signatures: bool = False) -> str:
        if form == "latex" and self.options.style == "paper" and self.options.by is None:
            from tertium.presentation.paper_table import render_paper_table

            return render_paper_table(self.sorted_table)
        return super().render(form, signatures=signatures)

    def numbers(self) -> str:
        """Write the scores alone in full precision: a line per system, with tabs between metrics."""
        rows = zip(*(column.cells for column in self.table.columns), strict=True)
        return "".join("\t".join(repr(cell.score) for cell in row) + "\n" for row in rows)

    @property
    def tables(self) -> Evaluation:
        """The statistics of every segment, and the units of intervals and tests."""
        if isinstance(found := self._with_units(self.options.paired), Evaluation):
            return found
        raise OptionError(
            "the texts were scored in parts, so the statistics of single segments were not kept"
        )

    def segments(self, label: str) -> dict[str, list[float]]:
        """Return each system's segment scores for the metric with this label."""
        rows = self.tables.segment_scores(label).tolist()
        return dict(zip(self.evaluation.systems, rows, strict=True))

    def by(self, column: str) -> "SubsetScores":
        """Return the scores for every value of a column, such as `domain`."""
        return SubsetScores(self, keep_common(self.tables), column)

    def make_contents(self, command: str | None) -> "RunContents":  # noqa: ARG002 - used where texts were scored
        """Return the contents of a run of this result."""
        raise OptionError("the result was opened from a run: copy its file")

    def by_segment(self) -> "SegmentScores":
        """Return the score of every segment."""
        return SegmentScores(self, self.tables)


@record(eq=False)
class ScoreSetsResult(Result, Mapping[str, SystemScores]):
    """The results by test set, and their summary. A result is a mapping from the name of each test set to its scores."""

    __eq__ = object.__eq__
    __hash__ = object.__hash__

    results: Mapping[str, SystemScores]
    analysis: Analysis
    autorank: bool = False
    inputs: tuple[str, ...] = ()
    """Files and folders that must not be overwritten."""

    def __getitem__(self, test_set: str) -> SystemScores:
        """Return the result of one test set."""
        if test_set not in self.results:
            raise UnknownNameError(f"no test set {test_set!r}; {suggest(str(test_set), self)}")
        return self.results[test_set]

    def __iter__(self) -> Iterator[str]:
        return iter(self.results)

    def __len__(self) -> int:
        return len(self.results)

    @cached_property
    def _collected(self) -> "SetsSummary":
        from tertium.commands.base.set_scores import SetsCollector  # most results have one test set

        systems = {name: result.evaluation.systems for name, result in self.results.items()}
        collector = SetsCollector(systems, self.analysis)
        deque(collector.collect(self.results.items()), maxlen=0)
        return collector.finish(autorank=self.autorank)

    @property
    def summary(self) -> "ManySets":
        """Averages, ranks and tests over all test sets."""
        return self._collected.many

    @property
    def warnings(self) -> Sequence[str]:  # type: ignore[override]
        """Likely mistakes; lines that differ in their numbers only are one line for more than three test sets."""
        return self._collected.warnings

    @property
    def notes(self) -> Sequence[str]:  # type: ignore[override]
        """Facts about the test sets, summed up as warnings are."""
        return self._collected.notes

    def document(self) -> Document:
        return self._collected.document()

    def save(self, path: FilePath, *, texts: bool = True, command: str | None = None) -> None:
        """Save all test sets as one run, for `show`, `report`, `gate`, `history` and `rerun`.

        Parameters
        ----------
        path
            The file to write.
        texts
            Whether the run contains all texts, or only their checksums.
        command
            The command line, for the record.
        """
        from tertium.commands.base.set_scores import save_sets

        contents = {name: result.make_contents(command) for name, result in self.results.items()}
        files = (file.path for packed in contents.values() for file in packed.origin.files)
        with guard_output([*self.inputs, *files], path):
            save_sets(path, contents.items(), autorank=self.autorank, texts=texts)


@record
class TrainingRuns(Result):
    """Systems that were trained several times: mean, standard deviation, and tests of all pairs."""

    result: SystemScores
    evaluation: Evaluation

    @cached_property
    def comparison(self) -> "RunComparison":
        """The scores of the runs, and the tests."""
        from tertium.evaluation.training_runs import compare_groups, parse_groups

        groups = parse_groups(tuple(self.result.options.group), self.evaluation.systems)
        scale = self.result.options.score_scale
        factors = {metric.label: metric.metric.display_factor(scale) for metric in self.evaluation.metrics}
        return compare_groups(self.evaluation, groups, factors)

    def document(self) -> Document:
        from tertium.presentation.training_runs import describe_training_runs

        evaluation = self.evaluation
        return describe_training_runs(
            self.comparison,
            evaluation.metrics,
            {label: evaluation.signature(label) for label in evaluation.labels},
            n_segments=evaluation.n_segments,
            alpha=self.result.options.analysis.alpha,
        )


@record
class SegmentScores(Result):
    """The score of every segment, for every metric and system."""

    result: SystemScores
    evaluation: Evaluation

    def document(self) -> Document:
        return describe_segments(self.evaluation, self.result.table, full_records=self.result.options.full)


@record
class SubsetScores(Result):
    """The scores for every value of a column, their mean (macro), and the score of all segments (micro)."""

    result: SystemScores
    evaluation: Evaluation
    column: str

    @cached_property
    def tables(self) -> dict[str, ScoreTable]:
        """The scores of each subset, by the value of the column."""
        subsets = part_by(self.result.segment_columns, self.column)
        return {value: self._table(rows) for value, rows in subsets.items()}

    def _table(self, rows: npt.NDArray[np.int64]) -> ScoreTable:
        options, part = self.result.options, select_segments(self.evaluation, rows)
        comparison = None
        if (options.ci or options.paired) and len(rows) > 1:
            baseline = (options.baseline or part.systems[0]) if options.paired else None
            comparison = compare(part, replace(options.analysis, baseline=baseline))
        return make_score_table(
            part, comparison, shows_intervals=comparison is not None and options.ci, scale=options.score_scale
        )

    def document(self) -> Document:
        return describe_subsets(self.column, self.tables, self.result.table)
