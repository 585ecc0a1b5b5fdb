"""Presets inside the package, `-m std@contextual`, and how well metrics agreed with people when they were measured."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

__all__ = ["DATA", "Measured", "NamedPreset", "find_preset", "measurements", "named_presets", "presets_of"]

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
