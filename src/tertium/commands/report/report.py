"""Report: scored systems in, one self-contained page out."""

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, field, replace
from functools import cached_property
from os import PathLike, fspath
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Annotated

from tertium.catalog import ResourceChoice
from tertium.commands.base.judged_options import HumanFileOptions
from tertium.commands.base.options import CALIBRATION
from tertium.commands.base.request import FilePath, Request, Strings, function_of, guard_output
from tertium.commands.base.results import CommandResult
from tertium.commands.base.runs import read_resources
from tertium.commands.base.scored_inputs import (
    ScoredInput,
    ScoredInputOptions,
    ScoredInputs,
    SetInputs,
    list_inputs,
    split_sets,
)
from tertium.commands.base.scores import find_calibration
from tertium.commands.base.scoring import DEFAULT_METRICS, ScoreRequest
from tertium.commands.base.text_options import HYPOTHESES, INPUTS, SYSTEM
from tertium.commands.report.page import (
    HumanJudgments,
    PageContents,
    SetsPageContents,
    render_page,
    render_sets_page,
)
from tertium.corpus.judgments.annotated_texts import collect_texts
from tertium.declarations import Opt
from tertium.diagnosis.finding import Finding
from tertium.diagnosis.quick import QuickCheck
from tertium.errors import InputError, OptionError, argument
from tertium.evaluation import Evaluation
from tertium.evaluation.comparison import compare
from tertium.evaluation.gaps import describe_gaps, keep_common
from tertium.evaluation.history import Release
from tertium.evaluation.likely_mistakes import find_unfit_metrics
from tertium.evaluation.runs import Run
from tertium.files.writing import write_atomically
from tertium.metaeval.data import JudgedData, contain_texts
from tertium.metaeval.judged_sets import HumanOptions
from tertium.presentation.score_table import make_score_table, sort_table, with_expected_agreement
from tertium.progress import report_progress
from tertium.records import record
from tertium.values import Corpus

if TYPE_CHECKING:
    from tertium.commands.release.history import HistoryResult
    from tertium.metaeval.calibration import Calibration

_MOST_FINDINGS = 5  # of one system


