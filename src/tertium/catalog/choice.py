"""The resources that a user chooses, and metrics built with them for any target language."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from functools import cache, partial
from os import PathLike, fspath
from typing import Any

from tertium.arguments import describe_value
from tertium.catalog.building import (
    LabelledMetric,
    Providers,
    build_metric,
    late,
    load_default_parser,
    load_default_vectors,
    preset_providers,
)
from tertium.catalog.labels import check_distinct, parse_label, parse_metric
from tertium.consent import refuse_code
from tertium.diagnosis.languages import Need, check_resources_fit
from tertium.errors import (
    MissingExtraError,
    OptionError,
    ResourceError,
    TertiumError,
    argument,
)
from tertium.interfaces import Paraphrases, Synonyms, Trees, WordLists, WordVectors, known_languages
from tertium.metrics.base import Metric, plain_metrics
from tertium.records import record
from tertium.text.detection import TextLanguage
from tertium.text.languages import (
    DEFAULT_TOKENIZER,
    find_language,
    format_language,
    language_of_pair,
    language_options,
    source_of_pair,
    target_language,
)
from tertium.text.tokenizers import check_installed, check_recorded, check_tokenizer, check_user_tokenizer


def check_languages(
    references: TextLanguage, metrics: Sequence[LabelledMetric], language: str | None
) -> list[str]:
    """Raise if the metrics' resources are useless for the references' language; return warnings about others."""
    needs = language_needs(metrics)
    if not any(need.languages for need in needs):
        return []
    misfits = check_resources_fit(references.guess, language, needs)
    for misfit in misfits:
        if misfit.severity == "error":
            raise ResourceError(misfit.message)
    return [misfit.message for misfit in misfits]


def language_needs(metrics: Sequence[LabelledMetric]) -> list[Need]:
    """List the resources of the metrics that cover certain languages only."""
    return [
        need
        for metric in metrics
        for part in plain_metrics(metric.metric)
        for need in _needs_of(metric.label, part)
    ]


def _needs_of(label: str, metric: Any) -> list[Need]:
    needs = []
    if hasattr(metric, "vectors"):
        known = known_languages(metric.vectors)
        needs.append(Need(label, "vectors", known, argument("vectors", "FILE"), serves_script=True))
    if hasattr(metric, "encoder"):
        needs.append(Need(label, "sentence vectors", known_languages(metric.encoder), serves_script=True))
    if hasattr(metric, "trees"):
        known = known_languages(metric.trees)
        option = f"{argument('parser', 'MODEL')} or {argument('trees', 'FILE')}"
        needs.append(Need(label, "syntax", known, option))
    if hasattr(metric, "word_lists"):
        needs.append(Need(label, "stems", frozenset({metric.language}), serves_script=True))
    return needs


@record(kw_only=True)
class ResourceChoice:
    """The language and the resources that the user chooses; None keeps the default.

    Attributes
    ----------
    language
        The target language or a language pair: `zh`, `de-en`.
    vectors
        Word vectors: a file, `english`, `multilingual`, `contextual`, or loaded vectors.
    parser
        A spaCy model: package or folder.
    trees
        CoNLL-U files with the trees of the references (and of the systems, for metrics that parse both).
    paraphrases
        A table in METEOR's format.
    function_words
        A file of function words, separated by white space.
    synonyms
        A thesaurus in MyThes format, for METEOR and REDp in other languages than English.
    """

    language: str | None = None
    vectors: "str | PathLike[str] | WordVectors | None" = None
    parser: str | None = None
    trees: tuple[str, ...] = ()
    paraphrases: str | None = None
    function_words: str | None = None
    synonyms: str | None = None

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if field.name == "trees":
                is_valid = isinstance(value, tuple)
            else:
                is_valid = value is None or isinstance(value, str) or field.name == "vectors"
            if not is_valid:
                raise OptionError(f"{argument(field.name)} must be a text, not {describe_value(value)}")
        if self.parser and self.trees:
            raise OptionError(f"pass either {argument('parser')} or {argument('trees')}, not both")

    @property
    def target(self) -> str | None:
        """The code of the target language."""
        return target_language(self.language) if self.language else None

    @property
    def named(self) -> list[str]:
        """The names of the resources that the user chose."""
        given = {field.name: getattr(self, field.name) for field in fields(self) if field.name != "language"}
        return [
            name
            for name, value in given.items()
            if value is not None and not (isinstance(value, tuple) and not value)
        ]

    def providers(self) -> dict[type, Callable[[], Any]]:
        """Return a provider for each resource that the user chose; a resource is loaded once, on first use."""
        return {
            _CHOICES[name].type: cache(partial(_CHOICES[name].load, getattr(self, name), self.target))
            for name in self.named
        }


class MetricMaker:
    """Build metrics for any target language; each resource is loaded once for all of them.

    `tokenizer` and `lowercase` apply to every metric that has such an option.
    """

    def __init__(
        self, choice: ResourceChoice, *, tokenizer: str | None = None, lowercase: bool = False
    ) -> None:
        self._choice, self._named = choice, choice.providers()
        self._shared: dict[str, Any] = {"lowercase": True} if lowercase else {}
        if tokenizer:
            check_tokenizer(tokenizer)
            check_user_tokenizer(tokenizer)
            self._shared["tokenizer"] = tokenizer

    def make(self, label: str) -> LabelledMetric:
        """Build a metric, for the chosen language if there is one."""
        return self._make(label, self._choice.target)

    def build(self, name: str, options: Mapping[str, Any], label: str = "") -> Metric:
        """Build a metric from option values, with the chosen resources or the resources of the preset in its label."""
        check_recorded(options.get("tokenizer") or "")
        with refuse_code("a run", f"name the metric with {argument('metrics')} to allow it"):
            implied = parse_label(label).resources if "@" in label else {}
        own = self._own_providers(self._choice.target)
        return build_metric(name, options, {**own, **preset_providers(implied), **self._named})

    def make_all(self, labels: Sequence[str]) -> list[LabelledMetric]:
        """Build several metrics for the chosen language.

        Raises
        ------
        OptionError
            If a resource or a shared option was given that none of the metrics uses.
        """
        made = [self.make(label) for label in labels]
        check_distinct(made)
        self._check_used(made)
        return made

    def make_for(
        self, label: str, pairs: Sequence[str]
    ) -> tuple[list[tuple[LabelledMetric, list[str]]], list[str]]:
        """Build a metric for several language pairs, once per target language.

        Returns the metric of each language with its pairs, and warnings. Languages that the metric does not
        support, or for which a resource is missing, are left out with a warning.
        """
        groups: dict[str | None, list[str]] = {}
        for pair in dict.fromkeys(pairs):
            groups.setdefault(self._choice.target or language_of_pair(pair), []).append(pair)
        made, warnings = [], []
        for language, group in groups.items():
            where = f" for {', '.join(group)}" if len(groups) > 1 else ""
            try:
                made.append((self._make(label, language), group))
            except TertiumError as error:
                self._raise_unless_unsupported(label, error)
                warnings.append(f"{label} is left out{where}: {error}")
            else:
                warnings += self._warnings(made[-1][0], language)
        return made, warnings

    def make_by_pair(
        self, labels: Sequence[str], pairs: Sequence[str]
    ) -> tuple[dict[str, list[LabelledMetric]], list[str]]:
        """Build several metrics for each language pair; return the metrics of each pair, and warnings.

        Raises
        ------
        OptionError
            If a resource was given that none of the metrics uses.
        """
        found: dict[str, list[LabelledMetric]] = {pair: [] for pair in pairs}
        warnings: list[str] = []
        for label in labels:
            made, more = self.make_for(label, list(found))
            warnings += more
            for metric, of_metric in made:
                for pair in of_metric:
                    found[pair].append(metric)
        if not warnings:  # a metric that is left out may be the one that uses a resource
            self._check_used([metric for of_pair in found.values() for metric in of_pair])
        return found, warnings

    def guess_vectors(self, made: Sequence[LabelledMetric], references: TextLanguage) -> str | None:
        """Return the language of the references if the package has vectors for it that the metrics do not use.

        None if the user named a language or vectors, and if the language needs another tokenizer: the user should
        name it then.
        """
        if self._choice.language or self._choice.vectors:
            return None
        vectors = [vectors for metric in made for vectors in _vectors_of(metric.metric)]
        if not any(known := [known_languages(vector) for vector in vectors]):
            return None
        code = references.guess.code
        row = None if code is None else find_language(code)
        if row is None or row.vectors is None or row.tokenizer != DEFAULT_TOKENIZER:
            return None
        return row.code if any(covered is not None and row.code not in covered for covered in known) else None

    def with_vectors_for(
        self, made: Sequence[LabelledMetric], language: str | None
    ) -> tuple[list[LabelledMetric], list[str]]:
        """Build metrics that have vectors again with the package's vectors for a language, unless it is None.

        Also returns a note on the metrics that changed.
        """
        if language is None:
            return list(made), []
        built = [
            self._make(metric.label, None, language) if _vectors_of(metric.metric) else metric
            for metric in made
        ]
        changed = [new.label for old, new in zip(made, built, strict=True) if _have_other_vectors(old, new)]
        note = (
            f"the references look {format_language(language)}, so {', '.join(changed)} used the package's vectors"
            f" for it; pass {argument('language', language)} to confirm"
        )
        return built, [note] * bool(changed)

    def _make(self, label: str, language: str | None, vectors_for: str | None = None) -> LabelledMetric:
        source = source_of_pair(self._choice.language or "")
        defaults = language_options(language) | ({"source_language": source} if source else {}) | self._shared
        fallbacks = self._own_providers(language)
        if vectors_for is not None:
            fallbacks = {**fallbacks, WordVectors: partial(load_default_vectors, vectors_for)}
        made = parse_metric(label, defaults, self._named, fallbacks)
        for part in plain_metrics(made.metric):
            check_installed(part.word_tokenizer or DEFAULT_TOKENIZER)
        return made

    def _own_providers(self, language: str | None) -> Providers:
        """Return the providers of the language's parser and vectors; an unknown language counts as English."""
        return {
            Trees: cache(partial(load_default_parser, language)),
            WordVectors: cache(partial(load_default_vectors, language)),
        }

    def _raise_unless_unsupported(self, label: str, error: TertiumError) -> None:
        """Raise the error again if the label is wrong for every language, not just unsupported for this one."""
        if isinstance(error, (ResourceError, MissingExtraError)):
            return
        if self._choice.target:
            raise error
        self._make(label, None)

    def _warnings(self, made: LabelledMetric, language: str | None) -> list[str]:
        if made.warnings:
            return list(made.warnings)
        if (lack := made.metric.missing()) is not None:
            return [f"{made.label}: {lack}"]
        known = [known_languages(vectors) for vectors in _vectors_of(made.metric)]
        if (
            language is None
            or self._choice.vectors
            or all(languages is None or language in languages for languages in known)
        ):
            return []
        option = argument("vectors", "FILE")
        return [f"{made.label} uses English vectors for {language}; choose others with {option}"]

    def _check_used(self, made: Sequence[LabelledMetric]) -> None:
        parts = [part for metric in made for part in plain_metrics(metric.metric)]
        for name in self._shared:
            if not any(hasattr(part, name) for part in parts):
                raise OptionError(f"none of these metrics has an option {name}").about(name)
        for name in self._choice.named:
            chosen = _CHOICES[name]
            if not any(hasattr(part, chosen.field) for part in parts):
                raise OptionError(
                    f"{argument(name)} was given, but none of these metrics uses {chosen.title}"
                ).about(name)


