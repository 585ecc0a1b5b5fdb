"""From names to metrics: finds them, reads their options from text, hands over their resources."""

import difflib
import pkgutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from typing import Any, NamedTuple

import tertium.metrics
from tertium.errors import InputError, OptionError, ResourceError, UnknownNameError
from tertium.interfaces import FeatureWeights, Paraphrases, Synonyms, Trees, WordLists, WordVectors
from tertium.metrics.base import Metric
from tertium.metrics.options import Option, is_resource_type
from tertium.resources.feature_weights import load_weights
from tertium.resources.presets import read_preset
from tertium.resources.trees import load_parser
from tertium.resources.vectors import default_vectors
from tertium.resources.words.paraphrases import find_paraphrases
from tertium.resources.words.word_lists import find_word_lists
from tertium.resources.words.wordnet import load_wordnet

__all__ = [
    "FAMILIES",
    "LabelledMetric",
    "NamedOptions",
    "build_metric",
    "families",
    "find_metric",
    "metric_names",
    "parse_label",
    "parse_metrics",
    "read_signature",
    "split_labels",
]

FAMILIES = ("lexical", "embedding", "meteor", "syntax")
ENTRY_POINTS = "tertium.metrics"

# How to make the resource that an option of this type asks for.
Providers = Mapping[type, Callable[[], Any]]

# What a metric gets when the user names no resource.
DEFAULT_PROVIDERS: Providers = {
    FeatureWeights: load_weights,
    Paraphrases: find_paraphrases,
    Synonyms: load_wordnet,
    Trees: load_parser,
    WordLists: find_word_lists,
    WordVectors: default_vectors,
}


@dataclass(frozen=True)
class LabelledMetric:
    """A metric and the text by which the user asked for it, which names it in every output."""

    label: str
    metric: Metric
    preset: str | None = None
    """The checksum of the preset file that it was given."""


class NamedOptions(NamedTuple):
    """A metric's name and its option values, before it is built."""

    name: str
    options: Mapping[str, Any]
    preset: str | None


@cache
def families() -> dict[str, str]:
    """Every metric's name and its family, in the catalogue's order; nothing is imported yet."""
    found: dict[str, str] = {}
    for family in FAMILIES:
        folders = [f"{folder}/{family}" for folder in tertium.metrics.__path__]
        modules = [module.name for module in pkgutil.iter_modules(folders)]
        found |= {name: family for name in modules if not name.startswith("_")}
    for entry in entry_points(group=ENTRY_POINTS):
        found.setdefault(entry.name, "third party")
    return found


def metric_names() -> list[str]:
    """The names of all metrics."""
    return list(families())


def find_metric(name: str) -> type[Metric]:
    """Find the class of the metric with this name."""
    family = families().get(name)
    if family is None:
        raise UnknownNameError(f"unknown metric {name!r}; {_suggest(name, metric_names())}")
    if family in FAMILIES:
        return _metric_in(f"tertium.metrics.{family}.{name}")
    return _load_entry_point(name)


def build_metric(name: str, options: Mapping[str, Any], providers: Providers | None = None) -> Metric:
    """Build a metric from option values, filling its resources from the providers."""
    cls = find_metric(name)
    known = {each.name for each in cls.options()}
    for given in options:
        if given not in known:
            raise UnknownNameError(f"{name} has no option {given!r}; {_suggest(given, sorted(known))}")
    values = dict(options)
    for each in cls.options():
        if each.name not in values and is_resource_type(each.type):
            values[each.name] = _provide(name, each, {**DEFAULT_PROVIDERS, **(providers or {})})
    return cls(**values)


def parse_metrics(
    texts: Sequence[str],
    *,
    defaults: Mapping[str, Any] | None = None,
    providers: Providers | None = None,
) -> list[LabelledMetric]:
    """Read metrics as the command line writes them.

    In a comma list an item `key=value` belongs to the metric before it. `defaults` are option values
    for every metric that has such an option and was not given another value.

    >>> [m.label for m in parse_metrics(["wer,bleu:smooth_method=floor,smooth_value=0.2,per"])]
    ['wer', 'bleu:smooth_method=floor,smooth_value=0.2', 'per']
    """
    return [_parse_one(label, defaults or {}, providers) for label in split_labels(texts)]


