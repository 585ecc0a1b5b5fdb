"""Metrics as the command line writes them: `bleu:lowercase=yes`, `std@contextual`, `chrf@preset.toml`, or a signature."""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from tertium.catalog.building import LabelledMetric, Providers, build_metric, preset_providers
from tertium.catalog.finding import canonical_name, families, find_metric, suggest
from tertium.errors import InputError, OptionError, ResourceError, UnknownNameError
from tertium.metrics.base import Metric
from tertium.metrics.options import is_resource_type
from tertium.resources.presets import find_preset, presets_of, read_preset

# sacreBLEU's names of metrics: chrF3++ has beta 3, and its nw tells the order of words.
_PEERS = re.compile(r"chrF(?P<beta>\d+)(\+\+)?|chrF\+\+", re.IGNORECASE)
_SMOOTHING = re.compile(r"(?P<method>[a-z-]+)\[(?P<value>[\d.]+)\]")

# What a signature says besides options: about the data, the resampling, the preset and the program.
_FACTS = ("nrefs", "bs", "ar", "samples", "seed", "resample", "version", "preset")
_RESAMPLING = {
    "bs": "--ci --samples",
    "ar": "--paired randomization --samples",
    "seed": "--seed",
    "resample": "--resample",
}


def is_signature(label: str) -> bool:
    """Whether a metric is named by its signature."""
    return "|" in label


def names_metric(text: str) -> bool:
    """Whether a metric's name, ours or sacreBLEU's, begins a text and ends where a name may end."""
    name = re.split(r"[|:@]", text.strip(), maxsplit=1)[0]
    return canonical_name(name) in families() or _PEERS.fullmatch(name) is not None


def read_signature(signature: str, providers: Providers | None = None) -> Metric:
    """Build the metric that has this signature, without asking whether all of it can be honoured.

    >>> read_signature("wer|nrefs:1|tok:none|case:lc|version:tertium-0.1.0")
    WER(tokenizer='none', lowercase=True)
    """
    name, *items = signature.split("|")
    pairs = {key: text for key, _, text in (item.partition(":") for item in items)}
    return _build(name, pairs, {}, providers)


def parse_signature(
    signature: str, providers: Providers | None = None, fallbacks: Providers | None = None
) -> LabelledMetric:
    """Build the metric that has this signature, ours or sacreBLEU's; for resources see `parse_metrics`.

    Raises
    ------
    OptionError, UnknownNameError, ResourceError
        If it says something that cannot be honoured here.

    >>> parse_signature("chrF3++|nrefs:1|case:mixed|eff:yes|nc:6|nw:2|space:no|version:2.4.3").label
    'chrf:word_order=2,beta=3'
    """
    first, *items = signature.split("|")
    name, options = _read_name(first)
    pairs = _read_items(signature, items)
    options |= _read_smoothing(pairs)
    preset = find_preset(name, pairs.get("preset", "").rpartition("-")[0])
    implied = {} if preset is None else preset_providers(preset.resources)
    metric = _build(name, pairs, options, {**(fallbacks or {}), **implied, **(providers or {})})
    _check_honoured(metric, pairs)
    warnings = (*_version_warnings(metric, pairs), *_resampling_warnings(pairs))
    label = format_label(metric)
    return LabelledMetric(
        label, metric, pairs.get("preset"), n_references=pairs.get("nrefs"), warnings=warnings
    )


def format_label(metric: Metric) -> str:
    """Write a metric as the command line takes it: its name, and options that are not at their usual values."""
    listed = [
        f"{each.name}={each.write(getattr(metric, each.name))}"
        for each in metric.options()
        if not is_resource_type(each.type) and getattr(metric, each.name) != metric.usual(each)
    ]
    return f"{metric.name}:{','.join(listed)}" if listed else metric.name


def _read_name(text: str) -> tuple[str, dict[str, Any]]:
    """Find our name of a metric, and what sacreBLEU's name says about its options."""
    if found := _PEERS.fullmatch(text):
        return "chrf", {"beta": int(found["beta"] or 2)}
    name = canonical_name(text)
    find_metric(name)  # raises, with a suggestion, if there is none
    return name, {}


def _read_items(signature: str, items: list[str]) -> dict[str, str]:
    pairs: dict[str, str] = {}
    for item in items:
        key, colon, text = item.partition(":")
        if not colon or not key:
            raise OptionError(f"{signature!r}: {item!r} is not key:value, as the parts of a signature are")
        if key in pairs:
            raise OptionError(f"{signature!r} has {key} twice")
        pairs[key] = text
    return pairs


