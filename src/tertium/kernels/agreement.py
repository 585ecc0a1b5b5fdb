"""Batch kernels that compare metrics with people: mixtures of two metrics within segments."""

import numpy as np
import numpy.typing as npt

import tertium._core as _core
from tertium.kernels.threads import n_threads
from tertium.types import FloatArray, OffsetArray

__all__ = ["ITEM_COEFFICIENTS", "MOST_SYSTEMS", "permute_items"]

ITEM_COEFFICIENTS = tuple(_core.item_coefficients())
MOST_SYSTEMS = _core.most_systems()
"""Of a segment; all their mixtures are made."""


def permute_items(
    coefficient: str, human: FloatArray, scores: FloatArray, offsets: OffsetArray, kept: npt.NDArray[np.bool_]
) -> FloatArray:
    """Exchange two metrics' scores at random and compare their agreement with people, segment by segment.

    Parameters
    ----------
    human
        (cells,), the cells of segment i being `offsets[i]` to `offsets[i + 1]`.
    scores
        (metrics, cells).
    kept
        (samples, cells): where two metrics keep their scores.

    Returns
    -------
    FloatArray
        (pairs of metrics, samples): the average coefficient of the first one's mixture minus the second one's.
    """
    return _core.permute_items(
        np.ascontiguousarray(human, dtype=np.float64),
        np.ascontiguousarray(scores, dtype=np.float64),
        np.ascontiguousarray(offsets, dtype=np.int64),
        np.ascontiguousarray(kept).view(np.uint8),
        coefficient,
        n_threads(),
    )
