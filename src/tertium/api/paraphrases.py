"""Paraphrases: compile a table into a store that opens at once."""

from os import PathLike
from pathlib import Path

from tertium.resources.words.paraphrases import convert_paraphrases

__all__ = ["convert"]


def convert(source: "str | PathLike[str]", target: "str | PathLike[str]") -> str:
    """Compile a table in METEOR's format into a store; returns what was written, in words.

    Raises
    ------
    ResourceError
        If the table cannot be read or the store cannot be written.
    """
    path = Path(target)
    table = convert_paraphrases(Path(source), path)
    return f"{path}: {len(table):,} pairs of phrases, {path.stat().st_size:,} bytes"
