"""What an installed pycocoevalcap brings of METEOR 1.5: word lists inside its jar, and a paraphrase table."""

import importlib.util
from pathlib import Path

__all__ = ["find_in_package"]

PACKAGE = "pycocoevalcap"


def find_in_package(name: str) -> Path | None:
    """Find a file of the package's METEOR folder, without importing it."""
    spec = importlib.util.find_spec(PACKAGE)
    for folder in (spec.submodule_search_locations or ()) if spec is not None else ():
        path = Path(folder) / "meteor" / name
        if path.is_file():
            return path
    return None
