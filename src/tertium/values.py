"""Immutable values that several packages share: token columns, corpora, scores, explanations."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from itertools import chain, repeat
from typing import ClassVar, Literal, Protocol, overload

import numpy as np
import numpy.typing as npt

from tertium.arguments import count_items, describe_value
from tertium.errors import InputError
from tertium.records import record

__all__ = [
    "DOCUMENT_COLUMNS",
    "Corpus",
    "DependencyNgrams",
    "Embedding",
    "Explanation",
    "FloatArray",
    "IdArray",
    "IdRows",
    "OffsetArray",
    "PhrasePairs",
    "ReferenceStreams",
    "Score",
    "TextKind",
    "TokenColumn",
    "TreeColumn",
    "WordAlignments",
    "Words",
    "count_references",
]


FloatArray = npt.NDArray[np.float64]
IdArray = npt.NDArray[np.int32]
OffsetArray = npt.NDArray[np.int64]

TextKind = Literal["references", "source"]
"""The texts besides the hypotheses that a metric may read; commands have an option of the same name for each."""

DOCUMENT_COLUMNS = ("document", "doc", "document_id", "doc_id", "docid", "docID")
"""Columns that hold the document of each segment, if the user named none; the first one that exists is used."""


class Words(Protocol):
    """A table that maps token ids to their strings."""

    def __len__(self) -> int: ...

    def words(self, ids: IdArray) -> list[str]: ...


@record(eq=False)
class TokenColumn:
    """The tokens of many texts: text i has the ids `ids[offsets[i]:offsets[i + 1]]`."""

    ids: IdArray
    offsets: OffsetArray
    vocabulary: Words

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @property
    def lengths(self) -> OffsetArray:
        return np.diff(self.offsets)

    @property
    def distinct(self) -> IdArray:
        """The ids that occur in the column, without duplicates, in ascending order."""
        occurs = np.zeros(len(self.vocabulary), dtype=bool)
        occurs[self.ids] = True
        return np.flatnonzero(occurs).astype(np.int32)

    def take(self, indices: OffsetArray) -> "TokenColumn":
        """Return a column of the texts with these indices, in this order."""
        lengths = self.lengths[indices]
        offsets: OffsetArray = np.zeros(len(indices) + 1, dtype=np.int64)
        np.cumsum(lengths, out=offsets[1:])
        places = np.arange(offsets[-1]) + np.repeat(self.offsets[:-1][indices] - offsets[:-1], lengths)
        return TokenColumn(self.ids[places], offsets, self.vocabulary)

    def words(self, i: int) -> list[str]:
        """Return the tokens of text i as strings."""
        return self.vocabulary.words(self.ids[self.offsets[i] : self.offsets[i + 1]])


@record(eq=False)
class IdRows(Sequence[Sequence[int]]):
    """Rows of integers in one flat array: row i is `ids[offsets[i]:offsets[i + 1]]`."""

    ids: IdArray
    offsets: OffsetArray

    @classmethod
    def of(cls, rows: Sequence[Sequence[int]]) -> "IdRows":
        """Copy rows into one flat array; an `IdRows` is returned unchanged."""
        if isinstance(rows, IdRows):
            return rows
        offsets: OffsetArray = np.zeros(len(rows) + 1, dtype=np.int64)
        np.cumsum([len(row) for row in rows], out=offsets[1:])
        return cls(np.fromiter(chain.from_iterable(rows), dtype=np.int32), offsets)

    def join(self, more: "IdRows") -> "IdRows":
        """Return these rows followed by `more`."""
        offsets = np.concatenate([self.offsets, self.offsets[-1] + more.offsets[1:]])
        return IdRows(np.concatenate([self.ids, more.ids]), offsets)

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @overload
    def __getitem__(self, index: int) -> list[int]: ...
    @overload
    def __getitem__(self, index: slice) -> list[list[int]]: ...
    def __getitem__(self, index: int | slice) -> list[int] | list[list[int]]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        i = range(len(self))[index]
        row: list[int] = self.ids[self.offsets[i] : self.offsets[i + 1]].tolist()
        return row


@record(eq=False)
class Embedding:
    """The vectors of a token column: token t has `matrix[rows[t]]`, or no vector if `rows[t]` is -1.

    Equal words may share a row (a table of word vectors), or every occurrence may have its own (a contextual
    encoder).
    """

    rows: IdArray
    matrix: npt.NDArray[np.float32]


@record(eq=False)
class TreeColumn:
    """Dependency trees of many texts: token t of text i has the head `heads[offsets[i] + t]`.

    A head is a position in its own text, counted from 0, or -1 at the root. Lemmas, universal parts
    of speech (`tags`) and relations are flat lists in the same order as the heads.
    """

    heads: IdArray
    offsets: OffsetArray
    lemmas: Sequence[str]
    tags: Sequence[str]
    relations: Sequence[str]

    def __len__(self) -> int:
        return len(self.offsets) - 1


@record(eq=False)
class DependencyNgrams:
    """Groups of words connected in dependency trees; text i has the n-grams `offsets[i]` to `offsets[i + 1]`.

    n-gram g has the positions `positions[starts[g]:starts[g + 1]]` in its text: in a chain they run from the
    top word down, in a structure from left to right.
    """

    positions: IdArray
    starts: OffsetArray
    kinds: IdArray
    offsets: OffsetArray

    KINDS: ClassVar[tuple[str, ...]] = ("word", "chain", "structure")

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @property
    def lengths(self) -> OffsetArray:
        """The number of words of each n-gram."""
        return np.diff(self.starts)

    @property
    def texts(self) -> OffsetArray:
        """The text to which each n-gram belongs."""
        return np.repeat(np.arange(len(self)), np.diff(self.offsets))

    def of(self, i: int) -> list[tuple[str, tuple[int, ...]]]:
        """Return the kind and the positions of each n-gram of text i."""
        return [
            (self.KINDS[self.kinds[g]], tuple(self.positions[self.starts[g] : self.starts[g + 1]].tolist()))
            for g in range(self.offsets[i], self.offsets[i + 1])
        ]


class PhrasePairs(Protocol):
    """A table of pairs of phrases with the same meaning, searched by the compiled core."""

    def __len__(self) -> int: ...


@record(eq=False)
class WordAlignments:
    """Word alignments of hypotheses and references; pair i has the rows `offsets[i]` to `offsets[i + 1]`.

    A row of `matches` holds the position of the first word and the number of words in the reference, the same
    two numbers in the hypothesis, and the kind of match (0 exact, 1 stem, 2 synonym, 3 paraphrase). `chunks`
    counts the runs of matches that are adjacent and in the same order in both texts.
    """

    matches: IdArray
    offsets: OffsetArray
    chunks: IdArray

    KINDS: ClassVar[tuple[str, ...]] = ("exact", "stem", "synonym", "paraphrase")

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def of(self, i: int) -> IdArray:
        """Return the matches of pair i, in the order of the reference."""
        return self.matches[self.offsets[i] : self.offsets[i + 1]]


class ReferenceStreams(Sequence[tuple[str, ...]]):
    """References of a test set in which every segment has the same number of them, stored as columns.

    The first column holds the first reference of each segment, the second column the second reference. A test set
    without references has no columns; it only knows its number of segments.

    >>> ReferenceStreams([["a", "b"], ["A", "B"]])[1]
    ('b', 'B')
    >>> list(ReferenceStreams([], n_segments=2))
    [(), ()]
    """

    def __init__(self, streams: Sequence[Sequence[str]], *, n_segments: int | None = None) -> None:
        self.streams = tuple(streams)
        self._n_segments = len(self.streams[0]) if n_segments is None else n_segments

    def __len__(self) -> int:
        return self._n_segments

    @overload
    def __getitem__(self, index: int) -> tuple[str, ...]: ...
    @overload
    def __getitem__(self, index: slice) -> "ReferenceStreams": ...
    def __getitem__(self, index: int | slice) -> "tuple[str, ...] | ReferenceStreams":
        if isinstance(index, slice):
            n_segments = len(range(*index.indices(len(self))))
            return ReferenceStreams([stream[index] for stream in self.streams], n_segments=n_segments)
        return tuple(stream[index] for stream in self.streams)

    def __iter__(self) -> Iterator[tuple[str, ...]]:
        return zip(*self.streams, strict=True) if self.streams else repeat((), len(self))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sequence):
            return NotImplemented
        return list(self) == list(map(tuple, other))

    __hash__ = None  # type: ignore[assignment] # not hashable, like a list

    def __repr__(self) -> str:
        return f"<ReferenceStreams: {len(self):,} segments, {len(self.streams)} for each>"


@record
class Corpus:
    """A test set: the references of each segment, and the outputs of the systems by name.

    Every segment has at least one reference, or none has (`ReferenceStreams` without columns).
    `segment_ids` and `document_ids` are labels for display; the library counts segments from 0, tables and
    messages count them from 1. `columns` hold further properties of each segment (domain, year, original
    language), by which segments can be selected or grouped; an unknown value is "".
    """

    references: Sequence[Sequence[str]]
    systems: Mapping[str, Sequence[str]]
    sources: Sequence[str] | None = None
    segment_ids: Sequence[str] | None = None
    document_ids: Sequence[str] | None = None
    columns: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        n_segments = count_items(self.references, "references")
        if not n_segments:
            raise InputError("no segments to score: the references are empty")
        _check_references(self.references)
        for label in ("systems", "columns"):
            if not isinstance(given := getattr(self, label), Mapping):
                raise InputError(
                    f"{label} must be a mapping from names to lists, not {describe_value(given)}"
                )
        columns = {f"system {name!r}": texts for name, texts in self.systems.items()}
        for label in ("sources", "segment_ids", "document_ids"):
            if (column := getattr(self, label)) is not None:
                columns[label] = column
                if label != "sources":
                    _check_labels(column, label)
        columns |= {f"column {name!r}": values for name, values in self.columns.items()}
        for label, column in columns.items():
            if (found := count_items(column, label)) != n_segments:
                raise InputError(f"{label} has {found:,} segments but the references have {n_segments:,}")

    def __len__(self) -> int:
        return len(self.references)

    @property
    def n_references(self) -> tuple[int, int]:
        """The minimum and maximum number of references per segment."""
        return count_references(self.references)

    @property
    def has_references(self) -> bool:
        return not (isinstance(self.references, ReferenceStreams) and not self.references.streams)

    @property
    def available(self) -> frozenset[TextKind]:
        """The kinds of texts that metrics can read here."""
        return available_texts(references=self.has_references, source=self.sources is not None)

    @property
    def target_texts(self) -> Sequence[str]:
        """A text of each segment in the target language: the first reference, or else the first system's output."""
        if not self.has_references:
            return next(iter(self.systems.values()), ())
        if isinstance(self.references, ReferenceStreams):
            return self.references.streams[0]
        return [group[0] for group in self.references]

    @property
    def measured_texts(self) -> Sequence[Sequence[str]]:
        """The texts that tell the length of each segment: its references, or else its source or first output."""
        if self.has_references:
            return self.references
        return ReferenceStreams([self.target_texts if self.sources is None else self.sources])


