"""How often people agree with a metric's difference of a given size: calibration tables and their JSON files."""

import importlib.resources
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np

from tertium.errors import InputError
from tertium.files.paths import show_path
from tertium.files.reading import read_text
from tertium.stats.agreement_curve import AgreementCurve
from tertium.text.languages import language_of_pair

# What a signature says besides the metric: about the resampling, the preset and the program. The number of references
# stays, since differences are smaller with more of them.
_FACTS = ("bs", "ar", "samples", "seed", "resample", "version", "preset", "sha256")

# Pairs count as being of about the same size up to this factor.
_ABOUT = 1.5


@dataclass(frozen=True)
class ExpectedAgreement:
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

    def expect_agreement(self, difference: float, language: str | None = None) -> ExpectedAgreement:
        """Say what a difference is worth, in a target language where enough is known about it."""
        target = language if language is not None and language in self.curves else ""
        size = abs(difference)
        largest = max((max(each.differences, default=0.0) for each in self.pairs_of(target)), default=0.0)
        agreement, low, high = self.curves[target].at(min(size, largest))
        n_pairs = sum(each.count(size / _ABOUT, size * _ABOUT) for each in self.pairs_of(target))
        bounds = min(low, agreement), max(high, agreement)
        return ExpectedAgreement(agreement, *bounds, n_pairs, size > largest, self.collections)

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


_FORMAT = "tertium-calibration-1"
_OWN = "calibration.json"


def read_calibration(path: str | None = None) -> Calibration:
    """Read a table of people's agreement; the package's own, from WMT, if no file is named.

    Raises
    ------
    InputError
        If the file is something else.
    """
    return _read_own() if path is None else _parse(read_text(path), path)


@cache
def _read_own() -> Calibration:
    file = importlib.resources.files("tertium.resources") / "data" / _OWN
    return _parse(file.read_text(encoding="utf-8"), _OWN)


def render_calibration(calibration: Calibration) -> str:
    """Write a table down; `read_calibration` reads it."""
    listed = [_write_metric(each) for each in calibration.metrics]
    return json.dumps({"format": _FORMAT, "metrics": listed}, ensure_ascii=False, indent=1) + "\n"


def _parse(text: str, path: str) -> Calibration:
    try:
        document = json.loads(text)
        if isinstance(document, dict) and document.get("format") == _FORMAT:
            return Calibration(tuple(_read_metric(each) for each in document["metrics"]))
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError):
        pass
    raise InputError(
        f"{show_path(path)} is no table of people's agreement; make one with tertium meta --calibrate FILE"
    )


def _write_metric(metric: CalibratedMetric) -> dict[str, Any]:
    return {
        "name": metric.name,
        "signatures": list(metric.signatures),
        "curves": {target or "all": _write_curve(each) for target, each in metric.curves.items()},
        "pairs": {f"{each.collection} {each.language_pair}": _write_pairs(each) for each in metric.pairs},
    }


def _write_curve(fitted: FittedCurve) -> dict[str, Any]:
    return {
        **vars(fitted.curve),
        **{name: list(getattr(fitted, name)) for name in ("differences", "low", "high")},
    }


def _write_pairs(pairs: JudgedPairs) -> str:
    """Write each pair's difference, behind + where people agreed and - where they did not."""
    both = zip(pairs.differences, pairs.agreed, strict=True)
    return " ".join(f"{'+' if agreed else '-'}{size:.5g}" for size, agreed in both)


def _read_metric(data: Mapping[str, Any]) -> CalibratedMetric:
    return CalibratedMetric(
        str(data["name"]),
        tuple(map(str, data["signatures"])),
        tuple(_read_pairs(name, text) for name, text in data["pairs"].items()),
        {"" if name == "all" else name: _read_curve(each) for name, each in data["curves"].items()},
    )


def _read_curve(data: Mapping[str, Any]) -> FittedCurve:
    curve = AgreementCurve(*(_number(data[name]) for name in ("ceiling", "scale", "shape")))
    return FittedCurve(curve, *(_numbers(data[name]) for name in ("differences", "low", "high")))


def _read_pairs(name: str, text: str) -> JudgedPairs:
    collection, _, language_pair = name.rpartition(" ")
    items = text.split()
    sizes = _numbers(list(map(float, items)))
    return JudgedPairs(
        collection, language_pair, tuple(map(abs, sizes)), tuple(each[0] == "+" for each in items)
    )


def _numbers(values: Sequence[object]) -> tuple[float, ...]:
    if not set(map(type, values)) <= {int, float}:
        raise ValueError(values)
    numbers = np.array(values, dtype=np.float64)
    if not np.isfinite(numbers).all():
        raise ValueError(values)
    return tuple(numbers.tolist())


def _number(value: object) -> float:
    return _numbers([value])[0]
