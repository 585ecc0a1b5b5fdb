"""Headword chains counted one by one: the judge of HWCM's kernel."""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations

__all__ = ["chain_counts", "gapped_chain_counts"]

Chains = Counter[tuple[str, ...]]


def chain_counts(words: Sequence[str], heads: Sequence[int], length: int) -> Chains:
    """The words on every path of this length down the tree."""
    lines = [_line_to(bottom, heads) for bottom in range(len(words))]
    return Counter(tuple(words[at] for at in line[-length:]) for line in lines if len(line) >= length)


def gapped_chain_counts(words: Sequence[str], heads: Sequence[int], longest: int) -> Chains:
    """Chains of up to `longest` words in which words between may be left out, as Asiya counts them."""
    found: Chains = Counter()
    for bottom in range(len(words)):
        *above, last = _line_to(bottom, heads)
        for length in range(longest):
            found.update(tuple(words[at] for at in (*part, last)) for part in combinations(above, length))
    return found


def _line_to(bottom: int, heads: Sequence[int]) -> list[int]:
    """The positions from the root down to this word."""
    line = [bottom]
    while heads[line[0]] >= 0:
        line.insert(0, heads[line[0]])
    return line
