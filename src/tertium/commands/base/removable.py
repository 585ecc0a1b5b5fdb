"""Parts of the package that may have been removed, such as a family of commands or the calibration."""

from importlib import import_module
from importlib.util import find_spec
from types import ModuleType


def find_part(name: str) -> ModuleType | None:
    """Import a module of Tertium, such as `commands.human.section`; None if it was removed."""
    path = f"tertium.{name}"
    try:
        spec = find_spec(path)
    except ModuleNotFoundError:  # its package was removed
        return None
    return None if spec is None else import_module(path)
