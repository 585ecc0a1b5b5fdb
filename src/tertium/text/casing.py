"""Lower case of tokens that are cut already, so that both spellings have the same positions."""

import numpy as np

from tertium.text.columns import Texts
from tertium.types import TokenColumn

__all__ = ["lower_tokens"]


def lower_tokens(texts: Texts, tokenizer: str) -> TokenColumn:
    """The tokens in lower case, one for each token of `texts.tokens(tokenizer)`.

    Lowering the text first may move token borders ('İ' becomes two characters), and then a tree over
    the tokens as written would no longer fit.
    """
    return texts.remember(("lowered tokens", tokenizer), lambda: _lower(texts, tokenizer))


def _lower(texts: Texts, tokenizer: str) -> TokenColumn:
    tokens = texts.tokens(tokenizer)
    used, inverse = np.unique(tokens.ids, return_inverse=True)
    lowered = [texts.vocabulary.intern(word.lower()) for word in texts.vocabulary.words(used)]
    ids = np.array(lowered, dtype=np.int32)[inverse] if lowered else tokens.ids
    return TokenColumn(ids, tokens.offsets, texts.vocabulary)
