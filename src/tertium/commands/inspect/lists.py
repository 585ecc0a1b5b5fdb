"""Lists: metrics with their options, languages, test sets on this machine, and the installation."""

import json
import platform
import re
import sys
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path
from typing import Annotated

from tertium import __version__
from tertium.catalog import families, find_metric
from tertium.catalog.finding import canonical_name
from tertium.commands.base.request import Opt, Request, function_of
from tertium.commands.base.results import Result
from tertium.commands.inspect.metric_tables import Knowledge, describe_metric, describe_metrics
from tertium.corpus.test_sets import TestSet, data_folders, find_test_set, list_test_sets
from tertium.errors import ResourceError, TertiumError, UnknownNameError
from tertium.files.cache import VARIABLE, cache_folder
from tertium.files.extras import install_hint
from tertium.files.project import find_project, show_project
from tertium.kernels.threads import describe_core, n_threads
from tertium.metrics.base import Metric
from tertium.presentation.tables.fields import describe_listing
from tertium.presentation.tables.model import Document, Value
from tertium.records import record
from tertium.resources.coverage import LanguageReport, describe_languages
from tertium.resources.presets import measurements, named_presets
from tertium.resources.trees.spacy_models import installed_models
from tertium.resources.words.word_lists import find_in_package
from tertium.text.languages import LANGUAGES, target_language


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
        for each, family in families().items():
            try:
                found.append((find_metric(each), family))
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
        chosen = [each for each in found if each.code == code]
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
                "code": each.code,
                "name": each.name,
                **{family: part.value or "–" for family, part in each.families.items()},
            }
            for each in self.languages
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
                "set": each.name,
                "kind": each.kind,
                "pairs": " ".join(pair.pair for pair in each.pairs),
                "place": str(each.path),
            }
            for each in self.sets
        ]
        return describe_listing("data", rows, notes=_notes(found=bool(rows)))


def _describe_pairs(found: TestSet) -> Document:
    rows: list[dict[str, Value]] = [
        {
            "pair": each.pair,
            "references": len(each.references),
            "systems": len(each.systems),
            "human": " ".join(each.human),
            "reference": str(each.references[0]),
        }
        for each in found.pairs
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


# Extras for contributors only.
_FOR_CONTRIBUTORS = ("all", "dev", "test")


@record
class Fact:
    """A fact about this installation; `found` is empty if the thing is missing."""

    kind: str
    name: str
    found: str


@record
class Installation(Result):
    """Versions, resources and caches, for bug reports."""

    facts: tuple[Fact, ...]

    def document(self) -> Document:
        rows = [
            {"kind": each.kind, "name": each.name, "found": each.found or "not installed"}
            for each in self.facts
        ]
        return describe_listing("installation", rows)


def describe_installation() -> Installation:
    """Describe this installation."""
    return Installation((*_program(), *_libraries(), *_resources(), *_plugins(), *_places()))


def _program() -> list[Fact]:
    return [
        Fact("program", "tertium", __version__),
        Fact("program", "python", f"{platform.python_version()} ({platform.python_implementation()})"),
        Fact("program", "system", platform.platform()),
        Fact("program", "core", describe_core()),
        Fact("program", "threads", str(n_threads())),
    ]


def _libraries() -> list[Fact]:
    """List the dependencies and the extras for users, from the metadata of the package."""
    found = []
    for line in requires("tertium") or ():
        requirement, _, condition = line.partition(";")
        name = re.split(r"[^\w.-]", requirement.strip(), maxsplit=1)[0]
        extra = re.search(r"extra\s*==\s*['\"]([\w-]+)['\"]", condition)
        if name == "tertium" or (extra and extra[1] in _FOR_CONTRIBUTORS):
            continue
        found.append(Fact(f"extra {extra[1]}" if extra else "library", name, _version_of(name)))
    return list(dict.fromkeys(found))


def _version_of(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


def _resources() -> list[Fact]:
    phrases = find_in_package("data/paraphrase-en.gz")
    words = find_in_package("meteor-1.5.jar")
    return [
        Fact(
            "resource",
            "spaCy models",
            ", ".join(model for code in LANGUAGES for model in installed_models(code)),
        ),
        Fact("resource", "METEOR's paraphrases", str(phrases or "")),
        Fact("resource", "METEOR's word lists", str(words or f"ours instead; {install_hint('meteor')}")),
    ]


def _plugins() -> list[Fact]:
    return [Fact("plug-in", name, "metric") for name, family in families().items() if family == "third party"]


def _places() -> list[Fact]:
    folder = cache_folder()
    return [
        Fact("place", "package", str(Path(sys.modules["tertium"].__file__ or "").parent)),
        Fact("place", "project file", _describe_project()),
        Fact("place", "cache", f"off ({VARIABLE})" if folder is None else _format_size(folder)),
    ]


def _describe_project() -> str:
    """Describe the project file that commands in this folder would read, with its content."""
    try:
        search = find_project(Path.cwd())
    except (TertiumError, OSError) as error:
        return str(error)
    ignored = "".join(
        f"; {show_project(path)} is ignored: it belongs to another user" for path in search.ignored
    )
    if search.project is None:
        return f"none{ignored}"
    content = search.project.content
    return f"{search.project.path}: {json.dumps(content, ensure_ascii=False, default=str)}{ignored}"


def _format_size(folder: Path) -> str:
    """Format a folder's path with its total size."""
    files = [each for each in folder.rglob("*") if each.is_file()] if folder.is_dir() else []
    size = sum(each.stat().st_size for each in files)
    return f"{folder} ({len(files):,} files, {size / 1e6:,.1f} MB)"


list_metrics = function_of("list_metrics", MetricListRequest)
list_languages = function_of("list_languages", LanguageListRequest)
list_data = function_of("list_data", DataListRequest)
