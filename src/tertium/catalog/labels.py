"""Parse metrics from text: `bleu:lowercase=yes`, `std@contextual`, `chrf@preset.toml`, or a signature."""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from tertium.catalog.building import (
    LabelledMetric,
    Providers,
    build_metric,
    load_resource,
    preset_providers,
)
from tertium.catalog.finding import (
    COMMAND,
    SUM,
    canonical_name,
    families,
    find_metric,
    is_file,
    split_name,
    split_sum,
)
from tertium.consent import refuse_code
from tertium.decimals import parse_float
from tertium.errors import (
    InputError,
    MissingExtraError,
    OptionError,
    ResourceError,
    UnknownNameError,
    argument,
    suggest,
)
from tertium.metrics.base import SEPARATOR, Metric, Parts
from tertium.metrics.options import is_resource_type
from tertium.resources.presets import find_preset, presets_of, read_preset
from tertium.text.tokenizers import check_user_tokenizer, is_user_tokenizer

# sacreBLEU's names of metrics: chrF3++ has beta 3; the word order is in `nw`.
_PEERS = re.compile(r"chrF(?P<beta>[0-9]{1,9})(\+\+)?|chrF\+\+", re.IGNORECASE)
_SMOOTHING = re.compile(r"(?P<method>[a-z-]+)\[(?P<value>[\d.]+)\]")

_MIX = SUM.rstrip(":")

# Entries of a signature that are not options of the metric: data, resampling, texts, preset and program version.
_FACTS = ("nrefs", "bs", "ar", "samples", "seed", "resample", "align", "unit", "version", "preset")


def is_signature(label: str) -> bool:
    """Whether a label is a signature."""
    return "|" in label.partition(COMMAND)[0]


def begins_with_metric(text: str) -> bool:
    """Whether a text begins with the name of a metric, ours or sacreBLEU's."""
    name = split_name(re.split(r"[|@]", text.strip(), maxsplit=1)[0])[0]
    return canonical_name(name) in families() or is_file(name) or _PEERS.fullmatch(name) is not None


def read_signature(signature: str, providers: Providers | None = None) -> Metric:
    """Build the metric that has this signature, without checking that the result has the same signature.

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
        If the metric cannot be built so that it has the same signature.

    >>> parse_signature("chrF3++|nrefs:1|case:mixed|eff:yes|nc:6|nw:2|space:no|version:2.4.3").label
    'chrf:word_order=2,beta=3'
    """
    first, *items = signature.split("|")
    name, options = _parse_name(first)
    pairs = _parse_items(signature, items)
    options |= _split_smoothing(pairs)
    preset = find_preset(name, pairs.get("preset", "").rpartition("-")[0])
    implied = {} if preset is None else preset_providers(preset.resources)
    metric = _build(name, pairs, options, {**(fallbacks or {}), **implied, **(providers or {})})
    _check_equivalent(metric, pairs)
    warnings = (*_version_warnings(metric, pairs), *_resampling_warnings(pairs))
    label = format_label(metric)
    return LabelledMetric(
        label, metric, pairs.get("preset"), n_references=pairs.get("nrefs"), warnings=warnings
    )


def format_label(metric: Metric) -> str:
    """Format a metric as `parse_metrics` parses it: its name, and the options that differ from their defaults."""
    if metric.weighted_parts:
        terms = (f"{weight:+}*{format_label(part)}" for weight, part in metric.weighted_parts)
        return SUM + "".join(terms).removeprefix("+")
    listed = [
        f"{option.name}={option.write(getattr(metric, option.name))}"
        for option in metric.options()
        if not is_resource_type(option.type) and getattr(metric, option.name) != metric.usual(option)
    ]
    return f"{metric.name}:{','.join(listed)}" if listed else metric.name


def _parse_name(text: str) -> tuple[str, dict[str, Any]]:
    """Return our name of a metric, and the options that sacreBLEU's name implies."""
    if found := _PEERS.fullmatch(text):
        return "chrf", {"beta": int(found["beta"] or 2)}
    name = canonical_name(text)
    find_metric(name)  # raises, with a suggestion, for an unknown name
    return name, {}


def _parse_items(signature: str, items: list[str]) -> dict[str, str]:
    pairs: dict[str, str] = {}
    for item in items:
        key, colon, text = item.partition(":")
        if not colon or not key:
            raise OptionError(f"{signature!r}: {item!r} is not of the form key:value")
        if key in pairs:
            raise OptionError(f"{signature!r} has {key} twice")
        pairs[key] = text
    return pairs


