"""The base class of all metrics: a row of numbers per segment, and a formula over their sum."""

import inspect
import typing
from abc import ABC, ABCMeta, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Protocol, Self

import numpy as np

import tertium
from tertium.errors import InputError, OptionError, argument, suggest
from tertium.interfaces import Resource
from tertium.kernels.sums import sum_rows
from tertium.metrics.inputs import Orientation, check_string, group_references, list_references, make_column
from tertium.metrics.options import Option, is_fitted_field, option_of
from tertium.records import record
from tertium.text import NormalForm, References, Texts
from tertium.text.tokenizers import check_tokenizer
from tertium.values import (
    Explanation,
    FloatArray,
    OffsetArray,
    Score,
    TextKind,
    available_texts,
    count_references,
)

if TYPE_CHECKING:
    from importlib.metadata import EntryPoints


ENTRY_POINTS = "tertium.metrics"

_OWN = "tertium"

_KINDS: Mapping[TextKind, str] = {
    "references": "references: give them with",
    "source": "the source: give it with",
}


def is_own(cls: type) -> bool:
    """Whether a metric is part of this package."""
    return cls.__module__.split(".")[0] == _OWN


def default_name(cls: type) -> str:
    """Return the name of a metric without an explicit one: its module if it is ours, otherwise its class."""
    return cls.__module__.rpartition(".")[2] if is_own(cls) else cls.__name__.lower()


def name_origin(cls: type, given: str) -> str:
    """Name the package and version that computed a score, for its signature.

    Parameters
    ----------
    given
        The version that a plug-in declares, or an empty text.

    >>> name_origin(type("Mine", (), {"__module__": "my_metrics.lengths"}), "1.2").partition("+")[0]
    'my_metrics-1.2'
    """
    if is_own(cls):
        return _own_version()
    package = cls.__module__.split(".")[0]
    return f"{f'{package}-{given}' if given else _installed_version(package)}+{_own_version()}"


def find_plugins() -> "EntryPoints":
    """List the metrics of other packages; this reads the metadata of all installed packages."""
    from importlib.metadata import entry_points  # noqa: PLC0415 - slow: it imports much of the email package

    return entry_points(group=ENTRY_POINTS)


def _own_version() -> str:
    return f"{_OWN}-{tertium.__version__}"


@cache
def _installed_version(package: str) -> str:
    """Name the distribution of a plug-in with its version, or the package alone if it has no distribution.

    The entry point knows the distribution even if a checkout is installed in place.
    """
    from importlib.metadata import packages_distributions, version  # noqa: PLC0415

    for entry in find_plugins():
        if entry.dist is not None and entry.module.split(".")[0] == package:
            return f"{entry.dist.name}-{entry.dist.version}"
    owners = packages_distributions().get(package)
    return f"{owners[0]}-{version(owners[0])}" if owners else package


class ReferenceCounts(Protocol):
    """Counts that a metric makes on a part of the references, and that can be merged."""

    def merge(self, other: Self) -> Self:
        """Return the sum of these counts and the counts of other references."""


class MetricType(ABCMeta):
    """The type of metric classes: an unknown option of a constructor is reported with a suggestion."""

    @property
    def __signature__(cls) -> inspect.Signature:
        """The signature of the constructor, which the method below would hide."""
        whole = inspect.signature(cls.__init__)  # type: ignore[misc]
        return whole.replace(parameters=list(whole.parameters.values())[1:])

    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        known = {field.name for field in fields(cls)}  # type: ignore[arg-type]
        for name, value in kwargs.items():
            if name not in known:
                ours = _SACREBLEU_OPTIONS.get(name, "")
                hint = f"use {ours}=" if ours in known else suggest(name, sorted(known))
                if name in {option.name for option in SHARED}:
                    hint = f"write it in a label, as in '{default_name(cls)}:{name}={value}'"
                raise TypeError(f"{cls.__name__} has no option {name}=; {hint}")
        return super().__call__(*args, **kwargs)


