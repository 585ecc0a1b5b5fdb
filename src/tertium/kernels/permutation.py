"""The batch kernels of PERM-BOTH: coefficients of mixtures of two metrics, without sorting each mixture."""

import numpy as np
import numpy.typing as npt

import tertium._core as _core
from tertium.kernels.threads import n_threads
from tertium.types import FloatArray, OffsetArray

__all__ = ["GROUP_COEFFICIENTS", "permute_groups"]

# The core's numbers.
GROUP_COEFFICIENTS = {"pearson": 0, "kendall": 1, "red": 2, "accuracy": 3, "spearman": 4, "kendall-c": 5}

# Those of which the core can make a table of all mixtures, if no group is larger than this.
_TABLED = frozenset(_core.item_coefficients())
_MOST_CELLS = _core.most_systems()


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
    arrays = (
        np.ascontiguousarray(human, dtype=np.float64),
        np.ascontiguousarray(scores, dtype=np.float64),
        np.ascontiguousarray(offsets, dtype=np.int64),
        np.ascontiguousarray(kept).view(np.uint8),
    )
    if _pays_to_table(coefficient, int(np.diff(offsets).max(initial=0)), len(kept)):
        return _core.permute_items(*arrays, coefficient, n_threads())
    null: FloatArray = _core.permute_groups(*arrays, GROUP_COEFFICIENTS[coefficient], n_threads())
    return null


def _pays_to_table(coefficient: str, n_cells: int, n_samples: int) -> bool:
    """Whether to make all mixtures of a group: never more than there are samples of sums, which are quick."""
    if coefficient not in _TABLED or n_cells > _MOST_CELLS:
        return False
    return coefficient != "pearson" or 2**n_cells <= n_samples
