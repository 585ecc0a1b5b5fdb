"""Many texts in flat arrays: tokens, vectors, trees, n-grams and alignments."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import ClassVar, Protocol, overload

import numpy as np
import numpy.typing as npt

__all__ = [
    "Alignments",
    "DependencyNgrams",
    "Embedding",
    "FloatArray",
    "IdArray",
    "IdRows",
    "OffsetArray",
    "PhrasePairs",
    "TokenColumn",
    "TreeColumn",
    "Words",
]

FloatArray = npt.NDArray[np.float64]
IdArray = npt.NDArray[np.int32]
OffsetArray = npt.NDArray[np.int64]


class Words(Protocol):
    """A table from ids back to the strings they stand for."""

    def __len__(self) -> int: ...

    def words(self, ids: IdArray) -> list[str]: ...


@dataclass(frozen=True, eq=False)
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
        """The ids that occur, each once, from the least to the largest."""
        occurs = np.zeros(len(self.vocabulary), dtype=bool)
        occurs[self.ids] = True
        return np.flatnonzero(occurs).astype(np.int32)

    def words(self, i: int) -> list[str]:
        """The tokens of text i as strings."""
        return self.vocabulary.words(self.ids[self.offsets[i] : self.offsets[i + 1]])


@dataclass(frozen=True, eq=False)
class IdRows(Sequence[Sequence[int]]):
    """Rows of numbers, flat: row i is `ids[offsets[i]:offsets[i + 1]]`."""

    ids: IdArray
    offsets: OffsetArray

    @classmethod
    def of(cls, rows: Sequence[Sequence[int]]) -> "IdRows":
        """Lay rows flat; those that lie so already stay as they are."""
        if isinstance(rows, IdRows):
            return rows
        offsets: OffsetArray = np.zeros(len(rows) + 1, dtype=np.int64)
        np.cumsum([len(row) for row in rows], out=offsets[1:])
        return cls(np.fromiter(chain.from_iterable(rows), dtype=np.int32), offsets)

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


@dataclass(frozen=True, eq=False)
class Embedding:
    """The vectors of a token column: token t has `matrix[rows[t]]`, or none where `rows[t]` is -1.

    Rows may be shared by equal words (a table of word vectors) or stand for one occurrence each
    (a contextual encoder); who reads them need not know.
    """

    rows: IdArray
    matrix: npt.NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class TreeColumn:
    """Dependency trees of many texts: token t of text i has the head `heads[offsets[i] + t]`.

    A head is a position in its own text, counted from 0, or -1 at the root. Lemmas, universal parts
    of speech (`tags`) and relations are flat lists beside the heads.
    """

    heads: IdArray
    offsets: OffsetArray
    lemmas: Sequence[str]
    tags: Sequence[str]
    relations: Sequence[str]

    def __len__(self) -> int:
        return len(self.offsets) - 1


@dataclass(frozen=True, eq=False)
class DependencyNgrams:
    """Groups of words that trees tie together; text i has the n-grams `offsets[i]` to `offsets[i + 1]`.

    n-gram g stands at the positions `positions[starts[g]:starts[g + 1]]` of its text: those of a chain
    run from the top word down, those of a structure from left to right.
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
        """How many words each n-gram has."""
        return np.diff(self.starts)

    @property
    def texts(self) -> OffsetArray:
        """The text to which each n-gram belongs."""
        return np.repeat(np.arange(len(self)), np.diff(self.offsets))

    def of(self, i: int) -> list[tuple[str, tuple[int, ...]]]:
        """The kinds and positions of text i's n-grams."""
        return [
            (self.KINDS[self.kinds[g]], tuple(self.positions[self.starts[g] : self.starts[g + 1]].tolist()))
            for g in range(self.offsets[i], self.offsets[i + 1])
        ]


class PhrasePairs(Protocol):
    """A table of phrases that mean the same, searched by the compiled core."""

    def __len__(self) -> int: ...


@dataclass(frozen=True, eq=False)
class Alignments:
    """Which words of hypotheses and references belong together; pair i has rows `offsets[i]` to `offsets[i + 1]`.

    A row of `matches` has the first word and the number of words covered in the reference, the same in
    the hypothesis, and the kind (0 exact, 1 stem, 2 synonym, 3 paraphrase). `chunks` counts the runs of
    matches that stand together in the same order in both texts.
    """

    matches: IdArray
    offsets: OffsetArray
    chunks: IdArray

    KINDS: ClassVar[tuple[str, ...]] = ("exact", "stem", "synonym", "paraphrase")

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def of(self, i: int) -> IdArray:
        """The matches of pair i, in the order of the reference."""
        return self.matches[self.offsets[i] : self.offsets[i + 1]]