@record
class ReportRequest(ScoredInputOptions, HumanFileOptions, Request["Report | SetsReport"]):
    """Write one page with the answer, scores, tests, charts and every segment; it opens without a network."""

    inputs: Annotated[ScoredInput | Sequence[ScoredInput], INPUTS] = ()
    _: KW_ONLY
    hypotheses: Annotated[
        Strings, replace(HYPOTHESES, help="Outputs of systems, in addition to the runs.")
    ] = ()
    title: Annotated[str, Opt("Title of the page.", "Output", metavar="TEXT")] = (
        "Which translation is better?"
    )
    history: Annotated[
        Strings,
        Opt(
            "Runs of earlier releases, oldest first: the page shows the scores of a system over releases.",
            "Input",
            metavar="RUN",
            access="read",
        ),
    ] = ()
    system: Annotated[
        str | None,
        replace(SYSTEM, help="The system of the history."),
    ] = None
    calibration: Annotated[FilePath | None, CALIBRATION] = None
    command: str | None = None
    """The command line, for the record."""

    @cached_property
    def calibration_table(self) -> "Calibration | None":
        return find_calibration(self.calibration)

    def run(self) -> "Report | SetsReport":
        _ = self.calibration_table  # a wrong table is reported before anything is scored
        inputs = list_inputs(self.inputs, self.hypotheses)
        sets = split_sets(inputs)
        history = self._load_history(inputs)
        return self._report_sets(sets, history) if sets.names else self._report(inputs, history)

    def _load_history(self, inputs: Sequence[ScoredInput]) -> "HistoryResult | None":
        if not self.history:
            if self.system is not None:
                raise OptionError(f"{argument('system')} requires {argument('history', 'RUN')}")
            return None
        from tertium.commands.release.history import (  # most pages have none
            list_runs,
            load_history,
            name_releases,
        )

        if len(inputs) != 1 or not isinstance(inputs[0], str | PathLike):
            raise OptionError(f"{argument('history')} requires one run, which is the last release")
        paths = [*list_runs(self.history), fspath(inputs[0])]
        releases = [f"{path}#{self.system}" if self.system else path for path in paths]
        return load_history(self, releases, name_releases(paths), self.analysis)

    def _report_sets(self, sets: SetInputs, history: "HistoryResult | None") -> "SetsReport":
        if self.human:
            raise OptionError(
                f"{argument('human')} needs one test set; choose it: {next(iter(sets.inputs.values()))[0]}"
            )
        rows = [] if history is None else history.releases
        reports = {}
        for number, (name, inputs) in enumerate(sets.inputs.items()):
            report_progress("test sets", number, len(sets.inputs))
            scored = self.load(inputs)
            own = [row for row in rows if row.test_set == name]
            reports[name or ""] = self._make_report(scored, scored.notes, own)
        left_out = [f"left out, because not all runs have it: {name}" for name in sets.left_out]
        return SetsReport(self, reports, rows, (*left_out, *(() if history is None else history.notes)))

    def _report(self, inputs: list[ScoredInput], history: "HistoryResult | None") -> "Report":
        data = JudgedData(
            human=tuple(self.human),
            pairs=self.listed_pairs,
            options=HumanOptions(normalise_raters=self.normalise_raters, skip_unknown=self.skip_unknown),
        )
        found: list[str] = []
        if not inputs and self.human:
            inputs, found = self._score_annotated(data)
            data = replace(
                data, options=replace(data.options, skip_unknown=True)
            )  # references were judged too
        if not inputs:
            raise OptionError(
                f"nothing to report on: give a run, or outputs with {argument('references', 'FILE')}"
                f" {argument('hypotheses', 'FILE')}"
            )
        scored = self.load(inputs)
        judgments, notes = None, (*scored.notes, *found)
        if data.human:
            from tertium.commands.report.page.human_section import (
                judge_systems,  # most pages have no judgments
            )

            judgments, of_judgments = judge_systems(data, scored.evaluation, scored.corpus, self.analysis)
            notes = (*notes, *of_judgments)
        rows = [] if history is None else history.releases
        return self._make_report(scored, notes, rows, judgments)

    def _make_report(
        self,
        scored: ScoredInputs,
        notes: tuple[str, ...],
        history: Sequence[Release],
        judgments: HumanJudgments | None = None,
    ) -> "Report":
        return Report(
            self,
            keep_common(scored.evaluation),
            scored.corpus,
            scored.columns,
            (*notes, *describe_gaps(scored.evaluation)),
            judgments,
            test_set=_name_test_set(self.references, scored.runs),
            languages=_find_languages(self.resources, scored.runs),
            history=history,
        )

    def _score_annotated(self, data: JudgedData) -> tuple[list[ScoredInput], list[str]]:
        """Score the outputs that files of judgments contain; return nothing if they contain none."""
        annotated = contain_texts(data.read_human())
        if not annotated:
            return [], []
        corpora, _, notes = collect_texts(annotated)
        if len(corpora) > 1:
            raise OptionError(
                f"the judgments have several language pairs: {', '.join(corpora)}; give one file each"
            )
        corpus = next(iter(corpora.values()))
        return [
            ScoreRequest(
                corpus, metrics=tuple(self.metrics or ()) or DEFAULT_METRICS, threads=self.threads
            ).run()
        ], notes


