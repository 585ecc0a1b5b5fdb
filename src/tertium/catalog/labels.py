"""Metrics as the command line writes them: `bleu`, `bleu:tokenizer=intl,lowercase=yes`, `std@contextual`, `chrf@preset.toml`."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from tertium.catalog.finding import canonical_name, find_metric, suggest
from tertium.catalog.signatures import is_signature, names_metric
from tertium.errors import InputError, OptionError, UnknownNameError
from tertium.resources.named_presets import find_preset, presets_of
from tertium.resources.presets import read_preset

__all__ = ["NamedOptions", "parse_label", "split_labels"]


# Metrics that papers call by a name of their own, and the options that the name means.
_ALIASES: Mapping[str, tuple[str, dict[str, Any]]] = {
    "chrf++": ("chrf", {"word_order": 2}),
    "chrf1": ("chrf", {"beta": 1}),
    "chrf2": ("chrf", {"beta": 2}),
    "chrf3": ("chrf", {"beta": 3}),
}


class NamedOptions(NamedTuple):
    """A metric's name and its option values, before it is built."""

    name: str
    options: Mapping[str, Any]
    preset: str | None
    resources: Mapping[str, str] = MappingProxyType({})
    """What the preset takes unless the user names another."""


def split_labels(texts: Sequence[str]) -> list[str]:
    """Cut lists of metrics into the labels of single ones.

    In a comma list an item `key=value` belongs to the metric before it, and so does anything behind a signature
    that does not begin with the name of a metric.

    >>> split_labels(["wer,bleu:smooth_method=floor,smooth_value=0.2", "per"])
    ['wer', 'bleu:smooth_method=floor,smooth_value=0.2', 'per']
    """
    labels = [label for text in texts for label in _split_list(text)]
    for label in labels:
        if labels.count(label) > 1:
            raise OptionError(f"metric {label!r} is given twice")
    return labels


def parse_label(label: str, defaults: Mapping[str, Any] | None = None) -> NamedOptions:
    """Read one metric: `name`, `name@preset`, `name@preset.toml`, `name:key=value,…`.

    A preset overrides defaults, and options that are written out override both.
    """
    before, _, listed = label.partition(":")
    written, at, chosen = before.partition("@")
    written, implied = _ALIASES.get(written.lower(), (written, {}))
    name = canonical_name(written)
    by_name = {each.name: each for each in find_metric(name).options()}
    preset = _find_values(name, chosen) if at else NamedOptions(name, {}, None)
    values = {key: value for key, value in (defaults or {}).items() if key in by_name}
    values |= implied | dict(preset.options)
    for item in filter(None, listed.split(",")):
        key, equals, text = item.partition("=")
        if not equals:
            raise OptionError(f"{label}: {item!r} is not an option; write key=value")
        if key not in by_name:
            raise UnknownNameError(f"{name} has no option {key!r}; {suggest(key, sorted(by_name))}")
        values[key] = by_name[key].parse(text, name)
    return NamedOptions(name, values, preset.preset, preset.resources)


def _find_values(name: str, chosen: str) -> NamedOptions:
    """Find a preset: one of the package's by its name, any other by its path."""
    known = find_preset(name, chosen)
    if known is not None:
        return NamedOptions(name, known.options, known.stamp, known.resources)
    if "." not in chosen and "/" not in chosen and not (chosen and Path(chosen).exists()):
        raise UnknownNameError(_tell_unknown(name, chosen))
    return _read_file(name, chosen)


def _tell_unknown(name: str, chosen: str) -> str:
    names = [each.name for each in presets_of(name)]
    if not names:
        return f"{name} has no preset {chosen!r}, and there is no file of that name; 'tertium metrics' lists presets"
    return f"{name} has no preset {chosen!r}; {suggest(chosen, names)}"


def _read_file(name: str, path: str) -> NamedOptions:
    preset = read_preset(path)
    if preset.metric != name:
        raise InputError(
            f"{path} is a preset of {preset.metric}, not of {name}; write {preset.metric}@{path}"
        )
    return NamedOptions(name, preset.options, preset.digest, preset.resources)


def _split_list(text: str) -> Iterator[str]:
    label = ""
    for item in text.split(","):
        name, equals, _ = item.partition("=")
        if is_signature(label) and not names_metric(item):
            label += f",{item}"  # a comma inside a signature
            continue
        if equals and not is_signature(item) and ":" not in name and "@" not in name:
            if not label:
                raise OptionError(f"{text!r}: {item!r} stands before any metric; write metric:key=value")
            label += ("," if ":" in label else ":") + item
            continue
        if label:
            yield label
        label = item.strip()
    if not label:
        raise OptionError("a metric's name is missing; 'tertium metrics' lists them")
    yield label
