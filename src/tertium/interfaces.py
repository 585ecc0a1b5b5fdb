"""Interfaces of the resources that metrics use: word vectors, trees, synonyms, paraphrases.

A metric declares a field of one of these types and the catalogue fills it: a user passes a file, a test a few
vectors in memory.
"""

from collections.abc import Callable, Mapping, Sequence
from types import FunctionType
from typing import Literal, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from tertium.records import record
from tertium.values import Embedding, FloatArray, PhrasePairs, TextKind, TokenColumn, TreeColumn

__all__ = [
    "BleurtModel",
    "CometModel",
    "FeatureWeights",
    "Glossary",
    "GlossaryEntry",
    "Matrix",
    "MetricXModel",
    "NeuralModel",
    "Paraphrases",
    "Program",
    "ProgramSettings",
    "Resource",
    "SentenceEncoder",
    "Synonyms",
    "Trees",
    "VectorKind",
    "WordLists",
    "WordVectors",
    "known_languages",
    "list_resource_methods",
    "vector_kind",
]

Matrix = npt.NDArray[np.float32]

VectorKind = Literal["static", "english", "multilingual", "contextual"]
"""Kinds of word vectors: one vector per word from any file (static), from the package's English or multilingual
table, or one vector per occurrence (contextual). An option may have a different default for each kind."""


@runtime_checkable
class Resource(Protocol):
    """Any input of a metric besides text; its identity becomes part of the signature."""

    @property
    def identity(self) -> str:
        """Name and checksum, such as `glove-50d[1f3a9c02]`."""


@runtime_checkable
class WordVectors(Resource, Protocol):
    """Vectors for the tokens of a column, one per word or one per occurrence.

    Vectors for certain languages may list them in an attribute `languages`, a frozenset of codes; see
    `known_languages`. Vectors that are not `static` have an attribute `kind`; see `vector_kind`.
    """

    def embed(self, tokens: TokenColumn) -> Embedding:
        """Look up the vector of every token: first as written, then in lower case."""


@runtime_checkable
class Trees(Resource, Protocol):
    """Dependency trees of tokenised texts."""

    def parse(self, tokens: TokenColumn) -> TreeColumn:
        """Return a tree for every text of the column, over exactly its tokens."""

    def match_to(self, references: TokenColumn) -> "Trees":
        """Check that the trees match the references of a test set; return trees that can be used with them."""


@runtime_checkable
class FeatureWeights(Resource, Protocol):
    """Learned weights of a metric's features, by the features' names."""

    @property
    def weights(self) -> Mapping[str, float]:
        """The weight of each feature; a feature without an entry has the weight 0."""


@runtime_checkable
class Synonyms(Resource, Protocol):
    """Sets of synonyms (synsets) of one language."""

    @property
    def language(self) -> str:
        """The language, as a two-letter code."""

    def synsets(self, words: Sequence[str]) -> Sequence[Sequence[int]]:
        """Return the ids of the synsets of each word or of its base form, in ascending order."""


@runtime_checkable
class Paraphrases(Resource, Protocol):
    """Pairs of phrases with the same meaning."""

    @property
    def language(self) -> str | None:
        """The language; None if it is unknown, and the user is responsible for choosing a table that fits."""

    def phrases(self) -> PhrasePairs:
        """Return the table of phrase pairs."""


@runtime_checkable
class WordLists(Resource, Protocol):
    """Short word lists per language; a language without a list has an empty one."""

    def function_words(self, language: str) -> frozenset[str]:
        """Return the function words, which carry little meaning, in lower case."""

    def abbreviations(self, language: str) -> tuple[frozenset[str], frozenset[str]]:
        """Return the abbreviations that always keep their full stop, and the abbreviations that keep it before a number."""


@record
class GlossaryEntry:
    """A source term and its allowed translations."""

    source: str
    targets: tuple[str, ...]


@runtime_checkable
class Glossary(Resource, Protocol):
    """Terms and the translations that are allowed for them."""

    def entries(self) -> Sequence[GlossaryEntry]:
        """Return the terms in the order of the glossary."""

    def __hash__(self) -> int:
        """Return a hash that is equal for glossaries with the same identity."""


@record(kw_only=True)
class ProgramSettings:
    """How a program is run; the answers do not depend on it.

    Attributes
    ----------
    batch
        The number of lines that one process gets.
    processes
        The number of processes at a time.
    timeout
        Seconds after which a process that prints nothing is stopped.
    retries
        How often a line is given to another process after one has failed on it.
    has_ids
        Whether lines are JSON objects with an `id`, which answers may repeat.
    """

    batch: int = 1000
    processes: int = 1
    timeout: float = 600.0
    retries: int = 2
    has_ids: bool = True


@runtime_checkable
class Program(Resource, Protocol):
    """A program of the user that prints an answer for each line that it reads."""

    def answer(
        self, lines: Sequence[str], check: Callable[[str, str], None], settings: ProgramSettings
    ) -> list[str]:
        """Return the answer to each line; `check` raises a ValueError if the answer to a line is not valid."""


@runtime_checkable
class SentenceEncoder(Resource, Protocol):
    """Vectors of whole texts, in one space for several languages."""

    def encode(self, texts: Sequence[str]) -> Matrix:
        """Return a vector of length 1 for each text; zeros for an empty text."""


@runtime_checkable
class NeuralModel(Resource, Protocol):
    """A trained network that scores segments."""

    @property
    def reads(self) -> frozenset[TextKind]:
        """The texts that the network reads besides the hypotheses."""

    def score(
        self,
        hypotheses: Sequence[str],
        references: Sequence[str] | None,
        sources: Sequence[str] | None,
        batch_size: int,
    ) -> FloatArray:
        """Score each hypothesis; references and sources are None if the network does not read them."""


@runtime_checkable
class CometModel(NeuralModel, Protocol):
    """A checkpoint of COMET."""


@runtime_checkable
class BleurtModel(NeuralModel, Protocol):
    """A checkpoint of BLEURT."""


@runtime_checkable
class MetricXModel(NeuralModel, Protocol):
    """A checkpoint of MetricX."""


def list_resource_methods() -> set[str]:
    """List the methods of all interfaces of this module."""
    kinds = [kind for kind in globals().values() if Resource in getattr(kind, "__mro__", ())]
    return {
        name
        for kind in kinds
        for name, member in vars(kind).items()
        if isinstance(member, FunctionType) and not name.startswith("_")
    }


def known_languages(resource: object) -> frozenset[str] | None:
    """Return the languages that a resource covers; None if it covers all, or does not declare any.

    A resource declares them in its attribute `languages`, or in `language` if it covers only one.
    """
    languages: frozenset[str] | None = getattr(resource, "languages", None)
    language: str | None = getattr(resource, "language", None)
    if languages is None and language is not None:
        return frozenset({language})
    return languages


def vector_kind(vectors: object) -> VectorKind:
    """Return the kind that word vectors declare; vectors that declare none are `static`."""
    kind: VectorKind = getattr(vectors, "kind", "static")
    return kind
