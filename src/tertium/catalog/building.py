"""Build metrics from names and options, and supply the resources that they declare."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from importlib import import_module
from typing import Any

from tertium.catalog.finding import find_metric
from tertium.errors import UnknownNameError, suggest
from tertium.interfaces import (
    BleurtModel,
    CometModel,
    FeatureWeights,
    Glossary,
    MetricXModel,
    Paraphrases,
    Program,
    SentenceEncoder,
    Synonyms,
    Trees,
    WordLists,
    WordVectors,
)
from tertium.metrics.base import Metric, shared_options
from tertium.metrics.options import Option, is_resource_type
from tertium.metrics.variants import with_mean, with_normal_form
from tertium.records import record
from tertium.values import TextKind

# For each type of resource, the function that makes it.
Providers = Mapping[type, Callable[[], Any]]


@record
class LabelledMetric:
    """A metric and its label, the text with which the user requested it and which names it in every output."""

    label: str
    metric: Metric
    preset: str | None = None
    """The checksum of the preset that it uses."""
    recorded: str | None = None
    """The signature that a run recorded, if the metric comes from one."""
    n_references: str | None = None
    """The number of references in the signature, if the metric was requested by a signature."""
    warnings: tuple[str, ...] = ()
    """Why the score may differ from the one with the requested signature."""
    text_facts: tuple[tuple[str, str], ...] = ()
    """Changes of the texts before scoring, for the signature: they were re-segmented, or joined."""

    @property
    def title(self) -> str:
        """The label for readers, with the metric's name as papers write it: BLEU, chrF++, TER:normalized=yes."""
        return self.metric.write_title(self.label)


def match_texts(metrics: Sequence[LabelledMetric], available: frozenset[TextKind]) -> list[LabelledMetric]:
    """Return the metrics for the texts that are available; raise if a metric reads another kind of text."""
    return [replace(metric, metric=metric.metric.for_texts(available)) for metric in metrics]


def build_metric(name: str, options: Mapping[str, Any], providers: Providers | None = None) -> Metric:
    """Build a metric from option values; resources that are not among them come from the providers."""
    cls = find_metric(name)
    known = {option.name for option in cls.options()}
    for given in options:
        if given not in known:
            raise UnknownNameError(f"{name} has no option {given!r}; {suggest(given, sorted(known))}")
    values = dict(options)
    for option in cls.options():
        if option.name not in values and is_resource_type(option.type):
            values[option.name] = _provide(option, {**_DEFAULT_PROVIDERS, **(providers or {})})
    shared = {option.name: values.pop(option.name, option.default) for option in shared_options(cls)}
    for option in shared_options(cls):
        option.check(shared[option.name], name)
    metric = with_normal_form(cls(**values), shared.get("normalize", "none"))
    return with_mean(metric) if shared.get("system") == "mean" else metric


def change_metric(metric: Metric, changes: Mapping[str, Any]) -> Metric:
    """Return the metric with other option values."""
    if not any(option.name in changes for option in shared_options(type(metric))):
        return replace(metric, **changes)
    values = {option.name: getattr(metric, option.name) for option in metric.options()}
    return build_metric(metric.name, values | dict(changes))


def preset_providers(resources: Mapping[str, str]) -> dict[type, Callable[[], Any]]:
    """Return the providers of the resources that a preset names."""
    return {WordVectors: partial(_load_named_vectors, resources["vectors"])} if "vectors" in resources else {}


def _provide(wanted: Option, providers: Providers) -> Any:
    make = next((make for kind, make in providers.items() if _accepts(wanted.type, kind)), None)
    return wanted.default if make is None else make()


def _accepts(declared: Any, kind: type) -> bool:
    return declared is kind or kind in getattr(declared, "__args__", ())


def late(place: str) -> Callable[..., Any]:
    """Return the function `module:name` of the resources, whose module is imported when the function is called."""
    module, _, name = place.partition(":")

    def load(*args: Any) -> Any:
        return getattr(import_module(f"tertium.{module}"), name)(*args)

    return load


load_default_parser: Callable[[str | None], Trees] = partial(late("resources.trees:load_parser"), None)
"""Load the package's parser for a language."""

load_default_vectors: Callable[[str | None], WordVectors] = late("resources.vectors:default_vectors")
"""Load the package's word vectors for a language."""

_load_named_vectors: Callable[[str], WordVectors] = cache(late("resources.vectors:load_vectors"))


def load_resource(kind: Any, text: str) -> Any:
    """Load the resource that a label names, such as the program in `command:./judge.sh`; None for other types."""
    load = next((load for known, load in _LOADERS.items() if _accepts(kind, known)), None)
    return None if load is None else load(text)


_LOADERS: Mapping[type, Callable[[str], Any]] = {
    Glossary: late("catalog.glossaries:load_any_glossary"),
    BleurtModel: late("resources.checkpoints:load_bleurt"),
    CometModel: late("resources.checkpoints:load_comet"),
    MetricXModel: late("resources.checkpoints:load_metricx"),
    Program: late("files.programs:load_program"),
}

# The resources of a metric unless the user names others.
_DEFAULT_PROVIDERS: Providers = {
    FeatureWeights: late("resources.presets:load_weights"),
    Paraphrases: late("resources.paraphrases:find_paraphrases"),
    SentenceEncoder: late("resources.sentences:load_sentence_vectors"),
    Synonyms: late("resources.synonyms:load_wordnet"),
    Trees: partial(load_default_parser, None),
    WordLists: late("resources.word_lists:find_word_lists"),
    WordVectors: partial(load_default_vectors, None),
}
