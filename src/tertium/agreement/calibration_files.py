"""Tables of people's agreement with differences, in JSON files; the package has one made from WMT."""

import importlib.resources
import json
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np

from tertium.agreement.calibration import CalibratedMetric, Calibration, FittedCurve, JudgedPairs
from tertium.errors import InputError
from tertium.files.paths import show_path
from tertium.files.reading import read_text
from tertium.stats.agreement_curve import AgreementCurve

__all__ = ["read_calibration", "render_calibration"]

_FORMAT = "tertium-calibration-1"
_OWN = "people.json"


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
