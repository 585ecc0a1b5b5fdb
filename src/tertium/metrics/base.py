"""What a metric is: a row of numbers per segment, and a formula over their sum."""

import typing
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cache
from typing import ClassVar, Literal, Self

from tertium.errors import InputError, OptionError
from tertium.metrics.options import Option, option_of
from tertium.text import References, Texts
from tertium.text.tokenizers import check_tokenizer
from tertium.types import Explanation, FloatArray, OffsetArray, Score

__all__ = ["Metric", "Orientation"]

Orientation = Literal["streams", "segments"]


@dataclass(frozen=True)
class Metric(ABC):
    """The parent of all metrics. A subclass is a frozen dataclass whose fields are its options.

    Scores of a bounded metric are on the scale 0 to 100 in every output.
    """

    name: ClassVar[str]
    paper: ClassVar[str] = ""
    higher_is_better: ClassVar[bool] = True
    bounded: ClassVar[bool] = True
    best: ClassVar[float] = 100.0
    worst: ClassVar[float] = 0.0
    takes_best_reference: ClassVar[bool] = False
    """Whether another reference can never make a score worse."""
    formula_options: ClassVar[frozenset[str]] = frozenset()
    """Options that only `weigh`, `combine` and `segment_scores` read: the tuner counts nothing again for them."""
    perfect_from: ClassVar[int | None] = 1
    """How many words a text needs so that it surely gets the best score against itself (None: no number)."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        cls.name = cls.__module__.rpartition(".")[2]

    def __post_init__(self) -> None:
        for known in self.options():
            known.check(getattr(self, known.name), self.name)
        if (tokenizer := getattr(self, "tokenizer", None)) is not None:
            check_tokenizer(tokenizer)

    @abstractmethod
    def statistics(self, hypotheses: Texts, references: References) -> FloatArray:
        """Compute the row of additive statistics of every segment: an (n, k) array."""

    def count(self, hypotheses: Texts, references: References) -> FloatArray:
        """Compute what `weigh` makes statistics of; most metrics have their statistics at once."""
        return self.statistics(hypotheses, references)

    def weigh(self, counts: FloatArray, groups: OffsetArray) -> FloatArray:  # noqa: ARG002
        """Turn counts into statistics; `groups` tells which rows are references of one segment."""
        return counts

    @abstractmethod
    def combine(self, totals: FloatArray) -> FloatArray:
        """Turn summed statistics (..., k) into system scores (...)."""

    def segment_scores(self, rows: FloatArray) -> FloatArray:
        """Turn rows of statistics (..., k) into segment scores (...)."""
        return self.combine(rows)

    def fit(self, references: References) -> Self:  # noqa: ARG002 - most metrics need no such pass
        """Return a copy that knows what it needs of the whole test set's references."""
        return self

    def details(self, totals: FloatArray) -> Mapping[str, float | Sequence[float]]:  # noqa: ARG002
        """The numbers behind a system score that a reader may want to see."""
        return {}

    def explain(self, hypothesis: str, references: Sequence[str]) -> Explanation:  # noqa: ARG002
        """Say why this pair gets its score."""
        raise OptionError(f"{self.name} has no explanation of single segments")

    @classmethod
    def options(cls) -> tuple[Option, ...]:
        """The options, in the order of their declaration."""
        return _options_of(cls)

    def signature(self, n_references: tuple[int, int], **extra: str | int) -> str:
        """What another person needs to get the same number, in sacreBLEU's format."""
        from tertium import __version__  # noqa: PLC0415 - the package imports this module

        low, high = n_references
        items = {"nrefs": str(low) if low == high else "var"}
        items |= {key: str(value) for key, value in extra.items()}
        for known in self.options():
            value = getattr(self, known.name)
            if known.key is not None or value != known.default:
                items[known.key or known.name] = known.spell(value)
        items["version"] = f"tertium-{__version__}"
        return "|".join([self.name, *(f"{key}:{value}" for key, value in items.items())])

    def corpus_score(
        self,
        hypotheses: Sequence[str],
        references: Sequence[Sequence[str | None]],
        *,
        orientation: Orientation | None = None,
    ) -> Score:
        """Score one system's output.

        Parameters
        ----------
        references
            As sacreBLEU takes them: one list per reference *stream*, each as long as the hypotheses
            (`orientation="streams"`), where None means that a segment lacks that reference; or one
            list of references per segment (`orientation="segments"`). The shape is checked, and when
            it fits both readings you must say which one you mean.
        """
        groups = group_references(hypotheses, references, orientation)
        totals, fitted = self._totals(list(hypotheses), groups)
        counts = {len(group) for group in groups}
        return Score(
            self.name,
            float(fitted.combine(totals)),
            fitted.signature((min(counts), max(counts))),
            fitted.details(totals),
        )

    def sentence_score(self, hypothesis: str, references: Sequence[str]) -> Score:
        """Score one segment against one or several references."""
        if isinstance(references, str):
            raise InputError("references must be a list of strings, even when there is only one")
        groups = group_references([hypothesis], [list(references)], "segments")
        totals, fitted = self._totals([hypothesis], groups)
        return Score(
            self.name,
            float(fitted.segment_scores(totals)),
            fitted.signature((len(groups[0]), len(groups[0]))),
            fitted.details(totals),
        )

    def _totals(self, hypotheses: list[str], groups: Sequence[Sequence[str]]) -> tuple[FloatArray, Self]:
        references = References(groups)
        fitted = self.fit(references)
        rows = fitted.statistics(Texts(hypotheses, references.vocabulary), references)
        return rows.sum(axis=0), fitted


