"""Compare systems: which is better, how certain that is, and on which segments and words they differ."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, field, replace
from functools import cached_property
from typing import Annotated, Literal

import numpy as np
import numpy.typing as npt

from tertium.catalog import ResourceChoice, find_metric, parse_label, split_labels
from tertium.catalog.building import load_default_parser
from tertium.commands.base.annotations import AnnotationOptions
from tertium.commands.base.options import BY, N_SHOWN, TABLE
from tertium.commands.base.request import FilePath, Request, Strings, function_of
from tertium.commands.base.results import Result
from tertium.commands.base.scored_inputs import (
    ScoredInput,
    ScoredInputOptions,
    ScoredInputs,
    check_column,
    list_inputs,
)
from tertium.commands.base.text_options import INPUTS, LINE, SYSTEMS
from tertium.commands.compare.differences_tables import describe_differences, describe_table
from tertium.commands.compare.systems_tables import MANY_TABLES, LabelTable, describe_many
from tertium.declarations import Opt
from tertium.diagnosis.languages import Need, check_resources_fit
from tertium.errors import InputError, OptionError, ResourceError, UnknownNameError, argument, suggest
from tertium.evaluation import Evaluation
from tertium.evaluation.comparison import Comparison
from tertium.evaluation.comparison import compare as compare_systems
from tertium.evaluation.differences import (
    LENGTH_EDGES,
    Bucket,
    Difference,
    bucket_by_number,
    compare_buckets,
    compare_two,
    find_disagreements,
    measure_segment_gains,
    rows_of_values,
)
from tertium.evaluation.gaps import describe_gaps, keep_common
from tertium.evaluation.labels import (
    ReferenceWords,
    compare_segment_groups,
    compare_word_groups,
    group_by_source_word,
    label_by_frequency,
)
from tertium.evaluation.selection import select_systems
from tertium.evaluation.text_differences import (
    EditCounts,
    FrequencyRow,
    NgramGain,
    count_needed_edits,
    count_ngram_gains,
    recall_by_frequency,
)
from tertium.interfaces import Trees, known_languages
from tertium.metrics.lexical.invwer import InvWER
from tertium.presentation.segment_tables import describe_shown_segments
from tertium.presentation.tables.model import Document
from tertium.records import record
from tertium.resources.word_lists import load_frequencies
from tertium.stats.analysis import Analysis
from tertium.text.detection import TextLanguage
from tertium.text.tokenizers import mean_lengths
from tertium.values import Corpus, FloatArray

DifferenceTable = Literal[
    "scores", "segments", "ngrams", "words", "edits", "kinds", "disagreements", "labels"
]


@record
class CompareRequest(AnnotationOptions, ScoredInputOptions, Request["CompareResult"]):
    """Show where systems differ: scores, decisive segments, n-grams, kinds of segments and words.

    The inputs are outputs (with references) or runs that `tertium score --save` wrote. Two systems are compared in every
    detail; of more systems, all pairs are tested in every group of segments and words, and letters show the result.
    """

    inputs: Annotated[
        ScoredInput | Sequence[ScoredInput],
        replace(INPUTS, help="Outputs or runs.", metavar="A B"),
    ]
    second: Annotated[
        ScoredInput | None,
        Opt("The second output or run, if the first argument is a single one.", "Input", in_command=False),
    ] = None
    _: KW_ONLY
    systems: Annotated[Strings, replace(SYSTEMS, default="all")] = ()
    by: Annotated[
        Strings,
        replace(BY, help="Also compare on each value of a column."),
    ] = ()
    frequencies: Annotated[
        FilePath | None,
        Opt(
            "Also compare the recall of words by their frequency in a training corpus: a text, or a word, a tab and its"
            " count on each line.",
            "Analysis",
            metavar="FILE",
        ),
    ] = None
    parts_of_speech: Annotated[
        bool,
        Opt(
            "Also compare the recall of words by part of speech: English with the tagger in the package, other languages"
            " with a parser or with the trees of the references.",
            "Analysis",
            flags=("--pos",),
        ),
    ] = False
    source_words: Annotated[
        bool,
        Opt("Also compare on the segments that have a word in the source, for frequent words.", "Analysis"),
    ] = False
    n: Annotated[
        int,
        replace(N_SHOWN, help="Number of segments of each kind to show."),
    ] = 5
    line: Annotated[
        int | None,
        replace(
            LINE,
            help="Show only this segment, counted from 1: its scores, and its texts word by word.",
            group="Output",
        ),
    ] = None
    table: Annotated[
        DifferenceTable | None,
        replace(TABLE, help="Show only this table, also as CSV and TSV.", default="all"),
    ] = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.human and self.line is None:
            raise OptionError(f"{argument('human')} requires {argument('line', 'N')}")
        of_tables = {"n": self.n != type(self).n, "table": self.table is not None}
        for name, is_given in of_tables.items():
            if is_given and self.line is not None:
                text = f"{argument('line')} shows one segment; leave out {argument(name)}"
                raise OptionError(text).about(name)

    def run(self) -> "CompareResult":
        counts = None if self.frequencies is None else load_frequencies(str(self.frequencies))
        scored = self.load(list_inputs(self.inputs, self.second))
        chosen = choose_systems(scored, tuple(self.systems))
        for name in self.by:
            check_column(name, scored.columns)
        self._check_labels(scored)
        if self.line is not None and self.line > scored.evaluation.n_segments:
            raise InputError(
                f"there is no segment {self.line:,}: the texts have {scored.evaluation.n_segments:,}"
            )
        if len(chosen) == 2:
            return CompareResult(self, scored, chosen[0], chosen[1], counts)
        if self.line is not None:
            raise OptionError(
                f"{argument('line')} shows two systems: name them with {argument('systems', 'A B')}"
            )
        if self.table is not None and self.table not in MANY_TABLES:
            raise OptionError(
                f"{argument('table', self.table)} compares two systems, not {len(chosen)}: name them with"
                f" {argument('systems', 'A B')}, or choose from {', '.join(MANY_TABLES)}"
            )
        evaluation = keep_common(select_systems(scored.evaluation, chosen))
        return CompareManyResult(self, scored, *find_best_two(evaluation), counts, chosen)

    def _check_labels(self, scored: ScoredInputs) -> None:
        """Raise if a text that a label needs is missing."""
        corpus = scored.corpus
        if (self.frequencies or self.parts_of_speech) and (corpus is None or not corpus.has_references):
            option = argument("frequencies") if self.frequencies else argument("parts_of_speech")
            raise OptionError(f"{option} reads references: give them with {argument('references', 'FILE')}")
        if self.source_words and (corpus is None or corpus.sources is None):
            raise OptionError(
                f"{argument('source_words')} reads the source: give it with {argument('source', 'FILE')}"
            )

    @property
    def resources(self) -> ResourceChoice:
        """The resources of the metrics: a parser or trees only if a metric uses them."""
        chosen = super().resources
        labels = split_labels(tuple(self.metrics)) if self.metrics else []
        if not self.parts_of_speech or any(_uses_trees(label) for label in labels):
            return chosen
        return replace(chosen, parser=None, trees=())

    def tag(self, words: ReferenceWords, references: Sequence[str]) -> tuple[list[str], list[str]]:
        """Return the part of speech of each word, and the warnings of the parser."""
        chosen = super().resources
        provider = chosen.providers().get(Trees)
        trees: Trees = load_default_parser(chosen.target) if provider is None else provider()
        option = f"{argument('parser', 'MODEL')} or {argument('trees', 'FILE')}"
        need = Need(argument("parts_of_speech"), "syntax", known_languages(trees), option)
        misfits = check_resources_fit(TextLanguage(references).guess, chosen.target, [need])
        for misfit in misfits:
            if misfit.severity == "error":
                raise ResourceError(misfit.message)
        tags = trees.match_to(words.tokens).parse(words.tokens).tags
        return list(tags), [misfit.message for misfit in misfits]


def _uses_trees(label: str) -> bool:
    cls = find_metric(parse_label(label).name)
    return any(option.name == "trees" for option in cls.options())


def choose_systems(scored: ScoredInputs, systems: Sequence[str]) -> tuple[str, ...]:
    """Return the named systems, or all; raise if there are fewer than two."""
    known = scored.evaluation.systems
    for name in systems:
        if name not in known:
            raise UnknownNameError(f"no system {name!r}; {suggest(name, known)}")
    chosen = tuple(systems) or known
    if len(chosen) < 2:
        raise OptionError(
            f"two systems or more are compared, not {len(chosen)}; there are {', '.join(known)}"
        )
    if len(set(chosen)) < len(chosen):
        repeated = next(name for name in chosen if chosen.count(name) > 1)
        raise OptionError(f"{repeated!r} is compared with itself; name different systems")
    return chosen


def find_best_two(evaluation: Evaluation) -> tuple[str, str]:
    """Return the second best and the best system under the first metric."""
    metric = evaluation.metrics[0]
    sign = 1.0 if metric.metric.higher_is_better else -1.0
    scores = dict(zip(evaluation.systems, sign * evaluation.system_scores(metric.label), strict=True))
    *_, second, best = sorted(scores, key=lambda name: float(scores[name]))
    return second, best


def compare_labels(
    request: CompareRequest, scored: ScoredInputs, systems: tuple[str, ...], counts: Counter[str] | None
) -> tuple[list[LabelTable], list[str]]:
    """Compare systems by source words, and on words of the references by their labels; also return warnings."""
    analysis, corpus = request.analysis, scored.corpus
    evaluation = keep_common(select_systems(scored.evaluation, systems))
    tables: list[LabelTable] = []
    if request.source_words and corpus is not None and corpus.sources is not None:
        groups = group_by_source_word(corpus.sources)
        for metric in evaluation.metrics:
            rows = compare_segment_groups(evaluation, metric.label, "source word", groups, analysis)
            ranked = sorted(rows, key=lambda row: 2.0 if row.p_value is None else row.p_value)
            title = f"{metric.title} by source word ({len(rows)} words tested)"
            tables.append(LabelTable(title, "segments", ranked[: 2 * request.n]))
    if corpus is None or not corpus.has_references or not (counts or request.parts_of_speech):
        return tables, []
    words, warnings = ReferenceWords.of(corpus, systems, evaluation.units), list[str]()
    if counts is not None:
        labels, order = label_by_frequency(words.words(), counts)
        rows = compare_word_groups(words, "frequency", labels, order, analysis)
        tables.append(
            LabelTable("recall of the references' words, by their frequency in training", "words", rows)
        )
    if request.parts_of_speech:
        tags, warnings = request.tag(words, [group[0] for group in corpus.references])
        order = [tag for tag, _ in Counter(tags).most_common()]
        rows = compare_word_groups(words, "part of speech", tags, order, analysis)
        tables.append(LabelTable("recall of the references' words, by part of speech", "words", rows))
    return tables, warnings


def segment_kinds(scored: ScoredInputs, by: Sequence[str]) -> dict[str, Mapping[str, npt.NDArray[np.intp]]]:
    """Group the segments by length, by difficulty for all systems, and by the values of columns."""
    kinds: dict[str, Mapping[str, npt.NDArray[np.intp]]] = {}
    if scored.corpus is not None:
        kinds["length"] = bucket_by_number(mean_lengths(scored.corpus.measured_texts), LENGTH_EDGES)
    difficulty = measure_difficulty(scored.evaluation)
    edges = np.unique(np.quantile(difficulty, [0.25, 0.5, 0.75]))
    ranges = bucket_by_number(difficulty, edges.tolist())
    names = ["hardest quarter", "second quarter", "third quarter", "easiest quarter"]
    if len(ranges) == len(names):
        kinds["difficulty"] = dict(zip(names, ranges.values(), strict=True))
    return kinds | {name: rows_of_values(scored.columns[name], column=name) for name in by}


def measure_difficulty(evaluation: Evaluation) -> FloatArray:
    """Measure how easy each segment is: the mean of all systems' standardised scores under all metrics."""
    rows = []
    for metric in evaluation.metrics:
        scores = _mean_of_known(evaluation.segment_scores(metric.label))
        sign = 1.0 if metric.metric.higher_is_better else -1.0
        rows.append(sign * (scores - np.nanmean(scores)) / (np.nanstd(scores) or 1.0))
    return np.nan_to_num(_mean_of_known(np.array(rows)))