def _check_labels(values: Sequence[str], place: str) -> None:
    """Raise if one of the labels of segments is not a string."""
    n_values = count_items(values, place)
    for number in range(n_values) if set(map(type, values)) != {str} else ():
        if not isinstance(values[number], str):
            raise InputError(f"{place}[{number}] must be a string, not {describe_value(values[number])}")


def available_texts(*, references: bool, source: bool) -> frozenset[TextKind]:
    """Return the kinds of texts that are available."""
    found: dict[TextKind, bool] = {"references": references, "source": source}
    return frozenset(kind for kind, is_there in found.items() if is_there)


def count_references(groups: Sequence[Sequence[str]]) -> tuple[int, int]:
    """Return the minimum and maximum number of references per segment."""
    if isinstance(groups, ReferenceStreams):
        return len(groups.streams), len(groups.streams)
    counts = {len(group) for group in groups}
    return min(counts), max(counts)


def _check_references(references: Sequence[Sequence[str]]) -> None:
    if isinstance(references, ReferenceStreams):
        return
    for number, group in enumerate(references, start=1):
        if isinstance(group, str):
            raise InputError(f"segment {number}: give its references as a list of strings, not one string")
        if not count_items(group, f"segment {number}"):
            raise InputError(f"segment {number} has no reference; an empty reference is written as ''")


