"""Which edits turn a system's outputs into the references: insertions, deletions, substitutions, shifts, inversions."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from tertium.errors import InputError
from tertium.kernels import n_threads
from tertium.kernels.derivations import EditKind
from tertium.kernels.edit_kinds import count_edit_kinds
from tertium.kernels.inversion import InversionCosts, trace_inversions
from tertium.metrics.best_reference import keep_best
from tertium.text import References, Texts
from tertium.types import Corpus, IdArray, OffsetArray, TokenColumn

__all__ = ["EditNeeds", "count_edit_needs"]


@dataclass(frozen=True)
class EditNeeds:
    """The edits that one system's outputs need, as the translation edit rate counts them.

    Attributes
    ----------
    insertions
        Words that the output lacks.
    deletions
        Words that the output has too many.
    shifts
        Blocks of words that stand in the wrong place.
    inversions
        Pairs of neighbouring blocks that change places in a cheapest derivation of the inversion word error rate, which
        has no shifts; None where they were not counted.
    n_words
        The length of the references: of several for one segment, the average.
    """

    insertions: int
    deletions: int
    substitutions: int
    shifts: int
    n_words: float
    inversions: int | None = None

    def counts(self) -> dict[str, int]:
        """The number of edits of each kind."""
        kinds = ("insertions", "deletions", "substitutions", "shifts")
        counted = {kind: int(getattr(self, kind)) for kind in kinds}
        return counted if self.inversions is None else {**counted, "inversions": self.inversions}

    def rate(self, count: int) -> float:
        """Edits per word of the references; 0 where they have no words."""
        return count / self.n_words if self.n_words else 0.0


def count_edit_needs(corpus: Corpus, system: str, *, counts_inversions: bool = False) -> EditNeeds:
    """Count the edits of each kind that turn a system's outputs into their nearest references.

    Words are cut at white space and case is ignored, as in TER without options. Inversions take far longer than all
    other edits together.
    """
    references = References(corpus.references)
    theirs = references.tokens("none", lowercase=True)
    n_each = np.diff(references.offsets)
    outputs = np.repeat(np.array(corpus.systems[system], dtype=object), n_each)
    ours = Texts(outputs.tolist(), references.vocabulary).tokens("none", lowercase=True)
    edits = count_edit_kinds(ours, theirs).astype(np.float64)
    nearest = keep_best(edits, references.offsets, by=lambda rows: -rows.sum(axis=1))
    insertions, deletions, substitutions, shifts = (int(total) for total in nearest.sum(axis=0))
    n_words = float((theirs.lengths / np.repeat(n_each, n_each)).sum())
    inversions = _count_inversions(ours, theirs, references.offsets) if counts_inversions else None
    return EditNeeds(insertions, deletions, substitutions, shifts, n_words, inversions)


def _count_inversions(ours: TokenColumn, theirs: TokenColumn, groups: OffsetArray) -> int:
    """Count the inversions of each output and its nearest reference; a pair too large for the search has none."""
    with ThreadPoolExecutor(n_threads()) as pool:
        found = list(pool.map(lambda i: _trace(_text(ours, i), _text(theirs, i)), range(len(ours))))
    rows = np.array(found, dtype=np.float64).reshape(-1, 2)
    return int(keep_best(rows, groups, by=lambda each: -each[:, 0])[:, 1].sum())


def _text(column: TokenColumn, i: int) -> IdArray:
    return column.ids[column.offsets[i] : column.offsets[i + 1]]


def _trace(first: IdArray, second: IdArray) -> tuple[int, int]:
    """Return the price of a cheapest derivation, and how many inversions it has."""
    try:
        edits = trace_inversions(first, second, costs=InversionCosts())[:, 0]
    except InputError:
        return len(first) + len(second), 0
    return int(np.count_nonzero(edits)), int(np.count_nonzero(edits == len(EditKind)))