def split_labels(texts: Sequence[str]) -> list[str]:
    """Cut lists of metrics into the labels of single ones.

    >>> split_labels(["wer,bleu:smooth_method=floor,smooth_value=0.2", "per"])
    ['wer', 'bleu:smooth_method=floor,smooth_value=0.2', 'per']
    """
    labels = [label for text in texts for label in _split_list(text)]
    for label in labels:
        if labels.count(label) > 1:
            raise OptionError(f"metric {label!r} is given twice")
    return labels


def parse_label(label: str, defaults: Mapping[str, Any] | None = None) -> NamedOptions:
    """Read one metric as the command line writes it: `name`, `name@preset.toml`, `name:key=value,…`.

    A preset overrides defaults, and options that are written out override both.
    """
    before, _, listed = label.partition(":")
    name, _, path = before.partition("@")
    by_name = {each.name: each for each in find_metric(name).options()}
    preset, digest = _values_of_preset(name, path)
    values = {key: value for key, value in (defaults or {}).items() if key in by_name} | dict(preset)
    for item in filter(None, listed.split(",")):
        key, equals, text = item.partition("=")
        if not equals:
            raise OptionError(f"{label}: {item!r} is no option; write key=value")
        if key not in by_name:
            raise UnknownNameError(f"{name} has no option {key!r}; {_suggest(key, sorted(by_name))}")
        values[key] = by_name[key].parse(text, name)
    return NamedOptions(name, values, digest)


def read_signature(signature: str, providers: Providers | None = None) -> Metric:
    """Build the metric that has this signature.

    >>> read_signature("wer|nrefs:1|tok:none|case:lc|version:tertium-0.1.0")
    WER(tokenizer='none', lowercase=True)
    """
    name, *items = signature.split("|")
    by_key = {each.key or each.name: each for each in find_metric(name).options()}
    pairs = (item.partition(":") for item in items)
    values = {
        by_key[key].name: by_key[key].read_spelled(text, name)
        for key, _, text in pairs
        if key in by_key and not is_resource_type(by_key[key].type)
    }
    return build_metric(name, values, providers)


def _parse_one(label: str, defaults: Mapping[str, Any], providers: Providers | None) -> LabelledMetric:
    named = parse_label(label, defaults)
    return LabelledMetric(label, build_metric(named.name, named.options, providers), named.preset)


def _values_of_preset(name: str, path: str) -> tuple[Mapping[str, Any], str | None]:
    if not path:
        return {}, None
    preset = read_preset(path)
    if preset.metric != name:
        raise InputError(
            f"{path} is a preset of {preset.metric}, not of {name}; write {preset.metric}@{path}"
        )
    return preset.options, preset.digest


def _split_list(text: str) -> Iterator[str]:
    label = ""
    for item in text.split(","):
        name, equals, _ = item.partition("=")
        if equals and ":" not in name and "@" not in name:
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


def _provide(name: str, wanted: Option, providers: Providers) -> Any:
    for kind, make in providers.items():
        if is_resource_type(wanted.type) and _accepts(wanted.type, kind):
            return make()
    if wanted.default is not None or _accepts(wanted.type, type(None)):
        return wanted.default
    raise ResourceError(f"{name} needs {wanted.help or wanted.name}")


def _accepts(declared: Any, kind: type) -> bool:
    return declared is kind or kind in getattr(declared, "__args__", ())


@cache
def _metric_in(module_name: str) -> type[Metric]:
    module = import_module(module_name)
    (cls,) = (
        value
        for value in vars(module).values()
        if isinstance(value, type) and issubclass(value, Metric) and value.__module__ == module_name
    )
    return cls


def _load_entry_point(name: str) -> type[Metric]:
    (entry,) = entry_points(group=ENTRY_POINTS, name=name)
    cls = entry.load()
    if not (isinstance(cls, type) and issubclass(cls, Metric)):
        raise UnknownNameError(f"metric {name!r} of package {entry.module} is no tertium.metrics.Metric")
    cls.name = name
    return cls


def _suggest(name: str, names: Iterable[str]) -> str:
    names = list(names)
    near = difflib.get_close_matches(name, names, n=1)
    return f"did you mean {near[0]}?" if near else f"choose from {', '.join(names)}"
