"""Files as a user names them: patterns such as `systems/*.txt`, and systems such as `name=path`."""

import glob
import os
from collections.abc import Sequence
from dataclasses import dataclass

from tertium.corpus.texts.assembly import read_corpus
from tertium.errors import InputError
from tertium.types import Corpus

__all__ = ["CorpusFiles", "expand_paths", "split_system"]


@dataclass(frozen=True, kw_only=True)
class CorpusFiles:
    """The files of a corpus as the user names them: paths, patterns, `name=path`, `path#column`."""

    references: tuple[str, ...]
    hypotheses: tuple[str, ...]
    source: str | None = None
    columns: str | None = None
    """A file that says more about each segment: TSV with a header, JSONL or Parquet."""

    def read(self) -> Corpus:
        """Read them all."""
        systems = [split_system(path) for path in expand_paths(self.hypotheses)]
        return read_corpus(expand_paths(self.references), systems, self.source, columns=self.columns)


def expand_paths(arguments: Sequence[str]) -> list[str]:
    """Expand patterns such as `systems/*.txt` that the shell has left alone."""
    paths: list[str] = []
    for argument in arguments:
        is_pattern = any(character in argument for character in "*?[") and not os.path.exists(argument)  # noqa: PTH110
        if not is_pattern:
            paths.append(argument)
            continue
        found = sorted(glob.glob(argument))  # noqa: PTH207 - the pattern may be absolute
        if not found:
            raise InputError(f"no file matches {argument}")
        paths += found
    return paths


def split_system(argument: str) -> tuple[str | None, str]:
    """Split `name=path`; a file that is really called so is taken as a path."""
    name, equals, path = argument.partition("=")
    if not equals or not name or os.path.exists(argument):  # noqa: PTH110
        return None, argument
    return name, path
