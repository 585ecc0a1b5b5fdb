"""Report: scored systems in, one self-contained page out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from os import PathLike, fspath
from pathlib import Path

from tertium.api.results import Progress
from tertium.api.runs import RunResult
from tertium.api.score import ScoreResult
from tertium.api.scored_request import ScoredRequest
from tertium.catalog import ResourceChoice
from tertium.doctor.finding import Finding
from tertium.doctor.pairs import quick_check
from tertium.errors import InputError
from tertium.evaluation import Evaluation
from tertium.evaluation.comparison import compare
from tertium.files.writing import written_whole
from tertium.metaeval.calibration import read_calibration
from tertium.metaeval.data import JudgedData
from tertium.metaeval.scoring import collect_scores
from tertium.metaeval.statistics import can_show, parse_statistics
from tertium.metaeval.tables import TestOptions, make_meta_table
from tertium.report.page import HumanJudgments, PageContents, check_page_extra, render_page
from tertium.report.score_table import make_score_table, sort_table, with_expected_agreement
from tertium.types import Corpus

__all__ = ["Report", "ReportRequest", "write_report"]

_MOST_FINDINGS = 5  # of one system
_STATISTICS = ("system:pearson", "system:accuracy", "segment:pearson", "segment:wmt14")
_TITLE = "Which translation is better?"


@dataclass(frozen=True, kw_only=True)
class ReportRequest(ScoredRequest):
    """Everything that `tertium report` can be told.

    Attributes
    ----------
    human
        Judgments of the systems, in the formats of `tertium meta`.
    command
        What was typed, for the record.
    """

    title: str = _TITLE
    human: JudgedData | None = None
    command: str | None = None

    def run(self, progress: Progress | None = None) -> "Report":
        """Open or score the inputs, and make all tests."""
        check_page_extra()
        scored = self.load(progress)
        people, notes = judge_systems(self.human, scored.evaluation, scored.corpus, seed=self.seed)
        notes = (*scored.notes, *notes)
        return Report(self, scored.evaluation, scored.corpus, scored.columns, notes, people)


@dataclass(frozen=True, eq=False, repr=False)
class Report:
    """Scored systems that become a page when it is asked for."""

    request: ReportRequest
    evaluation: Evaluation
    corpus: Corpus | None
    columns: Mapping[str, Sequence[str]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    people: HumanJudgments | None = None

    def render(self) -> str:
        """Write the whole page as text."""
        return render_page(self._contents())

    def write(self, path: "str | PathLike[str]") -> None:
        """Write the page into a file, whole or not at all."""
        page = self.render()
        with written_whole(Path(fspath(path)), InputError) as temporary:
            temporary.write_text(page, encoding="utf-8", newline="\n")

    def _contents(self) -> PageContents:
        request = self.request
        comparison = compare(
            self.evaluation,
            test=request.test,
            n_samples=request.samples,
            seed=request.seed,
            alpha=request.alpha,
        )
        table = make_score_table(self.evaluation, comparison, shows_intervals=True, scale=100)
        target = None if request.resources is None else request.resources.target
        table = with_expected_agreement(table, read_calibration(), target)
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
            people=self.people,
            languages=_split_languages(request.resources),
        )


def write_report(
    result: ScoreResult | RunResult, path: "str | PathLike[str]", *, title: str = _TITLE
) -> None:
    """Write a result as a page that opens from disk and needs no network (needs the extra `report`)."""
    view = result.view
    request = ReportRequest(
        inputs=(),
        title=title,
        resources=result.request.resources if isinstance(result, ScoreResult) else None,
        test=view.paired or "bootstrap",
        samples=view.samples,
        seed=view.seed,
        alpha=view.alpha,
    )
    corpus = result.corpus
    columns = {} if corpus is None else corpus.columns
    notes = result.doubts if isinstance(result, ScoreResult) else ()
    Report(request, result.evaluation, corpus, columns, notes).write(path)


def judge_systems(
    data: JudgedData | None, evaluation: Evaluation, corpus: Corpus | None, *, seed: int
) -> tuple[HumanJudgments | None, tuple[str, ...]]:
    """Read what people said of the systems, and measure how far metrics agree with it; with notes on what was left out.

    Raises
    ------
    InputError
        If nobody judged these systems.
    """
    if data is None or not data.human:
        return None, ()
    judged, notes = data.align_with(corpus or _without_texts(evaluation))
    scores = collect_scores(evaluation)
    test = TestOptions("none", seed=seed, intervals=True)
    specs = [spec for spec in parse_statistics(_STATISTICS) if can_show(spec, judged)]
    tables = [make_meta_table(spec, [judged], [scores], test) for spec in specs]
    people = HumanJudgments(
        judged=judged, tables=tables, scores=scores, is_normalised=data.options.normalise_raters
    )
    return people, tuple(notes)


def _without_texts(evaluation: Evaluation) -> Corpus:
    n = evaluation.n_segments
    return Corpus([[""]] * n, {name: [""] * n for name in evaluation.systems})


def _find_columns(corpus: Corpus | None, columns: Mapping[str, Sequence[str]]) -> Mapping[str, Sequence[str]]:
    if corpus is None or corpus.document_ids is None or "document" in columns:
        return columns
    return {"document": corpus.document_ids, **columns}


def _find_mistakes(corpus: Corpus, evaluation: Evaluation) -> dict[str, list[Finding]]:
    first = corpus.first_references
    metrics = [each.metric for each in evaluation.metrics]
    tokenizers = {name for metric in metrics if (name := metric.word_tokenizer) is not None}
    found = {
        system: quick_check(list(texts), first, tokenizers=tokenizers)[:_MOST_FINDINGS]
        for system, texts in corpus.systems.items()
    }
    return {system: findings for system, findings in found.items() if findings}


def _split_languages(resources: ResourceChoice | None) -> tuple[str, str]:
    """The languages of sources and outputs, as far as `-l de-en` or `-l en` tells them."""
    language = (resources.language if resources is not None else None) or ""
    source, dash, target = language.partition("-")
    return (source, target) if dash else ("", language)
