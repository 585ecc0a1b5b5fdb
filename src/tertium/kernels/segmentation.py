"""Cut a stream of tokens into the segments of its references with the least total edit distance."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

import tertium._core as _core
from tertium.errors import InputError
from tertium.records import record
from tertium.values import FloatArray, IdArray, OffsetArray, TokenColumn

SOFT_STEPS = 250
"""A substitution cost in a table of `cut_stream` is a number of steps; this many are one edit."""

_RANGE = _core.IMPOSSIBLE_CUT // 2 - 1  # all costs of a path together stay below it
_MAX_EDIT = 40_000  # finer costs would change nothing


@record(eq=False)
class StreamCuts:
    """Where segments begin in a stream, and how sure that is.

    Attributes
    ----------
    positions
        The position where each segment begins, and the end of the stream.
    margins
        How many edits more the second best position of each cut would cost, with its neighbours fixed. The
        first segment and cuts without an alternative have infinity.
    """

    positions: OffsetArray
    margins: FloatArray


def cut_stream(
    stream: IdArray,
    references: TokenColumn,
    groups: OffsetArray,
    *,
    cut_costs: Sequence[FloatArray] | FloatArray,
    kinds: IdArray | None = None,
    substitutions: npt.NDArray[np.uint8] | None = None,
    words: float = 0.0,
) -> StreamCuts:
    """Cut a stream of tokens so that the edits of all segments and the costs of all cuts are minimal.

    Parameters
    ----------
    stream
        The ids of the tokens.
    references
        The references of all segments; a segment counts its closest one.
    groups
        Segment i has the references `groups[i]` to `groups[i + 1]`.
    cut_costs
        For each kind of segment, the cost in edits of a cut before each token of the stream and at its end;
        infinity forbids the cut. Costs below an edit divided by the number of segments only decide between
        segmentations with equally many edits.
    kinds
        The kind of each segment, which determines the cost of the cut behind it.
    substitutions
        The cost of replacing the token (column) by the token of a reference (row), in `SOFT_STEPS` steps; by
        default equal ids cost nothing and others an edit.
    words
        The cost, in edits and at most 1, of a token without a counterpart in its segment, in any order: each
        cut is moved between its neighbours until no cut can be moved at a profit. 0 leaves the cuts where edits
        and costs of cuts are least.

    Examples
    --------
    >>> from tertium.kernels.strings import number_pairs
    >>> stream, segments = number_pairs([list("abcxyz"), []], [list("abd"), list("yz")])
    """
    n_segments = len(groups) - 1
    costs = np.array(cut_costs, dtype=np.float64)
    edit = _scale(len(stream), references, n_segments, costs)
    whole = np.where(np.isinf(costs), _core.IMPOSSIBLE_CUT, np.round(np.nan_to_num(costs, posinf=0) * edit))
    positions, margins = _core.cut_stream(
        stream,
        references.ids,
        references.offsets,
        groups,
        np.zeros(n_segments, dtype=np.int32) if kinds is None else kinds,
        whole.astype(np.int32).ravel(),
        np.zeros((0, 0), dtype=np.uint8) if substitutions is None else substitutions,
        edit,
        edit // SOFT_STEPS,
        round(edit * words),
    )
    return StreamCuts(positions, np.where(margins == _core.IMPOSSIBLE_CUT, np.inf, margins / edit))


def _scale(n_tokens: int, references: TokenColumn, n_segments: int, costs: FloatArray) -> int:
    """Return the integer cost of an edit: a multiple of `SOFT_STEPS`, as fine as the length of the texts allows."""
    highest = float(np.max(costs, where=np.isfinite(costs), initial=0.0))
    most = n_tokens + len(references.ids) + n_segments * highest + 1
    edit = min(int(_RANGE / most), _MAX_EDIT) // SOFT_STEPS * SOFT_STEPS
    if edit == 0:
        raise InputError(
            f"{n_tokens:,} tokens are too many to cut in one piece; divide the texts into documents"
        )
    return edit


def spelling_costs(references: TokenColumn, stream: TokenColumn) -> npt.NDArray[np.uint8]:
    """Compute the cost of replacing each word of `stream` (column) by each word of `references` (row).

    The cost is the edit distance of the words' characters over the longer length; words that differ by more than
    half of it cost a whole edit. Both columns hold the characters of words.
    """
    return _core.spelling_costs(references.ids, references.offsets, stream.ids, stream.offsets, SOFT_STEPS)
