"""Explain a segment's score: a hypothesis and references in, edits, word alignments and matrices out."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, replace
from functools import partial
from typing import Annotated

import numpy as np

from tertium.arguments import describe_value
from tertium.catalog import LabelledMetric, MetricMaker, match_texts, split_labels
from tertium.commands.base.options import METRICS, ResourceOptions
from tertium.commands.base.request import Request, Strings, function_of
from tertium.commands.base.results import Result
from tertium.commands.base.text_options import HYPOTHESES, LINE, REFERENCES, SOURCE, InputFormatOptions
from tertium.commands.compare.explanation_chart import draw_explanation
from tertium.corpus import CorpusFiles
from tertium.corpus.texts.formats import use_input_format
from tertium.errors import InputError, OptionError, argument
from tertium.presentation.charts.matrix import draw_heatmap
from tertium.presentation.charts.model import Chart
from tertium.presentation.tables.fields import Field, make_records, select_fields
from tertium.presentation.tables.model import Cell, Column, Document, LazyRows, Line, Note, Table, prose_lines
from tertium.records import record
from tertium.text import References
from tertium.values import Corpus, Explanation, FloatArray, ReferenceStreams

DEFAULT_METRICS = ("invwer",)


@record
class ExplainRequest(ResourceOptions, InputFormatOptions, Request["ExplainResult"]):
    """Show why a segment gets its score: edits, word alignments, matrices.

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
        if isinstance(self.hypothesis, str) and self.input_format:
            text = f"{argument('input_format')} requires files: {argument('hypothesis', 'FILE')}"
            raise OptionError(text).about("input_format")
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


LARGEST_MAP = 60  # more rows or columns than a terminal shows

_SHADES = " ░▒▓█"
_LABEL_WIDTH = 12


def explain_in_words(explanation: Explanation, *, system: str = "") -> list[str]:
    """Describe the whole explanation line by line, with blank lines between its parts."""
    parts = [
        _describe_head(explanation, system),
        list(explanation.steps),
        _describe_links(explanation),
        *(_draw_matrix(explanation, *item) for item in explanation.matrices.items()),
        [*_describe_weights(explanation)],
        _describe_facts(explanation.facts),
    ]
    first, *rest = [part for part in parts if part]
    return [*first, *(line for part in rest for line in ("", *part))]


def axis_labels(words: Sequence[str], count: int) -> Sequence[str]:
    """Name the rows or columns of a matrix by their words, or by numbers if there are more or fewer words."""
    return words if len(words) == count else [str(number) for number in range(1, count + 1)]


def label_links(explanation: Explanation) -> list[tuple[str, str, str]]:
    """Name both ends of every link."""
    rows = explanation.rows or explanation.hypothesis
    columns = explanation.column_words
    return [(rows[i], columns[j], kind) for i, j, kind in explanation.links]


def format_fact(value: float | str) -> str:
    """Write a fact's value in up to six digits."""
    return value if isinstance(value, str) else f"{value:.6g}"


def _describe_head(explanation: Explanation, system: str) -> list[str]:
    return [
        f"{f'{system}: ' if system else ''}{explanation.metric} = {explanation.score:.2f}",
        *(f"  {name:10}  {' '.join(words)}" for name, words in explanation.texts.items()),
    ]


def _describe_links(explanation: Explanation) -> list[str]:
    """List the pairs of words, unless the steps already do."""
    if explanation.steps or not explanation.links:
        return []
    pairs = [(f"{row} – {column}", kind) for row, column, kind in label_links(explanation)]
    width = max(len(pair) for pair, _ in pairs)
    return [f"{pair:{width}}  {kind}".rstrip() for pair, kind in pairs]


