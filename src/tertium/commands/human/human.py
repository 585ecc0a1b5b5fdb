"""Human evaluations: judgments in, rankings with tests, raters, errors, agreement of error spans, and plans out."""

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, field, replace
from typing import Annotated, Literal

from tertium.commands.base.judged_options import ErrorWeightOptions
from tertium.commands.base.options import TABLE, TEST, ResamplingOptions
from tertium.commands.base.request import Request, Strings, function_of
from tertium.commands.base.results import Result
from tertium.commands.base.text_options import PAIRS
from tertium.commands.human.human_tables import (
    describe_errors,
    describe_gaps,
    describe_rankings,
    describe_raters,
    describe_spans,
)
from tertium.commands.human.planning import HumanPlan, PlanOptions, describe_plan
from tertium.corpus import expand_paths
from tertium.corpus.judgments.folders import read_judged_folder
from tertium.corpus.judgments.formats import read_judgments
from tertium.corpus.judgments.mqm import Weights, read_weights
from tertium.corpus.judgments.readers import Judgments, SegmentJudgments
from tertium.declarations import Opt
from tertium.errors import InputError, OptionError
from tertium.files.paths import is_folder
from tertium.humaneval.campaign import documents_of, make_campaigns
from tertium.humaneval.errors import agree_on_spans, measure_errors
from tertium.humaneval.ranking import HumanTest, Ranking, RankingMethod, Unit, rank_systems
from tertium.humaneval.raters import examine_raters
from tertium.presentation.tables.model import Document
from tertium.records import record
from tertium.stats.analysis import Analysis

HumanTable = Literal["ranking", "pairs", "raters", "errors", "spans"]


