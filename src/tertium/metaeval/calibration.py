"""Calibration tables: the probability that human judges agree with a score difference of a given size."""

import importlib.resources
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from functools import cache
from typing import Any, Self, overload

import numpy as np

from tertium.errors import InputError, argument
from tertium.files.paths import show_path
from tertium.files.reading import read_text
from tertium.records import record
from tertium.stats.agreement_curve import AgreementCurve
from tertium.text.languages import language_of_pair

# Parts of a signature that do not identify the metric: resampling, preset and program. The number of references
# stays, since differences are smaller with more of them.
_FACTS = ("bs", "ar", "samples", "seed", "resample", "version", "preset", "sha256")

# Two differences are of similar size up to this factor.
_SIMILAR = 1.5


@record
class ExpectedAgreement:
    """The expected probability that human judges prefer the system that a metric prefers, given the difference.

    Attributes
    ----------
    agreement, low, high
        The probability on the smooth curve, and its 95 % interval.
    n_pairs
        Number of pairs of systems with a difference of similar size.
    is_beyond
        Whether the difference is larger than all in the data; the end of the curve is used for it.
    collections
        The test sets that the pairs come from.
    """

    agreement: float
    low: float
    high: float
    n_pairs: int
    is_beyond: bool
    collections: tuple[str, ...]


@record
class FittedCurve:
    """The smooth curve through all pairs or those of a target language, and its 95 % interval at some differences."""

    curve: AgreementCurve
    differences: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]

    def at(self, difference: float) -> tuple[float, float, float]:
        """Return the probability at a difference, and its interval."""
        bounds = (float(np.interp(difference, self.differences, side)) for side in (self.low, self.high))
        return float(self.curve(np.array(difference))), *bounds  # type: ignore[return-value]


@record
class JudgedPairs:
    """The pairs of systems of one test set: sizes of differences, and whether the human judges agreed."""

    collection: str
    language_pair: str
    differences: tuple[float, ...]
    agreed: tuple[bool, ...]

    def count(self, low: float, high: float) -> int:
        """Count the pairs with a difference between two sizes."""
        return sum(low <= each <= high for each in self.differences)


@record
class CalibratedMetric:
    """The pairs and curves of one metric; `curves` has the curve over all pairs under the empty name."""

    name: str
    signatures: tuple[str, ...]
    pairs: tuple[JudgedPairs, ...]
    curves: Mapping[str, FittedCurve]

    @property
    def collections(self) -> tuple[str, ...]:
        """The years or names of the test sets, such as `wmt15`."""
        return tuple(dict.fromkeys(each.collection for each in self.pairs))

    def expect_agreement(self, difference: float, language: str | None = None) -> ExpectedAgreement:
        """Look up the expected human agreement, in a target language if it has a curve."""
        target = language if language is not None and language in self.curves else ""
        size = abs(difference)
        largest = max((max(each.differences, default=0.0) for each in self.pairs_of(target)), default=0.0)
        agreement, low, high = self.curves[target].at(min(size, largest))
        n_pairs = sum(each.count(size / _SIMILAR, size * _SIMILAR) for each in self.pairs_of(target))
        bounds = min(low, agreement), max(high, agreement)
        return ExpectedAgreement(agreement, *bounds, n_pairs, size > largest, self.collections)

    def pairs_of(self, target: str) -> Iterator[JudgedPairs]:
        """Iterate over the test sets of a target language, or over all of them for the empty name."""
        return (each for each in self.pairs if not target or language_of_pair(each.language_pair) == target)


@record
class Calibration:
    """A table of calibrated metrics, found by signature."""

    metrics: Sequence[CalibratedMetric]
    places: Mapping[str, int] = field(repr=False, compare=False)
    """The place in `metrics` by signature, without the parts that do not identify the metric."""

    @classmethod
    def of(cls, metrics: Iterable[CalibratedMetric]) -> Self:
        """Make a table of these metrics."""
        listed = tuple(metrics)
        return cls(listed, _index_signatures([each.signatures for each in listed]))

    def find(self, signature: str) -> CalibratedMetric | None:
        """Find the metric with this signature; resampling, preset and version do not matter."""
        place = self.places.get(_identify(signature))
        return None if place is None else self.metrics[place]


def _index_signatures(listed: Sequence[Sequence[str]]) -> dict[str, int]:
    return {_identify(signature): i for i, signatures in enumerate(listed) for signature in signatures}


def _identify(signature: str) -> str:
    name, *items = signature.split("|")
    return "|".join([name, *sorted(item for item in items if item.partition(":")[0] not in _FACTS)])


