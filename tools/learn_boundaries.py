"""Learn the costs of cuts (src/tertium/alignment/boundaries.py) from outputs whose segments are known.

    python tools/learn_boundaries.py wmt15/de-en/ref.txt,wmt15/de-en/systems/online-B.0.txt ...

Each argument is a reference and an output of the same segments. Prints the three tables. A cost is the logarithm of how
much rarer a combination is at true boundaries than at other places of the output.
"""

import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from tertium.alignment.boundaries import (
    ENDS,
    N_REFERENCE_STARTS,
    STARTS,
    Classes,
    classify_ends,
    classify_places,
    classify_starts,
)
from tertium.alignment.streams import Stream
from tertium.values import FloatArray

_PRIOR = 20.0  # boundaries of an average reference, added to each row
_FLOOR = 0.01  # the share of boundaries at arbitrary places
_PART = 200  # segments that are joined: names are recognised within them
_MIDDLE = 20.0  # about the logarithm of a cut in the middle of a sentence: the unit of the costs


class Counts:
    """Counts of classes at true boundaries (a row per class of the reference) and at other places."""

    def __init__(self, n_rows: int, n_columns: int) -> None:
        self.at_boundaries = np.zeros((n_rows, n_columns))
        self.elsewhere = np.zeros(n_columns)

    def add(self, references: Classes, places: Classes, boundaries: Classes) -> None:
        np.add.at(self.at_boundaries, (references, places[boundaries]), 1)
        others = np.setdiff1d(np.arange(1, len(places) - 1), boundaries)
        np.add.at(self.elsewhere, places[others], 1)

    def costs(self) -> FloatArray:
        chance = (self.elsewhere + 1) / (self.elsewhere + 1).sum()
        average = (self.at_boundaries.sum(axis=0) + 1) / (self.at_boundaries + 1).sum()
        totals = self.at_boundaries.sum(axis=1, keepdims=True)
        shares = (self.at_boundaries + _PRIOR * average) / (totals + _PRIOR)
        found = -np.log(((1 - _FLOOR) * shares + _FLOOR * chance) / chance)
        return (found - found.min(axis=1, keepdims=True)) / _MIDDLE  # type: ignore[no-any-return]


def main(arguments: Sequence[str]) -> None:
    """Count all texts and print the tables."""
    ends, starts = Counts(len(ENDS), len(ENDS)), Counts(N_REFERENCE_STARTS, len(STARTS))
    openings = Counts(2, 2)
    for argument in arguments:
        reference, output = (Path(name).read_text("utf-8-sig").split("\n") for name in argument.split(","))
        pairs = [(one.strip(), other.strip()) for one, other in zip(reference, output, strict=True)]
        pairs = [pair for pair in pairs if all(pair)]
        for first in range(0, len(pairs), _PART):
            _count(pairs[first : first + _PART], ends, starts, openings)
    for name, counts in (("END_COSTS", ends), ("START_COSTS", starts), ("OPENING_COSTS", openings)):
        print(f"{name} = np.array({np.round(counts.costs(), 2).tolist()})")


def _count(pairs: Sequence[tuple[str, str]], ends: Counts, starts: Counts, openings: Counts) -> None:
    references, output = zip(*pairs, strict=True)
    places = classify_places(Stream.of(output))
    boundaries = np.cumsum([len(Stream.of([text])) for text in output])[:-1]
    following = classify_starts(references[1:])
    ends.add(classify_ends(references[:-1]), places.ends, boundaries)
    starts.add(following.classes, places.starts.classes, boundaries)
    openings.add(following.openings.astype(int), places.starts.openings.astype(int), boundaries)


if __name__ == "__main__":
    main(sys.argv[1:])
