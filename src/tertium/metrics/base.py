"""What a metric is: a row of numbers per segment, and a formula over their sum."""

import typing
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, Self

import numpy as np

import tertium
from tertium.errors import InputError, OptionError
from tertium.kernels.sums import sum_rows
from tertium.metrics.inputs import Orientation, group_references, read_column, read_references, read_text
from tertium.metrics.options import Option, is_fitted_field, option_of
from tertium.text import References, Texts
from tertium.text.tokenizers import check_tokenizer
from tertium.types import Explanation, FloatArray, OffsetArray, Score, count_references

if TYPE_CHECKING:
    from importlib.metadata import EntryPoints


ENTRY_POINTS = "tertium.metrics"

_OWN = "tertium"


def is_own(cls: type) -> bool:
    """Tell whether a metric is one of this package's."""
    return cls.__module__.split(".")[0] == _OWN


def default_name(cls: type) -> str:
    """Name a metric that does not name itself: by its module if it is ours, else by its class."""
    return cls.__module__.rpartition(".")[2] if is_own(cls) else cls.__name__.lower()


def name_origin(cls: type, given: str) -> str:
    """Name the package and version that made a score, for its signature.

    Parameters
    ----------
    given
        The version that a plug-in gives itself, or nothing.

    >>> name_origin(type("Mine", (), {"__module__": "my_metrics.lengths"}), "1.2").partition("+")[0]
    'my_metrics-1.2'
    """
    if is_own(cls):
        return _own_version()
    package = cls.__module__.split(".")[0]
    return f"{f'{package}-{given}' if given else _installed_version(package)}+{_own_version()}"


def plugged_in() -> "EntryPoints":
    """List the metrics of other packages, for which all that is installed is looked through."""
    from importlib.metadata import entry_points  # noqa: PLC0415 - it brings half of the library for mails

    return entry_points(group=ENTRY_POINTS)


def _own_version() -> str:
    return f"{_OWN}-{tertium.__version__}"


@cache
def _installed_version(package: str) -> str:
    """Name the distribution that a plug-in came in and its version; without one, the package alone.

    Its entry point knows the distribution even where a checkout is installed in place.
    """
    from importlib.metadata import packages_distributions, version  # noqa: PLC0415

    for entry in plugged_in():
        if entry.dist is not None and entry.module.split(".")[0] == package:
            return f"{entry.dist.name}-{entry.dist.version}"
    owners = packages_distributions().get(package)
    return f"{owners[0]}-{version(owners[0])}" if owners else package


class ReferenceCounts(Protocol):
    """What a metric has counted in some of the references: counts of other references can be added."""

    def merge(self, other: Self) -> Self:
        """Add what was counted in other references; neither changes."""


