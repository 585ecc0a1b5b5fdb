"""Calibration tables: the probability that human judges agree with a score difference of a given size."""

import importlib.resources
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from functools import cache, cached_property
from typing import Any, Self, overload

import numpy as np

from tertium.errors import InputError, argument
from tertium.files.paths import file_size, show_path
from tertium.files.reading import read_text
from tertium.records import record
from tertium.stats.agreement_curve import AgreementCurve, fit_curve, weigh_pairs
from tertium.values import FloatArray, OffsetArray

# Parts of a signature that do not identify the metric: resampling, preset and program, and METEOR's paraphrases and
# function words, which change differences between systems by 2 to 7 % (meteor and redp on WMT21 ha-en, WMT22 de-en and
# liv-en; r of the differences at least 0.999). The number of references stays, since differences are smaller with more of them.
_FACTS = (
    "bs", "ar", "samples", "seed", "resample", "version", "preset", "sha256", "paraphrases", "words",
)  # fmt: skip

# Two differences are of similar size up to this factor.
_SIMILAR = 1.5


@record
class ExpectedAgreement:
    """The expected probability that human judges prefer the system that a metric prefers, given the difference.

    Attributes
    ----------
    agreement
        The probability on the curve, with the curve's margin.
    low, high
        The interval that contains 80 % of test sets.
    n_pairs
        Number of pairs of systems with a difference of similar size.
    is_beyond
        Whether the difference is larger than all in the data; the end of the curve is used for it.
    collections
        The test sets that the pairs come from.
    source
        The name of the table.
    difference_for_80
        The difference at which human judges are expected to agree in 80 % of pairs.
    significant
        The share of pairs of similar size of which the human judgments themselves were significantly different; None
        if it is unknown.
    """

    agreement: float
    low: float
    high: float
    n_pairs: int
    is_beyond: bool
    collections: tuple[str, ...]
    source: str
    difference_for_80: float | None
    significant: float | None


@record
class JudgedPairs:
    """The pairs of systems of one test set: sizes of differences, and whether the human judges agreed.

    `significant` says whether the human scores of a pair were significantly different; it is empty if the judgments of
    single segments are not known.
    """

    collection: str
    language_pair: str
    differences: tuple[float, ...]
    agreed: tuple[bool, ...]
    significant: tuple[bool, ...] = ()


@record
class CalibratedMetric:
    """The pairs of one metric and the curve that was fitted to them; `source` names the table."""

    name: str
    signatures: tuple[str, ...]
    pairs: tuple[JudgedPairs, ...]
    curve: AgreementCurve
    source: str = ""

    @property
    def collections(self) -> tuple[str, ...]:
        """The years or names of the test sets, such as `wmt15`."""
        return tuple(dict.fromkeys(pair.collection for pair in self.pairs))

    @property
    def n_pairs(self) -> int:
        return sum(len(pair.differences) for pair in self.pairs)

    @cached_property
    def _sizes(self) -> FloatArray:
        """The sizes of all differences, sorted."""
        return np.sort(np.concatenate([[], *(pair.differences for pair in self.pairs)]))

    @cached_property
    def _tested(self) -> tuple[FloatArray, OffsetArray]:
        """The sorted sizes of the pairs with a test of the human scores, and how many of the first n are significant."""
        tested = [pair for pair in self.pairs if pair.significant]
        sizes = np.concatenate([[], *(pair.differences for pair in tested)])
        significant = np.concatenate([np.zeros(0, bool), *(pair.significant for pair in tested)])
        order = np.argsort(sizes, kind="stable")
        return sizes[order], np.concatenate([[0], np.cumsum(significant[order])])

    def expect_agreement(self, difference: float) -> ExpectedAgreement:
        """Look up the expected human agreement."""
        return self.expect_agreements(np.array([difference]))[0]

    def expect_agreements(self, differences: FloatArray) -> list[ExpectedAgreement]:
        """Look up the expected human agreement for many differences."""
        sizes, largest = np.abs(differences), float(self._sizes[-1]) if len(self._sizes) else 0.0
        known = np.minimum(sizes, largest)
        agreement = self.curve(known)
        low, high = self.curve.bounds(known)
        n_pairs = np.diff(_find_similar(self._sizes, sizes), axis=0)[0]
        tested_sizes, n_significant = self._tested
        first, end = _find_similar(tested_sizes, sizes)
        n_yes, n_tested = n_significant[end] - n_significant[first], end - first
        rows = zip(agreement.tolist(), low.tolist(), high.tolist(), n_pairs.tolist(), strict=True)
        tests = zip((sizes > largest).tolist(), n_yes.tolist(), n_tested.tolist(), strict=True)
        facts = self.collections, self.source, self.curve.reach(0.8)
        return [
            ExpectedAgreement(
                share,
                min(below, share),
                max(above, share),
                n,
                is_beyond,
                *facts,
                yes / tested if tested else None,
            )
            for (share, below, above, n), (is_beyond, yes, tested) in zip(rows, tests, strict=True)
        ]


def _find_similar(known: FloatArray, sizes: FloatArray) -> OffsetArray:
    """Return the first of the sorted sizes that is similar to each size, and the first one that is too large."""
    first = np.searchsorted(known, sizes / _SIMILAR, side="left")
    return np.array([first, np.searchsorted(known, sizes * _SIMILAR, side="right")])


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
        return cls(listed, _index_signatures([metric.signatures for metric in listed]))

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

    def __init__(self, metrics: Sequence[Mapping[str, Any]], source: str) -> None:
        self._metrics, self._source = metrics, source
        self._parsed: dict[int, CalibratedMetric] = {}

    def __len__(self) -> int:
        return len(self._metrics)

    @overload
    def __getitem__(self, place: int) -> CalibratedMetric: ...

    @overload
    def __getitem__(self, place: slice) -> Sequence[CalibratedMetric]: ...

    def __getitem__(self, place: int | slice) -> CalibratedMetric | Sequence[CalibratedMetric]:
        if isinstance(place, slice):
            return [self[i] for i in range(len(self))[place]]
        if place not in self._parsed:
            self._parsed[place] = _parse_metric(self._metrics[place], self._source)
        return self._parsed[place]


