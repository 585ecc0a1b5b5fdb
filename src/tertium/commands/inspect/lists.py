"""Lists: metrics with their options, languages, and test sets on this machine."""

import importlib.util
from collections.abc import Mapping
from typing import Annotated, Literal

from tertium.catalog import families, find_metric
from tertium.catalog.finding import canonical_name
from tertium.commands.base.request import Request, function_of
from tertium.commands.base.results import Result
from tertium.commands.inspect.metric_tables import Knowledge, describe_metric, describe_metrics
from tertium.corpus.test_sets import TestSet, data_folders, find_test_set, list_test_sets
from tertium.declarations import Opt
from tertium.errors import ResourceError, UnknownNameError, argument
from tertium.files.extras import install_hint
from tertium.metrics.base import Metric
from tertium.presentation.tables.fields import describe_listing
from tertium.presentation.tables.model import Document, Value
from tertium.records import record
from tertium.resources.presets import measurements, named_presets
from tertium.resources.trees.installed_parsers import installed_models
from tertium.resources.word_lists import find_in_package
from tertium.text.languages import LANGUAGES, LanguageRow, target_language
from tertium.text.tokenizers import TOKENIZERS


@record
class MetricListRequest(Request["MetricList"]):
    """List all metrics, or show one with its options."""

    name: Annotated[
        str | None,
        Opt(
            "A metric, to show it with its options.",
            "Input",
            is_argument=True,
            metavar="[METRIC]",
            completes="names",
        ),
    ] = None

    def run(self) -> "MetricList":
        if self.name:
            name = canonical_name(self.name)
            return MetricList(((find_metric(name), families()[name]),), is_single=True)
        found, failures = [], []
        for name, family in families().items():
            try:
                found.append((find_metric(name), family))
            except ResourceError as error:  # a plug-in that fails to import must not hide the others
                failures.append(str(error))
        return MetricList(tuple(found), warnings=tuple(failures))


@record
class MetricList(Result):
    """Classes of metrics with their families; `is_single` if the user named one."""

    metrics: tuple[tuple[type[Metric], str], ...]
    is_single: bool = False
    warnings: tuple[str, ...] = ()
    """Plug-ins that could not be imported."""

    def document(self) -> Document:
        knowledge = Knowledge(tuple(named_presets().values()), measurements())
        if self.is_single:
            return describe_metric(*self.metrics[0], knowledge)
        return describe_metrics(self.metrics, knowledge)


Family = Literal["lexical", "embedding", "meteor", "syntax"]

_PARAPHRASES = "data/paraphrase-en.gz"
_JAR = "meteor-1.5.jar"
_ENGLISH = "en"


@record
class LanguageResource:
    """A resource for a language.

    Parameters
    ----------
    value
        The name of the resource in use; None if there is none.
    remedy
        How to get the resource or a better one; empty if that is not necessary.
    """

    value: str | None
    remedy: str = ""

    @property
    def works(self) -> bool:
        return self.value is not None


@record
class LanguageReport:
    """The resources for one language on this machine."""

    code: str
    name: str
    tokenizer: LanguageResource
    stems: LanguageResource
    synonyms: LanguageResource
    paraphrases: LanguageResource
    function_words: LanguageResource
    parser: LanguageResource
    vectors: LanguageResource
    meteor: LanguageResource

    @property
    def families(self) -> Mapping[Family, LanguageResource]:
        """The resource that each family of metrics needs for this language."""
        return {
            "lexical": self.tokenizer,
            "embedding": self.vectors if self.tokenizer.works else self.tokenizer,
            "meteor": self.meteor,
            "syntax": self.parser,
        }


def describe_languages() -> list[LanguageReport]:
    """Describe the resources of all languages."""
    return [_describe(row) for row in LANGUAGES.values()]


def _describe(row: LanguageRow) -> LanguageReport:
    return LanguageReport(
        code=row.code,
        name=row.name,
        tokenizer=_tokenizer(row),
        stems=LanguageResource(None if row.stemmer is None else f"snowball {row.stemmer}"),
        synonyms=_synonyms(row),
        paraphrases=_paraphrases(row),
        function_words=_function_words(row),
        parser=_parser(row),
        vectors=_vectors(row),
        meteor=LanguageResource(None if row.meteor is None else "/".join(row.meteor.modules)),
    )


def _tokenizer(row: LanguageRow) -> LanguageResource:
    tokenizer = TOKENIZERS[row.tokenizer]
    return (
        LanguageResource(row.tokenizer)
        if tokenizer.is_installed
        else LanguageResource(None, tokenizer.remedy)
    )


def _synonyms(row: LanguageRow) -> LanguageResource:
    if row.code == _ENGLISH:
        return LanguageResource("wordnet 3.0")
    file = argument("synonyms", "FILE")
    return LanguageResource(None, f"{file} (MyThes format, as in Debian's mythes packages)")


def _paraphrases(row: LanguageRow) -> LanguageResource:
    if row.code != _ENGLISH:
        return LanguageResource(None, f"{argument('paraphrases', 'FILE')} (METEOR's format)")
    if find_in_package(_PARAPHRASES) is None:
        return LanguageResource(None, f"{install_hint('meteor')}, or {argument('paraphrases', 'FILE')}")
    return LanguageResource("pycocoevalcap")


