"""Two texts side by side, with the names of their files."""

from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["Pair"]


@dataclass(frozen=True)
class Pair:
    """A hypothesis and what it is compared with; their numbers of lines may differ."""

    hypotheses: Sequence[str]
    references: Sequence[str]
    hypothesis_file: str = "hypotheses"
    reference_file: str = "references"