@dataclass(frozen=True)
class Metric(ABC):
    """The parent of all metrics. A subclass is a frozen dataclass whose fields are its options.

    Scores of a bounded metric are on the scale 0 to 100 in every output. What `fit` learns is a field
    too, declared by `fitted_field`, and is not an option.
    """

    name: ClassVar[str]
    """What users call it. By default it is the module's name, and for a plug-in the class's in lower case."""
    version: ClassVar[str] = ""
    """The version of a plug-in, for its signature. By default it is that of the package it came in."""
    paper: ClassVar[str] = ""
    higher_is_better: ClassVar[bool] = True
    bounded: ClassVar[bool] = True
    """Whether scores are shown on the scale 0 to 100, or 0 to 1 on demand; NIST's, in bits, are left as they are."""
    best: ClassVar[float] = 100.0
    worst: ClassVar[float] = 0.0
    stays_in_range: ClassVar[bool] = True
    """Whether every score under default options lies between `worst` and `best`."""
    takes_best_reference: ClassVar[bool] = False
    """Whether another reference can never make a score worse."""
    formula_options: ClassVar[frozenset[str]] = frozenset()
    """Options that only `weigh`, `combine` and `segment_scores` read: the tuner counts once for all their values."""
    fit_saves_work: ClassVar[bool] = False
    """Whether `fit` finds nothing that `statistics` would not find by itself: then parts of a corpus need none."""
    perfect_from: ClassVar[int | None] = 1
    """A text of so many words surely gets the best score against itself; None: there is no such number."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if "name" not in vars(cls):  # an inherited name is another metric's
            cls.name = default_name(cls)

    def __post_init__(self) -> None:
        for known in self.options():
            known.check(getattr(self, known.name), self.name)
        if (tokenizer := getattr(self, "tokenizer", None)) is not None:
            check_tokenizer(tokenizer)

    @property
    def word_tokenizer(self) -> str | None:
        """The tokenizer whose words are compared; None for a metric over characters."""
        name: str | None = getattr(self, "tokenizer", None)
        return name

    @property
    def most_segments(self) -> int | None:
        """The most segments that fit into memory with all that is computed of them; None if that is little."""
        return None

    @abstractmethod
    def statistics(self, hypotheses: Texts, references: References) -> FloatArray:
        """Compute a row of k numbers for each segment: an (n, k) array whose rows may be added up."""

    def checked_statistics(self, hypotheses: Texts, references: References) -> FloatArray:
        """Compute the statistics, and raise if they are not one row per segment."""
        if len(hypotheses) != len(references):
            raise InputError(
                f"{self.name}: {len(hypotheses):,} hypotheses but references of {len(references):,} segments"
            )
        rows = self.statistics(hypotheses, references)
        if np.ndim(rows) != 2 or len(rows) != len(references):
            raise InputError(
                f"{self.name} returned statistics of shape {np.shape(rows)} for {len(references):,} segments; "
                "a metric must return a row of numbers for each segment"
            )
        return rows

    def count(self, hypotheses: Texts, references: References) -> FloatArray:
        """Compute what `weigh` turns into statistics. For most metrics that is the statistics already."""
        return self.statistics(hypotheses, references)

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
        """Rate references by their rows: an explanation shows the reference with the highest rate."""
        scores = self.segment_scores(rows)
        return scores if self.higher_is_better else -scores

    def fit(self, references: References) -> Self:  # noqa: ARG002 - most metrics need no such pass
        """Return a copy that has learnt what it needs from the references of the whole test set."""
        return self

    def learn(self, references: References) -> ReferenceCounts | None:  # noqa: ARG002 - as above
        """Count in some of the references what `fit_learnt` needs of all; None if it needs nothing."""
        return None

    def fit_learnt(self, learnt: Any) -> Self:  # noqa: ARG002 - as above
        """Return what `fit` would, from the merged counts of all references."""
        return self

    def details(self, totals: FloatArray) -> Mapping[str, float | Sequence[float]]:  # noqa: ARG002
        """Return the numbers behind a system score that a reader may want to see."""
        return {}

    def explain(self, hypothesis: str, references: Sequence[str]) -> Explanation:  # noqa: ARG002
        """Explain why this pair gets its score."""
        raise OptionError(f"{self.name} has no explanation of single segments")

    @classmethod
    def options(cls) -> tuple[Option, ...]:
        """List the options, in the order of their declaration."""
        return _options_of(cls)

    def usual(self, option: Option) -> Any:
        """Return the value that an option has here if nobody gives it one."""
        return option.default

    def in_force(self, option: str) -> Any:
        """Return the value of an option that the scores depend on, which the signature shows.

        It differs from the value that was given where a metric leaves a resource unused.
        """
        return getattr(self, option)

    def signature(self, n_references: tuple[int, int], **extra: str | int) -> str:
        """Write down what another person needs to get the same number, in sacreBLEU's format."""
        items = {"nrefs": format_n_references(n_references)}
        items |= {key: str(value) for key, value in extra.items()}
        for known in self.options():
            value = self.in_force(known.name)
            if known.key is not None or value != known.default:
                items[known.key or known.name] = known.spell(value)
        items["version"] = name_origin(type(self), self.version)
        return "|".join([self.name, *(f"{key}:{value}" for key, value in items.items())])

    def segment_signature(self, signature: str) -> str:
        """Change a system score's signature where segments are scored by another formula."""
        return signature

    def missing(self) -> str | None:
        """Say in a line which optional resources are not there that would change the scores; None if none are."""
        return None

    def corpus_score(
        self,
        hypotheses: Iterable[str],
        references: Iterable[Iterable[str | None]],
        *,
        orientation: Orientation | None = None,
    ) -> Score:
        """Score one system's output.

        Parameters
        ----------
        hypotheses
            A list, tuple, generator, numpy array or pandas Series of strings.
        references
            As sacreBLEU takes them: one list per reference *stream*, each as long as the hypotheses
            (`orientation="streams"`), where None means that a segment lacks that reference; or one
            list of references per segment (`orientation="segments"`). The shape is checked, and when
            it fits both readings you must say which one you mean.
        """
        texts = read_column(hypotheses, "hypotheses")
        groups = group_references(texts, references, orientation)
        totals, fitted = self._totals(texts, groups)
        return Score(
            self.name,
            float(fitted.combine(totals)),
            fitted.signature(count_references(groups)),
            fitted.details(totals),
        )

    def sentence_score(self, hypothesis: str, references: Iterable[str]) -> Score:
        """Score one segment against one or several references."""
        group = read_references(references)
        totals, fitted = self._totals([read_text(hypothesis, "hypothesis")], [group])
        return Score(
            self.name,
            float(fitted.segment_scores(totals)),
            fitted.segment_signature(fitted.signature((len(group), len(group)))),
            fitted.details(totals),
        )

    def _totals(self, hypotheses: Sequence[str], groups: Sequence[Sequence[str]]) -> tuple[FloatArray, Self]:
        references = References(groups)
        fitted = self.fit(references)
        rows = fitted.checked_statistics(Texts(hypotheses, references.vocabulary), references)
        return sum_rows(rows), fitted


