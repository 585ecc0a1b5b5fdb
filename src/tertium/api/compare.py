"""Compare two systems: which is better, how certain that is, and on which segments and words they differ."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, field
from functools import cached_property
from os import PathLike
from typing import Annotated, Literal

import numpy as np
import numpy.typing as npt

from tertium.api.annotations import AnnotationOptions
from tertium.api.command import Opt, Request, Strings, function_of
from tertium.api.inputs import ScoredInput, ScoredInputOptions, ScoredInputs, check_column
from tertium.api.results import Result
from tertium.api.scores import SetScores, SystemScores
from tertium.errors import InputError, OptionError, UnknownNameError, argument, suggest
from tertium.evaluation import Evaluation
from tertium.evaluation.differences import (
    Bucket,
    Difference,
    bucket_by_number,
    compare_buckets,
    compare_two,
    find_disagreements,
    measure_segment_gains,
    rows_of_values,
)
from tertium.evaluation.text_differences import (
    EditCounts,
    FrequencyRow,
    NgramGain,
    count_needed_edits,
    count_ngram_gains,
    recall_by_frequency,
)
from tertium.metrics.lexical.invwer import InvWER
from tertium.records import record
from tertium.reporting.differences import SystemComparison, describe_differences, describe_table
from tertium.reporting.segments import describe_shown_segments
from tertium.reporting.tables.model import Document
from tertium.text.lengths import mean_lengths
from tertium.types import Corpus, FloatArray

DifferenceTable = Literal["scores", "segments", "ngrams", "words", "edits", "kinds", "disagreements"]

_LENGTHS = (10, 20, 30, 40)


@record
class CompareRequest(AnnotationOptions, ScoredInputOptions, Request["CompareResult"]):
    """Show where two systems differ: scores, decisive segments, n-grams, kinds of segments.

    The inputs are outputs (with references) or runs that `tertium score --save` wrote.
    """

    inputs: Annotated[
        ScoredInput | Sequence[ScoredInput],
        Opt(
            "Outputs or runs.",
            "Input",
            is_argument=True,
            metavar="A B",
            is_many=True,
            python="In Python also results of `score` and `open_run`.",
        ),
    ]
    second: Annotated[
        ScoredInput | None,
        Opt("The second output or run, if the first argument is a single one.", "Input", in_command=False),
    ] = None
    _: KW_ONLY
    systems: Annotated[
        Strings, Opt("The two systems, if the inputs contain more: --systems A B.", "Input", metavar="NAME")
    ] = ()
    by: Annotated[
        Strings,
        Opt("Also compare on each value of a column.", "Analysis", metavar="COLUMN", completes="columns"),
    ] = ()
    n: Annotated[
        int,
        Opt(
            "Number of segments of each kind to show.", "Output", flags=("-n", "--show"), metavar="N", least=1
        ),
    ] = 5
    line: Annotated[
        int | None,
        Opt(
            "Show only this segment, counted from 1: its scores, and its texts word by word.",
            "Output",
            metavar="N",
            least=1,
        ),
    ] = None
    table: Annotated[
        DifferenceTable | None,
        Opt("Show only this table, also as CSV and TSV.", "Output", flags=("-t", "--table"), default="all"),
    ] = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.human and self.line is None:
            raise OptionError(f"{argument('human')} requires {argument('line', 'N')}")

    def run(self) -> "CompareResult":
        scored = self.load(list_inputs(self.inputs, self.second))
        first, second = choose_two(scored, tuple(self.systems))
        for name in self.by:
            check_column(name, scored.columns)
        if self.line is not None and self.line > scored.evaluation.n_segments:
            raise InputError(
                f"there is no segment {self.line:,}: the texts have {scored.evaluation.n_segments:,}"
            )
        return CompareResult(self, scored, first, second)


def list_inputs(*given: ScoredInput | Sequence[ScoredInput] | None) -> list[ScoredInput]:
    """List inputs that were given one by one or as lists."""
    listed: list[ScoredInput] = []
    for each in given:
        if each is not None:
            is_one = isinstance(each, str | PathLike | SystemScores | SetScores | Mapping) or hasattr(
                each, "columns"
            )
            if not (is_one or isinstance(each, Iterable)):
                raise InputError(f"inputs are runs, results, files or texts by system, not {each!r}")
            listed.extend([each] if is_one else each)  # type: ignore[list-item, arg-type]
    return listed


def choose_two(scored: ScoredInputs, systems: Sequence[str]) -> tuple[str, str]:
    """Return the two named systems, or the only two there are."""
    known = scored.evaluation.systems
    for name in systems:
        if name not in known:
            raise UnknownNameError(f"no system {name!r}; {suggest(name, known)}")
    chosen = tuple(systems) or known
    if len(chosen) != 2:
        raise OptionError(
            f"two systems are compared, not {len(chosen)}: name them with {argument('systems', 'A B')};"
            f" there are {', '.join(known)}"
        )
    return chosen[0], chosen[1]


@record(eq=False)
class CompareResult(Result):
    """How the second system differs from the first."""

    request: CompareRequest
    scored: ScoredInputs = field(repr=False)
    first: str
    second: str

    @property
    def evaluation(self) -> Evaluation:
        """The statistics of all systems."""
        return self.scored.evaluation

    @property
    def corpus(self) -> Corpus | None:
        """The texts, if the inputs have them."""
        return self.scored.corpus

    @cached_property
    def differences(self) -> tuple[Difference, ...]:
        """The difference according to each metric."""
        return tuple(compare_two(self.evaluation, self.first, self.second, self.request.analysis))

    @cached_property
    def buckets(self) -> dict[str, list[Bucket]]:
        """For each metric, how the systems differ on kinds of segments."""
        kinds = self._kinds()
        return {
            each.label: [
                bucket
                for kind, rows in kinds.items()
                for bucket in compare_buckets(
                    self.evaluation,
                    each.label,
                    self.first,
                    self.second,
                    kind=kind,
                    buckets=rows,
                    analysis=self.request.analysis,
                )
            ]
            for each in self.evaluation.metrics
        }

    def _kinds(self) -> dict[str, Mapping[str, npt.NDArray[np.intp]]]:
        kinds: dict[str, Mapping[str, npt.NDArray[np.intp]]] = {}
        if self.corpus is not None:
            kinds["length"] = bucket_by_number(mean_lengths(self.corpus.measured_texts), _LENGTHS)
        difficulty = self.difficulty
        edges = np.unique(np.quantile(difficulty, [0.25, 0.5, 0.75]))
        ranges = bucket_by_number(difficulty, edges.tolist())
        names = ["hardest quarter", "second quarter", "third quarter", "easiest quarter"]
        if len(ranges) == len(names):
            kinds["difficulty"] = dict(zip(names, ranges.values(), strict=True))
        for name in self.request.by:
            kinds[name] = rows_of_values(self.scored.columns[name], column=name)
        return kinds

    @cached_property
    def difficulty(self) -> FloatArray:
        """How easy each segment is: the mean of all systems' standardised scores under all metrics."""
        rows = []
        for each in self.evaluation.metrics:
            scores = _mean_of_known(self.evaluation.segment_scores(each.label))
            sign = 1.0 if each.metric.higher_is_better else -1.0
            rows.append(sign * (scores - np.nanmean(scores)) / (np.nanstd(scores) or 1.0))
        return np.nan_to_num(_mean_of_known(np.array(rows)))

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
        asks = any(isinstance(each.metric, InvWER) for each in self.evaluation.metrics)
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
        return (
            describe_differences(self._gather()) if table is None else describe_table(self._gather(), table)
        )

    def segment(self, number: int) -> Document:
        """Describe one segment, counted from 1: the scores and texts of both systems."""
        from tertium.api.segments import make_shown_segment

        note = f"signed numbers: {self.second} compared with {self.first}; positive where {self.second} is better"
        annotations = self.request.read_annotations(self.scored)
        shown = make_shown_segment(self.scored, number - 1, (self.first, self.second), annotations)
        return describe_shown_segments([shown], self.evaluation.metrics, [note])

    def _gather(self) -> SystemComparison:
        return SystemComparison(
            first=self.first,
            second=self.second,
            analysis=self.request.analysis,
            n=self.request.n,
            n_segments=self.evaluation.n_segments,
            notes=self.scored.notes,
            corpus=self.corpus,
            differences=self.differences,
            signatures={label: self.evaluation.signature(label) for label in self.evaluation.labels},
            segment_gains=self.segment_gains,
            buckets=self.buckets,
            ngrams=self.ngrams,
            words=self.words,
            edits=self.edits,
            disagreements=self.disagreements,
        )


def _mean_of_known(rows: FloatArray) -> FloatArray:
    """Compute the mean of each column over the rows that have a value there; NaN if none has."""
    known = np.isfinite(rows)
    counts = known.sum(axis=0)
    sums = np.where(known, rows, 0.0).sum(axis=0)
    return np.where(counts > 0, sums / np.maximum(counts, 1), np.nan)


compare = function_of("compare", CompareRequest)
