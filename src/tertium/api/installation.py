"""What is installed here: versions of libraries, resources that are found, caches; for bug reports."""

import platform
import re
import sys
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path

from tertium import __version__
from tertium.api.results import Shown
from tertium.catalog import families
from tertium.files.cache import VARIABLE, cache_folder
from tertium.files.extras import install_hint
from tertium.kernels import n_threads
from tertium.kernels.threads import describe_core
from tertium.report.tables.model import Document, describe_listing
from tertium.resources.trees.spacy_models import installed_models
from tertium.resources.words.word_lists import find_in_package
from tertium.text.languages import LANGUAGES

__all__ = ["Fact", "Installation", "describe_installation"]

# Extras that only those who work on Tertium itself install.
_FOR_CONTRIBUTORS = ("all", "dev")


@dataclass(frozen=True)
class Fact:
    """One thing that is known about this installation; `found` is empty where it is missing."""

    kind: str
    name: str
    found: str


@dataclass(frozen=True)
class Installation(Shown):
    """Everything about this installation that scores and mistakes may depend on."""

    facts: tuple[Fact, ...]

    def document(self) -> Document:
        rows = [
            {"kind": each.kind, "name": each.name, "found": each.found or "not installed"}
            for each in self.facts
        ]
        return describe_listing("installation", rows)


def describe_installation() -> Installation:
    """Describe what is installed here."""
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
    """List what the package's metadata asks for, always or for an extra that users install."""
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
        Fact("place", "cache", f"off ({VARIABLE})" if folder is None else _weigh(folder)),
    ]


def _weigh(folder: Path) -> str:
    """Name a folder and what its files weigh together."""
    files = [each for each in folder.rglob("*") if each.is_file()] if folder.is_dir() else []
    size = sum(each.stat().st_size for each in files)
    return f"{folder} ({len(files):,} files, {size / 1e6:,.1f} MB)"