@record(eq=False, repr=False)
class Report(CommandResult):
    """Scored systems that `render` and `write` turn into a page."""

    request: ReportRequest
    evaluation: Evaluation
    corpus: Corpus | None
    columns: Mapping[str, Sequence[str]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    judgments: HumanJudgments | None = None
    test_set: str = ""
    languages: tuple[str, str] = ("", "")
    history: Sequence[Release] = ()

    def render(self) -> str:
        """Render the page."""
        return render_page(self.make_contents())

    def write(self, path: "str | PathLike[str]") -> None:
        """Write the page to a file, completely or not at all."""
        _write(self, path)

    @property
    def _unfit_labels(self) -> set[str]:
        return set() if self.corpus is None else find_unfit_metrics(self.evaluation.metrics, self.corpus)

    def make_contents(self) -> PageContents:
        """Compute what the page shows."""
        request = self.request
        comparison = compare(self.evaluation, request.analysis)
        table = make_score_table(self.evaluation, comparison, shows_intervals=True, scale=100)
        if request.calibration_table is not None:
            table = with_expected_agreement(table, request.calibration_table, unfit=self._unfit_labels)
        return PageContents(
            title=request.title,
            evaluation=self.evaluation,
            comparison=comparison,
            table=sort_table(table, self.evaluation.labels[0]),
            corpus=self.corpus,
            columns=_find_columns(self.corpus, self.columns),
            findings={} if self.corpus is None else _find_mistakes(self.corpus, self.evaluation),
            notes=self.notes,
            command=request.command,
            human=self.judgments,
            calibration=request.calibration_table,
            test_set=self.test_set,
            languages=self.languages,
            history=self.history,
        )


@record(eq=False, repr=False)
class SetsReport(CommandResult):
    """Scored systems on many test sets that `render` and `write` turn into one page."""

    request: ReportRequest
    reports: Mapping[str, Report]
    history: Sequence[Release] = ()
    notes: tuple[str, ...] = ()

    def render(self) -> str:
        """Render the page."""
        return render_sets_page(
            SetsPageContents(
                title=self.request.title,
                pages={name: page.make_contents() for name, page in self.reports.items()},
                analysis=self.request.analysis,
                history=self.history,
                notes=self.notes,
                command=self.request.command,
            )
        )

    def write(self, path: "str | PathLike[str]") -> None:
        """Write the page to a file, completely or not at all."""
        _write(self, path)


def _write(report: Report | SetsReport, path: "str | PathLike[str]") -> None:
    with guard_output(report.request.input_paths, path):
        page = report.render()
        with write_atomically(Path(fspath(path)), InputError) as temporary:
            temporary.write_text(page, encoding="utf-8", newline="\n")


def _find_columns(corpus: Corpus | None, columns: Mapping[str, Sequence[str]]) -> Mapping[str, Sequence[str]]:
    if corpus is None or corpus.document_ids is None or "document" in columns:
        return columns
    return {"document": corpus.document_ids, **columns}


def _find_mistakes(corpus: Corpus, evaluation: Evaluation) -> dict[str, list[Finding]]:
    if not corpus.has_references:
        return {}
    metrics = [metric.metric for metric in evaluation.metrics]
    tokenizers = {name for metric in metrics if (name := metric.word_tokenizer) is not None}
    check = QuickCheck(corpus.target_texts, tokenizers)
    found = {system: check(texts)[:_MOST_FINDINGS] for system, texts in corpus.systems.items()}
    return {system: findings for system, findings in found.items() if findings}


_MOST_NAMES = 3  # of reference files at the top of a page


def _name_test_set(references: Sequence[object], runs: Sequence[Run]) -> str:
    """Name the test set by its reference files, without their folders; texts from Python have no names."""
    recorded = [file.path for run in runs for file in run.manifest.origin.files if file.role == "reference"]
    given = [fspath(path) for path in references if isinstance(path, (str, PathLike))]
    names = list(dict.fromkeys(PurePath(path).name for path in [*given, *recorded]))
    more = f" and {len(names) - _MOST_NAMES} more" if len(names) > _MOST_NAMES else ""
    return ", ".join(names[:_MOST_NAMES]) + more


def _find_languages(resources: ResourceChoice, runs: Sequence[Run]) -> tuple[str, str]:
    """Return the languages of sources and outputs, as far as the options or a run name them."""
    recorded = (read_resources(run.manifest.origin.settings).language for run in runs)
    language = resources.language or next(filter(None, recorded), "")
    source, dash, target = language.partition("-")
    return (source, target) if dash else ("", language)


report = function_of("report", ReportRequest)
