"""Lower case of tokens that are cut already, so that both spellings have the same positions."""

from typing import TYPE_CHECKING

import numpy as np

from tertium.kernels import Vocabulary
from tertium.kernels.pairs import vocabulary_of
from tertium.types import TokenColumn

if TYPE_CHECKING:
    from tertium.text.columns import Texts

__all__ = ["lower_column", "lower_tokens"]


def lower_tokens(texts: "Texts", tokenizer: str) -> TokenColumn:
    """The tokens in lower case, one for each token of `texts.tokens(tokenizer)`.

    Lowering the text first may move token borders ('İ' becomes two characters), and then a tree over
    the tokens as written would no longer fit.
    """
    key = ("lowered tokens", tokenizer)
    return texts.remember(key, lambda: lower_column(texts.tokens(tokenizer), texts.vocabulary))


def lower_column(tokens: TokenColumn, vocabulary: Vocabulary) -> TokenColumn:
    """Give every token the id of its lower case in a vocabulary, be it the column's own or another."""
    used, cased = tokens.distinct, vocabulary_of(tokens)
    others = [word.lower() for word in cased.words(cased.beyond_ascii(used))]
    lowered = np.zeros(len(cased), dtype=np.int32)
    lowered[used] = vocabulary.intern_lowered(cased, used, others)
    return TokenColumn(lowered[tokens.ids], tokens.offsets, vocabulary)
