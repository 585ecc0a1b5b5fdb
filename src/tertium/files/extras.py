"""Optional packages, imported when a file needs them."""

import importlib
from types import ModuleType

from tertium.errors import MissingExtraError

__all__ = ["import_extra"]


def import_extra(module: str, *, extra: str, path: str, purpose: str = "read") -> ModuleType:
    """Import a module that one of the package's extras brings, to read `path` or to do something else with it."""
    try:
        return importlib.import_module(module)
    except ImportError:
        package = module.partition(".")[0]
        raise MissingExtraError(
            f"{path} needs {package} to be {purpose}: pip install 'tertium[{extra}]'"
        ) from None
