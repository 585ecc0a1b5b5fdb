"""Score systems: texts or files in, scores with intervals, tests and clusters out."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from os import PathLike, fspath
from typing import Literal

import numpy as np
import numpy.typing as npt

from tertium.api.given import add_given, list_given, read_given
from tertium.api.results import Progress
from tertium.api.scored import Scored, SegmentScores, View
from tertium.api.settings import list_files, write_settings
from tertium.catalog import LabelledMetric, MetricMaker, ResourceChoice, split_labels
from tertium.catalog.choice import check_languages
from tertium.corpus import CorpusFiles
from tertium.doctor.pairs import quick_check
from tertium.engines import evaluate
from tertium.errors import InputError
from tertium.evaluation import Evaluation
from tertium.evaluation.selection import SegmentColumns, parse_conditions, select_rows, select_texts
from tertium.interfaces import WordVectors
from tertium.metrics.base import format_n_references
from tertium.metrics.inputs import Orientation, group_references, list_items, read_column, read_names
from tertium.stats.significance import PairedTest
from tertium.types import Corpus

__all__ = [
    "ScoreRequest",
    "ScoreResult",
    "SegmentScores",
    "check_references",
    "find_warnings",
    "score",
]

DEFAULT_METRICS = ("bleu",)

Texts = Iterable[str]


@dataclass(frozen=True, kw_only=True)
class ScoreRequest(View):
    """Everything that `tertium score` can be told; `View` has what is asked of the statistics.

    Attributes
    ----------
    corpus
        The texts, or the files that hold them.
    metrics
        As the command line writes them: `bleu`, `chrf:beta=3`.
    tokenizer, lowercase
        For every metric that has such an option.
    where
        Conditions that segments must fulfil to be scored: `domain=news,length>20`.
    scores
        Files of segment scores that other tools have computed: `comet=comet.tsv`.
    lower
        Names among them for which lower is better.
    threads
        How many to use; every core by default. The scores do not depend on it.
    """

    corpus: Corpus | CorpusFiles
    metrics: tuple[str, ...] = DEFAULT_METRICS
    tokenizer: str | None = None
    lowercase: bool = False
    resources: ResourceChoice = field(default_factory=ResourceChoice)
    where: tuple[str, ...] = ()
    scores: tuple[str, ...] = ()
    lower: tuple[str, ...] = ()
    threads: int | None = None

    def run(self, progress: Progress | None = None) -> "ScoreResult":
        """Score all systems under all metrics; mistakes are found before any text is scored."""
        maker = MetricMaker(self.resources, tokenizer=self.tokenizer, lowercase=self.lowercase)
        labels = split_labels(self.metrics)
        files = list_given(self.scores, self.lower, labels)
        metrics = maker.make_all(labels)
        self.check_sort([*(each.label for each in metrics), *(each.name for each in files)])
        whole = self.corpus if isinstance(self.corpus, Corpus) else self.corpus.read()
        given = read_given(files, tuple(whole.systems), len(whole))
        rows = self._select(whole)
        corpus = whole if isinstance(rows, slice) else select_texts(whole, rows)
        self._check(corpus, metrics)
        metrics, doubts = maker.choose_vectors(metrics, corpus)
        doubts += check_languages(corpus, metrics, self.resources.target)
        doubts += [doubt for each in metrics for doubt in each.warnings]
        evaluation = evaluate(corpus, metrics, threads=self.threads, progress=progress)
        chosen = [(each, scores[:, rows]) for each, scores in given]
        return ScoreResult(self, corpus, add_given(evaluation, chosen), tuple(doubts))

    def _check(self, corpus: Corpus, metrics: Sequence[LabelledMetric]) -> None:
        self.check_systems(tuple(corpus.systems))
        self.check_columns(SegmentColumns(corpus))
        check_references(metrics, corpus.n_references)

    def _select(self, corpus: Corpus) -> "npt.NDArray[np.int64] | slice":
        """Find the segments that are asked for."""
        if not (conditions := parse_conditions(self.where)):
            return slice(None)
        rows = select_rows(conditions, SegmentColumns(corpus), len(corpus))
        self.check_size(len(rows))
        return rows


@dataclass(frozen=True, eq=False, repr=False)
class ScoreResult(Scored):
    """Scores by metric and system, and everything else that can be asked of them.

    >>> result = score({"a": ["the cat sat"], "b": ["a cat sat"]}, ["the cat sat"], "wer")
    >>> round(result["wer"]["b"].value, 1)
    33.3
    """

    request: ScoreRequest
    corpus: Corpus
    evaluation: Evaluation
    doubts: tuple[str, ...] = ()
    """What looks like a mistake in the choice of resources."""

    @property
    def view(self) -> View:
        return self.request

    @property
    def target(self) -> str | None:
        return self.request.resources.target

    @cached_property
    def segment_columns(self) -> Mapping[str, Sequence[str]]:
        return SegmentColumns(self.corpus)

    @cached_property
    def warnings(self) -> tuple[str, ...]:
        """What looks like a mistake in the texts or in the choice of resources."""
        return (*self.doubts, *find_warnings(self.corpus, self.evaluation.metrics))

    def save(self, path: "str | PathLike[str]", *, texts: bool = True, command: str | None = None) -> None:
        """Save the result as a run, which `tertium.open_run` opens (needs the extra `parquet`).

        Parameters
        ----------
        texts
            Whether the run keeps all texts, or only a checksum of each.
        command
            What was typed, for the record.
        """
        from tertium.evaluation.runs import Origin, save_run

        origin = Origin(
            command=command, files=list_files(self.request), settings=write_settings(self.request)
        )
        save_run(fspath(path), self.evaluation, self.corpus, origin=origin, with_texts=texts)


def score(
    hypotheses: Texts | Mapping[str, Texts] | Corpus,
    references: Iterable[str] | Iterable[Iterable[str | None]] | None = None,
    metrics: str | Sequence[str] = DEFAULT_METRICS,
    *,
    orientation: Orientation | None = None,
    tokenizer: str | None = None,
    lowercase: bool = False,
    language: str | None = None,
    vectors: "str | PathLike[str] | WordVectors | None" = None,
    parser: str | None = None,
    trees: Sequence[str] = (),
    paraphrases: str | None = None,
    function_words: str | None = None,
    ci: bool = False,
    paired: PairedTest | None = None,
    baseline: str | None = None,
    samples: int | None = None,
    seed: int = 12345,
    alpha: float = 0.05,
    sort: str | None = None,
    scale: Literal[100, 1] = 100,
    resample: str | None = None,
    where: str | Sequence[str] = (),
    scores: str | Sequence[str] = (),
    lower: str | Sequence[str] = (),
    threads: int | None = None,
    progress: Progress | None = None,
) -> ScoreResult:
    """Score one system or several; the options are those of `tertium score`.

    Parameters
    ----------
    hypotheses
        One system's output, or several by name; or a whole corpus, as `read_corpus` reads it from files.
    references
        One reference per segment as a plain list; or a list of reference streams, or of references
        per segment: then `orientation` says which, unless the shape leaves no doubt.
    metrics
        As the command line writes them: `"bleu,chrf:beta=3"`, or a list of such.

    Examples
    --------
    >>> result = score({"a": ["the cat sat"], "b": ["a cat sat"]}, ["the cat sat"], "wer")
    >>> {system: round(score.value, 1) for system, score in result["wer"].items()}
    {'a': 0.0, 'b': 33.3}
    """
    request = ScoreRequest(
        corpus=_take_corpus(hypotheses, references, orientation),
        metrics=read_names(metrics, "metrics"),
        tokenizer=tokenizer,
        lowercase=lowercase,
        resources=ResourceChoice(
            language=language,
            vectors=vectors,
            parser=parser,
            trees=tuple(trees),
            paraphrases=paraphrases,
            function_words=function_words,
        ),
        ci=ci,
        paired=paired,
        baseline=baseline,
        samples=samples,
        seed=seed,
        alpha=alpha,
        sort=sort,
        scale=scale,
        resample=resample,
        where=read_names(where, "where"),
        scores=read_names(scores, "scores"),
        lower=read_names(lower, "lower"),
        threads=threads,
    )
    return request.run(progress)


def check_references(metrics: Sequence[LabelledMetric], n_references: tuple[int, int]) -> None:
    """Raise if a metric's signature asks for another number of references."""
    found = format_n_references(n_references)
    for each in metrics:
        if each.n_references not in (None, found):
            raise InputError(
                f"{each.label}: the signature says nrefs:{each.n_references}, but the data has nrefs:{found};"
                " give as many references, or leave nrefs out of the signature"
            )