_SACREBLEU_OPTIONS = {"tokenize": "tokenizer", "case_sensitive": "lowercase"}


@dataclass(frozen=True)
class Metric(ABC, metaclass=MetricType):
    """The base class of all metrics. A subclass is a frozen dataclass whose fields are its options.

    Scores of a bounded metric are on the scale 0 to 100 in every output. Values that `fit` learns are fields,
    too, declared by `fitted_field`; they are not options.
    """

    name: ClassVar[str]
    """The name for users: by default that of the module, or for a plug-in that of the class in lower case."""
    title: ClassVar[str]
    """The name as papers write it: by default that of the class."""
    version: ClassVar[str] = ""
    """The version of a plug-in, for its signature. The default is the version of its package."""
    paper: ClassVar[str] = ""
    higher_is_better: ClassVar[bool] = True
    bounded: ClassVar[bool] = True
    """Whether scores are on the scale 0 to 100 (0 to 1 on request). NIST's scores, in bits, are unbounded."""
    best: ClassVar[float] = 100.0
    worst: ClassVar[float] = 0.0
    stays_in_range: ClassVar[bool] = True
    """Whether every score with default options is between `worst` and `best`."""
    reads: ClassVar[frozenset[TextKind]] = frozenset({"references"})
    """The texts that the metric reads besides the hypotheses: references, source, both or none.

    A metric that reads the source receives it as the third argument of `statistics` and `explain`. A metric that
    reads no references can be computed without any: it receives references with no text."""
    takes_best_reference: ClassVar[bool] = False
    """Whether an additional reference can never make a score worse."""
    formula_options: ClassVar[frozenset[str]] = frozenset()
    """Options that only `weigh`, `combine` and `segment_scores` use: the tuner counts once for all their values."""
    system: ClassVar[str] = "corpus"
    """An option of every metric that has no field of this name: `mean` for the mean of the segment scores."""
    normalize: ClassVar[NormalForm] = "none"
    """An option of every metric that has no field of this name: the Unicode normal form of all texts that it reads."""
    main_option: ClassVar[str] = ""
    """The option that a label may give without its name, such as the program in `command:./judge.sh`."""
    uses_core_only: ClassVar[bool] = True
    """Whether batches may run in parallel on threads, if the metric also needs no resource and no foreign tokenizer."""
    fit_saves_work: ClassVar[bool] = False
    """Whether `fit` only checks or caches values that `statistics` would compute itself, so that parts can skip it."""
    perfect_from: ClassVar[int | None] = 1
    """The least number of words from which a text always gets the best score against itself; None if never."""
    empty_is_worst: ClassVar[bool] = True
    """Whether an empty hypothesis gets the worst score against a text with words."""
    is_check: ClassVar[bool] = False
    """Whether the metric counts faults, which `list_faults` describes."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if "name" not in vars(cls):  # an inherited name belongs to another metric
            cls.name = default_name(cls)
        if "title" not in vars(cls):
            cls.title = cls.__name__

    def write_title(self, label: str) -> str:
        """Write a label for readers: the metric's name as papers write it, followed by the rest of the label."""
        is_named = label.lower().startswith(self.name)
        return f"{self.title}{label[len(self.name) :]}" if is_named else label

    def __post_init__(self) -> None:
        for known in self.options():
            known.check(getattr(self, known.name), self.name)
        if (tokenizer := getattr(self, "tokenizer", None)) is not None:
            check_tokenizer(tokenizer)

    @property
    def word_tokenizer(self) -> str | None:
        """The tokenizer of the words that are compared; None for a metric over characters."""
        name: str | None = getattr(self, "tokenizer", None)
        return name

    @property
    def weighted_parts(self) -> "tuple[tuple[float, Metric], ...]":
        """The weights and the metrics of a weighted sum; none for other metrics."""
        return ()

    @property
    def most_segments(self) -> int | None:
        """The largest batch of segments whose intermediate results fit into memory; None if they are small."""
        return None

    # `*args: Any` lets a metric that reads the source declare it as its third parameter.
    @abstractmethod
    def statistics(self, hypotheses: Texts, references: References, *args: Any, **kwargs: Any) -> FloatArray:
        """Compute a row of k numbers for each segment: an (n, k) array whose rows can be summed.

        If `reads` names the source, the third parameter is `source: Texts`.
        """

    def for_texts(self, available: frozenset[TextKind]) -> Self:
        """Return the metric for texts of these kinds; raise if a kind that it reads is missing."""
        for kind in sorted(self.reads - available):
            raise OptionError(f"{self.name} reads {_KINDS[kind]} {argument(kind, 'FILE')}")
        return self

    def choose_texts(
        self, hypotheses: Texts, references: References, source: Texts | None
    ) -> tuple[Texts, References] | tuple[Texts, References, Texts | None]:
        """Return the arguments of `statistics`: the source only if the metric reads it."""
        has_references = bool(len(references.texts))
        self.for_texts(available_texts(references=has_references, source=source is not None))
        return (hypotheses, references, source) if "source" in self.reads else (hypotheses, references)

    def checked_statistics(
        self, hypotheses: Texts, references: References, source: Texts | None = None
    ) -> FloatArray:
        """Compute the statistics; raise if a text is missing or there is not one row per segment."""
        for name, n_segments in (("references", len(references)), ("source", len(source or hypotheses))):
            if len(hypotheses) != n_segments:
                raise InputError(
                    f"{self.name}: {len(hypotheses):,} hypotheses but {name} of {n_segments:,} segments"
                )
        rows = self.statistics(*self.choose_texts(hypotheses, references, source))
        if np.ndim(rows) != 2 or len(rows) != len(references):
            raise InputError(
                f"{self.name} returned statistics of shape {np.shape(rows)} for {len(references):,} segments; "
                "a metric must return a row of numbers for each segment"
            )
        return rows

    def count(self, hypotheses: Texts, references: References, *args: Any, **kwargs: Any) -> FloatArray:
        """Compute the counts that `weigh` turns into statistics. For most metrics these are the statistics."""
        return self.statistics(hypotheses, references, *args, **kwargs)

    def weigh(self, counts: FloatArray, groups: OffsetArray) -> FloatArray:  # noqa: ARG002
        """Turn counts into statistics. Segment i has the rows `groups[i]` to `groups[i + 1]`, one per reference."""
        return counts

    @abstractmethod
    def combine(self, totals: FloatArray) -> FloatArray:
        """Turn summed statistics (..., k) into system scores (...)."""

    def segment_scores(self, rows: FloatArray) -> FloatArray:
        """Turn rows of statistics (..., k) into segment scores (...)."""
        return self.combine(rows)

    def rate_rows(self, rows: FloatArray) -> FloatArray:
        """Rate references by their rows of statistics; an explanation shows the reference with the highest rate."""
        scores = self.segment_scores(rows)
        return scores if self.higher_is_better else -scores

    def display_factor(self, scale: int) -> float:
        """Return the factor from scores, which are always computed on 0 to 100, to the scale on which they are shown."""
        return scale / 100 if self.bounded else 1.0

    def shown_scale(self, scores: FloatArray, scale: int) -> int:  # noqa: ARG002 - of other tools
        """Return the scale on which scores are shown, which decides how many digits they get."""
        return scale

    @property
    def learns_from_references(self) -> bool:
        """Whether the score of a segment depends on the references of other segments."""
        return type(self).fit is not Metric.fit and not self.fit_saves_work

    def fit(self, references: References) -> Self:  # noqa: ARG002 - most metrics learn nothing
        """Return a copy with the values learnt from the references of the whole test set."""
        return self

    def learn(self, references: References) -> ReferenceCounts | None:  # noqa: ARG002 - as above
        """Make the counts of a part of the references that `fit_learnt` needs; None if it needs nothing."""
        return None

    def fit_learnt(self, learnt: Any) -> Self:  # noqa: ARG002 - as above
        """Return the same as `fit`, from the merged counts of all references."""
        return self

    def count_scores(self, totals: FloatArray) -> FloatArray | None:  # noqa: ARG002 - most have one for each
        """Return the number of segments that have a score; None if every segment has one.

        The score of a segment without one is NaN, and its statistics are zero.
        """
        return None

    def details(self, totals: FloatArray) -> Mapping[str, float | Sequence[float]]:  # noqa: ARG002
        """Return the numbers behind a system score, such as precisions and lengths."""
        return {}

    def explain(self, hypothesis: str, references: Sequence[str], *args: Any, **kwargs: Any) -> Explanation:  # noqa: ARG002
        """Explain the score of a hypothesis and its references, and its source if `reads` names it."""
        raise OptionError(f"{self.name} cannot explain the scores of segments")

    def explain_segment(self, hypothesis: str, references: Sequence[str], source: str | None) -> Explanation:
        """Explain the score of a segment; raise if a text that the metric reads is missing."""
        matched = self.for_texts(available_texts(references=bool(references), source=source is not None))
        texts = (source,) if "source" in matched.reads else ()
        explained = replace(matched.explain(hypothesis, references, *texts), reads=matched.reads)
        if "source" in matched.reads and not explained.source:
            explained = replace(explained, source=(source or "").split())
        return explained if "references" in matched.reads else replace(explained, reference=())

    def list_faults(self, hypothesis: str, source: str | None) -> Sequence[str]:  # noqa: ARG002 - most have none
        """Return a line for each fault of a segment; only checks find faults."""
        return ()

    @classmethod
    def options(cls) -> tuple[Option, ...]:
        """List the options, in the order of their declaration."""
        return _options_of(cls)

    def usual(self, option: Option) -> Any:
        """Return the default value of an option of this metric."""
        return option.default

    def in_force(self, option: str) -> Any:
        """Return the value of an option that the scores depend on, which the signature shows.

        It differs from the field's value if the metric does not use a resource.
        """
        return getattr(self, option)

    def get_signature(self) -> str:
        """Return the signature for one reference, as sacreBLEU's metrics do."""
        return self.signature((1, 1))

    def signature(self, n_references: tuple[int, int], **extra: str | int) -> str:
        """Format everything that is needed to reproduce the score, in sacreBLEU's format."""
        items = {"nrefs": self.format_n_references(n_references)}
        items |= {key: str(value) for key, value in extra.items()}
        if "source" in self.reads:
            items["src"] = "yes"
        for known in self.options():
            value = self.in_force(known.name)
            if known.in_signature and (known.key is not None or value != known.default):
                items[known.key or known.name] = known.format(value)
        items["version"] = name_origin(type(self), self.version)
        return "|".join([self.name, *(f"{key}:{value}" for key, value in items.items())])

    def format_n_references(self, n_references: tuple[int, int]) -> str:
        """Format the number of references per segment that the metric reads, for its signature."""
        return format_n_references(n_references if "references" in self.reads else (0, 0))

    def segment_signature(self, signature: str) -> str:
        """Turn the signature of a system score into that of segment scores, if their formula differs."""
        return signature

    def missing(self) -> str | None:
        """Name the missing optional resources that would change the scores, in one line; None if there are none."""
        return None

    def corpus_score(
        self,
        hypotheses: Iterable[str],
        references: Iterable[Iterable[str | None]] | None = None,
        *,
        source: Iterable[str] | None = None,
        orientation: Orientation | None = None,
    ) -> Score:
        """Score one system's output.

        Parameters
        ----------
        hypotheses
            A list, tuple, generator, numpy array or pandas Series of strings.
        references
            Either one list per reference *stream*, as in sacreBLEU, each as long as the hypotheses
            (`orientation="streams"`), where None marks a missing reference; or one list of references
            per segment (`orientation="segments"`). The shape is checked; if it fits both, `orientation`
            is required. A metric that reads no references needs none.
        source
            The source of each segment, for metrics that read it.
        orientation
            How `references` is nested; inferred from its shape by default.
        """
        texts = make_column(hypotheses, "hypotheses")
        groups = group_references(texts, references, orientation)
        totals, fitted = self._totals(
            texts, groups, None if source is None else make_column(source, "source")
        )
        return Score(
            self.name,
            float(fitted.combine(totals)),
            fitted.signature(count_references(groups)),
            fitted.details(totals),
        )

    def sentence_score(
        self, hypothesis: str, references: Iterable[str] | None = None, *, source: str | None = None
    ) -> Score:
        """Score one segment against one or several references, its source, or both, as the metric reads them."""
        group = [] if references is None else list_references(references)
        origin = None if source is None else [check_string(source, "source")]
        totals, fitted = self._totals([check_string(hypothesis, "hypothesis")], [group], origin)
        return Score(
            self.name,
            float(fitted.segment_scores(totals)),
            fitted.segment_signature(fitted.signature((len(group), len(group)))),
            fitted.details(totals),
        )

    def _totals(
        self, hypotheses: Sequence[str], groups: Sequence[Sequence[str]], source: Sequence[str] | None
    ) -> tuple[FloatArray, Self]:
        references = References(groups)
        matched = self.for_texts(
            available_texts(references=bool(len(references.texts)), source=source is not None)
        )
        fitted = matched.fit(references)
        sources = None if source is None else Texts(source, references.vocabulary)
        rows = fitted.checked_statistics(Texts(hypotheses, references.vocabulary), references, sources)
        return sum_rows(rows), fitted


