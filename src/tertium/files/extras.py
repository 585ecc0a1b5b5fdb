"""Import of optional dependencies, and the command that installs them."""

import importlib
import re
import shlex
from collections.abc import Iterator
from functools import cache
from types import ModuleType

from tertium.errors import MissingExtraError


def import_extra(module: str, *, extra: str, path: str, purpose: str = "read") -> ModuleType:
    """Import an optional dependency; raise MissingExtraError with an install hint."""
    try:
        return importlib.import_module(module)
    except ImportError:
        package = module.partition(".")[0]
        raise MissingExtraError(f"{path} needs {package} to be {purpose}: {install_hint(extra)}") from None


def install_hint(*extras: str) -> str:
    """Return the pip command that installs the packages of extras.

    The command names the packages instead of `tertium[extra]`, because a package of another author might have the name
    tertium on an index. It works in any folder, for a checkout as well as for a wheel.

    >>> install_hint("xml", "meta")
    "pip install 'lxml>=5.1' 'scipy>=1.12'"
    """
    packages = dict.fromkeys(package for extra in extras for package in _list_packages(extra))
    return f"pip install {shlex.join(packages)}"


def _list_packages(extra: str) -> Iterator[str]:
    """List the packages of an extra, with those of the extras that it names."""
    for requirement, condition in _read_requirements():
        named = re.search(r"extra\s*==\s*['\"]([\w-]+)['\"]", condition)
        if named is None or named[1] != extra:
            continue
        if (others := re.fullmatch(r"tertium\[([\w,-]+)\]", requirement)) is None:
            yield requirement
            continue
        for other in others[1].split(","):
            yield from _list_packages(other)


@cache
def _read_requirements() -> tuple[tuple[str, str], ...]:
    """Read the packages that the metadata of this installation require, each with its condition."""
    from importlib.metadata import requires  # noqa: PLC0415 - needed for a missing package only

    lines = (line.partition(";") for line in requires("tertium") or ())
    return tuple((requirement.strip(), condition) for requirement, _, condition in lines)
