"""Explain a segment's score: a hypothesis and references in, edits, alignments and matrices out."""

from collections.abc import Iterator, Sequence
from dataclasses import KW_ONLY, replace
from typing import Annotated

from tertium.arguments import describe_value
from tertium.catalog import LabelledMetric, MetricMaker, match_texts, split_labels
from tertium.commands.base.options import METRICS, ResourceOptions
from tertium.commands.base.request import Request, Strings, function_of
from tertium.commands.base.results import Result
from tertium.commands.base.text_options import HYPOTHESES, LINE, REFERENCES, SOURCE, InputFormatOptions
from tertium.commands.compare.explanation_chart import draw_explanation
from tertium.commands.compare.explanation_tables import describe_explanations
from tertium.corpus import CorpusFiles
from tertium.corpus.texts.formats import use_input_format
from tertium.errors import InputError, OptionError, argument
from tertium.presentation.charts.matrix import draw_heatmap
from tertium.presentation.charts.model import Chart
from tertium.presentation.tables.model import Document
from tertium.records import record
from tertium.text import References
from tertium.values import Corpus, Explanation, ReferenceStreams

DEFAULT_METRICS = ("invwer",)


@record
class ExplainRequest(ResourceOptions, InputFormatOptions, Request["ExplainResult"]):
    """Show why a segment gets its score: edits, alignments, matrices.

    Examples
    --------
    >>> print(explain("we meet at noon", "at noon we meet", "wer").explanations[0].score)
    100.0
    """

    hypothesis: Annotated[
        str | Corpus | CorpusFiles | None,
        replace(
            HYPOTHESES,
            help="Outputs of systems in files, instead of a hypothesis on the command line.",
            is_many=True,
            python="In Python the hypothesis itself, or a corpus.",
        ),
    ] = None
    references: Annotated[
        Strings,
        replace(
            REFERENCES,
            help="Reference files; metrics that read only the source need none.",
        ),
    ] = ()
    metrics: Annotated[
        Strings,
        replace(
            METRICS,
            help="Metrics with options: -m wer,invwer:inversion=0.5.",
            flags=("-m", "--metric", "--metrics"),
            is_single=True,
        ),
    ] = DEFAULT_METRICS
    _: KW_ONLY
    source: Annotated[
        str | None,
        replace(
            SOURCE,
            help="Source text, for metrics that read it: a file, or the text itself beside a hypothesis on the command line.",
            python="In Python the text itself.",
        ),
    ] = None
    line: Annotated[
        int | None,
        replace(LINE, help="The segment of the files, counted from 1.", flags=("-n", "--line")),
    ] = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.hypothesis is None:  # an empty text is a hypothesis
            raise OptionError(f"{argument('hypothesis')} is missing")
        if not isinstance(self.hypothesis, str | Corpus | CorpusFiles):
            raise InputError(
                f"{argument('hypothesis')} must be a text or a corpus, not {describe_value(self.hypothesis)}"
            )

    def run(self) -> "ExplainResult":
        metrics = MetricMaker(self.resources).make_all(split_labels(tuple(self.metrics)))
        corpus = self._read()
        metrics = match_texts(metrics, corpus.available)
        line = self.line or 1
        if line > len(corpus):
            raise InputError(f"there is no segment {line:,}: the files have {len(corpus):,}")
        systems = tuple(name for name in corpus.systems for _ in metrics)
        return ExplainResult(tuple(_explain(corpus, metrics, line - 1)), systems)

    def _read(self) -> Corpus:
        if isinstance(self.hypothesis, CorpusFiles):
            with use_input_format(self.input_format):
                return self.hypothesis.read()
        if isinstance(self.hypothesis, Corpus):
            return self.hypothesis
        source = None if self.source is None else [self.source]
        group = tuple(self.references)
        references = [group] if group else ReferenceStreams([], n_segments=1)
        return Corpus(references, {"hypothesis": [self.hypothesis or ""]}, sources=source)


@record
class ExplainResult(Result):
    """An explanation for each system and metric, in this order."""

    explanations: tuple[Explanation, ...]
    systems: tuple[str, ...]
    """The system of each explanation."""

    def __iter__(self) -> Iterator[Explanation]:
        return iter(self.explanations)

    def __len__(self) -> int:
        return len(self.explanations)

    @property
    def only(self) -> Explanation:
        """The explanation, where there is just one."""
        if len(self.explanations) != 1:
            raise OptionError(
                f"a picture shows one metric and one system, not {len(self.explanations)} together"
            )
        return self.explanations[0]

    def heatmap(self, matrix: str | None = None) -> Chart:
        """Draw a matrix of the only explanation; the first one by default."""
        return draw_heatmap(self.only, matrix)

    def picture(self) -> Chart:
        """Draw the only explanation: a heat map, a tree, or lines between the words of both texts."""
        return draw_explanation(self.only)

    def document(self) -> Document:
        named = self.systems if len(set(self.systems)) > 1 else ()
        return describe_explanations(self.explanations, systems=named)


def _explain(corpus: Corpus, metrics: Sequence[LabelledMetric], segment: int) -> Iterator[Explanation]:
    references = References(corpus.references)
    fitted = [metric.metric.fit(references) for metric in metrics]
    for texts in corpus.systems.values():
        for metric in fitted:
            source = None if corpus.sources is None else corpus.sources[segment]
            yield metric.explain_segment(texts[segment], corpus.references[segment], source)


explain = function_of("explain", ExplainRequest)
