"""Optional packages: imported when a file needs them, and the command that installs them, from this one place."""

import importlib
import json
from functools import cache
from types import ModuleType

from tertium.errors import MissingExtraError


def import_extra(module: str, *, extra: str, path: str, purpose: str = "read") -> ModuleType:
    """Import a module that one of the package's extras brings, to read `path` or to do something else with it."""
    try:
        return importlib.import_module(module)
    except ImportError:
        package = module.partition(".")[0]
        raise MissingExtraError(f"{path} needs {package} to be {purpose}: {install_hint(extra)}") from None


def install_hint(extra: str, *others: str) -> str:
    """Write the command that installs an extra here: in the checkout that Tertium came from, or by its name.

    `others` are packages that are needed with it.
    """
    place = "." if _is_from_checkout() else "tertium"
    return " ".join(["pip install", f"'{place}[{extra}]'", *(f"'{each}'" for each in others)])


@cache
def _is_from_checkout() -> bool:
    """Whether pip installed this package from a folder, which its record of the origin tells (PEP 610)."""
    from importlib.metadata import PackageNotFoundError, distribution  # noqa: PLC0415 - needed for messages only

    try:
        record = distribution("tertium").read_text("direct_url.json")
    except PackageNotFoundError:
        return True
    return record is not None and "dir_info" in json.loads(record)