def _split_smoothing(pairs: dict[str, str]) -> dict[str, Any]:
    """Split sacreBLEU's `floor[0.10]` into method and value."""
    found = _SMOOTHING.fullmatch(pairs.get("smooth", ""))
    if found is None:
        return {}
    pairs["smooth"] = found["method"]
    return {"smooth_value": float(found["value"])}


def _build(
    name: str, pairs: Mapping[str, str], options: Mapping[str, Any], providers: Providers | None
) -> Metric:
    by_key = {option.key or option.name: option for option in find_metric(name).options()}
    # An option missing from a signature has its general default, not that of the vectors used here.
    values = {option.name: option.default for option in by_key.values() if option.by_vectors is not None}
    values |= {
        by_key[key].name: by_key[key].parse_signature_value(text, name)
        for key, text in pairs.items()
        if key in by_key and not is_resource_type(by_key[key].type)
    }
    if name == _MIX and Parts not in (providers or {}):
        listed = [part.replace(";", "|") for part in pairs.get("parts", "").split(SEPARATOR)]
        values["parts"] = Parts(tuple(read_signature(part, providers) for part in listed))
    return build_metric(name, {**options, **values}, providers)


def _check_equivalent(metric: Metric, pairs: Mapping[str, str]) -> None:
    """Raise if the metric has another signature than the given one."""
    _, *items = metric.signature((1, 1)).split("|")
    ours = dict(item.split(":", maxsplit=1) for item in items)
    resources = {option.key or option.name for option in metric.options() if is_resource_type(option.type)}
    known = {option.key or option.name for option in metric.options()} | ours.keys()
    for key, text in pairs.items():
        if key in _FACTS:
            continue
        if key not in known:
            names = sorted(known | set(_FACTS))
            raise UnknownNameError(
                f"the signature of {metric.name} has no entry {key!r}; {suggest(key, names)}"
            )
        if key in resources and ours.get(key) != text:
            raise ResourceError(
                f"{metric.name}: the signature has {key}:{text}, but the resource here is"
                f" {key}:{ours.get(key, 'none')}; pass the resource of the signature"
            )
        if key not in resources and ours.get(key, text) != text:
            raise OptionError(f"{metric.name}: {key}:{text} is not supported; here it is {key}:{ours[key]}")


def _version_warnings(metric: Metric, pairs: Mapping[str, str]) -> list[str]:
    version = pairs.get("version")
    ours = metric.signature((1, 1)).rpartition("|version:")[2]
    if version is None or version == ours:
        return []
    bare = re.match(r"([0-9]{1,9})\b", version)  # sacreBLEU writes its bare version
    if bare is None:
        return [f"the signature of {metric.name} is from {version}, but this is {ours}; the score may differ"]
    if int(bare[1]) < 2:
        raise OptionError(
            f"{metric.name}: scores of sacreBLEU {version} cannot be reproduced, only those of sacreBLEU 2"
        )
    return []


def _resampling_warnings(pairs: Mapping[str, str]) -> list[str]:
    options = {
        "bs": f"{argument('ci')} {argument('samples', pairs.get('bs'))}",
        "ar": f"{argument('paired', 'randomization')} {argument('samples', pairs.get('ar'))}",
        "seed": argument("seed", pairs.get("seed")),
        "resample": argument("resample", pairs.get("resample")),
    }
    given = [option for key, option in options.items() if key in pairs]
    return [f"the signature includes resampling; to repeat it, pass {' '.join(given)}"] if given else []


# Names of chrF in papers and in sacreBLEU: chrF3++ has beta 3 and word order 2.
_CHRF = re.compile(r"chrf(?P<beta>[0-9]{1,9})?(?P<words>\+\+)?", re.IGNORECASE)

# sacreBLEU's names of options, besides those of its signatures.
_PEER_OPTIONS = {"tokenize": "tokenizer", "lc": "lowercase"}


class NamedOptions(NamedTuple):
    """The name and the option values of a metric before it is built."""

    name: str
    options: Mapping[str, Any]
    preset: str | None
    resources: Mapping[str, str] = MappingProxyType({})
    """The resources that the preset names, used unless the user chooses others."""