def _have_other_vectors(one: LabelledMetric, other: LabelledMetric) -> bool:
    both = zip(_vectors_of(one.metric), _vectors_of(other.metric), strict=True)
    return any(ours.identity != theirs.identity for ours, theirs in both)


def _vectors_of(metric: Metric) -> list[WordVectors]:
    """Return the vectors of a metric or of its parts."""
    found: list[WordVectors | None] = [getattr(part, "vectors", None) for part in plain_metrics(metric)]
    return [vectors for vectors in found if vectors is not None]


def choose_vectors(given: Any) -> WordVectors:
    """Return the vectors of a file or a name; vectors as they are."""
    if isinstance(given, WordVectors):
        return given
    if not isinstance(given, (str, PathLike)):
        raise OptionError(f"vectors must be a file, a name or WordVectors, not {type(given).__name__}")
    found: WordVectors = late("resources.vectors:load_vectors")(fspath(given))
    return found


@record
class _Choice:
    """A resource that the user can choose: its type, the field of the metrics that use it, and its name in messages."""

    type: type
    field: str
    title: str
    load: Callable[[Any, str | None], Any]
    """Loads the resource of the value that the user gave, for the target language."""


_CHOICES: Mapping[str, _Choice] = {
    "vectors": _Choice(WordVectors, "vectors", "vectors", lambda given, _: choose_vectors(given)),
    "parser": _Choice(Trees, "trees", "trees", lambda name, _: late("resources.trees:load_parser")(name)),
    "trees": _Choice(Trees, "trees", "trees", lambda paths, _: late("resources.trees:load_trees")(*paths)),
    "paraphrases": _Choice(
        Paraphrases,
        "paraphrases",
        "paraphrases",
        lambda path, _: late("resources.paraphrases:load_paraphrases")(path),
    ),
    "function_words": _Choice(
        WordLists,
        "word_lists",
        "function words",
        lambda path, _: late("resources.word_lists:load_function_words")(path),
    ),
    "synonyms": _Choice(Synonyms, "synonyms", "synonyms", late("resources.synonyms:load_thesaurus")),
}
