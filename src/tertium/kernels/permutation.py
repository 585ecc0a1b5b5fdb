"""The batch kernel of PERM-BOTH over groups of any size: mixtures of two metrics without sorting each."""

import numpy as np
import numpy.typing as npt

import tertium._core as _core
from tertium.kernels.threads import n_threads
from tertium.types import FloatArray, OffsetArray

__all__ = ["GROUP_COEFFICIENTS", "permute_groups"]

# The core's numbers.
GROUP_COEFFICIENTS = {"pearson": 0, "kendall": 1, "red": 2, "accuracy": 3, "spearman": 4, "kendall-c": 5}


def permute_groups(
    coefficient: str, human: FloatArray, scores: FloatArray, offsets: OffsetArray, kept: npt.NDArray[np.bool_]
) -> FloatArray:
    """Exchange two metrics' scores at random and compare their agreement with people, group by group.

    Parameters
    ----------
    human
        (cells,), the cells of group i being `offsets[i]` to `offsets[i + 1]`.
    scores
        (metrics, cells).
    kept
        (samples, cells): where two metrics keep their scores.

    Returns
    -------
    FloatArray
        (pairs of metrics, samples): the average coefficient of the first one's mixture minus the second one's.
    """
    null: FloatArray = _core.permute_groups(
        np.ascontiguousarray(human, dtype=np.float64),
        np.ascontiguousarray(scores, dtype=np.float64),
        np.ascontiguousarray(offsets, dtype=np.int64),
        np.ascontiguousarray(kept).view(np.uint8),
        GROUP_COEFFICIENTS[coefficient],
        n_threads(),
    )
    return null