class _ParsedOnDemand(Sequence[CalibratedMetric]):
    """Metrics of a JSON document, each of which is parsed when it is first used."""

    def __init__(self, listed: Sequence[Mapping[str, Any]]) -> None:
        self._listed = listed
        self._parsed: dict[int, CalibratedMetric] = {}

    def __len__(self) -> int:
        return len(self._listed)

    @overload
    def __getitem__(self, place: int) -> CalibratedMetric: ...

    @overload
    def __getitem__(self, place: slice) -> Sequence[CalibratedMetric]: ...

    def __getitem__(self, place: int | slice) -> CalibratedMetric | Sequence[CalibratedMetric]:
        if isinstance(place, slice):
            return [self[i] for i in range(len(self))[place]]
        if place not in self._parsed:
            self._parsed[place] = _parse_metric(self._listed[place])
        return self._parsed[place]


_FORMAT = "tertium-calibration-1"
_OWN = "calibration.json"


def read_calibration(path: str | None = None) -> Calibration:
    """Read a calibration table; without a path the table in the package, which is fitted on WMT data.

    Raises
    ------
    InputError
        If the file is not a calibration table.
    """
    if path is None:
        return _read_own()
    text = read_text(path)
    try:
        return Calibration.of(map(_parse_metric, _parse_document(text)))
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError):
        raise InputError(
            f"{show_path(path)} is not a calibration table; 'tertium meta' with {argument('calibrate')} makes one"
        ) from None


@cache
def _read_own() -> Calibration:
    """Read the packaged table, of which a command looks up only a few metrics."""
    file = importlib.resources.files("tertium.resources") / "data" / _OWN
    listed = _parse_document(file.read_bytes())
    return Calibration(_ParsedOnDemand(listed), _index_signatures([each["signatures"] for each in listed]))


def _parse_document(text: str | bytes) -> list[Mapping[str, Any]]:
    document = json.loads(text)
    if document["format"] != _FORMAT:
        raise ValueError(document["format"])
    metrics: list[Mapping[str, Any]] = document["metrics"]
    return metrics


def render_calibration(calibration: Calibration) -> str:
    """Render a table as JSON for `read_calibration`."""
    listed = [_metric_data(each) for each in calibration.metrics]
    return json.dumps({"format": _FORMAT, "metrics": listed}, ensure_ascii=False, indent=1) + "\n"


def _metric_data(metric: CalibratedMetric) -> dict[str, Any]:
    return {
        "name": metric.name,
        "signatures": list(metric.signatures),
        "curves": {target or "all": _curve_data(each) for target, each in metric.curves.items()},
        "pairs": {f"{each.collection} {each.language_pair}": _render_pairs(each) for each in metric.pairs},
    }


def _curve_data(fitted: FittedCurve) -> dict[str, Any]:
    return {
        **vars(fitted.curve),
        **{name: list(getattr(fitted, name)) for name in ("differences", "low", "high")},
    }


def _render_pairs(pairs: JudgedPairs) -> str:
    """Render the difference of each pair, after + if the human judges agreed and - if they disagreed."""
    both = zip(pairs.differences, pairs.agreed, strict=True)
    return " ".join(f"{'+' if agreed else '-'}{size:.5g}" for size, agreed in both)


def _parse_metric(data: Mapping[str, Any]) -> CalibratedMetric:
    return CalibratedMetric(
        str(data["name"]),
        tuple(map(str, data["signatures"])),
        tuple(_parse_pairs(name, text) for name, text in data["pairs"].items()),
        {"" if name == "all" else name: _parse_curve(each) for name, each in data["curves"].items()},
    )


def _parse_curve(data: Mapping[str, Any]) -> FittedCurve:
    curve = AgreementCurve(*(_check_numbers([data[name]])[0] for name in ("ceiling", "scale", "shape")))
    return FittedCurve(curve, *(_check_numbers(data[name]) for name in ("differences", "low", "high")))


def _parse_pairs(name: str, text: str) -> JudgedPairs:
    collection, _, language_pair = name.rpartition(" ")
    items = text.split()
    sizes = _check_numbers(list(map(float, items)))
    return JudgedPairs(
        collection, language_pair, tuple(map(abs, sizes)), tuple(each[0] == "+" for each in items)
    )


def _check_numbers(values: Sequence[object]) -> tuple[float, ...]:
    if not set(map(type, values)) <= {int, float}:
        raise ValueError(values)
    numbers = np.array(values, dtype=np.float64)
    if not np.isfinite(numbers).all():
        raise ValueError(values)
    return tuple(numbers.tolist())
