"""Trees from the parser in the package: English, without any other package, thousands of sentences a second."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import ClassVar, NamedTuple, Self

import numpy as np

from tertium.errors import ResourceError
from tertium.kernels import ParserModel, label_texts, make_parser_model, parse_texts
from tertium.resources.trees.lemmas import Lemmatizer
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
    def model(self) -> ParserModel:
        """The tables, as the core reads them; they are loaded once."""
        return _load(self.path).model

    @property
    def identity(self) -> str:
        loaded = _load(self.path)
        return f"{loaded.name}[{loaded.checksum[:8]}]"

    def parse(self, tokens: TokenColumn) -> TreeColumn:
        """Parse every text."""
        loaded = _load(self.path)
        heads = parse_texts(tokens, loaded.model)
        labels = Labels(tokens, heads, loaded)
        return TreeColumn(
            heads,
            tokens.offsets,
            lemmas=Lazy(lambda: labels.lemmas),
            tags=Lazy(lambda: labels.tags),
            relations=Lazy(lambda: labels.relations),
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


class Labels:
    """What trees have besides heads, made when somebody asks for it: most metrics never do."""

    def __init__(self, tokens: TokenColumn, heads: IdArray, parser: LoadedParser) -> None:
        self._tokens, self._heads, self._parser = tokens, heads, parser

    @cached_property
    def tags(self) -> list[str]:
        names: list[str] = np.array(self._parser.tags, dtype=object)[self._numbers[0]].tolist()
        return names

    @cached_property
    def relations(self) -> list[str]:
        names = np.array([*self._parser.relations, "ROOT"], dtype=object)  # the root has number -1
        found: list[str] = names[self._numbers[1]].tolist()
        return found

    @cached_property
    def lemmas(self) -> list[str]:
        """Look at each different pair of word and part of speech once."""
        names = self._parser.tags
        pairs, places = np.unique(
            self._tokens.ids.astype(np.int64) * len(names) + self._numbers[0], return_inverse=True
        )
        words = self._tokens.vocabulary.words((pairs // len(names)).astype(np.int32))
        tags = [names[tag] for tag in (pairs % len(names)).tolist()]
        lemmas = [self._parser.lemmatize(word, tag) for word, tag in zip(words, tags, strict=True)]
        found: list[str] = np.array(lemmas, dtype=object)[places].tolist()
        return found

    @cached_property
    def _numbers(self) -> tuple[IdArray, IdArray]:
        return label_texts(self._tokens, self._heads, self._parser.model)


class Lazy(Sequence[str]):
    """Strings that are made when one of them is asked for."""

    def __init__(self, find: Callable[[], list[str]]) -> None:
        self._find = find

    def __len__(self) -> int:
        return len(self._find())

    def __getitem__(self, index):  # type: ignore[no-untyped-def] # noqa: ANN001, ANN204 - as list does
        return self._find()[index]

    def __iter__(self) -> Iterator[str]:
        return iter(self._find())
