"""Trees from the parser in the package: English, without any other package, thousands of sentences a second."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import ClassVar, NamedTuple, Self

import numpy as np

from tertium.errors import ResourceError
from tertium.kernels import ParserModel, make_parser_model, parse_texts
from tertium.resources.trees.lemmas import LazyLemmas, Lemmatizer
from tertium.resources.trees.parser_file import read_parser_file
from tertium.types import IdArray, TokenColumn, TreeColumn

__all__ = ["CoreTrees", "load_core_parser"]

FILE = Path(__file__).parents[1] / "data" / "english.parser"


class LoadedParser(NamedTuple):
    """A parser's file, ready to use."""

    name: str
    checksum: str
    model: ParserModel
    tags: tuple[str, ...]
    relations: tuple[str, ...]
    lemmatize: Lemmatizer


@dataclass(frozen=True)
class CoreTrees:
    """Parses with a file of ours, over the tokens as they are given.

    Every text is one sentence: its tree is projective and has one root. The parser imitates spaCy's
    small English model; docs/parser.md says how well.
    """

    path: Path

    languages: ClassVar[frozenset[str] | None] = frozenset({"en"})

    @property
    def identity(self) -> str:
        loaded = _load(self.path)
        return f"{loaded.name}[{loaded.checksum[:8]}]"

    def parse(self, tokens: TokenColumn) -> TreeColumn:
        """Parse every text."""
        loaded = _load(self.path)
        heads, tags, relations = parse_texts(tokens, loaded.model)
        names = np.array(["ROOT", *loaded.relations], dtype=object)[relations + 1]  # the root has number -1
        return TreeColumn(
            heads,
            tokens.offsets,
            LazyLemmas(lambda: _find_lemmas(tokens, tags, loaded)),
            np.array(loaded.tags, dtype=object)[tags].tolist(),
            names.tolist(),
        )

    def align(self, references: TokenColumn) -> Self:  # noqa: ARG002 - a parser takes any text
        """Return itself: a parser knows no test set."""
        return self


def load_core_parser(path: Path = FILE) -> CoreTrees:
    """Take the parser in the package, or one from another file.

    Raises
    ------
    ResourceError
        If the file is missing, of another version, or damaged.
    """
    _load(path)
    return CoreTrees(path)


@cache
def _load(path: Path) -> LoadedParser:
    parser, checksum = read_parser_file(path)
    try:
        model = make_parser_model(parser.tables)
    except (KeyError, ValueError, RuntimeError) as error:
        raise ResourceError(f"{path}: {error}; make the parser anew") from error
    return LoadedParser(
        parser.name, checksum, model, tuple(parser.tags), tuple(parser.relations), Lemmatizer(parser.lemmas)
    )


def _find_lemmas(tokens: TokenColumn, tags: IdArray, loaded: LoadedParser) -> list[str]:
    """Look at each different pair of word and part of speech once."""
    n_tags = len(loaded.tags)
    pairs, places = np.unique(tokens.ids.astype(np.int64) * n_tags + tags, return_inverse=True)
    words = tokens.vocabulary.words((pairs // n_tags).astype(np.int32))
    names = [loaded.tags[tag] for tag in (pairs % n_tags).tolist()]
    lemmas = [loaded.lemmatize(word, tag) for word, tag in zip(words, names, strict=True)]
    found: list[str] = np.array(lemmas, dtype=object)[places].tolist()
    return found