@record(eq=False)
class CompareResult(Result):
    """How the second system differs from the first."""

    request: CompareRequest
    scored: ScoredInputs = field(repr=False)
    first: str
    second: str
    counts: Counter[str] | None = field(default=None, repr=False)
    """The frequencies of words in training."""

    @property
    def evaluation(self) -> Evaluation:
        """The statistics of all systems."""
        return self.scored.evaluation

    @property
    def corpus(self) -> Corpus | None:
        """The texts, if the inputs have them."""
        return self.scored.corpus

    @property
    def gaps(self) -> list[str]:
        """The systems that lack scores, and the number of segments on which both are compared."""
        return describe_gaps(select_systems(self.evaluation, (self.first, self.second)))

    @property
    def table_notes(self) -> list[str]:
        """The notes below the tables."""
        return [*self.scored.notes, *self.gaps, *self.labels[1]]

    @cached_property
    def analysis(self) -> Analysis:
        """The tests of two systems, with the units that they resample."""
        return self.evaluation.units.complete(self.request.analysis, 2)

    @property
    def n_units(self) -> int:
        """The number of units that are resampled."""
        return self.evaluation.units.count(self.evaluation.n_segments)

    @cached_property
    def differences(self) -> tuple[Difference, ...]:
        """The difference according to each metric."""
        return tuple(compare_two(self.evaluation, self.first, self.second, self.request.analysis))

    @cached_property
    def buckets(self) -> dict[str, list[Bucket]]:
        """For each metric, how the systems differ on kinds of segments."""
        kinds = segment_kinds(self.scored, self.request.by)
        return {
            metric.label: [
                bucket
                for kind, rows in kinds.items()
                for bucket in compare_buckets(
                    self.evaluation,
                    metric.label,
                    self.first,
                    self.second,
                    kind=kind,
                    buckets=rows,
                    analysis=self.request.analysis,
                )
            ]
            for metric in self.evaluation.metrics
        }

    @cached_property
    def difficulty(self) -> FloatArray:
        """How easy each segment is: the mean of all systems' standardised scores under all metrics."""
        return measure_difficulty(self.evaluation)

    @cached_property
    def labels(self) -> tuple[list[LabelTable], list[str]]:
        """The systems by source words, and on words by frequency and part of speech; and warnings."""
        return compare_labels(self.request, self.scored, (self.first, self.second), self.counts)

    @cached_property
    def ngrams(self) -> tuple[list[NgramGain], list[NgramGain]]:
        """N-grams that the second system gets right more often, and those that the first does."""
        if self.corpus is None or not self.corpus.has_references:
            return [], []
        return count_ngram_gains(self.corpus, self.first, self.second, most=self.request.n * 2)

    @cached_property
    def words(self) -> list[FrequencyRow]:
        """The share of the references' words that each system has, by their frequency."""
        if self.corpus is None or not self.corpus.has_references:
            return []
        return recall_by_frequency(self.corpus, self.first, self.second)

    @cached_property
    def edits(self) -> dict[str, EditCounts]:
        """The edits of each kind that each system's outputs need; inversions where `invwer` is a metric."""
        corpus = self.corpus
        if corpus is None or not corpus.has_references:
            return {}
        asks = any(isinstance(metric.metric, InvWER) for metric in self.evaluation.metrics)
        return {
            name: count_needed_edits(corpus, name, counts_inversions=asks)
            for name in (self.first, self.second)
        }

    @cached_property
    def segment_gains(self) -> dict[str, FloatArray]:
        """By how much the second system is better on each segment, for each metric."""
        return measure_segment_gains(self.evaluation, self.first, self.second)

    @cached_property
    def disagreements(self) -> FloatArray:
        """Per segment, how far metrics disagree about the winner."""
        return find_disagreements(list(self.segment_gains.values()))

    def __repr__(self) -> str:
        return f"<CompareResult: {self.first} and {self.second}, {len(self.differences)} metrics>"

    def document(self) -> Document:
        table = self.request.table
        if self.request.line is not None:
            return self.segment(self.request.line)
        return describe_differences(self) if table is None else describe_table(self, table)

    def segment(self, number: int) -> Document:
        """Describe one segment, counted from 1: the scores and texts of both systems."""
        from tertium.commands.compare.segments import make_shown_segment

        note = f"signed numbers: {self.second} compared with {self.first}; positive where {self.second} is better"
        annotations = self.request.read_annotations(self.scored)
        shown = make_shown_segment(self.scored, number - 1, (self.first, self.second), annotations)
        return describe_shown_segments([shown], self.evaluation.metrics, [note])