_FORMAT = "tertium-calibration-2"
# Numbers of a table that are larger, or smaller than their inverse, would overflow or underflow in its curves.
_LARGEST = 1e30
_MAX_DEVIATION = 100.0

PACKAGED = ("wmt21-22", "wmt10-15")
"""The tables in the package, the default first."""


def read_calibration(path: str | None = None) -> Calibration:
    """Read a calibration table: a file, or one of the tables in the package by name; by default that of WMT21–22.

    Raises
    ------
    InputError
        If the file is not a calibration table.
    """
    if path is None or path in PACKAGED:
        return _read_packaged(path or PACKAGED[0])
    if file_size(path) < 0:
        raise InputError(
            f"there is no calibration table {show_path(path)}; give a file, or {' or '.join(PACKAGED)}"
        )
    text = read_text(path)
    try:
        metrics, source = _parse_document(text)
        return Calibration.of(_parse_metric(metric, source) for metric in metrics)
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError):
        raise InputError(
            f"{show_path(path)} is not a calibration table; 'tertium meta' with {argument('calibrate')} makes one, and"
            f" the package has {' and '.join(PACKAGED)}"
        ) from None


@cache
def _read_packaged(name: str) -> Calibration:
    """Read a packaged table, of which a command looks up only a few metrics."""
    file = importlib.resources.files("tertium.resources") / "data" / f"calibration-{name}.json"
    metrics, source = _parse_document(file.read_bytes())
    places = _index_signatures([metric["signatures"] for metric in metrics])
    return Calibration(_ParsedOnDemand(metrics, source), places)


def _parse_document(text: str | bytes) -> tuple[Sequence[Mapping[str, Any]], str]:
    """Return the metrics of a table in JSON, and its source."""
    document = json.loads(text)
    if document["format"] != _FORMAT:
        raise ValueError(document["format"])
    return document["metrics"], str(document.get("source", ""))


def render_calibration(calibration: Calibration, *, source: str = "") -> str:
    """Render a table as JSON for `read_calibration`; `source` describes the judgments in a few words."""
    listed = [_metric_data(metric) for metric in calibration.metrics]
    document = {"format": _FORMAT, "source": source, "metrics": listed}
    return json.dumps(document, ensure_ascii=False, indent=1) + "\n"


def _metric_data(metric: CalibratedMetric) -> dict[str, Any]:
    return {
        "name": metric.name,
        "signatures": list(metric.signatures),
        "curve": vars(metric.curve),
        "pairs": {f"{pair.collection} {pair.language_pair}": _render_pairs(pair) for pair in metric.pairs},
    }


def _render_pairs(pairs: JudgedPairs) -> str:
    """Render each pair's difference: after + if the judges agreed and - if not, before ! if their scores differ significantly and ~ if not."""
    marks = ["!" if differs else "~" for differs in pairs.significant] or [""] * len(pairs.differences)
    rows = zip(pairs.differences, pairs.agreed, marks, strict=True)
    return " ".join(f"{'+' if agreed else '-'}{size:.5g}{mark}" for size, agreed, mark in rows)


def _parse_metric(data: Mapping[str, Any], source: str = "") -> CalibratedMetric:
    pairs = tuple(_parse_pairs(name, text) for name, text in data["pairs"].items())
    values = _check_numbers([data["curve"][name] for name in ("scale", "shape", "deviation", "margin")])
    if min(values) < 0 or 0 in (values[0], values[1], values[3]) or values[2] > _MAX_DEVIATION:
        raise ValueError(values)
    signatures = tuple(map(str, data["signatures"]))
    return CalibratedMetric(str(data["name"]), signatures, pairs, AgreementCurve(*values), source)


def fit_pairs(pairs: Iterable[JudgedPairs]) -> AgreementCurve:
    """Fit the curve to the pairs of test sets, each of which counts with the number of its independent pairs."""
    parts = [pair for pair in pairs if pair.differences]
    differences = np.concatenate([part.differences for part in parts])
    agreed = np.concatenate([np.array(part.agreed, dtype=bool) for part in parts])
    counts = [len(part.differences) for part in parts]
    return fit_curve(differences, agreed, np.repeat([weigh_pairs(n) for n in counts], counts))


def _parse_pairs(name: str, text: str) -> JudgedPairs:
    collection, _, language_pair = name.rpartition(" ")
    items = text.split()
    sizes = _check_numbers([float(item.rstrip("!~")) for item in items])
    is_tested = bool(items) and all(item[-1] in "!~" for item in items)
    return JudgedPairs(
        collection,
        language_pair,
        tuple(map(abs, sizes)),
        tuple(item[0] == "+" for item in items),
        tuple(item[-1] == "!" for item in items) if is_tested else (),
    )


def _check_numbers(values: Sequence[object]) -> tuple[float, ...]:
    if not set(map(type, values)) <= {int, float}:
        raise ValueError(values)
    numbers = np.array(values, dtype=np.float64)
    sizes = np.abs(numbers)
    if not ((sizes == 0) | ((sizes >= 1 / _LARGEST) & (sizes <= _LARGEST))).all():
        raise ValueError(values)
    return tuple(numbers.tolist())