def format_n_references(n_references: tuple[int, int]) -> str:
    """Write how many references a segment has, as signatures show it.

    >>> format_n_references((2, 2)), format_n_references((1, 4))
    ('2', 'var')
    """
    low, high = n_references
    return str(low) if low == high else "var"


@cache
def _options_of(cls: type[Metric]) -> tuple[Option, ...]:
    hints = typing.get_type_hints(cls)
    return tuple(option_of(each, hints[each.name]) for each in fields(cls) if not is_fitted_field(each))


def keep_best(
    rows: FloatArray, groups: OffsetArray, by: Callable[[FloatArray], FloatArray] | None = None
) -> FloatArray:
    """For each segment, keep its best reference's row (the first one on a tie).

    Parameters
    ----------
    rows
        One row per reference.
    groups
        Segment i has the rows `groups[i]` to `groups[i + 1]`.
    by
        What makes a row better: the higher, the better. By default it is the row's first number.
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
    """Find the reference that an explanation is about: the one that fits this hypothesis best.

    The metric says by `rate_rows` what fits best; on a tie the first reference is taken.
    """
    if len(read_references(references)) == 1:
        return 0
    alone = References([[reference] for reference in references])
    rows = metric.checked_statistics(Texts([hypothesis] * len(alone), alone.vocabulary), alone)
    return int(np.argmax(metric.rate_rows(rows)))


@dataclass(frozen=True)
class CountingMetric(Metric):
    """A metric whose statistics are weighted counts. A tuner of the weights needs to count only once."""

    @abstractmethod
    def count(self, hypotheses: Texts, references: References) -> FloatArray:
        """Count, for each reference of each segment, what does not depend on the options in `formula_options`."""

    @abstractmethod
    def weigh(self, counts: FloatArray, groups: OffsetArray) -> FloatArray:
        """Turn the counts of each segment, a row per reference, into its row of statistics."""

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
        # Not the rate: lengths are averaged over the references, so the fewest edits decide.
        return -rows[..., 0]

    def details(self, totals: FloatArray) -> dict[str, float]:
        return {"edits": float(totals[0]), "reference_length": float(totals[1])}


def _error_rate(edits: FloatArray, length: FloatArray) -> FloatArray:
    """Compute 100 · edits / length; an empty reference costs 100 if there is any edit and 0 if there is none."""
    empty = np.where(edits > 0, 100.0, 0.0)
    # Divided first, as sacreBLEU does for TER: the last digit is then the same.
    return np.where(length > 0, 100.0 * (edits / np.where(length > 0, length, 1.0)), empty)
