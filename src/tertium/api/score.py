"""Score systems: texts or files in, scores with intervals, tests and clusters out."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from os import PathLike
from typing import Literal

from tertium.api.results import Progress, Shown
from tertium.catalog import LabelledMetric, MetricMaker, ResourceChoice, language_needs, split_labels
from tertium.corpus import CorpusFiles
from tertium.doctor import quick_check
from tertium.doctor.fit import check_resources_fit
from tertium.engines import evaluate
from tertium.errors import InputError, OptionError, ResourceError
from tertium.evaluation import Evaluation
from tertium.evaluation.comparison import Comparison, PairedTest, compare
from tertium.interfaces import WordVectors
from tertium.metrics.inputs import Orientation, group_references, read_texts
from tertium.report.score_table import ScoreTable, make_score_table, sort_table
from tertium.report.scores import describe_scores, describe_segments
from tertium.report.tables.model import Document
from tertium.types import Corpus, Score

__all__ = ["ScoreRequest", "ScoreResult", "SegmentScores", "score"]

DEFAULT_METRICS = ("bleu",)

# Beyond this many segments a table gets its clusters only on demand: resampling would take longer
# than scoring.
_CLUSTERS_UNASKED = 100_000

Texts = Iterable[str]


@dataclass(frozen=True, kw_only=True)
class ScoreRequest:
    """Everything that `tertium score` can be told.

    Attributes
    ----------
    corpus
        The texts, or the files that hold them.
    metrics
        As the command line writes them: `bleu`, `chrf:beta=3`.
    tokenizer, lowercase
        For every metric that has such an option.
    ci
        Whether scores get bootstrap intervals.
    paired
        The test of every system against the baseline; None for no test.
    baseline
        The system that others are tested against; the first by default.
    samples
        Resamples: 1,000 for the bootstrap and 10,000 for randomization by default.
    alpha
        The level of tests and clusters; intervals have the level 1 - alpha.
    sort
        The metric by which systems are ordered in tables, best first; as they were given by default.
    clusters
        Whether systems that cannot be told apart are marked; None marks them where that is quick.
    scale
        100 or 1: where a bounded metric's scores end.
    threads
        How many to use; every core by default. The scores do not depend on it.
    """

    corpus: Corpus | CorpusFiles
    metrics: tuple[str, ...] = DEFAULT_METRICS
    tokenizer: str | None = None
    lowercase: bool = False
    resources: ResourceChoice = field(default_factory=ResourceChoice)
    ci: bool = False
    paired: PairedTest | None = None
    baseline: str | None = None
    samples: int | None = None
    seed: int = 12345
    alpha: float = 0.05
    clusters: bool | None = None
    sort: str | None = None
    scale: Literal[100, 1] = 100
    threads: int | None = None

    def __post_init__(self) -> None:
        if self.baseline and not self.paired:
            raise OptionError("--baseline goes with --paired bootstrap or --paired randomization")
        if not 0 < self.alpha < 1:
            raise OptionError(f"alpha must lie between 0 and 1, not at {self.alpha:g}")
        labels = split_labels(self.metrics)
        if self.sort is not None and self.sort not in labels:
            raise OptionError(
                f"--sort {self.sort}: no such metric is computed; there are {', '.join(labels)}"
            )

    def run(self, progress: Progress | None = None) -> "ScoreResult":
        """Score all systems under all metrics; mistakes are found before any text is scored."""
        maker = MetricMaker(self.resources, tokenizer=self.tokenizer, lowercase=self.lowercase)
        metrics = maker.make_all(split_labels(self.metrics))
        corpus = self.corpus if isinstance(self.corpus, Corpus) else self.corpus.read()
        self._check(corpus)
        doubts = _check_languages(corpus, metrics, self.resources.target)
        evaluation = evaluate(corpus, metrics, threads=self.threads, progress=progress)
        return ScoreResult(self, corpus, evaluation, tuple(doubts))

    def _check(self, corpus: Corpus) -> None:
        if self.paired and len(corpus.systems) < 2:
            raise OptionError("--paired needs two systems or more")
        if self.baseline is not None and self.baseline not in corpus.systems:
            raise OptionError(
                f"the baseline {self.baseline!r} is not among the systems: {', '.join(corpus.systems)}"
            )


@dataclass(frozen=True, eq=False)
class ScoreResult(Shown):
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

    def __getitem__(self, label: str) -> dict[str, Score]:
        """Each system's score under the metric of this label."""
        metric = self.evaluation.metric(label)
        signature, totals = self.evaluation.signature(label), self.evaluation.totals(label)
        return {
            system: Score(label, float(metric.combine(totals[i])), signature, metric.details(totals[i]))
            for i, system in enumerate(self.evaluation.systems)
        }

    def __repr__(self) -> str:
        systems, metrics = len(self.evaluation.systems), len(self.evaluation.metrics)
        return f"<ScoreResult: {systems} systems, {metrics} metrics, {self.evaluation.n_segments:,} segments>"

    def segments(self, label: str) -> dict[str, list[float]]:
        """Each system's segment scores under the metric of this label."""
        rows = self.evaluation.segment_scores(label).tolist()
        return dict(zip(self.evaluation.systems, rows, strict=True))

    def compare(
        self, test: PairedTest = "bootstrap", *, n_samples: int | None = None, baseline: str | None = None
    ) -> Comparison:
        """Compute intervals, paired tests and clusters."""
        return compare(
            self.evaluation,
            test=test,
            n_samples=n_samples,
            seed=self.request.seed,
            baseline=baseline,
            alpha=self.request.alpha,
        )

    @cached_property
    def comparison(self) -> Comparison | None:
        """The intervals, tests and clusters that the request asks for; None if it asks for none."""
        request = self.request
        if not (request.ci or request.paired or self._shows_clusters):
            return None
        baseline = (request.baseline or self.evaluation.systems[0]) if request.paired else None
        return self.compare(request.paired or "bootstrap", n_samples=request.samples, baseline=baseline)

    @cached_property
    def warnings(self) -> tuple[str, ...]:
        """What looks like a mistake in the texts or in the choice of resources."""
        metrics = [each.metric for each in self.evaluation.metrics]
        tokenizers = {metric.tokenizer for metric in metrics if hasattr(metric, "tokenizer")}
        return (*self.doubts, *_find_warnings(self.corpus, tokenizers))

    @property
    def _shows_clusters(self) -> bool:
        is_quick = self.evaluation.n_segments <= _CLUSTERS_UNASKED
        wanted = is_quick if self.request.clusters is None else self.request.clusters
        return wanted and len(self.evaluation.systems) > 1

    @cached_property
    def table(self) -> ScoreTable:
        """The systems' scores with all that was asked for beside them."""
        request = self.request
        table = make_score_table(
            self.evaluation, self.comparison, shows_intervals=request.ci, scale=request.scale
        )
        return table if request.sort is None else sort_table(table, request.sort)

    def document(self) -> Document:
        return describe_scores(self.table)

    def numbers(self) -> str:
        """Write only the scores in full precision: a line per system, a tab between metrics."""
        rows = zip(*(column.cells for column in self.table.columns), strict=True)
        return "".join("\t".join(repr(cell.score) for cell in row) + "\n" for row in rows)

    def by_segment(self) -> "SegmentScores":
        """Show every segment's score instead of the systems'."""
        return SegmentScores(self)


