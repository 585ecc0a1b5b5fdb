"""Derivations of the inversion edit distance: frozen trees of edits."""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import asdict, dataclass
from enum import Enum
from itertools import islice

import numpy as np
import numpy.typing as npt

from tertium.kernels.inversion import InversionCosts

__all__ = ["Derivation", "Edit", "EditKind", "Inversion", "build_derivation"]


class EditKind(Enum):
    """What may happen to a symbol."""

    MATCH = "match"
    SUBSTITUTION = "substitution"
    DELETION = "deletion"
    INSERTION = "insertion"


@dataclass(frozen=True)
class Edit:
    """An edit of first[i] or second[j] or both; the one it does not touch is None."""

    kind: EditKind
    i: int | None
    j: int | None


@dataclass(frozen=True)
class Inversion:
    """Two neighbouring parts that change places: `left` comes first in the first sequence only."""

    left: tuple["Edit | Inversion", ...]
    right: tuple["Edit | Inversion", ...]


@dataclass(frozen=True)
class Derivation:
    """How the first sequence becomes the second one, read from left to right in the first."""

    first: tuple[Hashable, ...]
    second: tuple[Hashable, ...]
    steps: tuple[Edit | Inversion, ...]
    costs: InversionCosts

    @property
    def cost(self) -> float:
        """The price of all edits together."""
        counts = self.counts()
        prices = asdict(self.costs)
        return float(sum(counts[kind] * price for kind, price in prices.items()))

    def counts(self) -> dict[str, int]:
        """How often each kind of edit occurs."""
        kinds = [kind.value for kind in EditKind]
        counts = dict.fromkeys([*kinds, "inversion"], 0)
        for step in _walk(self.steps):
            counts["inversion" if isinstance(step, Inversion) else step.kind.value] += 1
        return counts

    def __str__(self) -> str:
        """The bracketed parse, as the paper writes it: ⟨ ⟩ around parts that change places."""
        return self._bracket(self.steps)

    def _bracket(self, steps: Sequence[Edit | Inversion]) -> str:
        return "[" + " ".join(map(self._spell, steps)) + "]"

    def _spell(self, step: Edit | Inversion) -> str:
        if isinstance(step, Inversion):
            return f"⟨{self._bracket(step.left)} {self._bracket(step.right)}⟩"
        source = "ε" if step.i is None else str(self.first[step.i])
        target = "ε" if step.j is None else str(self.second[step.j])
        return f"{source}/{target}"


def build_derivation(
    first: Sequence[Hashable], second: Sequence[Hashable], rows: npt.NDArray[np.int32], costs: InversionCosts
) -> Derivation:
    """Build the tree from the rows that `trace_inversions` gives."""
    steps = _read_block(iter(rows.tolist()), len(first), len(second), 0, 0)
    return Derivation(tuple(first), tuple(second), tuple(steps), costs)


def _read_block(rows: Iterator[list[int]], i1: int, j1: int, i: int, j: int) -> Iterator[Edit | Inversion]:
    """Read the steps from (i, j) until (i1, j1) is reached."""
    while i < i1 or j < j1:
        (row,) = islice(rows, 1)
        _, _, i, _, j, _, _ = row
        yield _read_step(row, rows)


def _read_step(row: list[int], rows: Iterator[list[int]]) -> Edit | Inversion:
    edit, i0, i1, j0, j1, i, j = row
    if edit == len(EditKind):
        left = tuple(_read_block(rows, i, j1, i0, j))
        return Inversion(left, tuple(_read_block(rows, i1, j, i, j0)))
    return Edit(list(EditKind)[edit], i0 if i1 > i0 else None, j0 if j1 > j0 else None)


def _walk(steps: Sequence[Edit | Inversion]) -> Iterator[Edit | Inversion]:
    for step in steps:
        yield step
        if isinstance(step, Inversion):
            yield from _walk(step.left)
            yield from _walk(step.right)
