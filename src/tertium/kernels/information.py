"""n-grams weighted by how much they tell: log₂ of how often their beginning goes on in another way."""

from dataclasses import dataclass

import numpy as np

import tertium._core as _core
from tertium.errors import InputError
from tertium.kernels.elementary import log2
from tertium.kernels.pairs import pair_texts
from tertium.kernels.strings import Vocabulary, tokenize_texts
from tertium.kernels.threads import n_threads
from tertium.types import FloatArray, IdArray, OffsetArray, TokenColumn

__all__ = ["InformationWeights", "count_information", "weigh_ngrams"]


@dataclass(frozen=True, eq=False)
class InformationWeights:
    """The weights of a text's n-grams: n-gram k is n-gram `parents[k]` (or nothing, -1) and a word behind it.

    An n-gram that is left out weighs nothing: what it begins with occurs once. The word is
    `words[tokens[k]]`: no vocabulary is needed, so the weights can travel to another process.
    """

    words: list[str]
    parents: IdArray
    tokens: IdArray
    weights: FloatArray


def weigh_ngrams(texts: TokenColumn, *, order: int) -> InformationWeights:
    """Weigh the n-grams of a column: log₂(occurrences of the n-gram without its last word / of the n-gram).

    The occurrences of nothing, before a unigram, are the number of all words.
    """
    parents, tokens, counts = _core.count_ngrams(texts.ids, texts.offsets, order)
    before = np.where(parents >= 0, counts[parents], len(texts.ids)) if len(counts) else counts
    used = np.bincount(tokens) > 0
    numbers = np.cumsum(used, dtype=np.int32) - 1
    words = texts.vocabulary.words(np.flatnonzero(used).astype(np.int32))
    return InformationWeights(words, parents, numbers[tokens], log2(before / counts))


def count_information(
    hypotheses: TokenColumn,
    references: TokenColumn,
    groups: OffsetArray,
    weights: InformationWeights,
    *,
    vocabulary: Vocabulary,
    order: int,
) -> FloatArray:
    """Count per segment: hypothesis length, average reference length, matched information and n-grams by order."""
    ids = tokenize_texts(weights.words, "none", vocabulary).ids  # a word has no white space: one id each
    pairs = pair_texts(hypotheses, references, groups)
    table = weights.parents, ids[weights.tokens], weights.weights
    try:
        return _core.count_information(pairs, *table, order, n_threads())
    except ValueError as error:
        raise InputError(f"the weights were made from other references: {error}") from error