def split_labels(texts: Sequence[str]) -> list[str]:
    """Split comma-separated lists of metrics into labels of single metrics.

    An item `key=value` belongs to the metric before it. After a signature, so does an item that does not begin
    with the name of a metric.

    >>> split_labels(["wer,bleu:smooth_method=floor,smooth_value=0.2", "per"])
    ['wer', 'bleu:smooth_method=floor,smooth_value=0.2', 'per']
    """
    labels = [label for text in texts for label in _split_list(text)]
    for label in labels:
        if labels.count(label) > 1:
            raise OptionError(f"metric {label!r} is given twice")
    return labels


def parse_label(label: str, defaults: Mapping[str, Any] | None = None) -> NamedOptions:
    """Parse the label of one metric: `name`, `name@preset`, `name@preset.toml`, `name:key=value,…`.

    A preset overrides `defaults`, and explicit options override both.
    """
    before, listed = split_name(label)
    written, at, chosen = before.partition("@")
    written, implied = _read_alias(written)
    name = canonical_name(written)
    cls = find_metric(name)
    by_name = {option.name: option for option in cls.options()}
    aliases = {option.key: option.name for option in by_name.values() if option.key} | _PEER_OPTIONS
    preset = _find_values(name, chosen) if at else NamedOptions(name, {}, None)
    values = {key: value for key, value in (defaults or {}).items() if key in by_name}
    values |= implied | dict(preset.options)
    if name == _MIX and listed:
        return NamedOptions(name, values | _parse_sum(label, listed), preset.preset, preset.resources)
    for number, item in enumerate(filter(None, listed.split(","))):
        key, equals, text = item.partition("=")
        if number == 0 and cls.main_option and key not in by_name:
            key, equals, text = cls.main_option, "=", item
        if not equals:
            raise OptionError(f"{label}: {item!r} is not an option; write key=value")
        key = key if key in by_name else aliases.get(key, key)
        if key not in by_name:
            raise UnknownNameError(f"{name} has no option {key!r}; {suggest(key, sorted(by_name))}")
        is_resource = is_resource_type(by_name[key].type)
        values[key] = (
            load_resource(by_name[key].type, text) if is_resource else by_name[key].parse(text, name)
        )
        if key == "tokenizer":
            check_user_tokenizer(text)
    return NamedOptions(name, values, preset.preset, preset.resources)


def _parse_sum(label: str, listed: str) -> dict[str, tuple[Any, ...]]:
    """Parse the weights and the labels of the parts of a sum."""
    weights, parts = [], []
    for weight, part in split_sum(listed):
        if not weight or not part:
            raise OptionError(
                f"{label}: {part or weight!r} needs a weight and a metric, as in {SUM}0.5*chrf+0.5*std"
            )
        if part.startswith(_MIX) and find_metric(split_name(part)[0]).name == _MIX:
            raise OptionError(f"{label}: a part cannot be a {_MIX} itself; list its parts here")
        if part in parts:
            raise OptionError(f"{label}: {part} is given twice")
        weights.append(parse_float(weight.removeprefix("+")))
        parts.append(part)
    return {"parts": tuple(parts), "weights": tuple(weights)}


def _read_alias(written: str) -> tuple[str, dict[str, Any]]:
    """Return our name of a metric, and the options that the name in papers implies."""
    found = _CHRF.fullmatch(written)
    if found is None:
        return written, {}
    beta = {"beta": int(found["beta"])} if found["beta"] else {}
    return "chrf", beta | ({"word_order": 2} if found["words"] else {})


def _find_values(name: str, chosen: str) -> NamedOptions:
    """Find a preset of the package by its name, or any other by its path."""
    known = find_preset(name, chosen)
    if known is not None:
        return NamedOptions(name, known.options, known.stamp, known.resources)
    if "." not in chosen and "/" not in chosen and not (chosen and Path(chosen).exists()):
        raise UnknownNameError(_explain_unknown_preset(name, chosen))
    return _read_preset_file(name, chosen)


def _explain_unknown_preset(name: str, chosen: str) -> str:
    names = [preset.name for preset in presets_of(name)]
    if not names:
        return f"{name} has no preset {chosen!r}, and no such file exists; 'tertium metrics' lists presets"
    return f"{name} has no preset {chosen!r}; {suggest(chosen, names)}"