@record
class Score:
    """A system or segment score, with the numbers it was computed from.

    `low` and `high` are the bounds of its confidence interval, if one was requested.
    """

    name: str
    value: float
    signature: str
    details: Mapping[str, float | Sequence[float]] = field(default_factory=dict)
    low: float | None = None
    high: float | None = None

    @property
    def score(self) -> float:
        """The value, under sacreBLEU's name for it."""
        return self.value

    def __float__(self) -> float:
        return self.value

    def __str__(self) -> str:
        return f"{self.name} = {self.value:.2f}"

    def __format__(self, specification: str) -> str:
        return format(self.value, specification) if specification else str(self)

    def __round__(self, digits: int | None = None) -> float:
        return round(self.value, digits)

    def __lt__(self, other: object) -> bool:
        """Compare with a number, or with a score of the same metric; scores of other metrics cannot be compared."""
        value = self._comparable(other)
        return NotImplemented if value is None else self.value < value

    def __le__(self, other: object) -> bool:
        value = self._comparable(other)
        return NotImplemented if value is None else self.value <= value

    def __gt__(self, other: object) -> bool:
        value = self._comparable(other)
        return NotImplemented if value is None else self.value > value

    def __ge__(self, other: object) -> bool:
        value = self._comparable(other)
        return NotImplemented if value is None else self.value >= value

    def _comparable(self, other: object) -> float | None:
        if isinstance(other, Score):
            return other.value if other.name == self.name else None
        return float(other) if isinstance(other, int | float) else None

    def to_metrics(self, name: str) -> dict[str, float]:
        """Return the score, and the bounds of its interval if it has one, as numbers by name."""
        if self.low is None or self.high is None:
            return {name: self.value}
        return {name: self.value, f"{name}_low": self.low, f"{name}_high": self.high}


