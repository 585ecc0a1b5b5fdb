"""Import of optional dependencies, and the command that installs them."""

import importlib
import json
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


def install_hint(extra: str, *others: str) -> str:
    """Return the pip command that installs an extra, from the checkout if Tertium was installed from one.

    `others` are further packages to install.
    """
    place = "." if _is_from_checkout() else "tertium"
    return " ".join(["pip install", f"'{place}[{extra}]'", *(f"'{each}'" for each in others)])


@cache
def _is_from_checkout() -> bool:
    """Whether pip installed this package from a folder, according to direct_url.json (PEP 610)."""
    from importlib.metadata import PackageNotFoundError, distribution  # noqa: PLC0415 - needed for messages only

    try:
        record = distribution("tertium").read_text("direct_url.json")
    except PackageNotFoundError:
        return True
    return record is not None and "dir_info" in json.loads(record)
