"""Compare two systems: which is better, how surely, on which segments, words and kinds of segments."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import numpy.typing as npt

from tertium.api.columns import check_column
from tertium.api.inputs import ScoredInputs
from tertium.api.results import Progress, Shown
from tertium.api.scored_request import ScoredRequest
from tertium.catalog import ResourceChoice
from tertium.catalog.finding import suggest
from tertium.errors import OptionError, UnknownNameError
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
from tertium.metrics.inputs import read_names
from tertium.metrics.lexical.invwer import InvWER
from tertium.report.differences import SCORES, SystemComparison, describe_differences, describe_table
from tertium.report.differences import TABLES as DIFFERENCE_TABLES
from tertium.report.tables.model import Document
from tertium.stats.significance import PairedTest
from tertium.text.lengths import mean_lengths
from tertium.types import Corpus, FloatArray

__all__ = ["TABLES", "CompareRequest", "CompareResult", "compare"]

TABLES = (SCORES, *DIFFERENCE_TABLES)
"""What can be shown alone."""
_LENGTHS = (10, 20, 30, 40)


@dataclass(frozen=True, kw_only=True)
class CompareRequest(ScoredRequest):
    """Everything that `tertium compare` can be told; the inputs are two outputs or runs, or one run.

    Attributes
    ----------
    systems
        The two systems, if the inputs hold more than two.
    by
        Columns by whose values segments are compared, besides length and difficulty.
    n
        How many segments and n-grams of each kind are shown.
    table
        One of TABLES, if only that is to be shown.
    """

    systems: tuple[str, ...] = ()
    by: tuple[str, ...] = ()
    n: int = 5
    table: str | None = None

    def __post_init__(self) -> None:
        if self.table is not None and self.table not in TABLES:
            raise UnknownNameError(f"no table {self.table!r}; choose from {', '.join(TABLES)}")

    def run(self, progress: Progress | None = None) -> "CompareResult":
        """Open or score the inputs and compare the two systems."""
        scored = self.load(progress)
        first, second = choose_two(scored, self.systems)
        for name in self.by:
            check_column(name, scored.columns)
        return CompareResult(self, scored, first, second)


def choose_two(scored: ScoredInputs, systems: Sequence[str]) -> tuple[str, str]:
    """Find the two systems that are meant: those that were named, or the only two there are."""
    known = scored.evaluation.systems
    for name in systems:
        if name not in known:
            raise UnknownNameError(f"no system {name!r}; {suggest(name, known)}")
    chosen = tuple(systems) or known
    if len(chosen) != 2:
        raise OptionError(
            f"two systems are compared, not {len(chosen)}: name them with --systems A B; there are {', '.join(known)}"
        )
    return chosen[0], chosen[1]


@dataclass(frozen=True, eq=False)
class CompareResult(Shown):
    """How the second system differs from the first."""

    request: CompareRequest
    scored: ScoredInputs = field(repr=False)
    first: str
    second: str

    @property
    def evaluation(self) -> Evaluation:
        """All statistics that were compared."""
        return self.scored.evaluation

    @property
    def corpus(self) -> Corpus | None:
        """The texts, if the inputs have them."""
        return self.scored.corpus

    @cached_property
    def differences(self) -> tuple[Difference, ...]:
        """What each metric says."""
        request = self.request
        return tuple(
            compare_two(
                self.evaluation,
                self.first,
                self.second,
                test=request.test,
                n_samples=request.samples,
                seed=request.seed,
                alpha=request.alpha,
            )
        )

    @cached_property
    def buckets(self) -> dict[str, list[Bucket]]:
        """For each metric, how the systems differ on kinds of segments."""
        kinds = self._kinds()
        return {
            each.label: [
                bucket
                for kind, rows in kinds.items()
                for bucket in compare_buckets(
                    self.evaluation, each.label, self.first, self.second, kind=kind, buckets=rows
                )
            ]
            for each in self.evaluation.metrics
        }

    def _kinds(self) -> dict[str, Mapping[str, npt.NDArray[np.intp]]]:
        kinds: dict[str, Mapping[str, npt.NDArray[np.intp]]] = {}
        if self.corpus is not None:
            kinds["length"] = bucket_by_number(mean_lengths(self.corpus.references), _LENGTHS)
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
            scores = self.evaluation.segment_scores(each.label).mean(axis=0)
            sign = 1.0 if each.metric.higher_is_better else -1.0
            rows.append(sign * (scores - scores.mean()) / (scores.std() or 1.0))
        mean: FloatArray = np.mean(rows, axis=0)
        return mean

    @cached_property
    def ngrams(self) -> tuple[list[NgramGain], list[NgramGain]]:
        """N-grams that the second system gets right more often, and those that the first does."""
        if self.corpus is None:
            return [], []
        return count_ngram_gains(self.corpus, self.first, self.second, most=self.request.n * 2)

    @cached_property
    def words(self) -> list[FrequencyRow]:
        """The share of the references' words that each system has, by their frequency."""
        return [] if self.corpus is None else recall_by_frequency(self.corpus, self.first, self.second)

    @cached_property
    def edits(self) -> dict[str, EditCounts]:
        """The edits of each kind that each system's outputs need; inversions where `invwer` is a metric."""
        corpus = self.corpus
        if corpus is None:
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
        return (
            describe_differences(self._gather()) if table is None else describe_table(self._gather(), table)
        )

    def _gather(self) -> SystemComparison:
        return SystemComparison(
            first=self.first,
            second=self.second,
            alpha=self.request.alpha,
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


def compare(
    *inputs: str,
    references: Sequence[str] = (),
    source: str | None = None,
    columns: str | None = None,
    metrics: str | Sequence[str] | None = None,
    tokenizer: str | None = None,
    lowercase: bool = False,
    systems: Sequence[str] = (),
    by: Sequence[str] = (),
    n: int = 5,
    table: str | None = None,
    test: PairedTest = "bootstrap",
    samples: int | None = None,
    seed: int = 12345,
    alpha: float = 0.05,
    resources: ResourceChoice | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> CompareResult:
    """Compare two systems, from files or runs; the options are those of `tertium compare`."""
    request = CompareRequest(
        inputs=inputs,
        references=tuple(references),
        source=source,
        columns=columns,
        metrics=None if metrics is None else read_names(metrics, "metrics"),
        tokenizer=tokenizer,
        lowercase=lowercase,
        systems=tuple(systems),
        by=tuple(by),
        n=n,
        table=table,
        test=test,
        samples=samples,
        seed=seed,
        alpha=alpha,
        resources=resources,
        threads=threads,
    )
    return request.run(progress)