@cache
def _options_of(cls: type[Metric]) -> tuple[Option, ...]:
    hints = typing.get_type_hints(cls)
    return tuple(option_of(declared, hints[declared.name]) for declared in fields(cls))


def group_references(
    hypotheses: Sequence[str], references: Sequence[Sequence[str | None]], orientation: Orientation | None
) -> list[list[str]]:
    """Bring references into one list per segment, refusing shapes that do not fit the hypotheses."""
    if isinstance(hypotheses, str) or isinstance(references, str):
        raise InputError("hypotheses and references must be lists, not single strings")
    if not hypotheses:
        raise InputError("no segments to score: the list of hypotheses is empty")
    if references and isinstance(references[0], str):
        raise InputError("references must be a list of lists: one list per reference stream or per segment")
    as_streams = bool(references) and all(len(stream) == len(hypotheses) for stream in references)
    as_segments = len(references) == len(hypotheses)
    reading = orientation or _read_orientation(as_streams=as_streams, as_segments=as_segments)
    if (reading == "streams" and not as_streams) or (reading == "segments" and not as_segments):
        raise InputError(_shape_message(len(hypotheses), references, reading))
    groups = _by_segment(references) if reading == "streams" else [list(group) for group in references]
    if any(None in group for group in references):
        groups = [[text for text in group if text is not None] for group in groups]
    if not all(groups):
        raise InputError(
            f"segment {groups.index([]) + 1} has no reference; an empty reference is written as ''"
        )
    return groups  # type: ignore[return-value] # no None is left


def _by_segment(streams: Sequence[Sequence[str | None]]) -> list[list[str | None]]:
    return [list(group) for group in zip(*streams, strict=True)]


def _read_orientation(*, as_streams: bool, as_segments: bool) -> Orientation:
    if as_streams and as_segments:
        raise InputError(
            "the references fit both readings, a list per reference stream and a list per segment; "
            "say which with orientation='streams' or orientation='segments'"
        )
    return "streams"


def _shape_message(n_segments: int, references: Sequence[Sequence[str | None]], reading: str) -> str:
    lengths = sorted({len(stream) for stream in references})
    given = f"{len(references)} lists of {' or '.join(map(str, lengths[:3]))}" if lengths else "no list"
    if reading == "streams" and len(references) == n_segments:
        return (
            f"the references look transposed: {n_segments} hypotheses but {given}; "
            "pass orientation='segments' if each list holds the references of one segment"
        )
    wanted = f"lists of {n_segments}" if reading == "streams" else f"{n_segments} lists"
    return f"the references do not fit {n_segments} hypotheses: {given} given, {wanted} needed"
