"""What a metric may ask for: word vectors, trees, synonyms, paraphrases.

A metric declares a field of one of these types; the catalogue fills it, so that a test passes a
handful of vectors by hand and a user passes a file.
"""

from collections.abc import Mapping, Sequence
from typing import Literal, Protocol, runtime_checkable

from tertium.types import Embedding, PhrasePairs, TokenColumn, TreeColumn

__all__ = [
    "FeatureWeights",
    "Paraphrases",
    "Resource",
    "Synonyms",
    "Trees",
    "VectorKind",
    "WordLists",
    "WordVectors",
    "known_languages",
    "vector_kind",
]

VectorKind = Literal["static", "english", "multilingual", "contextual"]
"""What word vectors are like: a vector per word from anywhere, from the English table in the package, or a
vector per occurrence. Options may have a default for each."""


@runtime_checkable
class Resource(Protocol):
    """Anything a metric is given besides text; its identity goes into the signature."""

    @property
    def identity(self) -> str:
        """Name and checksum, such as `glove-50d[1f3a9c02]`."""


@runtime_checkable
class WordVectors(Resource, Protocol):
    """Vectors for the tokens of a column, one per word or one per occurrence.

    Vectors that are made for certain languages may say so with an attribute `languages`, a frozenset of
    codes; see `known_languages`. Those that are not `static` say so with an attribute `kind`; see `vector_kind`.
    """

    def embed(self, tokens: TokenColumn) -> Embedding:
        """Look up every token: first as written, then in lower case."""


@runtime_checkable
class Trees(Resource, Protocol):
    """Dependency trees of texts that are already cut into tokens."""

    def parse(self, tokens: TokenColumn) -> TreeColumn:
        """Give every text of the column a tree over exactly its tokens."""

    def align(self, references: TokenColumn) -> "Trees":
        """Return trees that know all references of a test set, after checking that they fit them."""


@runtime_checkable
class FeatureWeights(Resource, Protocol):
    """Learned weights of a metric's features, by the features' names."""

    @property
    def weights(self) -> Mapping[str, float]:
        """What each feature is worth; a feature without an entry is worth nothing."""


@runtime_checkable
class Synonyms(Resource, Protocol):
    """Sets of words of one language that mean the same."""

    @property
    def language(self) -> str:
        """The language, as a code of two letters."""

    def synsets(self, words: Sequence[str]) -> Sequence[Sequence[int]]:
        """The sets to which each word belongs, by itself or by its base form, as rising numbers."""


@runtime_checkable
class Paraphrases(Resource, Protocol):
    """Pairs of phrases that mean the same."""

    @property
    def language(self) -> str | None:
        """The language; None if the user vouches that the table fits the text."""

    def phrases(self) -> PhrasePairs:
        """Open the table of pairs."""


@runtime_checkable
class WordLists(Resource, Protocol):
    """Short lists of words of a language; a language without a list has an empty one."""

    def function_words(self, language: str) -> frozenset[str]:
        """Words that carry little meaning, in lower case."""

    def abbreviations(self, language: str) -> tuple[frozenset[str], frozenset[str]]:
        """Those that always keep their full stop, and those that keep it before a number."""


def known_languages(resource: object) -> frozenset[str] | None:
    """The languages that a resource says it is made for; None if it does not say, or is made for all.

    It says so with an attribute `languages`, or with `language` if it has one only.
    """
    languages: frozenset[str] | None = getattr(resource, "languages", None)
    language: str | None = getattr(resource, "language", None)
    if languages is None and language is not None:
        return frozenset({language})
    return languages


def vector_kind(vectors: object) -> VectorKind:
    """What word vectors say they are like; those that do not say are taken for a table of any origin."""
    kind: VectorKind = getattr(vectors, "kind", "static")
    return kind
