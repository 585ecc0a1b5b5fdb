"""Which edits turn a system's outputs into the references: insertions, deletions, substitutions and shifts."""

from dataclasses import dataclass

import numpy as np

from tertium.kernels.edit_kinds import count_edit_kinds
from tertium.metrics.best_reference import keep_best
from tertium.text import References, Texts
from tertium.types import Corpus

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
    n_words
        The length of the references: of several for one segment, the average.
    """

    insertions: int
    deletions: int
    substitutions: int
    shifts: int
    n_words: float

    def counts(self) -> dict[str, int]:
        """The number of edits of each kind."""
        kinds = ("insertions", "deletions", "substitutions", "shifts")
        return {kind: getattr(self, kind) for kind in kinds}

    def rate(self, count: int) -> float:
        """Edits per word of the references; 0 where they have no words."""
        return count / self.n_words if self.n_words else 0.0


def count_edit_needs(corpus: Corpus, system: str) -> EditNeeds:
    """Count the edits of each kind that turn a system's outputs into their nearest references.

    Words are cut at white space and case is ignored, as in TER without options.
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
    return EditNeeds(insertions, deletions, substitutions, shifts, n_words)