def _is_peer(pairs: Mapping[str, str]) -> bool:
    return bool(re.match(r"\d", pairs.get("version", "")))


def _read_smoothing(pairs: dict[str, str]) -> dict[str, Any]:
    """Take sacreBLEU's `floor[0.10]` apart."""
    found = _SMOOTHING.fullmatch(pairs.get("smooth", ""))
    if found is None:
        return {}
    pairs["smooth"] = found["method"]
    return {"smooth_value": float(found["value"])}


def _build(
    name: str, pairs: Mapping[str, str], options: Mapping[str, Any], providers: Providers | None
) -> Metric:
    by_key = {each.key or each.name: each for each in find_metric(name).options()}
    # What a signature leaves out is at its default, whatever the vectors here would make of it.
    values = {each.name: each.default for each in by_key.values() if each.by_vectors is not None}
    values |= {
        by_key[key].name: by_key[key].read_spelled(text, name)
        for key, text in pairs.items()
        if key in by_key and not is_resource_type(by_key[key].type)
    }
    return build_metric(name, {**options, **values}, providers)


def _check_honoured(metric: Metric, pairs: Mapping[str, str]) -> None:
    """Raise if the metric would sign differently."""
    _, *items = metric.signature((1, 1)).split("|")
    ours = dict(item.split(":", maxsplit=1) for item in items)
    resources = {each.key or each.name for each in metric.options() if is_resource_type(each.type)}
    known = {each.key or each.name for each in metric.options()} | ours.keys()
    for key, text in pairs.items():
        if key in _FACTS:
            continue
        if key not in known:
            names = sorted(known | set(_FACTS))
            raise UnknownNameError(
                f"{metric.name} has nothing called {key!r} in its signature; {suggest(key, names)}"
            )
        if key in resources and ours.get(key) != text:
            raise ResourceError(
                f"{metric.name}: the signature names {key}:{text}, but here it would be {key}:{ours.get(key, 'none')};"
                " give the resource that it names"
            )
        if key not in resources and ours.get(key, text) != text:
            raise OptionError(f"{metric.name}: {key}:{text} cannot be honoured; here it is {key}:{ours[key]}")


def _version_warnings(metric: Metric, pairs: Mapping[str, str]) -> list[str]:
    version = pairs.get("version")
    ours = metric.signature((1, 1)).rpartition("|version:")[2]
    if version is None or version == ours:
        return []
    if not _is_peer(pairs):
        return [f"the signature of {metric.name} is of {version}, but this is {ours}; the score may differ"]
    if int(version.partition(".")[0]) < 2:
        raise OptionError(
            f"{metric.name}: scores of sacreBLEU {version} cannot be promised; ours are those of sacreBLEU 2"
        )
    return []


def _resampling_warnings(pairs: Mapping[str, str]) -> list[str]:
    given = [f"{_RESAMPLING[key]} {pairs[key]}" for key in _RESAMPLING if key in pairs]
    return [f"the signature tells of resampling, which is asked for with {' '.join(given)}"] if given else []


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


def parse_metrics(
    texts: Sequence[str],
    *,
    defaults: Mapping[str, Any] | None = None,
    providers: Providers | None = None,
    fallbacks: Providers | None = None,
) -> list[LabelledMetric]:
    """Build metrics as the command line writes them.

    `defaults` are option values for every metric that has such an option and was not given another value; a
    signature says all by itself. Resources come from `providers`, else from what a preset names, else from
    `fallbacks`.

    >>> [m.label for m in parse_metrics(["wer,bleu:smooth_method=floor,smooth_value=0.2,per"])]
    ['wer', 'bleu:smooth_method=floor,smooth_value=0.2', 'per']
    """
    made = [
        _parse_one(label, defaults or {}, providers or {}, fallbacks or {}) for label in split_labels(texts)
    ]
    refuse_repeated(made)
    return made


def refuse_repeated(metrics: Sequence[LabelledMetric]) -> None:
    """Raise if a metric is given by its name and again by its signature."""
    labels = [each.label for each in metrics]
    for label in labels:
        if labels.count(label) > 1:
            raise OptionError(f"metric {label!r} is given twice")


def _parse_one(
    label: str, defaults: Mapping[str, Any], providers: Providers, fallbacks: Providers
) -> LabelledMetric:
    if is_signature(label):
        return parse_signature(label, providers, fallbacks)
    named = parse_label(label, defaults)
    known = {**fallbacks, **preset_providers(named.resources), **providers}
    return LabelledMetric(label, build_metric(named.name, named.options, known), named.preset)