def format_n_references(n_references: tuple[int, int]) -> str:
    """Format the number of references per segment for a signature.

    >>> format_n_references((2, 2)), format_n_references((1, 4))
    ('2', 'var')
    """
    low, high = n_references
    return str(low) if low == high else "var"


SYSTEM = Option(
    name="system",
    type=Literal["corpus", "mean"],
    default="corpus",
    help="the system score: the metric's own formula over the corpus, or the mean of the segment scores",
)


NORMALIZE = Option(
    name="normalize",
    type=NormalForm,
    default="none",
    help="Unicode normal form of all texts before they are split: nfc joins letters and accents, nfkc also replaces"
    " full-width and other variants of characters",
)

SHARED = (SYSTEM, NORMALIZE)


@cache
def _options_of(cls: type[Metric]) -> tuple[Option, ...]:
    hints = typing.get_type_hints(cls)
    own = tuple(option_of(field, hints[field.name]) for field in fields(cls) if not is_fitted_field(field))
    return (*own, *shared_options(cls))


def shared_options(cls: type[Metric]) -> tuple[Option, ...]:
    """List the options that every metric has, except options that the metric defines itself."""
    own = {field.name for field in fields(cls)}
    return tuple(option for option in SHARED if option.name not in own)


@cache
def derive_class(cls: type[Metric], changes: type, name: str, value: object) -> Any:
    """Return a class of the same metric, with the methods of `changes` before its own, for a shared option."""
    facts = {"__module__": cls.__module__, "__doc__": cls.__doc__, "name": cls.name, "title": cls.title}
    return type(cls.__name__, (changes, cls), {**facts, "original": cls, name: value})