@dataclass(frozen=True)
class SegmentScores(Shown):
    """Every segment's score under every metric for every system."""

    result: ScoreResult

    def document(self) -> Document:
        return describe_segments(self.result.evaluation, self.result.table)


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
        metrics=(metrics,) if isinstance(metrics, str) else tuple(metrics),
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
        threads=threads,
    )
    return request.run(progress)


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
        name: read_texts(texts, f"hypotheses[{name!r}]" if len(given) > 1 else "hypotheses")
        for name, texts in given.items()
    }
    first = next(iter(systems.values()))
    return Corpus(_group(first, references, orientation), systems)


def _group(
    hypotheses: Sequence[str], references: Iterable[object], orientation: Orientation | None
) -> list[list[str]]:
    if isinstance(references, (str, bytes, Mapping)):
        raise InputError(f"references must be a list, not a {type(references).__name__}")
    items = list(references)
    n_texts = sum(isinstance(item, str) for item in items)
    if n_texts and n_texts == len(items):
        return group_references(hypotheses, [read_texts(items, "references")], "streams")  # type: ignore[arg-type]
    if n_texts:
        raise InputError("references must be all strings or all lists of strings, not a mixture")
    return group_references(hypotheses, items, orientation)  # type: ignore[arg-type]


def _check_languages(corpus: Corpus, metrics: Sequence[LabelledMetric], language: str | None) -> list[str]:
    """Refuse resources of another script than the references; warn of those of another language."""
    needs = language_needs(metrics)
    if not any(need.languages for need in needs):
        return []
    misfits = check_resources_fit([group[0] for group in corpus.references], language, needs)
    for misfit in misfits:
        if misfit.severity == "error":
            raise ResourceError(misfit.message)
    return [misfit.message for misfit in misfits]


def _find_warnings(corpus: Corpus, tokenizers: Collection[str]) -> list[str]:
    """Say in one line per system what looks like a mistake in the files."""
    first = [group[0] for group in corpus.references]
    warnings = []
    for system, texts in corpus.systems.items():
        if findings := quick_check(list(texts), first, tokenizers=tokenizers):
            more = f" (and {len(findings) - 1} more)" if len(findings) > 1 else ""
            warnings.append(f"{system}: {findings[0].problem}{more}; 'tertium doctor' tells more")
    return warnings
