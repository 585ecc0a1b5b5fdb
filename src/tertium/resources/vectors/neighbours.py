"""The words whose vectors are nearest to a vector."""

import numpy as np

from tertium.resources.vectors.sources import Matrix, VectorSource, read_blocks
from tertium.resources.vectors.wordpieces import CONTINUATION

__all__ = ["find_similar"]


def find_similar(
    source: VectorSource, vector: Matrix, count: int, *, without: str
) -> list[tuple[str, float]]:
    """The nearest words by cosine and their cosines, best first, without one word and without word pieces."""
    cosines = np.concatenate([_cosines(block, vector) for _, block in read_blocks(source)])
    words = source.words()
    found: list[tuple[str, float]] = []
    for row in np.argsort(-cosines, kind="stable").tolist():
        word = words[row].decode(errors="replace")
        if word.lower() != without.lower() and not word.startswith(CONTINUATION):
            found.append((word, float(cosines[row])))
        if len(found) == count:
            break
    return found


def _cosines(block: Matrix, vector: Matrix) -> Matrix:
    lengths = np.linalg.norm(block, axis=1) * np.linalg.norm(vector)
    return (block @ vector / np.where(lengths > 0, lengths, 1)).astype(np.float32)
