"""What a difference is worth to people: how often they preferred the system that a metric prefers."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np

from tertium.stats.agreement_curve import AgreementCurve
from tertium.text.languages import language_of_pair

__all__ = ["CalibratedMetric", "Calibration", "FittedCurve", "JudgedPairs", "Promise"]

# What a signature says besides the metric: about the resampling, the preset and the program. The number of references
# stays, since differences are smaller with more of them.
_FACTS = ("bs", "ar", "samples", "seed", "resample", "version", "preset", "sha256")

# Pairs count as being of about the same size up to this factor.
_ABOUT = 1.5


@dataclass(frozen=True)
class Promise:
    """How often people can be expected to prefer the system that a metric prefers, at a difference of some size.

    Attributes
    ----------
    agreement, low, high
        A probability on the smooth curve, and its 95 % interval.
    n_pairs
        Pairs of systems whose difference is of about this size.
    is_beyond
        Whether no difference as large was ever seen; the curve's end stands for it.
    collections
        Where the pairs come from.
    """

    agreement: float
    low: float
    high: float
    n_pairs: int
    is_beyond: bool
    collections: tuple[str, ...]


@dataclass(frozen=True)
class FittedCurve:
    """The smooth curve through all pairs or those of a target language, and a 95 % interval at some differences."""

    curve: AgreementCurve
    differences: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]

    def at(self, difference: float) -> tuple[float, float, float]:
        """Give the probability at a difference and its interval."""
        bounds = (float(np.interp(difference, self.differences, side)) for side in (self.low, self.high))
        return float(self.curve(np.array(difference))), *bounds  # type: ignore[return-value]


@dataclass(frozen=True)
class JudgedPairs:
    """The pairs of systems of one test set: sizes of differences, and whether people agreed."""

    collection: str
    language_pair: str
    differences: tuple[float, ...]
    agreed: tuple[bool, ...]

    def count(self, low: float, high: float) -> int:
        """Count the pairs whose difference lies between two sizes."""
        return sum(low <= each <= high for each in self.differences)


@dataclass(frozen=True)
class CalibratedMetric:
    """One metric's pairs and curves; `curves` has the one over all pairs under the empty name."""

    name: str
    signatures: tuple[str, ...]
    pairs: tuple[JudgedPairs, ...]
    curves: Mapping[str, FittedCurve]

    @property
    def collections(self) -> tuple[str, ...]:
        """The test sets' years or names, such as `wmt15`."""
        return tuple(dict.fromkeys(each.collection for each in self.pairs))

    def promise(self, difference: float, language: str | None = None) -> Promise:
        """Say what a difference is worth, in a target language where enough is known about it."""
        target = language if language is not None and language in self.curves else ""
        size = abs(difference)
        largest = max((max(each.differences, default=0.0) for each in self.pairs_of(target)), default=0.0)
        agreement, low, high = self.curves[target].at(min(size, largest))
        n_pairs = sum(each.count(size / _ABOUT, size * _ABOUT) for each in self.pairs_of(target))
        bounds = min(low, agreement), max(high, agreement)
        return Promise(agreement, *bounds, n_pairs, size > largest, self.collections)

    def pairs_of(self, target: str) -> Iterator[JudgedPairs]:
        """Go through the test sets of a target language; through all if it is the empty name."""
        return (each for each in self.pairs if not target or language_of_pair(each.language_pair) == target)


@dataclass(frozen=True)
class Calibration:
    """A table of calibrated metrics, found by signature."""

    metrics: tuple[CalibratedMetric, ...]
    by_identity: Mapping[str, CalibratedMetric] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        found = {_identify(signature): each for each in self.metrics for signature in each.signatures}
        object.__setattr__(self, "by_identity", found)

    def find(self, signature: str) -> CalibratedMetric | None:
        """Find the metric that has this signature, whatever it says of resampling, presets and versions."""
        return self.by_identity.get(_identify(signature))


def _identify(signature: str) -> str:
    name, *items = signature.split("|")
    return "|".join([name, *sorted(item for item in items if item.partition(":")[0] not in _FACTS)])
