"""Presets of metric options: TOML files of users, and the measured ones inside the package."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from tertium.errors import InputError
from tertium.files.paths import show_path
from tertium.files.reading import read_text

RESOURCES = ("vectors",)
"""The resources that a preset can name."""


@dataclass(frozen=True)
class Preset:
    """A metric's name, its option values, the resources it takes, and a checksum of all."""

    metric: str
    options: Mapping[str, Any]
    resources: Mapping[str, str] = field(default_factory=dict)

    @property
    def digest(self) -> str:
        """The first 8 hexadecimal digits of the SHA-256 of what it says, whatever the file's layout."""
        known = [self.metric, dict(self.options), *([dict(self.resources)] if self.resources else [])]
        import hashlib  # noqa: PLC0415 - most runs name no preset

        canonical = json.dumps(known, sort_keys=True, ensure_ascii=False)
        return hashlib.sha256(canonical.encode()).hexdigest()[:8]


def read_preset(path: str) -> Preset:
    """Read a preset: a key `metric`, a table `options`, and perhaps `resources`; others say where it comes from.

    Raises
    ------
    InputError
        If the file is not TOML, lacks one of the first two, or holds something else than a value or a list.
    """
    shown, text = show_path(path), read_text(path)
    try:
        import tomllib  # noqa: PLC0415 - most runs name no preset

        document = tomllib.loads(text)
    except RecursionError:
        raise InputError(f"{shown} nests too deeply to be read") from None
    except ValueError as error:  # also for integers of thousands of digits
        raise InputError(f"{shown} is not TOML: {error}") from None
    metric, options = document.get("metric"), document.get("options")
    if not isinstance(metric, str) or not isinstance(options, dict):
        raise InputError(f'{shown} is no preset: it needs metric = "NAME" and a table [options]')
    values = {name: _read_value(shown, name, value) for name, value in options.items()}
    return Preset(metric, values, _read_resources(shown, document.get("resources", {})))


def _read_resources(path: str, given: object) -> dict[str, str]:
    if not isinstance(given, dict) or not all(isinstance(value, str) for value in given.values()):
        raise InputError(f'{path}: [resources] must name resources by texts, as in vectors = "contextual"')
    for name in given:
        if name not in RESOURCES:
            raise InputError(f"{path}: a preset cannot name {name!r} under [resources]; only vectors")
    return dict(given)


def _read_value(path: str, name: str, value: object) -> Any:
    """Check an option's value: a yes or no, a number, a text, or a list of these."""
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
    """Write a preset, with what is known of its tuning; an option of None is left out, as TOML has none."""
    lines = [f"metric = {_spell(preset.metric)}", "", "[options]"]
    lines += [f"{name} = {_spell(value)}" for name, value in preset.options.items() if value is not None]
    if preset.resources:
        lines += [
            "",
            "[resources]",
            *(f"{name} = {_spell(value)}" for name, value in preset.resources.items()),
        ]
    lines += ["", "[tuning]", *(f"{name} = {_spell(value)}" for name, value in facts.items())]
    return "\n".join(lines) + "\n"


def _spell(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, (tuple, list)):
        return f"[{', '.join(map(_spell, value))}]"
    return json.dumps(str(value), ensure_ascii=True)  # JSON strings are TOML strings


DATA = Path(__file__).parent / "data" / "presets.json"

Measured = Mapping[str, Mapping[str, float]]
"""Test set to statistic to value."""


@dataclass(frozen=True)
class NamedPreset:
    """Options and resources of a metric under a name that stays; whoever changes them raises the version."""

    metric: str
    name: str
    version: int
    options: Mapping[str, Any]
    source: str
    """Where the values come from."""
    resources: Mapping[str, str] = field(default_factory=dict)
    """What it takes unless the user names another: `vectors`, as `--vectors` takes it."""

    @property
    def label(self) -> str:
        """The preset as `-m` takes it."""
        return f"{self.metric}@{self.name}"

    @property
    def stamp(self) -> str:
        """The preset as a signature shows it."""
        return f"{self.name}-{self.version}"


@cache
def named_presets() -> Mapping[str, NamedPreset]:
    """All presets of the package, by label."""
    made = [_read(record) for record in _document()["presets"]]
    return MappingProxyType({each.label: each for each in made})


def presets_of(metric: str) -> list[NamedPreset]:
    """The presets of one metric."""
    return [each for each in named_presets().values() if each.metric == metric]


def find_preset(metric: str, name: str) -> NamedPreset | None:
    """The metric's preset of this name."""
    return named_presets().get(f"{metric}@{name}")


def measurements() -> Mapping[str, Measured]:
    """How well each metric and preset agreed with people, by label; `tools/measure_presets.py` writes it."""
    measured: Mapping[str, Measured] = _document()["measured"]
    return measured


@cache
def _document() -> Mapping[str, Any]:
    document: Mapping[str, Any] = json.loads(DATA.read_text(encoding="utf-8"))
    return document


def _read(record: Mapping[str, Any]) -> NamedPreset:
    options = {
        name: tuple(value) if isinstance(value, list) else value for name, value in record["options"].items()
    }
    return NamedPreset(**{**record, "options": options})
