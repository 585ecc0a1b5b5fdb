"""Choose segments or documents for human evaluation under a budget, and export them for annotation."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, field, replace
from functools import cached_property
from typing import Annotated, Any, Literal

import numpy as np

from tertium.commands.base.options import BY, METRICS, SEED, MetricOptions, ResourceOptions, ThreadOptions
from tertium.commands.base.request import Request, Strings, function_of
from tertium.commands.base.results import Result
from tertium.commands.base.scored_inputs import ScoredInputs, check_column, load_scored
from tertium.commands.base.text_options import OutputFileOptions
from tertium.commands.human.selection_tables import ChosenSegment, describe_choice, list_outputs
from tertium.declarations import Opt, options_of
from tertium.errors import InputError, OptionError, argument
from tertium.evaluation.gaps import list_gaps
from tertium.evaluation.item_choice import ChoiceMethod, choose_items, rate_segments
from tertium.presentation.tables.model import Document
from tertium.records import record
from tertium.stats.analysis import DEFAULT_SEED
from tertium.text.tokenizers import count_length
from tertium.values import Corpus, FloatArray

Protocol = Literal["DA", "ESA", "MQM"]
_LARGE_SHARE = 0.2  # above, a random choice did as well on WMT21 and WMT22 (docs/human-evaluation.md)


@record
class SelectRequest(
    OutputFileOptions, MetricOptions, ResourceOptions, ThreadOptions, Request["SelectionResult"]
):
    """Choose segments or documents for human evaluation under a budget.

    Segments are rated by the metric scores of the systems, and the best that fit the budget are chosen. The result can be
    written as a table for annotators or as a campaign of Pearmut; `tertium human` reads the judgments again by the
    same segment numbers.
    """

    outputs: Annotated[
        Strings, Opt("Outputs of the systems, or runs.", "Input", is_argument=True, metavar="FILE...")
    ]
    _: KW_ONLY
    segments: Annotated[int | None, Opt("Budget: number of segments.", "Analysis", metavar="N", least=1)] = (
        None
    )
    words: Annotated[
        int | None,
        Opt("Budget: number of words in the outputs of all systems.", "Analysis", metavar="N", least=1),
    ] = None
    hours: Annotated[
        float | None,
        Opt(
            "Budget: working time of all raters together, with the time per word.",
            "Analysis",
            metavar="H",
            above=0,
        ),
    ] = None
    seconds_per_word: Annotated[
        float | None,
        Opt(
            "Time that a rater needs for a word of output, for a budget in hours; measure it in an earlier campaign.",
            "Analysis",
            metavar="S",
            above=0,
        ),
    ] = None
    method: Annotated[
        ChoiceMethod,
        Opt(
            "Prefer segments where metric scores vary over systems, where they agree with the scores of the whole test"
            " set, where metrics disagree, where outputs differ, or draw at random.",
            "Analysis",
        ),
    ] = "variance"
    metrics: Annotated[
        Strings,
        replace(METRICS, help="Metrics that rate segments."),
    ] = ("chrf",)
    whole_documents: Annotated[
        bool, Opt("Choose whole documents, named by the column document.", "Analysis")
    ] = False
    by: Annotated[
        str | None,
        replace(BY, help="Give each value of a column, such as domain, its share of the budget."),
    ] = None
    seed: Annotated[int, replace(SEED, requires=("method=random",))] = DEFAULT_SEED

    def __post_init__(self) -> None:
        super().__post_init__()
        budgets = [name for name in ("segments", "words", "hours") if getattr(self, name) is not None]
        if len(budgets) != 1:
            raise OptionError(
                f"give one budget: {argument('segments', 'N')}, {argument('words', 'N')} or {argument('hours', 'H')}"
            )
        if (self.hours is None) != (self.seconds_per_word is None):
            raise OptionError(f"{argument('hours')} and {argument('seconds_per_word')} belong together")
        if self.method in ("random", "diversity"):
            self._check_without_metrics()

    def _check_without_metrics(self) -> None:
        """Raise on options of metrics for a method that reads no scores."""
        shared = {option.name for kind in (MetricOptions, ResourceOptions) for option in options_of(kind)}
        for option in options_of(SelectRequest):
            if option.name in {"metrics", *shared} and not option.is_default(getattr(self, option.name)):
                text = f"{argument('method', self.method)} uses no metric; leave out {argument(option.name)}"
                raise OptionError(text).about(option.name)

    def run(self) -> "SelectionResult":
        scored = load_scored(
            tuple(self.outputs),
            references=tuple(self.references),
            source=None if self.source is None else str(self.source),
            columns=None if self.columns is None else str(self.columns),
            metrics=tuple(self.metrics),
            tokenizer=self.tokenizer,
            lowercase=self.lowercase,
            resources=self.resources if self.names_resources else None,
            threads=self.threads,
        )
        corpus = scored.corpus
        if corpus is None:
            raise InputError("the run has no texts, so there is nothing to judge; give the outputs as files")
        ratings = self._rate(scored, corpus)
        words = np.sum([[count_length(text) for text in texts] for texts in corpus.systems.values()], axis=0)
        costs, budget = self._budget(words.astype(np.float64))
        chosen = choose_items(
            ratings,
            costs,
            budget,
            groups=self._documents(scored) if self.whole_documents else None,
            strata=None if self.by is None else self._column(scored, self.by),
        )
        return SelectionResult(
            self, corpus, ratings, words, tuple(chosen.tolist()), self._notes(scored, chosen)
        )

    def _rate(self, scored: ScoredInputs, corpus: Corpus) -> FloatArray:
        evaluation = scored.evaluation
        scores = np.stack(
            [
                evaluation.segment_scores(label) * (1 if evaluation.metric(label).higher_is_better else -1)
                for label in evaluation.labels
            ]
        )
        return rate_segments(
            self.method, scores, list(corpus.systems.values()), np.random.default_rng(self.seed)
        )

    def _budget(self, words: FloatArray) -> tuple[FloatArray, float]:
        """Return the cost of each segment and the budget, in the same unit."""
        if self.segments is not None:
            return np.ones(len(words)), float(self.segments)
        if self.words is not None:
            return words, float(self.words)
        return words * (self.seconds_per_word or 0.0), 3600 * (self.hours or 0.0)

    def _documents(self, scored: ScoredInputs) -> Sequence[str]:
        corpus = scored.corpus
        named = None if corpus is None else corpus.document_ids
        return named if named is not None else self._column(scored, "document")

    def _column(self, scored: ScoredInputs, name: str) -> Sequence[str]:
        check_column(name, scored.columns)
        return scored.columns[name]

    def _notes(self, scored: ScoredInputs, chosen: "np.ndarray[Any, Any]") -> tuple[str, ...]:
        share = len(chosen) / scored.evaluation.n_segments
        notes = [*scored.notes, *list_gaps(scored.evaluation)]
        if share > _LARGE_SHARE and self.method != "random":
            notes.append(
                f"{100 * share:.0f} % of the segments are chosen; with more than {100 * _LARGE_SHARE:.0f} %, a random choice"
                " reproduced human rankings as well as any method (WMT21 and WMT22)"
            )
        return tuple(notes)


@record(eq=False)
class SelectionResult(Result):
    """The chosen segments."""

    request: SelectRequest = field(repr=False)
    corpus: Corpus = field(repr=False)
    ratings: FloatArray = field(repr=False)
    words: "np.ndarray[Any, Any]" = field(repr=False)
    chosen: tuple[int, ...]
    notes: Sequence[str] = ()

    @cached_property
    def segments(self) -> tuple[ChosenSegment, ...]:
        """The chosen segments in file order."""
        corpus = self.corpus
        labels = corpus.segment_ids or [str(i + 1) for i in range(len(corpus))]
        documents = corpus.document_ids or corpus.columns.get("document")
        return tuple(
            ChosenSegment(
                segment=labels[i],
                document="" if documents is None else documents[i],
                rating=float(self.ratings[i]),
                words=int(self.words[i]),
                source=None if corpus.sources is None else corpus.sources[i],
                outputs={name: texts[i] for name, texts in corpus.systems.items()},
            )
            for i in self.chosen
        )

    def document(self) -> Document:
        return describe_choice(self.segments, len(self.corpus), self.request.method)

    def to_items(self, form: Literal["tsv", "jsonl"] = "tsv") -> str:
        """Render a row per output to be judged, with empty columns rater and score to be filled in."""
        return list_outputs(self.segments, form)

    def to_pearmut(self, *, name: str, protocol: Protocol = "ESA", raters: int = 1) -> str:
        """Render a campaign of Pearmut, in which raters draw documents from one pool.

        Parameters
        ----------
        name
            The id of the campaign.
        protocol
            Scores (DA), error spans and scores (ESA), or error spans with categories (MQM).
        raters
            Number of raters.
        """
        documents: dict[str, list[Mapping[str, object]]] = {}
        for segment in self.segments:
            item = {"item_id": segment.segment, "src": segment.source or "", "tgt": dict(segment.outputs)}
            documents.setdefault(segment.document or segment.segment, []).append(item)
        campaign = {
            "campaign_id": name,
            "info": {"assignment": "single-stream", "protocol": protocol, "users": raters},
            "data": list(documents.values()),
        }
        return json.dumps(campaign, ensure_ascii=False, indent=1) + "\n"


select = function_of("select", SelectRequest)