def copy_as(metric: Metric, cls: type[Metric]) -> Any:
    """Return a metric of another class with the same values of all fields."""
    return cls(**{field.name: getattr(metric, field.name) for field in fields(metric)})


def keep_best(
    rows: FloatArray, groups: OffsetArray, by: Callable[[FloatArray], FloatArray] | None = None
) -> FloatArray:
    """Keep the row of the best reference of each segment (the first one on a tie).

    Parameters
    ----------
    rows
        One row per reference.
    groups
        Segment i has the rows `groups[i]` to `groups[i + 1]`.
    by
        Computes a number for each row; the highest is the best. The default is the first column.
    """
    if len(rows) == len(groups) - 1:
        return rows  # a single reference everywhere
    scores = rows[:, 0] if by is None else by(rows)
    best = np.maximum.reduceat(scores, groups[:-1])
    segments = np.repeat(np.arange(len(best)), np.diff(groups))
    winners = np.flatnonzero(scores == best[segments])
    _, first = np.unique(segments[winners], return_index=True)
    return rows[winners[first]]


def best_reference(metric: Metric, hypothesis: str, references: Sequence[str]) -> int:
    """Find the reference that an explanation shows: the one with the highest `rate_rows`, the first on a tie."""
    if len(list_references(references)) == 1:
        return 0
    alone = References([[reference] for reference in references])
    rows = metric.checked_statistics(Texts([hypothesis] * len(alone), alone.vocabulary), alone)
    return int(np.argmax(metric.rate_rows(rows)))


