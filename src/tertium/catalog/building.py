"""Build metrics from names and options, and supply the resources that they declare."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from typing import Any

from tertium.catalog.finding import find_metric
from tertium.errors import ResourceError, UnknownNameError, suggest
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
    """Return the metrics for the kinds of texts that are there; raise if a kind that one of them reads is missing."""
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
            values[option.name] = _provide(name, option, {**_DEFAULT_PROVIDERS, **(providers or {})})
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


def _provide(name: str, wanted: Option, providers: Providers) -> Any:
    for kind, make in providers.items():
        if _accepts(wanted.type, kind):
            return make()
    if wanted.default is not None or _accepts(wanted.type, type(None)):
        return wanted.default
    raise ResourceError(f"{name} needs {wanted.help or wanted.name}")


def _accepts(declared: Any, kind: type) -> bool:
    return declared is kind or kind in getattr(declared, "__args__", ())


def _load_weights() -> FeatureWeights:
    from tertium.resources.presets import load_weights

    return load_weights()


def _find_paraphrases() -> Paraphrases | None:
    from tertium.resources.paraphrases import find_paraphrases

    return find_paraphrases()


def _load_wordnet() -> Synonyms:
    from tertium.resources.synonyms import load_wordnet

    return load_wordnet()


def load_default_parser(language: str | None = None) -> Trees:
    """Load the package's parser for a language."""
    from tertium.resources.trees import load_parser

    return load_parser(None, language)


def _find_word_lists() -> WordLists:
    from tertium.resources.word_lists import find_word_lists

    return find_word_lists()


def load_default_vectors(language: str | None = None) -> WordVectors:
    """Load the package's word vectors for a language."""
    from tertium.resources.vectors import default_vectors

    return default_vectors(language)


def _load_sentence_vectors() -> SentenceEncoder:
    from tertium.resources.sentences import load_sentence_vectors

    return load_sentence_vectors()


@cache
def _load_named_vectors(name: str) -> WordVectors:
    from tertium.resources.vectors import load_vectors

    return load_vectors(name)


def load_resource(kind: Any, text: str) -> Any:
    """Load the resource that a label names, such as the program in `command:./judge.sh`; None for other types."""
    load = next((load for known, load in _LOADERS.items() if _accepts(kind, known)), None)
    return None if load is None else load(text)


def _load_program(text: str) -> Program:
    from tertium.files.programs import load_program

    return load_program(text)


def _load_comet(text: str) -> CometModel:
    from tertium.resources.checkpoints import load_comet

    return load_comet(text)


def _load_bleurt(text: str) -> BleurtModel:
    from tertium.resources.checkpoints import load_bleurt

    return load_bleurt(text)


def _load_metricx(text: str) -> MetricXModel:
    from tertium.resources.checkpoints import load_metricx

    return load_metricx(text)


def _load_glossary(text: str) -> Glossary:
    from tertium.catalog.glossaries import load_any_glossary

    return load_any_glossary(text)


_LOADERS: Mapping[type, Callable[[str], Any]] = {
    Glossary: _load_glossary,
    BleurtModel: _load_bleurt,
    CometModel: _load_comet,
    MetricXModel: _load_metricx,
    Program: _load_program,
}


# The resources of a metric unless the user names others. Each reader is imported only when a metric needs it.
_DEFAULT_PROVIDERS: Providers = {
    FeatureWeights: _load_weights,
    Paraphrases: _find_paraphrases,
    SentenceEncoder: _load_sentence_vectors,
    Synonyms: _load_wordnet,
    Trees: load_default_parser,
    WordLists: _find_word_lists,
    WordVectors: load_default_vectors,
}
