"""Batch kernels that compare metrics with people: mixtures of two metrics within segments."""

import numpy as np
import numpy.typing as npt

import tertium._core as _core
from tertium.kernels.threads import n_threads
from tertium.types import FloatArray, OffsetArray

__all__ = ["ITEM_COEFFICIENTS", "MOST_SYSTEMS", "permute_items"]

# The core's numbers.
ITEM_COEFFICIENTS = {"pearson": 0, "kendall": 1, "red": 2, "accuracy": 3}
MOST_SYSTEMS = 12  # of a segment: its mixtures are all made


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
    null: FloatArray = _core.permute_items(
        np.ascontiguousarray(human, dtype=np.float64),
        np.ascontiguousarray(scores, dtype=np.float64),
        np.ascontiguousarray(offsets, dtype=np.int64),
        np.ascontiguousarray(kept).view(np.uint8),
        ITEM_COEFFICIENTS[coefficient],
        n_threads(),
    )
    return null