@record
class Explanation:
    """How a metric arrived at the score of one pair, as plain data that the terminal and the report display.

    A metric fills the fields that apply to it. `matrices` maps names to arrays whose rows are hypothesis units;
    `rows` and `columns` label their axes, and `row_weights` and `column_weights` are the weights of the units.
    `links` connect a row with a column and have a label. `steps` describe the computation, one line per step.
    `heads` is the reference's tree (-1 for the root), and `ngrams` are parts of it: kind, positions, credit.
    `reads` names the texts that the metric read besides the hypothesis; the words of other texts are empty.
    """

    metric: str
    hypothesis: Sequence[str]
    reference: Sequence[str]
    score: float
    rows: Sequence[str] = ()
    columns: Sequence[str] = ()
    matrices: Mapping[str, FloatArray] = field(default_factory=dict)
    row_weights: Sequence[float] = ()
    column_weights: Sequence[float] = ()
    links: Sequence[tuple[int, int, str]] = ()
    steps: Sequence[str] = ()
    facts: Mapping[str, float | str] = field(default_factory=dict)
    heads: Sequence[int] = ()
    ngrams: Sequence[tuple[str, tuple[int, ...], float]] = ()
    source: Sequence[str] = ()
    reads: frozenset[TextKind] = frozenset({"references"})

    def __iter__(self) -> Iterator[str]:
        return iter(self.steps)

    @property
    def texts(self) -> Mapping[str, Sequence[str]]:
        """The words of the hypothesis and of the texts that the metric read, by the name of the text."""
        read = {"references": ("reference", self.reference), "source": ("source", self.source)}
        return {"hypothesis": self.hypothesis} | dict(
            read[kind] for kind in ("references", "source") if kind in self.reads
        )

    @property
    def compared(self) -> tuple[str, Sequence[str]]:
        """The name and the words of the text that columns and links belong to: the source if no reference was read."""
        return ("reference", self.reference) if "references" in self.reads else ("source", self.source)

    @property
    def column_words(self) -> Sequence[str]:
        """The labels of the columns."""
        return self.columns or self.compared[1]
