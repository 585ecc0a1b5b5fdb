"""Stores of paraphrases: files that are mapped, not read, and shared between processes; checked as they are opened."""

import mmap
import re
from pathlib import Path

import numpy as np
import numpy.typing as npt

from tertium.errors import ResourceError
from tertium.files.paths import show_path
from tertium.files.writing import written_whole
from tertium.kernels import PhraseTable, open_phrases

__all__ = ["is_store", "map_store", "write_store"]

# So begins a store, whatever its version, as a machine of either order of bytes writes it.
_MAGIC = re.compile(rb"TRTIUMP.|.PMUITRT", re.DOTALL)


def is_store(path: Path) -> bool:
    """Whether a file begins like a store; one that cannot be read does not."""
    try:
        with path.open("rb") as file:
            return _MAGIC.fullmatch(file.read(8)) is not None
    except OSError:
        return False


def map_store(path: Path) -> PhraseTable:
    """Map a store into memory and check that it is whole and sound.

    Raises
    ------
    ResourceError
        If it cannot be read, or is damaged.
    """
    try:
        with path.open("rb") as file:
            data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        return open_phrases(np.frombuffer(data, dtype=np.uint8))
    except ResourceError as error:
        raise ResourceError(f"{show_path(path)}: {error}; convert the paraphrases again") from None
    except (OSError, ValueError) as error:  # an empty file cannot be mapped
        why = getattr(error, "strerror", None) or error
        raise ResourceError(
            f"{show_path(path)} cannot be read: {why}; convert the paraphrases again"
        ) from None


def write_store(path: Path, data: npt.NDArray[np.uint8]) -> None:
    """Write the bytes of a table, all of them or none."""
    with written_whole(path, ResourceError) as temporary, temporary.open("wb") as file:
        file.write(data.data)
