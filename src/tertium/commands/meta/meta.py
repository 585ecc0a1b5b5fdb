"""Meta-evaluation: judged outputs and metrics in, tables of agreement with human judgments out."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, replace
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Literal

from tertium.catalog import LabelledMetric, MetricMaker, split_labels
from tertium.commands.base.judged_options import JudgedFolder, JudgedOptions
from tertium.commands.base.options import (
    BY,
    CI,
    LEVEL_NOTE,
    METRICS,
    RESAMPLE,
    TEST,
    EngineOptions,
    ResamplingOptions,
    ResourceOptions,
)
from tertium.commands.base.request import Request, Strings, function_of
from tertium.commands.base.results import Result
from tertium.commands.base.text_options import LOWER, SCORES
from tertium.commands.meta.meta_tables import describe_agreement, draw_agreement
from tertium.corpus.judgments.mtme import list_task_pairs
from tertium.corpus.judgments.score_files import Level, ScoreFile
from tertium.declarations import Opt
from tertium.engines.engine import open_engine
from tertium.engines.items import compute_items
from tertium.errors import InputError, OptionError, argument
from tertium.metaeval.agreement import StatisticSpec, parse_statistics, usual_statistics
from tertium.metaeval.ceiling import find_ceilings, find_rater_agreement
from tertium.metaeval.data import JudgedData, render_score_files
from tertium.metaeval.judged_sets import JudgedSet, part_sets
from tertium.metaeval.misfit import describe_misfit
from tertium.metaeval.published import PublishedScores, find_mtme_folder
from tertium.metaeval.scoring import (
    MetricScores,
    SystemScore,
    score_set,
    scores_from_files,
    with_system_scores,
)
from tertium.metaeval.sentinels import score_sentinels
from tertium.metaeval.tables import MetaTable, check_test, make_meta_table, sort_table, with_ceilings
from tertium.metaeval.tasks import TASKS, TaskRow, summarise_task
from tertium.presentation.charts.model import Chart
from tertium.presentation.tables.model import Document
from tertium.progress import report_progress
from tertium.records import record
from tertium.stats.analysis import SEGMENT, MetricAnalysis, MetricTest

if TYPE_CHECKING:
    from tertium.commands.meta.calibration import CalibrationResult

_SetScores = tuple[dict[str, MetricScores], list[str]]
"""The scores of one judged set by label, and warnings."""


@record(kw_only=True)
class AgreementOptions:
    """Which statistics of agreement are shown, and with which tests and comparisons."""

    statistics: Annotated[
        Strings,
        Opt(
            "LEVEL:NAME[:GROUPING[:EPSILON]], a table each: system:spa, segment:acc-eq:item, segment:acc-eq:item:held-out,"
            " segment:pdp, segment:wmt14 …",
            "Analysis",
            flags=("-s", "--statistics"),
            metavar="LIST",
            default="the ones that the judgments support",
        ),
    ] = ()
    test: Annotated[MetricTest, replace(TEST, help="Significance test between metrics.")] = "perm-both"
    system_score: Annotated[
        SystemScore,
        Opt(
            "A metric's system score: its own, the mean of its segment scores, or their mean weighted by length.",
            "Analysis",
        ),
    ] = "own"
    ci: Annotated[
        bool,
        replace(CI, help=f"Bootstrap confidence intervals over systems or segments, {LEVEL_NOTE}."),
    ] = False
    resample: Annotated[str | None, RESAMPLE] = None
    ceiling: Annotated[
        bool,
        Opt(
            "Agreement between human judges: half of the raters against the other half, and each rater against the others.",
            "Analysis",
            excludes=("by",),
        ),
    ] = False
    sentinels: Annotated[
        bool,
        Opt(
            "Add rows that a metric must beat: lengths of source, output and reference, rare words, and random scores.",
            "Analysis",
        ),
    ] = False
    by: Annotated[
        str | None,
        replace(
            BY,
            help="One column per value of a column of segments (document, domain …) instead of per language pair.",
        ),
    ] = None
    sort: Annotated[bool, Opt("Order metrics by their average, best first.", "Output")] = False
    absolute: Annotated[bool, Opt("Show absolute values, as papers do.", "Output")] = False


@record
class MetaRequest(
    AgreementOptions,
    JudgedOptions,
    ResamplingOptions,
    ResourceOptions,
    EngineOptions,
    Request["MetaResult"],
):
    """Measure how well metrics agree with human judgments.

    The folder contains LP/ref.txt, LP/systems/NAME.txt and tables of judgments beside them; or it is a test set of
    mt-metrics-eval, for which its name is enough if it is in ~/.mt-metrics-eval. Without a folder, give references,
    outputs and judgments as files; with metric scores and judgments no texts are needed.
    """

    data: JudgedFolder = None
    metrics: Annotated[
        Strings,
        replace(
            METRICS,
            help="Metrics to compute.",
            default="bleu, unless scores are given",
        ),
    ] = ()
    _: KW_ONLY
    scores: Annotated[
        Strings,
        replace(
            SCORES,
            help="Files of metric scores, NAME.seg.score or NAME.sys.score, in any layout of WMT or mt-metrics-eval; in a"
            " folder of mt-metrics-eval also the name of a metric: --scores BLEU.",
            metavar="FILE",
        ),
    ] = ()
    lower: Annotated[Strings, replace(LOWER, help="Metrics in files of scores where lower is better.")] = ()
    task: Annotated[
        Literal["wmt23", "wmt24", "wmt25"] | None,
        Opt(
            "Statistics, metrics and average of a WMT metrics task, for a folder of mt-metrics-eval: official metrics and"
            " language pairs if none are given, and human translations as systems.",
            "Analysis",
        ),
    ] = None
    unchecked: Annotated[
        bool, Opt("Do not check that judgments of segments belong to the texts of the same number.", "Input")
    ] = False

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.by is not None and self.ceiling:
            raise OptionError(f"give either {argument('by')} or {argument('ceiling')}, not both")
        for spec in parse_statistics(tuple(self.statistics)):
            check_test(self.test, spec)

    @property
    def analysis(self) -> MetricAnalysis:
        return MetricAnalysis.of(
            method=self.test,
            n_samples=self.samples,
            seed=self.seed,
            alpha=self.alpha,
            intervals=self.ci,
            resample=self.resample or (None if self.task is None else SEGMENT),  # the tasks exchange segments
        )

    @cached_property
    def judged(self) -> JudgedData:
        judged = self.judged_data(self.data)
        if self.task is None:
            return judged
        root = find_mtme_folder(judged)
        pairs = () if root is None else list_task_pairs(root)
        return replace(judged, pairs=judged.pairs or pairs, choice=replace(judged.choice, with_human=True))

    @property
    def _listed_statistics(self) -> tuple[str, ...]:
        return tuple(self.statistics) or (() if self.task is None else TASKS[self.task])

    @property
    def _score_levels(self) -> set[Level]:
        """The levels of the published scores to read: also documents and domains if a statistic is about them."""
        return {"segment", "system", *(spec.level for spec in parse_statistics(self._listed_statistics))}

    def run(self) -> "MetaResult":
        self._check_texts()
        files, whole, notes = self._read()
        misfits = self._find_misfits(whole)
        sets = self._part(whole)
        scored, warnings = self._score(sets, files)
        statistics = parse_statistics(self._listed_statistics) or usual_statistics(sets)
        tables = [make_meta_table(spec, sets, scored, self.analysis) for spec in statistics]
        if self.ceiling:
            ceilings = self._find_ceilings(statistics)
            tables = [with_ceilings(table, *ceilings) for table in tables]
            known = {statistic for part in ceilings for statistic, _ in part}
            notes += [
                f"{spec}: the agreement between raters is undefined, because they share too few outputs"
                for spec in statistics
                if str(spec) not in known
            ]
        task_rows = () if self.task is None else tuple(summarise_task(tables))
        if self.sort:
            tables = [sort_table(table) for table in tables]
        return MetaResult(
            self, tuple(sets), tuple(scored), tuple(tables), tuple(notes), (*misfits, *warnings), task_rows
        )

    def prepare(self) -> "Callable[[int], _SetScores]":
        """Read the judged sets and build their metrics; the function scores the set with a number."""
        sets = self._part(self._read()[1])
        return self._make_scorer(sets, self._build_metrics(sets)[0])

    def _make_scorer(
        self, sets: Sequence[JudgedSet], metrics: Sequence[Sequence[LabelledMetric]]
    ) -> "Callable[[int], _SetScores]":
        return lambda number: score_set(sets[number], metrics[number], threads=self.threads)

    def _read(self) -> tuple[list[ScoreFile], list[JudgedSet], list[str]]:
        published = PublishedScores(
            self.judged,
            names=tuple(self.scores),
            lower=tuple(self.lower),
            task=self.task,
            takes_all=not self.metrics,
            levels=frozenset(self._score_levels),
        )
        files = published.read()
        self.judged.check_language(self.language)
        sets, notes = self.judged.read(scores=files)
        if self.judged.pairs and not self.pairs:
            task_pairs = ", ".join(self.judged.pairs)
            notes.append(
                f"the metrics task has the language pairs {task_pairs}; choose others with {argument('pairs', 'LP')}"
            )
        return files, sets, notes

    def _part(self, sets: list[JudgedSet]) -> list[JudgedSet]:
        return sets if self.by is None else part_sets(sets, self.by, self.judged.options)

    def _find_misfits(self, sets: Sequence[JudgedSet]) -> list[str]:
        """Check that judgments belong to their texts; only warn about the published data of mt-metrics-eval."""
        found = [] if self.unchecked else [text for judged in sets if (text := describe_misfit(judged))]
        if find_mtme_folder(self.judged) is not None and not self.human:
            return found
        if found:
            advice = f"check the segment numbers, or use {argument('unchecked')} if they are right"
            raise InputError(f"{found[0]}; {advice}")
        return []

    def _find_ceilings(
        self, statistics: Sequence[StatisticSpec]
    ) -> tuple[Mapping[tuple[str, str], float], Mapping[tuple[str, str], Mapping[str, float]]]:
        corpora, judgments, _ = self.judged.read_files()
        options = self.judged.options
        return (
            find_ceilings(statistics, corpora, judgments, options, seed=self.analysis.seed),
            find_rater_agreement(statistics, corpora, judgments, options),
        )

    def _check_texts(self) -> None:
        """Raise on options that need texts where there are only scores and judgments."""
        if not (self.judged.lacks_texts and self.scores):
            return
        used = {
            argument("metrics"): bool(self.metrics),
            argument("by"): self.by is not None,
            argument("sentinels"): self.sentinels,
            argument("ceiling"): self.ceiling,
            argument("by_length"): self.judged.options.by_length,
            argument("system_score", "length"): self.system_score == "length",
        }
        for option, is_used in used.items():
            if is_used:
                texts = f"{argument('references', 'FILE')} and {argument('hypotheses', 'FILE')}"
                raise OptionError(f"{option} needs the texts: give a folder, or {texts}")

    def _score(
        self, sets: Sequence[JudgedSet], files: Sequence[ScoreFile]
    ) -> tuple[list[dict[str, MetricScores]], list[str]]:
        metrics, warnings = self._build_metrics(sets)
        scored: list[dict[str, MetricScores]] = []
        with open_engine(self.engine_choice) as engine:
            results = compute_items(engine, self, self._make_scorer(sets, metrics), range(len(sets)))
            for judged, (by_label, failures) in zip(sets, results, strict=True):
                external = scores_from_files(judged, files, lower_is_better=tuple(self.lower))
                sentinels = score_sentinels(judged, seed=self.analysis.seed) if self.sentinels else {}
                scored.append(by_label | external | sentinels)
                warnings += failures
                report_progress("scoring", len(scored), len(sets))
        if not any(scored):
            raise InputError("; ".join(warnings) or "the score files have no scores of these systems")
        return with_system_scores(sets, scored, self.system_score), warnings

    def _build_metrics(self, sets: Sequence[JudgedSet]) -> tuple[list[list[LabelledMetric]], list[str]]:
        """Build the metrics of each set; a metric without resources for a language is left out there."""
        labels = split_labels(tuple(self.metrics) or (() if self.scores or self.task else ("bleu",)))
        metrics, warnings = MetricMaker(self.resources).make_by_pair(labels, [judged.pair for judged in sets])
        return [metrics[judged.pair] for judged in sets], warnings


@record(eq=False)
class MetaResult(Result):
    """Tables of agreement, with the judged sets and the scores of the metrics."""

    request: MetaRequest
    sets: tuple[JudgedSet, ...]
    scored: tuple[Mapping[str, MetricScores], ...]
    tables: tuple[MetaTable, ...]
    notes: tuple[str, ...] = ()
    """Notes on data that were left out."""
    warnings: tuple[str, ...] = ()
    """Metrics that are missing from the tables, with the reason, and judgments that do not fit their texts."""
    task_rows: tuple[TaskRow, ...] = ()
    """With a task, the metrics with the average of its statistics, best first."""

    def __repr__(self) -> str:
        pairs = ", ".join(judged.name or "all" for judged in self.sets)
        return f"<MetaResult: {len(self.tables)} tables of {pairs}>"

    @property
    def signatures(self) -> dict[str, str]:
        """The signature of each metric, or several if the language pairs differ."""
        found: dict[str, dict[str, list[str]]] = {}
        for judged, by_label in zip(self.sets, self.scored, strict=True):
            for label, scores in by_label.items():
                found.setdefault(label, {}).setdefault(scores.signature, []).append(judged.pair)
        named: dict[str, str] = {}
        for label, by_signature in found.items():
            for signature, pairs in by_signature.items():
                unique = dict.fromkeys(
                    pairs
                )  # a pair occurs twice if a file of judgments contains its own texts
                named[f"{label} on {', '.join(unique)}" if len(by_signature) > 1 else label] = signature
        return named

    def charts(self) -> Iterator[tuple[tuple[str, ...], Chart]]:
        """Draw each metric against the human scores, and all rankings of the systems; yield parts of a file name and charts."""
        return draw_agreement(self.sets, self.scored, normalised=self.request.judged.options.normalise_raters)

    def score_files(
        self, *, layout: str, test_set: str, file_name: Callable[[str], str] = str
    ) -> Iterator[tuple[str, str]]:
        """Render the scores of each metric in a layout of WMT; yield the name and the text of each file.

        `file_name` turns the label of a metric into a part of a file name.
        """
        return render_score_files(
            self.sets, self.scored, layout=layout, test_set=test_set, file_name=file_name
        )

    def calibrate(self, collection: str, *, pool: Sequence[str] = ()) -> "CalibrationResult":
        """Fit the probability of human agreement as a function of the score difference, for `tertium score --calibration`.

        Parameters
        ----------
        collection
            The name of these judged sets, such as `wmt15`.
        pool
            Calibration tables of other judged sets, to be combined with this one.
        """
        from tertium.commands.meta.calibration import fit_calibration  # most tables have none

        return fit_calibration(self.sets, self.scored, collection, pool)

    def document(self) -> Document:
        return describe_agreement(
            self.tables,
            signatures=self.signatures,
            absolute=self.request.absolute,
            task=None if self.request.task is None else (self.request.task, self.task_rows),
        )


meta = function_of("meta", MetaRequest)