@dataclass(frozen=True)
class CountingMetric(Metric):
    """A metric whose statistics are weighted counts, so that tuning the weights needs only one count."""

    @abstractmethod
    def count(self, hypotheses: Texts, references: References) -> FloatArray:
        """Compute, for each reference of each segment, counts that do not depend on `formula_options`."""

    @abstractmethod
    def weigh(self, counts: FloatArray, groups: OffsetArray) -> FloatArray:
        """Turn the counts of each segment, one row per reference, into its row of statistics."""

    def statistics(self, hypotheses: Texts, references: References) -> FloatArray:
        return self.weigh(self.count(hypotheses, references), references.offsets)


@dataclass(frozen=True)
class ErrorRate(Metric):
    """A metric whose rows begin with (edits, average reference length)."""

    higher_is_better: ClassVar[bool] = False
    best: ClassVar[float] = 0.0
    worst: ClassVar[float] = 100.0
    stays_in_range: ClassVar[bool] = False  # a hypothesis can have more errors than the reference has words

    def combine(self, totals: FloatArray) -> FloatArray:
        return _error_rate(totals[..., 0], totals[..., 1])

    def rate_rows(self, rows: FloatArray) -> FloatArray:
        # The fewest edits decide, not the rate, because lengths are averaged over the references.
        return -rows[..., 0]

    def details(self, totals: FloatArray) -> dict[str, float]:
        return {"edits": float(totals[0]), "reference_length": float(totals[1])}