@record(eq=False)
class CompareManyResult(CompareResult):
    """How three or more systems differ; `first` and `second` are the two best under the first metric."""

    systems: tuple[str, ...] = ()

    @cached_property
    def evaluation(self) -> Evaluation:
        """The statistics of the compared systems, on the segments that all of them have a score for."""
        return keep_common(select_systems(self.scored.evaluation, self.systems))

    @property
    def gaps(self) -> list[str]:
        """The systems that lack scores, and the number of segments on which all are compared."""
        return describe_gaps(select_systems(self.scored.evaluation, self.systems))

    @cached_property
    def comparison(self) -> Comparison:
        """The tests of all pairs of systems."""
        return compare_systems(self.evaluation, self.request.analysis)

    @cached_property
    def labels(self) -> tuple[list[LabelTable], list[str]]:
        """The systems on groups of segments and words; and warnings."""
        kinds, analysis = segment_kinds(self.scored, self.request.by), self.request.analysis
        tables = [
            LabelTable(
                f"{metric.title} by {kind}",
                "segments",
                compare_segment_groups(self.evaluation, metric.label, kind, groups, analysis),
            )
            for metric in self.evaluation.metrics
            for kind, groups in kinds.items()
        ]
        words, warnings = compare_labels(self.request, self.scored, self.systems, self.counts)
        return [*tables, *words], warnings

    @cached_property
    def edits(self) -> dict[str, EditCounts]:
        """The edits of each kind that each system's outputs need."""
        corpus = self.corpus
        if corpus is None or not corpus.has_references:
            return {}
        return {name: count_needed_edits(corpus, name) for name in self.systems}

    def __repr__(self) -> str:
        return f"<CompareManyResult: {', '.join(self.systems)}>"

    @property
    def table_notes(self) -> list[str]:
        untested = self.comparison.untested
        return [*self.scored.notes, *self.gaps, *([untested] if untested else []), *self.labels[1]]

    @cached_property
    def first_scores(self) -> FloatArray:
        """The segment scores under the first metric (systems, segments)."""
        return self.evaluation.segment_scores(self.evaluation.labels[0])

    def document(self) -> Document:
        return describe_many(self, self.request.table)


def _mean_of_known(rows: FloatArray) -> FloatArray:
    """Compute the mean of each column over the rows that have a value there; NaN if none has."""
    known = np.isfinite(rows)
    counts = known.sum(axis=0)
    sums = np.where(known, rows, 0.0).sum(axis=0)
    return np.where(counts > 0, sums / np.maximum(counts, 1), np.nan)


compare = function_of("compare", CompareRequest)