def _take_corpus(
    hypotheses: Texts | Mapping[str, Texts] | Corpus,
    references: Iterable[str] | Iterable[Iterable[str | None]] | None,
    orientation: Orientation | None,
) -> Corpus:
    if isinstance(hypotheses, Corpus):
        if references is not None:
            raise InputError("a corpus has its own references: leave out the second argument")
        return hypotheses
    if references is None:
        raise InputError("references are missing: give them as the second argument")
    given = hypotheses if isinstance(hypotheses, Mapping) else {"system": hypotheses}
    if not given:
        raise InputError("no system to score: the mapping of hypotheses is empty")
    systems = {
        name: read_column(texts, f"hypotheses[{name!r}]" if len(given) > 1 else "hypotheses")
        for name, texts in given.items()
    }
    first = next(iter(systems.values()))
    return Corpus(_group(first, references, orientation), systems)


def _group(
    hypotheses: Sequence[str], references: Iterable[object], orientation: Orientation | None
) -> Sequence[Sequence[str]]:
    if isinstance(references, (str, bytes, Mapping)):
        raise InputError(f"references must be a list, not a {type(references).__name__}")
    items = list_items(references, "references")
    n_texts = sum(isinstance(item, str) for item in items)
    if n_texts and n_texts == len(items):
        return group_references(hypotheses, [items], "streams")
    if n_texts:
        other = next(i for i, item in enumerate(items) if not isinstance(item, str))
        raise InputError(
            f"references must be all strings or all lists of strings, not a mixture;"
            f" references[{other}] is of type {type(items[other]).__name__}"
        )
    return group_references(hypotheses, items, orientation)


def find_warnings(corpus: Corpus, metrics: Sequence[LabelledMetric]) -> list[str]:
    """Say in one line per system what looks like a mistake in the files."""
    tokenizers = {name for each in metrics if (name := each.metric.word_tokenizer) is not None}
    first = corpus.first_references
    warnings = []
    for system, texts in corpus.systems.items():
        if findings := quick_check(texts, first, tokenizers=tokenizers):
            more = f" (and {len(findings) - 1} more)" if len(findings) > 1 else ""
            remedy = f"; {findings[0].remedy}" if findings[0].code == "unfit-tokenizer" else ""
            warnings.append(f"{system}: {findings[0].problem}{more}{remedy}; 'tertium doctor' tells more")
    return warnings