def _draw_matrix(explanation: Explanation, name: str, matrix: FloatArray) -> list[str]:
    if max(matrix.shape, default=0) > LARGEST_MAP or matrix.ndim != 2:
        return [f"{name}: {' × '.join(map(str, matrix.shape))}, too large to draw here"]
    rows = axis_labels(explanation.rows or explanation.hypothesis, matrix.shape[0])
    columns = axis_labels(explanation.column_words, matrix.shape[1])
    largest = float(np.abs(matrix[np.isfinite(matrix)]).max(initial=0.0))
    lines = [f"{name} (█ = {largest:.3g})"]
    lines.append(" " * (_LABEL_WIDTH + 1) + "".join(f"{(j + 1) % 100:>2} " for j in range(len(columns))))
    for label, row in zip(rows, matrix, strict=True):
        cells = "".join(2 * _shade(float(value), largest) + " " for value in row)
        lines.append(f"{label[:_LABEL_WIDTH]:{_LABEL_WIDTH}} {cells}".rstrip())
    legend = ", ".join(f"{j} {label}" for j, label in enumerate(columns, start=1))
    return [*lines, f"columns: {legend}"]


def _shade(value: float, largest: float) -> str:
    if not np.isfinite(value):
        return "?"
    if largest == 0:
        return _SHADES[0]
    return _SHADES[round(abs(value) / largest * (len(_SHADES) - 1))]


def _describe_weights(explanation: Explanation) -> Iterator[str]:
    """List the weights of the rows and columns of the matrices."""
    for axis, words, weights in _axes(explanation):
        if weights:
            labels = axis_labels(words, len(weights))
            pairs = zip(labels, weights, strict=True)
            yield f"{axis} weights: " + ", ".join(f"{label} {weight:.4g}" for label, weight in pairs)


def _describe_facts(facts: Mapping[str, float | str]) -> list[str]:
    width = max(map(len, facts), default=0)
    return [f"{name.replace('_', ' '):{width}}  {format_fact(value)}" for name, value in facts.items()]


SCHEMA_VERSION = 1


@record
class ExplanationPart:
    """One number or text of an explanation; explanations, rows, columns and steps are counted from 1."""

    system: str
    explanation: int
    metric: str
    part: str
    name: str | None = None
    row: int | None = None
    column: int | None = None
    value: float | None = None
    text: str | None = None


_FIELDS: list[Field[ExplanationPart]] = [
    Field("system", request="systems"),
    Field("explanation", int),
    Field("metric"),
    Field("part"),
    Field("name"),
    Field("row", int),
    Field("column", int),
    Field("value", float),
    Field("text"),
]


def describe_explanations(explanations: Sequence[Explanation], *, systems: Sequence[str] = ()) -> Document:
    """Describe why pairs of texts got their scores.

    Parameters
    ----------
    systems
        The system of each explanation, if the names are to be shown.
    """
    if systems and len(systems) != len(explanations):
        raise InputError(f"{len(systems):,} names of systems for {len(explanations):,} explanations")
    names = systems or [""] * len(explanations)
    named = list(zip(names, explanations, strict=True))
    return Document(
        "explanations",
        lambda: [table for name, explanation in named for table in _tables(explanation, name)],
        lambda: make_records(
            select_fields(_FIELDS, ["systems"] if systems else []),
            LazyRows(lambda: (part for i, item in enumerate(named, start=1) for part in _parts(i, *item))),
        ),
        lambda: {
            "schema_version": SCHEMA_VERSION,
            "explanations": [_describe(explanation, name) for name, explanation in named],
        },
        make_prose=lambda: _prose(named),
    )


def _prose(named: Sequence[tuple[str, Explanation]]) -> list[Line]:
    lines: list[str] = []
    for name, explanation in named:
        lines += [*([""] if lines else []), *explain_in_words(explanation, system=name)]
    return prose_lines(lines)


def _tables(explanation: Explanation, system: str) -> Iterator[Table]:
    """Make a table of the two texts with the steps below, then tables of links, matrices, weights and facts."""
    title = f"{system}: {explanation.metric}" if system else explanation.metric
    large = [name for name, matrix in explanation.matrices.items() if not _can_show(matrix)]
    yield Table(
        [Column("side", "side", is_key=True), Column("text", "text")],
        [[Cell(side), Cell(" ".join(words))] for side, words in explanation.texts.items()],
        f"{title} = {explanation.score:.2f}",
        [*map(Note, explanation.steps), *(Note(f"{name}: too large to show here") for name in large)],
    )
    if explanation.links:
        columns = [
            Column("hypothesis", "hypothesis"),
            Column(*2 * (explanation.compared[0],)),
            Column("link", "link"),
        ]
        yield Table(columns, [list(map(Cell, link)) for link in label_links(explanation)], f"{title}: links")
    for name, matrix in explanation.matrices.items():
        if _can_show(matrix):
            yield _matrix_table(explanation, matrix, f"{title}: {name}")
    yield from _weight_tables(explanation, title)
    if explanation.facts:
        yield Table(
            [Column("fact", "fact", is_key=True), Column("value", "value", is_number=True)],
            [[Cell(name), Cell(format_fact(value), value)] for name, value in explanation.facts.items()],
            f"{title}: facts",
        )


