"""A small resource of every kind, so that tests of all metrics load no file."""

import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from reference.meteor_words import HandParaphrases, HandSynonyms, HandWords
from reference.trees import tree_column
from reference.vectors import MadeUpVectors
from tertium.interfaces import (
    FeatureWeights,
    Paraphrases,
    Program,
    ProgramSettings,
    Synonyms,
    Trees,
    WordLists,
    WordVectors,
)
from tertium.types import TokenColumn, TreeColumn

__all__ = ["TOY_PROVIDERS", "ToyParser"]

_TAGS = ("NOUN", "VERB", "ADJ", "PUNCT")


@dataclass(frozen=True)
class ToyParser:
    """A parser of any language: a text hangs on its longest word, and so do both sides of that word."""

    identity: str = "toy"

    def parse(self, tokens: TokenColumn) -> TreeColumn:
        texts = [tokens.words(i) for i in range(len(tokens))]
        flat = [word for words in texts for word in words]
        return tree_column(
            [_hang(words) for words in texts],
            lemmas=[word.lower().rstrip("s") or word for word in flat],
            tags=[_TAGS[zlib.crc32(word.encode()) % len(_TAGS)] for word in flat],
        )

    def align(self, references: TokenColumn) -> "ToyParser":
        return self


def _hang(words: Sequence[str]) -> list[int]:
    heads = [-1] * len(words)
    waiting = [(0, len(words), -1)]
    while waiting:
        begin, end, head = waiting.pop()
        if begin < end:
            top = max(range(begin, end), key=lambda at: len(words[at]))
            heads[top] = head
            waiting += [(begin, top, top), (top + 1, end, top)]
    return heads


@dataclass(frozen=True)
class ToyWeights:
    """Weights of a few of BEER's features."""

    identity: str = "toy"
    weights: Mapping[str, float] = field(
        default_factory=lambda: {
            "word1.f1": 2.0, "word2.smaller": 1.0, "character3.f1": 3.0, "skip2.geometric": 1.0,
            "imbalance.words": 0.1,
        }
    )  # fmt: skip


@dataclass(frozen=True)
class ToyProgram:
    """A judge that prints how many different words a line has."""

    identity: str = "toy"

    def answer(
        self,
        lines: Sequence[str],
        check: Callable[[str, str], None],
        settings: ProgramSettings,
    ) -> list[str]:
        answers = [f"{len(set(line.split()))}" for line in lines]
        for line, answer in zip(lines, answers, strict=True):
            check(line, answer)
        return answers


_RESOURCES: dict[type, Any] = {
    FeatureWeights: ToyWeights(),
    Paraphrases: HandParaphrases((("a vacation", "a holiday"), ("is scheduled to", "will fly to"))),
    Program: ToyProgram(),
    Synonyms: HandSynonyms((("guy", "man"), ("car", "automobile"), ("vacation", "holiday"))),
    Trees: ToyParser(),
    WordLists: HandWords(frozenset({"a", "the", "is", "to", "of", "in"})),
    WordVectors: MadeUpVectors(),
}

# Every metric asks the same objects, so that metrics with equal options are equal.
TOY_PROVIDERS: dict[type, Callable[[], Any]] = {
    kind: partial(_RESOURCES.__getitem__, kind) for kind in _RESOURCES
}