def _read_preset_file(name: str, path: str) -> NamedOptions:
    preset = read_preset(path)
    if preset.metric != name:
        raise InputError(
            f"{path} is a preset of {preset.metric}, not of {name}; write {preset.metric}@{path}"
        )
    _check_parts(path, preset.options.get("parts", ()))
    if is_user_tokenizer(str(preset.options.get("tokenizer"))):
        raise InputError(
            f"{path} names a program or a model as its tokenizer, which presets must not do; remove it, and write"
            f" {name}@{path}:tokenizer=…"
        )
    return NamedOptions(name, preset.options, preset.digest, preset.resources)


def _check_parts(path: str, parts: object) -> None:
    """Raise unless the parts in a preset of a sum are the labels of metrics that run no code of the user."""
    if not isinstance(parts, tuple) or not all(isinstance(part, str) for part in parts):
        raise InputError(f'{path}: parts must be a list of metrics, as in parts = ["chrf", "std"]')
    with refuse_code(path, "presets must not run code: remove it, and name the metric itself"):
        for part in parts:
            _check_label(part)


def _split_list(text: str) -> Iterator[str]:
    label = ""
    for item in text.split(","):
        name, equals, _ = item.partition("=")
        if is_signature(label) and not begins_with_metric(item):
            label += f",{item}"  # a comma inside a signature
            continue
        if equals and not is_signature(item) and ":" not in name and "@" not in name:
            if not label:
                raise OptionError(f"{text!r}: {item!r} does not follow a metric; write metric:key=value")
            label += ("," if split_name(label)[1] else ":") + item
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
    """Build the metrics of comma-separated lists of labels.

    `defaults` are values of options that a label does not set; they do not apply to signatures. Resources come
    from `providers`, otherwise from the preset, otherwise from `fallbacks`.

    >>> [m.label for m in parse_metrics(["wer,bleu:smooth_method=floor,smooth_value=0.2,per"])]
    ['wer', 'bleu:smooth_method=floor,smooth_value=0.2', 'per']
    """
    made = [
        parse_metric(label, defaults or {}, providers or {}, fallbacks or {}) for label in split_labels(texts)
    ]
    check_distinct(made)
    return made


def check_labels(texts: Sequence[str]) -> None:
    """Raise if a label names code that a file names without consent; other mistakes are left to `parse_metrics`.

    Raises
    ------
    ConsentError
        Inside `refuse_code`, if a label, a part of a sum or an option is a program, a Python file or a checkpoint.
    """
    with suppress(*_MISTAKES):
        for label in split_labels(texts):
            _check_label(label)


def _check_label(label: str) -> None:
    if is_signature(label):
        _check_signature(label)
        return
    with suppress(*_MISTAKES):
        parts = parse_label(label).options.get("parts", ())
        for part in parts if isinstance(parts, tuple) else ():
            _check_label(str(part))


def _check_signature(signature: str) -> None:
    name, *items = signature.split("|")
    with suppress(*_MISTAKES):
        _parse_name(name)
    for key, _, text in (item.partition(":") for item in items):
        if key == "parts":
            for part in text.split(SEPARATOR):
                _check_signature(part.replace(";", "|"))
        with suppress(*_MISTAKES):
            check_user_tokenizer(text)


# Every error of ours but `ConsentError`
_MISTAKES = (InputError, MissingExtraError, OptionError, ResourceError, UnknownNameError)


def check_distinct(metrics: Sequence[LabelledMetric]) -> None:
    """Raise if a metric is given twice, by its label and by its signature."""
    labels = [metric.label for metric in metrics]
    for label in labels:
        if labels.count(label) > 1:
            raise OptionError(f"metric {label!r} is given twice")


def parse_metric(
    label: str, defaults: Mapping[str, Any], providers: Providers, fallbacks: Providers
) -> LabelledMetric:
    """Build the metric of one label or signature; for the parameters see `parse_metrics`."""
    if is_signature(label):
        return parse_signature(label, providers, fallbacks)
    named = parse_label(label, defaults)
    known = {**fallbacks, **preset_providers(named.resources), **providers}
    options = dict(named.options)
    if named.name == _MIX and isinstance(parts := options.get("parts"), tuple):
        made = [parse_metric(part, defaults, providers, fallbacks).metric for part in parts]
        options["parts"] = Parts(tuple(made))
    return LabelledMetric(label, build_metric(named.name, options, known), named.preset)
