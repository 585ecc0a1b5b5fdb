"""A small resource of every kind, so that tests of all metrics load no file."""

import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from reference.meteor_words import HandParaphrases, HandSynonyms, HandWords
from reference.trees import tree_column
from reference.vectors import MadeUpVectors
from tertium.catalog.glossaries import GlossaryFile
from tertium.interfaces import (
    BleurtModel,
    CometModel,
    FeatureWeights,
    Glossary,
    GlossaryEntry,
    MetricXModel,
    Paraphrases,
    Program,
    ProgramSettings,
    SentenceEncoder,
    Synonyms,
    Trees,
    WordLists,
    WordVectors,
)
from tertium.metrics import BLEU, ChrF
from tertium.metrics.base import Parts
from tertium.values import FloatArray, TextKind, TokenColumn, TreeColumn

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

    def match_to(self, references: TokenColumn) -> "ToyParser":
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


@dataclass(frozen=True)
class ToyEncoder:
    """Counts each of 64 kinds of characters, as a vector of length 1."""

    identity: str = "toy"

    def encode(self, texts: Sequence[str]) -> "np.ndarray[Any, np.dtype[np.float32]]":
        vectors = np.zeros((len(texts), 64), dtype=np.float32)
        for row, text in zip(vectors, texts, strict=True):
            for character in text.strip():
                row[ord(character) % 64] += 1
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        return (vectors / np.where(lengths > 0, lengths, 1)).astype(np.float32)


@dataclass(frozen=True)
class ToyModel:
    """A network that counts the letters of all texts."""

    identity: str = "toy"
    reads: frozenset[TextKind] = frozenset({"references", "source"})

    def score(
        self,
        hypotheses: Sequence[str],
        references: Sequence[str] | None,
        sources: Sequence[str] | None,
        batch_size: int,
    ) -> FloatArray:
        texts = zip(hypotheses, references or hypotheses, sources or hypotheses, strict=True)
        return np.array([len(set("".join(group))) for group in texts], dtype=np.float64)


_RESOURCES: dict[type, Any] = {
    BleurtModel: ToyModel(reads=frozenset({"references"})),
    CometModel: ToyModel(),
    MetricXModel: ToyModel(reads=frozenset()),
    FeatureWeights: ToyWeights(),
    Glossary: GlossaryFile("toy", (GlossaryEntry("man", ("guy", "man")), GlossaryEntry("cat", ("the cat",)))),
    Parts: Parts((BLEU(), ChrF())),
    Paraphrases: HandParaphrases((("a vacation", "a holiday"), ("is scheduled to", "will fly to"))),
    Program: ToyProgram(),
    SentenceEncoder: ToyEncoder(),
    Synonyms: HandSynonyms((("guy", "man"), ("car", "automobile"), ("vacation", "holiday"))),
    Trees: ToyParser(),
    WordLists: HandWords(frozenset({"a", "the", "is", "to", "of", "in"})),
    WordVectors: MadeUpVectors(),
}

# Every metric asks the same objects, so that metrics with equal options are equal.
TOY_PROVIDERS: dict[type, Callable[[], Any]] = {
    kind: partial(_RESOURCES.__getitem__, kind) for kind in _RESOURCES
}
