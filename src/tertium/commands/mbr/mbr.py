"""Scores of all pairs of texts, and minimum Bayes risk decoding: choose the candidate nearest to all others."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, replace
from functools import partial
from os import PathLike
from typing import Annotated, Literal

from tertium.arguments import describe_value, list_items
from tertium.catalog import MetricMaker, ResourceChoice, match_texts, split_labels
from tertium.commands.base.options import METRIC, RESUME, SEED, EngineOptions, ResourceOptions, check_given
from tertium.commands.base.request import FilePath, Request, function_of
from tertium.commands.base.results import Result
from tertium.commands.base.text_options import HYPOTHESES, REFERENCES, SOURCE
from tertium.declarations import Opt
from tertium.engines.engine import open_engine
from tertium.engines.items import compute_items
from tertium.errors import InputError, OptionError, argument
from tertium.evaluation.decoding import CandidateTexts, Choice, ChoiceJournal, Decoding, NumberedGroup
from tertium.evaluation.pairwise import can_aggregate, fit_references, score_pairs
from tertium.kernels.threads import use_threads
from tertium.metrics.base import Metric
from tertium.metrics.inputs import list_texts
from tertium.presentation.tables.fields import describe_listing
from tertium.presentation.tables.model import Document
from tertium.progress import report_progress
from tertium.records import record
from tertium.stats.analysis import DEFAULT_SEED
from tertium.text import References
from tertium.values import FloatArray, available_texts


@record
class PairwiseRequest(ResourceOptions, Request[FloatArray]):
    """Compute the segment score of every hypothesis (row) with every reference (column).

    Each text is tokenised once. Metrics that learn from references, such as those with inverse document frequencies,
    learn from the references given here.

    Examples
    --------
    >>> pairwise(["a b", "a c"], ["a b", "d"], "wer").tolist()
    [[0.0, 200.0], [50.0, 200.0]]
    """

    hypotheses: Annotated[
        Sequence[str], replace(HYPOTHESES, help="The texts that are scored.", in_command=False)
    ]
    references: Annotated[
        Sequence[str],
        replace(REFERENCES, help="The texts that every hypothesis is compared with.", in_command=False),
    ]
    metric: Annotated[str, replace(METRIC, help="The metric with its options.", in_command=False)] = "chrf"
    _: KW_ONLY
    source: Annotated[
        str | None,
        replace(
            SOURCE, help="The text that all of them translate, for metrics that read it.", in_command=False
        ),
    ] = None

    def run(self) -> FloatArray:
        for name in ("hypotheses", "references"):
            if not getattr(self, name):
                raise InputError(f"{name} is empty; give at least one text")
        (made,) = _make_metrics(self.metric, self.resources, has_source=self.source is not None)
        fitted = made.fit(References([[text] for text in self.references]))
        return score_pairs(fitted, tuple(self.hypotheses), tuple(self.references), self.source)


@record
class MBRRequest(ResourceOptions, EngineOptions, Request["MBRResult"]):
    """Choose for each source the candidate that is most similar to the others on average (minimum Bayes risk).

    The metric that chooses overestimates the chosen translations: report their quality with another metric.

    Examples
    --------
    >>> result = mbr([["the cat sat", "the cat sits", "a cat sat", "dogs"]])
    >>> result.texts
    ['the cat sat']
    """

    candidates: Annotated[
        FilePath | Sequence[Sequence[str]],
        Opt(
            "Candidates: JSON lines (a list of texts per source), TSV (a line per source, a column per candidate),"
            " Moses' n-best format, or plain text with the same number of lines for each source.",
            "Input",
            is_argument=True,
            metavar="FILE",
            access="read",
            python="In Python also a list with a list of texts for each source.",
        ),
    ]
    _: KW_ONLY
    per_source: Annotated[
        int | None,
        Opt("Lines per source in plain text.", "Input", flags=("-k", "--per-source"), metavar="N", least=1),
    ] = None
    references: Annotated[
        FilePath | Sequence[Sequence[str]] | None,
        replace(
            REFERENCES,
            help="Pseudo-references in the same formats, such as samples from the model.",
            access="read",
            default="the candidates",
        ),
    ] = None
    source: Annotated[
        FilePath | Iterable[str] | None,
        replace(
            SOURCE,
            help="Source text, a line for each source, for metrics that read it.",
            access="read",
            python="In Python also a list of texts.",
        ),
    ] = None
    metric: Annotated[
        str,
        replace(
            METRIC,
            help="The utility: a metric with its options, or several, separated by commas. A metric that reads no references scores each candidate by itself.",
        ),
    ] = "chrf"
    combine: Annotated[
        Literal["rank", "z"],
        Opt(
            "How several metrics are combined: the mean of the ranks of a candidate (from 1, the best), or of its"
            " standardised utilities.",
            "Metrics",
        ),
    ] = "rank"
    sample: Annotated[
        int | None,
        Opt(
            "Compare with at most N pseudo-references of each source, drawn at random.",
            "Analysis",
            metavar="N",
            least=1,
        ),
    ] = None
    aggregate: Annotated[
        bool,
        Opt(
            "Compare with the average of the pseudo-references (chrf and bleu): much faster, nearly the same choice.",
            "Analysis",
        ),
    ] = False
    seed: Annotated[int, SEED] = DEFAULT_SEED
    resume: Annotated[
        FilePath | None,
        replace(
            RESUME,
            help="Keep finished sources in this file; the same command continues after an interruption.",
            metavar="FILE",
        ),
    ] = None
    keep_matrices: Annotated[
        bool,
        Opt("Keep the score of every pair in the result.", "Output", in_command=False),
    ] = False

    def __post_init__(self) -> None:
        super().__post_init__()
        check_given(self, "candidates")
        for name in ("candidates", "references"):
            groups = getattr(self, name)
            if groups is not None and not isinstance(groups, str | PathLike):
                object.__setattr__(self, name, tuple(_list_groups(groups, name)))
        if self.source is not None and not isinstance(self.source, str | PathLike):
            object.__setattr__(self, "source", tuple(list_items(self.source, "source")))
        if self.keep_matrices and (self.aggregate or self.resume):
            raise OptionError(
                "scores of pairs cannot be kept when references are averaged or a run is resumed"
            )

    @property
    def texts(self) -> CandidateTexts:
        return CandidateTexts(self.candidates, self.per_source, self.references, self.source)

    @property
    def decoding(self) -> Decoding:
        return Decoding(
            combine=self.combine,
            sample=self.sample,
            aggregate=self.aggregate,
            seed=self.seed,
            keep_matrices=self.keep_matrices,
        )

    def run(self) -> "MBRResult":
        metrics, texts = self._fit(), self.texts
        n_sources = sum(1 for _ in texts.groups())
        task = {} if self.resume is None else self.decoding.describe_task(metrics, texts)
        with open_engine(self.engine_choice) as engine:
            journal = ChoiceJournal.start(self.resume, task, texts.groups())
            batches = texts.batches(skipped=len(journal))
            for choices in compute_items(engine, self, partial(self._choose, metrics), batches):
                journal.append(choices)
                report_progress("choosing", len(journal), n_sources)
        return MBRResult.of(texts, journal.choices)

    def prepare(self) -> Callable[[Sequence[NumberedGroup]], list[Choice]]:
        """Return the function that chooses the candidates of a batch of sources."""
        return partial(self._choose, self._fit())

    def _choose(self, metrics: Sequence[Metric], batch: Sequence[NumberedGroup]) -> list[Choice]:
        with use_threads(self.threads):
            return self.decoding.choose(metrics, batch)

    def _fit(self) -> list[Metric]:
        metrics = _make_metrics(self.metric, self.resources, has_source=self.source is not None)
        for metric in metrics:
            if self.aggregate and not can_aggregate(metric):
                raise OptionError(f"{argument('aggregate')} works with chrf and bleu, not with {metric.name}")
        if self.keep_matrices and (len(metrics) > 1 or "references" not in metrics[0].reads):
            raise OptionError("scores of pairs can be kept for one metric that reads references")
        return [fit_references(metric, self.texts.groups()) for metric in metrics]


@record(eq=False)
class MBRResult(Result):
    """The chosen translations."""

    texts: list[str]
    """The chosen candidate of each source."""
    indices: list[int]
    """Its place among the candidates, from 0."""
    values: list[FloatArray]
    """The utility of every candidate of each source."""
    matrices: list[FloatArray]
    """The score of every candidate with every pseudo-reference, if they were kept."""

    @classmethod
    def of(cls, texts: CandidateTexts, choices: Sequence[Choice]) -> "MBRResult":
        chosen = zip(texts.groups(), choices, strict=True)
        return cls(
            texts=[group.candidates[index] for group, (index, _, _) in chosen],
            indices=[index for index, _, _ in choices],
            values=[values for _, values, _ in choices],
            matrices=[matrix for _, _, matrix in choices if matrix is not None],
        )

    @property
    def utilities(self) -> list[list[float]]:
        """The utility of every candidate of each source, as lists."""
        return [values.tolist() for values in self.values]

    def document(self) -> Document:
        rows = zip(self.texts, self.indices, self.values, strict=True)
        return describe_listing(
            "choices",
            [
                {"source": number, "candidate": index + 1, "utility": float(values[index]), "text": text}
                for number, (text, index, values) in enumerate(rows, start=1)
            ],
        )

    def lines(self) -> list[str]:
        """Return the chosen translations, one per line; raise if one of them has a line break."""
        for number, text in enumerate(self.texts, start=1):
            if "\n" in text or "\r" in text:
                raise InputError(
                    f"the translation of source {number:,} has a line break, which plain text cannot hold; "
                    f"use {argument('form', 'json')}"
                )
        return self.texts


def _list_groups(groups: object, name: str) -> Iterator[tuple[str, ...]]:
    """List the texts of each source; raise if one of them has none."""
    if isinstance(groups, bytes | Mapping):
        raise InputError(f"{name} must be a file or a list of lists of texts, not {describe_value(groups)}")
    for number, texts in enumerate(list_items(groups, name)):
        found = list_texts(texts, f"{name}[{number}]")
        if not found:
            raise InputError(f"{name}[{number}] is empty: each source needs at least one text")
        yield tuple(found)


def _make_metrics(labels: str, resources: ResourceChoice, *, has_source: bool) -> list[Metric]:
    made = MetricMaker(resources).make_all(split_labels((labels,)))
    available = available_texts(references=True, source=has_source)
    return [text.metric for text in match_texts(made, available)]


pairwise = function_of("pairwise", PairwiseRequest)
mbr = function_of("mbr", MBRRequest)
