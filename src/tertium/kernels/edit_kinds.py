"""How many edits of each kind the search of the translation edit rate makes."""

import numpy as np
import numpy.typing as npt

import tertium._core as _core
from tertium.types import TokenColumn

__all__ = ["count_edit_kinds"]

_SUBSTITUTION, _DELETION, _INSERTION = 2, 3, 4  # the core's numbers; 1 is a match


def count_edit_kinds(hypotheses: TokenColumn, references: TokenColumn) -> npt.NDArray[np.int64]:
    """Count what turns each hypothesis into the reference of the same number.

    Returns a row for each: insertions, deletions, substitutions, shifts.
    """
    rows = np.zeros((len(hypotheses), 4), dtype=np.int64)
    ours, theirs = (np.split(column.ids, column.offsets[1:-1]) for column in (hypotheses, references))
    for row, hypothesis, reference in zip(rows, ours, theirs, strict=True):
        moves, kinds = _core.trace_translation_edits(hypothesis, reference)
        counts = np.bincount(kinds, minlength=_INSERTION + 1)
        row[:] = counts[_INSERTION], counts[_DELETION], counts[_SUBSTITUTION], len(moves)
    return rows
