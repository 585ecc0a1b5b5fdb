"""What a metric may ask for: word vectors, trees, synonyms, paraphrases.

A metric declares a field of one of these types; the catalogue fills it, so that a test passes a
handful of vectors by hand and a user passes a file.
"""

from collections.abc import Mapping
from typing import Protocol, runtime_checkable

from tertium.types import Embedding, TokenColumn, TreeColumn

__all__ = ["FeatureWeights", "Resource", "Trees", "WordVectors"]


@runtime_checkable
class Resource(Protocol):
    """Anything a metric is given besides text; its identity goes into the signature."""

    @property
    def identity(self) -> str:
        """Name and checksum, such as `glove-50d[1f3a9c02]`."""


@runtime_checkable
class WordVectors(Resource, Protocol):
    """Vectors for the tokens of a column, one per word or one per occurrence."""

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
