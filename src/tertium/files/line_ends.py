"""Line ends in bytes, counted and found many at a time."""

import numpy as np
import numpy.typing as npt

__all__ = ["count_line_ends", "find_line_ends"]


def count_line_ends(data: bytes) -> int:
    r"""Count the line ends; much quicker than `bytes.count`, which stops at every one.

    >>> count_line_ends(b"one\ntwo\n\nfour")
    3
    """
    return int(np.count_nonzero(_is_end(data)))


def find_line_ends(data: bytes) -> npt.NDArray[np.int64]:
    r"""Find where each line ends: behind its `\n`.

    >>> find_line_ends(b"one\ntwo\n\nfour").tolist()
    [4, 8, 9]
    """
    return np.flatnonzero(_is_end(data)) + 1


def _is_end(data: bytes) -> npt.NDArray[np.bool_]:
    is_end: npt.NDArray[np.bool_] = np.frombuffer(data, dtype=np.uint8) == ord("\n")
    return is_end
