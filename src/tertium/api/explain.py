"""Explain a segment's score: a hypothesis and references in, edits, alignments and matrices out."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from os import PathLike

from tertium.api.results import Shown
from tertium.catalog import LabelledMetric, MetricMaker, ResourceChoice, split_labels
from tertium.corpus import CorpusFiles
from tertium.errors import InputError, OptionError
from tertium.interfaces import WordVectors
from tertium.metrics.inputs import read_names
from tertium.report.charts.explanation import draw_explanation
from tertium.report.charts.matrix import draw_heatmap
from tertium.report.charts.model import Chart
from tertium.report.explanations import describe_explanations
from tertium.report.tables.model import Document
from tertium.text import References
from tertium.types import Corpus, Explanation

__all__ = ["ExplainRequest", "ExplainResult", "explain"]

DEFAULT_METRICS = ("invwer",)


@dataclass(frozen=True, kw_only=True)
class ExplainRequest:
    """Everything that `tertium explain` can be told; `segment` is counted from 1."""

    corpus: Corpus | CorpusFiles
    segment: int = 1
    metrics: tuple[str, ...] = DEFAULT_METRICS
    resources: ResourceChoice = field(default_factory=ResourceChoice)

    def run(self) -> "ExplainResult":
        """Explain the segment's score for every system under every metric."""
        metrics = MetricMaker(self.resources).make_all(split_labels(self.metrics))
        corpus = self.corpus if isinstance(self.corpus, Corpus) else self.corpus.read()
        if not 1 <= self.segment <= len(corpus):
            raise InputError(f"there is no segment {self.segment:,}: the files have {len(corpus):,}")
        systems = tuple(name for name in corpus.systems for _ in metrics)
        return ExplainResult(tuple(_explain(corpus, metrics, self.segment - 1)), systems)


@dataclass(frozen=True)
class ExplainResult(Shown):
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


def explain(
    hypothesis: str,
    references: str | Sequence[str],
    metrics: str | Sequence[str] = DEFAULT_METRICS,
    *,
    language: str | None = None,
    vectors: "str | PathLike[str] | WordVectors | None" = None,
    parser: str | None = None,
    trees: Sequence[str] = (),
    paraphrases: str | None = None,
    function_words: str | None = None,
) -> ExplainResult:
    """Explain why a hypothesis gets its score against one reference or several.

    Examples
    --------
    >>> print(explain("we meet at noon", "at noon we meet", "wer").explanations[0].score)
    100.0
    """
    given = [references] if isinstance(references, str) else list(references)
    request = ExplainRequest(
        corpus=Corpus([given], {"hypothesis": [hypothesis]}),
        metrics=read_names(metrics, "metrics"),
        resources=ResourceChoice(
            language=language,
            vectors=vectors,
            parser=parser,
            trees=tuple(trees),
            paraphrases=paraphrases,
            function_words=function_words,
        ),
    )
    return request.run()


def _explain(corpus: Corpus, metrics: Sequence[LabelledMetric], segment: int) -> Iterator[Explanation]:
    references = References(corpus.references)
    fitted = [each.metric.fit(references) for each in metrics]
    for texts in corpus.systems.values():
        for metric in fitted:
            yield metric.explain(texts[segment], corpus.references[segment])
