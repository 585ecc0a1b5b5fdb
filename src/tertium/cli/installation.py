"""The installation, for bug reports: versions, resources, plug-ins and caches."""

import json
import platform
import re
import sys
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path
from typing import NamedTuple

from tertium import __version__
from tertium.catalog import families
from tertium.errors import TertiumError
from tertium.files.cache import VARIABLE, cache_folder
from tertium.files.extras import install_hint
from tertium.files.project import find_project, show_project
from tertium.kernels.threads import describe_core, n_threads
from tertium.presentation.tables.fields import describe_listing
from tertium.presentation.tables.model import Document
from tertium.resources.trees.installed_parsers import installed_models
from tertium.resources.word_lists import find_in_package
from tertium.text.languages import LANGUAGES

# Extras for contributors only.
_FOR_CONTRIBUTORS = ("all", "dev", "test")


class Fact(NamedTuple):
    """A fact about this installation; `found` is empty if the thing is missing."""

    kind: str
    name: str
    found: str


def describe_installation() -> Document:
    """Describe this installation."""
    facts = [*_program(), *_libraries(), *_resources(), *_plugins(), *_places()]
    rows = [fact._replace(found=fact.found or "not installed")._asdict() for fact in facts]
    return describe_listing("installation", rows)


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
    files = [path for path in folder.rglob("*") if path.is_file()] if folder.is_dir() else []
    size = sum(file.stat().st_size for file in files)
    return f"{folder} ({len(files):,} files, {size / 1e6:,.1f} MB)"
