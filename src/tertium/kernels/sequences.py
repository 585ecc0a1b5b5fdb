"""Distances between sequences of any hashable symbols: useful outside translation too."""

from collections.abc import Hashable, Sequence

import numpy as np

from tertium.kernels.derivations import Derivation, build_derivation
from tertium.kernels.inversion import DEFAULT_MEMORY, InversionCosts, count_inversions, trace_inversions
from tertium.kernels.lexical import count_levenshtein
from tertium.kernels.strings import number_pairs
from tertium.types import FloatArray

__all__ = [
    "inversion_derivation",
    "inversion_distance",
    "inversion_distances",
    "levenshtein_distances",
]


def levenshtein_distances(
    first: Sequence[Sequence[Hashable]], second: Sequence[Sequence[Hashable]]
) -> FloatArray:
    """Compute the edit distance of each pair of sequences.

    >>> levenshtein_distances(["kitten", [1, 2, 3]], ["sitting", [1, 3]])
    array([3., 1.])
    """
    one, other = number_pairs(first, second)
    return count_levenshtein(one, other, np.arange(len(other) + 1, dtype=np.int64))[:, 0]


def inversion_distance(
    first: Sequence[Hashable],
    second: Sequence[Hashable],
    *,
    insertion: float = 1,
    deletion: float = 1,
    substitution: float = 1,
    inversion: float = 1,
    max_memory: int = DEFAULT_MEMORY,
) -> float:
    """Compute the exact inversion edit distance: Levenshtein's edits, and swaps of neighbouring blocks.

    Blocks may be of any length; swaps may be nested, but never cross (Leusch, Ueffing & Ney 2003).

    Parameters
    ----------
    insertion, deletion, substitution, inversion
        What each edit costs.
    max_memory
        Megabytes that the search may take; a pair that needs more is refused.

    >>> inversion_distance("abcd", "cdab")
    1.0
    >>> inversion_distance("abcd", "bdac")
    3.0
    """
    costs = InversionCosts(insertion, deletion, substitution, inversion)
    return float(_distances([first], [second], costs, max_memory)[0])


def inversion_distances(
    first: Sequence[Sequence[Hashable]],
    second: Sequence[Sequence[Hashable]],
    *,
    insertion: float = 1,
    deletion: float = 1,
    substitution: float = 1,
    inversion: float = 1,
    max_memory: int = DEFAULT_MEMORY,
) -> FloatArray:
    """Compute the exact inversion edit distance of each pair of sequences.

    >>> inversion_distances(["kitten", [1, 2, 3, 4]], ["sitting", [3, 4, 1]])
    array([3., 2.])
    """
    return _distances(first, second, InversionCosts(insertion, deletion, substitution, inversion), max_memory)


def inversion_derivation(
    first: Sequence[Hashable],
    second: Sequence[Hashable],
    *,
    insertion: float = 1,
    deletion: float = 1,
    substitution: float = 1,
    inversion: float = 1,
    max_memory: int = DEFAULT_MEMORY,
) -> Derivation:
    """Find one of the cheapest derivations behind the inversion edit distance.

    >>> print(inversion_derivation("we meet at noon here".split(), "we meet here at twelve".split()))
    [we/we meet/meet ⟨[at/at noon/twelve] [here/here]⟩]
    """
    costs = InversionCosts(insertion, deletion, substitution, inversion)
    one, other = number_pairs([first], [second])
    return build_derivation(
        first, second, trace_inversions(one.ids, other.ids, costs=costs, max_memory=max_memory), costs
    )


def _distances(
    first: Sequence[Sequence[Hashable]],
    second: Sequence[Sequence[Hashable]],
    costs: InversionCosts,
    max_memory: int,
) -> FloatArray:
    one, other = number_pairs(first, second)
    each = np.arange(len(other) + 1, dtype=np.int64)
    return count_inversions(one, other, each, costs=costs, max_memory=max_memory, noun="pair")[:, 0]
