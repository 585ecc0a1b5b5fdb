"""What always travels together, as one object of the compiled core: its arrays are checked once, when it is made."""

import tertium._core as _core
from tertium._core import EmbeddedPairs, EmbeddedTexts, TextPairs, Vocabulary
from tertium.errors import InputError
from tertium.types import OffsetArray, TokenColumn

__all__ = ["pair_embedded", "pair_texts", "vocabulary_of"]


def pair_texts(hypotheses: TokenColumn, references: TokenColumn, groups: OffsetArray) -> TextPairs:
    """Join hypotheses with their references: segment i has the references `groups[i]` to `groups[i + 1]`."""
    return _core.TextPairs(hypotheses.ids, hypotheses.offsets, references.ids, references.offsets, groups)


def pair_embedded(hypotheses: EmbeddedTexts, references: EmbeddedTexts, groups: OffsetArray) -> EmbeddedPairs:
    """Join hypotheses that have vectors with their references."""
    return _core.EmbeddedPairs(hypotheses, references, groups)


def vocabulary_of(texts: TokenColumn) -> Vocabulary:
    """Give the vocabulary of a column that the core has tokenised; raise if its ids stand for anything else."""
    if not isinstance(texts.vocabulary, Vocabulary):
        kind = type(texts.vocabulary).__name__
        raise InputError(f"words are needed, but the ids of this column stand for {kind}; tokenise the texts")
    return texts.vocabulary