@record
class HumanRequest(PlanOptions, ResamplingOptions, ErrorWeightOptions, Request["HumanResult"]):
    """Rank systems by human judgments, examine the raters and the errors that they marked, or plan the next campaign.

    The format of a file is recognised by its content: tables of DA, SQM or ESA scores (TSV, CSV, JSONL), Appraise's CSV,
    Pearmut's log, Google's MQM, mt-metrics-eval's ratings, WMT24's and WMT25's JSONL, and others. Every language pair
    is an evaluation of its own.
    """

    judgments: Annotated[
        Strings,
        Opt("Files of judgments, or folders of judged data.", "Input", is_argument=True, metavar="FILE..."),
    ]
    _: KW_ONLY
    table: Annotated[
        HumanTable,
        replace(
            TABLE,
            help="The systems, all pairs of systems, the raters, errors by severity and category, or the agreement of error"
            " spans.",
        ),
    ] = "ranking"
    ranking: Annotated[
        RankingMethod | None,
        Opt(
            "Rank by the mean of segments, by z-scores for each rater, or by a mixed model of system, segment and rater.",
            "Analysis",
            default="mean, as WMT publishes it; model if raters judged the systems unequally often",
            requires=("table=ranking", "table=pairs"),
        ),
    ] = None
    unit: Annotated[
        Unit | None,
        Opt(
            "Unit that intervals and tests resample as a whole.",
            "Analysis",
            default="document, if documents are known and enough",
        ),
    ] = None
    test: Annotated[
        HumanTest,
        replace(TEST, help="Significance test between systems.", requires=("table=ranking", "table=pairs")),
    ] = "jackknife"
    pairs: Annotated[
        Strings,
        PAIRS,
    ] = ()
    exclude: Annotated[
        Strings, Opt("Raters whose judgments are left out; the result names them.", "Input", metavar="LIST")
    ] = ()
    score: Annotated[
        str | None,
        Opt("The column of scores in a table.", "Input", metavar="COLUMN", default="score, human …"),
    ] = None
    automatic: Annotated[
        Strings,
        Opt(
            "Error spans of automatic judges (XCOMET, LLMs), to be compared with those of the raters by the table of spans.",
            "Input",
            metavar="FILE",
            requires=("table=spans",),
        ),
    ] = ()

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.judgments:
            raise OptionError("give a file of human judgments")
        self.check_plan()

    @property
    def analysis(self) -> Analysis:
        return Analysis.of(n_samples=self.samples, seed=self.seed, alpha=self.alpha)

    def run(self) -> "HumanResult":
        weights = read_weights(self.weights_path) if self.weights_path else None
        files, documents, notes = self._read(weights)
        campaigns = make_campaigns(
            files, documents=documents, pairs=_split(self.pairs), exclude=_split(self.exclude)
        )
        method = "model" if self.plan else self.ranking
        rankings = tuple(
            rank_systems(campaign, self.analysis, method=method, unit=self.unit, test=self.test)
            for campaign in campaigns
        )
        automatic = [self._read_automatic(path, weights) for path in expand_paths(tuple(self.automatic))]
        excluded = _split(self.exclude)
        if excluded:
            notes.append(f"without the judgments of {', '.join(excluded)}")
        notes += [note for campaign in campaigns for note in campaign.notes]
        warnings = [warning for campaign in campaigns for warning in campaign.warnings]
        return HumanResult(
            self,
            rankings,
            tuple(automatic),
            self.make_plan(rankings, self.analysis.alpha) if self.plan else None,
            notes=tuple(dict.fromkeys(notes)),
            warnings=tuple(dict.fromkeys(warnings)),
        )

    def _read(
        self, weights: Weights | None
    ) -> tuple[list[Judgments], Mapping[str, Mapping[str, str]], list[str]]:
        """Read files and folders; return judgments, the document of each segment by language pair, and notes."""
        files: list[Judgments] = []
        documents: dict[str, Mapping[str, str]] = {}
        notes: list[str] = []
        for path in self.judgments:
            if not is_folder(path):
                files += [
                    read_judgments(file, weights=weights, score=self.score) for file in expand_paths([path])
                ]
                continue
            folder = read_judged_folder(path, pairs=_split(self.pairs), weights=weights)
            judged = [judgment for judgment in folder.judgments if isinstance(judgment, SegmentJudgments)]
            if not judged:
                raise InputError(f"{path} has no judgments of segments, only of whole systems or rankings")
            files += judged
            notes += folder.notes
            documents |= {pair: documents_of(corpus) for pair, corpus in folder.corpora.items()}
        return files, documents, notes

    def _read_automatic(self, path: str, weights: Weights | None) -> SegmentJudgments:
        judged = read_judgments(path, weights=weights)
        if not isinstance(judged, SegmentJudgments):
            raise InputError(f"{path} has no judgments of segments, so there are no error spans to compare")
        return judged


def _split(names: Strings) -> tuple[str, ...]:
    return tuple(name for text in names for name in text.split(",") if name)


@record(eq=False)
class HumanResult(Result):
    """The ranked evaluations, one per language pair, and the plan of the next one."""

    request: HumanRequest = field(repr=False)
    rankings: tuple[Ranking, ...]
    automatic: tuple[SegmentJudgments, ...]
    plan: HumanPlan | None = None
    notes: Sequence[str] = ()
    warnings: Sequence[str] = ()

    def document(self) -> Document:
        if self.plan is not None:
            return describe_plan(self.plan)
        table, alpha = self.request.table, self.request.analysis.alpha
        if table == "ranking":
            return describe_rankings(self.rankings, alpha=alpha)
        if table == "pairs":
            return describe_gaps(self.rankings, alpha=alpha)
        if table == "raters":
            seed = self.request.analysis.seed
            return describe_raters(
                self.rankings, [examine_raters(ranking.campaign, seed=seed) for ranking in self.rankings]
            )
        if table == "errors":
            return describe_errors(
                self.rankings, [measure_errors(ranking) for ranking in self.rankings], alpha=alpha
            )
        return describe_spans(
            self.rankings, [agree_on_spans(ranking, self.automatic) for ranking in self.rankings]
        )


human = function_of("human", HumanRequest)