def _error_rate(edits: FloatArray, length: FloatArray) -> FloatArray:
    """Compute 100 · edits / length; an empty reference costs 100 if there is any edit and 0 if there is none."""
    empty = np.where(edits > 0, 100.0, 0.0)
    # Divide first, as sacreBLEU does for TER, for identical scores.
    return np.where(length > 0, 100.0 * (edits / np.where(length > 0, length, 1.0)), empty)


SEPARATOR = "&"
"""Between the signatures of two parts; inside a signature, `;` stands for `|`."""


@record
class Parts(Resource):
    """The metrics that another metric combines, in order."""

    metrics: tuple[Metric, ...]

    @property
    def identity(self) -> str:
        """The signatures of the parts, without the number of references and our version, which the whole has."""
        return SEPARATOR.join(_shorten(metric) for metric in self.metrics)

    @property
    def names(self) -> list[str]:
        """A name for each part: that of the metric, with a number if several parts have it."""
        names = [metric.name for metric in self.metrics]
        return [
            f"{name}{names[: i + 1].count(name)}" if names.count(name) > 1 else name
            for i, name in enumerate(names)
        ]


def plain_metrics(metric: Metric) -> Sequence[Metric]:
    """Return the parts of a metric that is made of others, or the metric itself."""
    parts = getattr(metric, "parts", None)
    return parts.metrics if isinstance(parts, Parts) else (metric,)


def _shorten(metric: Metric) -> str:
    name, *items = metric.signature((1, 1)).split("|")
    version = f"version:{name_origin(Metric, '')}"
    return ";".join([name, *(item for item in items if not item.startswith("nrefs:") and item != version)])
