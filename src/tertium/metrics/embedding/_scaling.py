"""Vectors of any size: brought near 1 before their products are taken, and refused if they are not finite."""

from dataclasses import replace

import numpy as np

from tertium.errors import ResourceError
from tertium.types import Embedding, TokenColumn

__all__ = ["tame_vectors"]

# A product of two numbers below 2⁴⁰, summed over any dimensions, is far from the ends of single precision.
_STEP = 80


def tame_vectors(embedding: Embedding, tokens: TokenColumn, identity: str) -> Embedding:
    """Multiply all vectors by one power of two if their products could overflow or vanish.

    Every metric compares directions, so a common factor changes nothing, and a power of two rounds
    nothing. It goes in large steps, so that hypotheses and references, which are looked up one after the
    other, get the same one. A vector that is not finite is refused.
    """
    matrix = embedding.matrix
    largest = max(float(matrix.max(initial=0.0)), -float(matrix.min(initial=0.0)))  # NaN stays in both
    if not np.isfinite(largest):
        raise ResourceError(f"{identity}: the vector of {_find_bad(embedding, tokens)!r} is not finite")
    _, exponent = np.frexp(largest)
    steps = round(int(exponent) / _STEP)
    if steps == 0:
        return embedding
    return replace(embedding, matrix=np.ldexp(embedding.matrix, -_STEP * steps))


def _find_bad(embedding: Embedding, tokens: TokenColumn) -> str:
    """Find a word whose vector is not finite."""
    bad_rows = np.flatnonzero(~np.isfinite(embedding.matrix).all(axis=1))
    at = np.flatnonzero(np.isin(embedding.rows, bad_rows))
    return tokens.vocabulary.words(tokens.ids[at[:1]])[0] if len(at) else "an unused word"