def _function_words(row: LanguageRow) -> LanguageResource:
    has_package = find_in_package(_JAR) is not None
    if "pycocoevalcap" in row.word_lists and has_package:
        return LanguageResource("pycocoevalcap")
    has_list = "pycocoevalcap" in row.word_lists
    remedy = install_hint("meteor") if has_list else argument("function_words", "FILE")
    return LanguageResource("bundled" if "bundled" in row.word_lists else None, remedy)


def _parser(row: LanguageRow) -> LanguageResource:
    if row.code == _ENGLISH:
        return LanguageResource("english")  # the parser in the package
    if (model := next(installed_models(row.code), None)) is not None:
        return LanguageResource(model)
    trees = f"{argument('trees', 'FILE')} (CoNLL-U)"
    if not row.parsers:
        return LanguageResource(None, trees)
    needs_spacy = row.parser_install.startswith("python") and not importlib.util.find_spec("spacy")
    spacy = "pip install spacy; " if needs_spacy else ""
    return LanguageResource(None, f"{spacy}{row.parser_install}, or {trees}")


def _vectors(row: LanguageRow) -> LanguageResource:
    return LanguageResource(row.vectors, "" if row.vectors else argument("vectors", "FILE"))


@record
class LanguageListRequest(Request["LanguageList"]):
    """List which metrics work for which language in this installation.

    For a single language, also show what to install for the rest.
    """

    language: Annotated[
        str | None,
        Opt(
            "A language, to see what would help it.",
            "Input",
            is_argument=True,
            metavar="[LANGUAGE]",
            completes="languages",
        ),
    ] = None

    def run(self) -> "LanguageList":
        found = describe_languages()
        if self.language is None:
            return LanguageList(tuple(found))
        code = target_language(self.language)
        chosen = [report for report in found if report.code == code]
        if not chosen:
            raise UnknownNameError(
                f"unknown language {self.language!r}; 'tertium languages' lists the known ones"
            )
        return LanguageList(tuple(chosen))


@record
class LanguageList(Result):
    """The metrics that work for each language, and what to install for the rest."""

    languages: tuple[LanguageReport, ...]

    def document(self) -> Document:
        rows = [
            {
                "code": language.code,
                "name": language.name,
                **{family: part.value or "–" for family, part in language.families.items()},
            }
            for language in self.languages
        ]
        notes = [
            "lexical: the tokenizer; embedding: the default vectors; meteor: its modules; syntax: the parser"
        ]
        if len(self.languages) == 1:
            notes = [
                f"{family}: {part.remedy}"
                for family, part in self.languages[0].families.items()
                if part.remedy
            ]
        return describe_listing("languages", rows, notes=notes)


@record
class DataListRequest(Request["DataList"]):
    """List the test sets of sacreBLEU, mt-metrics-eval and WMT on this machine, or the language pairs of one."""

    test_set: Annotated[
        str | None,
        Opt(
            "A test set or a folder, to list its language pairs.",
            "Input",
            is_argument=True,
            metavar="[SET|FOLDER]",
            completes="test sets",
        ),
    ] = None

    def run(self) -> "DataList":
        if self.test_set is None:
            return DataList(tuple(list_test_sets()))
        return DataList((find_test_set(self.test_set),), is_single=True)


@record
class DataList(Result):
    """Test sets on this machine; `is_single` if the user named one."""

    sets: tuple[TestSet, ...]
    is_single: bool = False

    def document(self) -> Document:
        if self.is_single:
            return _describe_pairs(self.sets[0])
        rows = [
            {
                "set": test_set.name,
                "kind": test_set.kind,
                "pairs": " ".join(pair.pair for pair in test_set.pairs),
                "place": str(test_set.path),
            }
            for test_set in self.sets
        ]
        return describe_listing("data", rows, notes=_notes(found=bool(rows)))


def _describe_pairs(found: TestSet) -> Document:
    rows: list[dict[str, Value]] = [
        {
            "pair": pair.pair,
            "references": len(pair.references),
            "systems": len(pair.systems),
            "human": " ".join(pair.human),
            "reference": str(pair.references[0]),
        }
        for pair in found.pairs
    ]
    return describe_listing("data", rows, title=f"{found.name} ({found.kind})")


def _notes(*, found: bool) -> list[str]:
    places = data_folders()
    looked = ", ".join(f"{path} ({tool})" for tool, path in places.items())
    use = "tertium score -t SET -l PAIR -i out.txt scores against one; tertium meta SET compares with human scores"
    missing = (
        "Tertium downloads nothing: 'sacrebleu -t wmt15 -l de-en --echo src' fetches a set for sacreBLEU, and"
        " 'mtme --download' those of mt-metrics-eval"
    )
    return [
        use if found else f"no test set was found; {missing}",
        f"looked in {looked}; FOLDER names another",
    ]


list_metrics = function_of("list_metrics", MetricListRequest)
list_languages = function_of("list_languages", LanguageListRequest)
list_data = function_of("list_data", DataListRequest)
