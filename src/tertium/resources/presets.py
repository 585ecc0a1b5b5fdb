"""Tuned values of metrics: presets of options, by name or in TOML files of users, and learned feature weights."""

import json
from collections.abc import Mapping
from dataclasses import field
from functools import cache
from math import isfinite
from pathlib import Path
from types import MappingProxyType
from typing import Any

from tertium.errors import InputError, ResourceError
from tertium.files.paths import show_path
from tertium.files.reading import parse_toml, read_text
from tertium.records import record

RESOURCES = ("vectors",)
"""The resources that a preset can choose."""


@record
class Preset:
    """The name of a metric, values of its options, and the resources it uses."""

    metric: str
    options: Mapping[str, Any]
    resources: Mapping[str, str] = field(default_factory=dict)

    @property
    def digest(self) -> str:
        """The first 8 hexadecimal digits of the SHA-256 of the values, regardless of the file's layout."""
        known = [self.metric, dict(self.options), *([dict(self.resources)] if self.resources else [])]
        return _digest(json.dumps(known, sort_keys=True, ensure_ascii=False))


def _digest(text: str) -> str:
    import hashlib  # noqa: PLC0415 - most runs use no preset

    return hashlib.sha256(text.encode()).hexdigest()[:8]


def read_preset(path: str) -> Preset:
    """Read a preset: a key `metric`, a table `options` and optionally a table `resources`; other keys are ignored.

    Raises
    ------
    InputError
        If the file is not TOML, lacks `metric` or `options`, or an option is not a single value or a list.
    """
    shown, text = show_path(path), read_text(path)
    try:
        document = parse_toml(text)
    except ValueError as error:  # also for integers of thousands of digits
        raise InputError(f"{shown} is not TOML: {error}") from None
    metric, options = document.get("metric"), document.get("options")
    if not isinstance(metric, str) or not isinstance(options, dict):
        raise InputError(f'{shown} is not a preset: it needs metric = "NAME" and a table [options]')
    values = {name: _check_value(shown, name, value) for name, value in options.items()}
    return Preset(metric, values, _check_resources(shown, document.get("resources", {})))


def _check_resources(path: str, given: object) -> dict[str, str]:
    if not isinstance(given, dict) or not all(isinstance(value, str) for value in given.values()):
        raise InputError(f'{path}: values under [resources] must be strings, as in vectors = "contextual"')
    for name in given:
        if name not in RESOURCES:
            raise InputError(f"{path}: a preset cannot set {name!r} under [resources]; only vectors")
    return dict(given)


def _check_value(path: str, name: str, value: object) -> Any:
    """Return an option's value, a list as a tuple; raise unless it is a boolean, number, string or a list of these."""
    items = value if isinstance(value, list) else [value]
    for item in items:
        if not isinstance(item, (bool, int, float, str)):
            raise InputError(
                f"{path}: the option {name!r} holds {_kind(item)}; give true or false, a number, a text, or a list of them"
            )
        if isinstance(item, (int, float)) and not abs(item) < 2**63:
            raise InputError(f"{path}: the option {name!r} is not a finite number of 64 bits")
    return tuple(value) if isinstance(value, list) else value


def _kind(item: object) -> str:
    if isinstance(item, dict):
        return "a table"
    return "a list in a list" if isinstance(item, list) else f"a {type(item).__name__}"


def render_preset(preset: Preset, facts: Mapping[str, float | int | str]) -> str:
    """Format a preset as TOML, with facts about its tuning; options of None are left out, as TOML has no null."""
    lines = [f"metric = {_format_value(preset.metric)}", "", "[options]", *_format_table(preset.options)]
    if preset.resources:
        lines += ["", "[resources]", *_format_table(preset.resources)]
    lines += ["", "[tuning]", *_format_table(facts)]
    return "\n".join(lines) + "\n"


def _format_table(values: Mapping[str, object]) -> list[str]:
    return [f"{name} = {_format_value(value)}" for name, value in values.items() if value is not None]


def _format_value(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, (tuple, list)):
        return f"[{', '.join(map(_format_value, value))}]"
    return json.dumps(str(value), ensure_ascii=True)  # JSON strings are TOML strings


DATA = Path(__file__).parent / "data" / "presets.json"

Measured = Mapping[str, Mapping[str, float]]
"""Values by test set and statistic."""


@record
class NamedPreset:
    """A preset in the package; its name never changes, and its version increases with every change."""

    metric: str
    name: str
    version: int
    options: Mapping[str, Any]
    source: str
    """The publication or experiment that the values come from."""
    resources: Mapping[str, str] = field(default_factory=dict)
    """The resources to use unless the user chooses others: `vectors`, as in the option `vectors`."""

    @property
    def label(self) -> str:
        """The preset as written in the option `metrics`."""
        return f"{self.metric}@{self.name}"

    @property
    def stamp(self) -> str:
        """The preset as written in signatures."""
        return f"{self.name}-{self.version}"


@cache
def named_presets() -> Mapping[str, NamedPreset]:
    """Return all presets of the package, by label."""
    presets = [_parse_record(record) for record in _document()["presets"]]
    return MappingProxyType({preset.label: preset for preset in presets})


def presets_of(metric: str) -> list[NamedPreset]:
    """Return the named presets of one metric."""
    return [preset for preset in named_presets().values() if preset.metric == metric]


def find_preset(metric: str, name: str) -> NamedPreset | None:
    """Return the metric's preset of this name; None if there is none."""
    return named_presets().get(f"{metric}@{name}")


def measurements() -> Mapping[str, Measured]:
    """Return the human agreement of metrics and presets, by label, as measured by `tools/measure_presets.py`."""
    measured: Mapping[str, Measured] = _document()["measured"]
    return measured


def published_measurements() -> Mapping[str, Measured]:
    """Return the human agreement of published metrics, by name, as measured from their published scores."""
    published: Mapping[str, Measured] = _document()["published"]
    return published


@cache
def _document() -> Mapping[str, Any]:
    document: Mapping[str, Any] = json.loads(DATA.read_text(encoding="utf-8"))
    return document


def _parse_record(record: Mapping[str, Any]) -> NamedPreset:
    options = {
        name: tuple(value) if isinstance(value, list) else value for name, value in record["options"].items()
    }
    return NamedPreset(**{**record, "options": options})


BEER_WEIGHTS = Path(__file__).parent / "data" / "beer.toml"


@record
class LearnedWeights:
    """Weights by feature; instances with the same identity are equal."""

    identity: str
    weights: Mapping[str, float] = field(repr=False, compare=False)


def load_weights(path: str | None = None) -> LearnedWeights:
    """Read the weights in the package, or a file written by `tools/train_beer.py`.

    Raises
    ------
    ResourceError
        If the file cannot be read or has no table `weights` of numbers.
    """
    source = BEER_WEIGHTS if path is None else Path(path)
    text = read_text(source, error=ResourceError)
    try:
        weights = parse_toml(text)["weights"]
        checked = {str(name): float(weight) for name, weight in weights.items()}
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError) as error:
        raise ResourceError(f"{show_path(source)} has no table [weights] of numbers: {error}") from error
    wrong = next((name for name, weight in checked.items() if not isfinite(weight)), None)
    if wrong is not None:
        raise ResourceError(
            f"{show_path(source)}: the weight of {wrong!r} is not a finite number; train again"
        )
    return LearnedWeights(f"{source.stem}[{_digest(text)}]", checked)