def _can_show(matrix: FloatArray) -> bool:
    return matrix.ndim == 2 and max(matrix.shape) <= LARGEST_MAP


def _matrix_table(explanation: Explanation, matrix: FloatArray, title: str) -> Table:
    rows = axis_labels(explanation.rows or explanation.hypothesis, matrix.shape[0])
    columns = axis_labels(explanation.column_words, matrix.shape[1])
    return Table(
        [Column("", "", is_key=True), *(Column(label, label, is_number=True) for label in columns)],
        [
            [Cell(label), *(Cell(f"{value:.3g}", value) for value in row)]
            for label, row in zip(rows, matrix.tolist(), strict=True)
        ],
        title,
    )


def _weight_tables(explanation: Explanation, title: str) -> Iterator[Table]:
    for axis, words, weights in _axes(explanation):
        if weights:
            labels = axis_labels(words, len(weights))
            yield Table(
                [Column(axis, axis, is_key=True), Column("weight", "weight", is_number=True)],
                [[Cell(label), Cell(f"{w:.4g}", w)] for label, w in zip(labels, weights, strict=True)],
                f"{title}: {axis} weights",
            )


def _axes(explanation: Explanation) -> tuple[tuple[str, Sequence[str], Sequence[float]], ...]:
    return (
        ("row", explanation.rows or explanation.hypothesis, explanation.row_weights),
        ("column", explanation.column_words, explanation.column_weights),
    )


def _parts(number: int, system: str, explanation: Explanation) -> Iterator[ExplanationPart]:
    make = partial(ExplanationPart, system, number, explanation.metric)
    yield make("score", value=explanation.score)
    for part, texts in {**explanation.texts, "step": explanation.steps}.items():
        for i, text in enumerate(texts, start=1):
            yield make(part, row=i, text=text)
    for i, j, kind in explanation.links:
        yield make("link", row=i + 1, column=j + 1, text=kind)
    for axis, words, weights in _axes(explanation):
        labels = axis_labels(words, len(weights))
        for i, (label, weight) in enumerate(zip(labels, weights, strict=True), start=1):
            row, column = (i, None) if axis == "row" else (None, i)
            yield make("weight", axis, row, column, weight, label)
    for name, matrix in explanation.matrices.items():
        if matrix.ndim == 2:
            for (i, j), value in np.ndenumerate(matrix):
                yield make("matrix", name, i + 1, j + 1, float(value))
    for name, fact in explanation.facts.items():
        yield make("fact", name, **({"text": fact} if isinstance(fact, str) else {"value": float(fact)}))


def _describe(explanation: Explanation, system: str) -> dict[str, object]:
    ngrams = [{"kind": kind, "places": list(at), "earned": value} for kind, at, value in explanation.ngrams]
    tree = {"heads": list(explanation.heads), "ngrams": ngrams} if explanation.heads else {}
    return {
        **({"system": system} if system else {}),
        "metric": explanation.metric,
        "score": explanation.score,
        "hypothesis": list(explanation.hypothesis),
        "reference": list(explanation.reference),
        **({"source": list(explanation.source)} if "source" in explanation.reads else {}),
        "steps": list(explanation.steps),
        "links": [list(link) for link in explanation.links],
        "rows": list(explanation.rows),
        "columns": list(explanation.columns),
        "row_weights": list(explanation.row_weights),
        "column_weights": list(explanation.column_weights),
        "matrices": {name: matrix.tolist() for name, matrix in explanation.matrices.items()},
        "facts": dict(explanation.facts),
        **tree,
    }


explain = function_of("explain", ExplainRequest)
