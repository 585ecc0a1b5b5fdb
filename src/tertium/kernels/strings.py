"""Strings into columns of ids: the one place where text enters the compiled core."""

from collections.abc import Collection, Hashable, Sequence

import numpy as np

import tertium._core as _core
from tertium._core import Vocabulary
from tertium.errors import InputError, OptionError
from tertium.kernels.text_columns import TextColumn
from tertium.kernels.threads import n_threads
from tertium.types import IdArray, TokenColumn

__all__ = [
    "APOSTROPHE_STYLES",
    "CORE_TOKENIZERS",
    "Vocabulary",
    "decode_texts",
    "hash_vocabulary",
    "hash_words",
    "number_pairs",
    "spell_words",
    "tokenize_meteor",
    "tokenize_texts",
]

CORE_TOKENIZERS = tuple(_core.tokenizer_names())
"""What the core can cut by; a new tokeniser is an entry in its table."""

APOSTROPHE_STYLES = tuple(_core.apostrophe_styles())
"""Where METEOR leaves an apostrophe between letters: it's -> it 's, l'eau -> l' eau, or alone."""


class CodePoints:
    """The table of a character column: an id is a code point."""

    def __len__(self) -> int:
        return 0x110000

    def words(self, ids: IdArray) -> list[str]:
        return [chr(code) for code in ids]


class Symbols:
    """The table of a column made from arbitrary symbols, which nobody needs to name again."""

    def __init__(self, ids: IdArray) -> None:
        self._size = int(ids.max(initial=np.int32(-1))) + 1

    def __len__(self) -> int:
        return self._size

    def words(self, ids: IdArray) -> list[str]:
        return [str(symbol) for symbol in ids]


def tokenize_texts(texts: Sequence[str], tokenizer: str, vocabulary: Vocabulary) -> TokenColumn:
    """Tokenise texts with one of the core's tokenisers and number their tokens."""
    held = TextColumn.of(texts).held
    ids, offsets = _core.tokenize_texts(held, tokenizer, vocabulary, n_threads())
    return TokenColumn(ids, offsets, vocabulary)


def tokenize_meteor(
    texts: Sequence[str],
    vocabulary: Vocabulary,
    *,
    abbreviations: tuple[Collection[str], Collection[str]],
    apostrophes: str,
) -> TokenColumn:
    """Tokenise texts as METEOR's `-norm` does, in their own case.

    Parameters
    ----------
    abbreviations
        Those that always keep their full stop, and those that keep it before a number.
    apostrophes
        One of `APOSTROPHE_STYLES`: how the language writes them.
    """
    if apostrophes not in APOSTROPHE_STYLES:
        raise OptionError(f"apostrophes must be one of {', '.join(APOSTROPHE_STYLES)}, not {apostrophes!r}")
    always, before_number = map(list, abbreviations)
    held = TextColumn.of(texts).held
    ids, offsets = _core.tokenize_meteor(held, apostrophes, always, before_number, vocabulary, n_threads())
    return TokenColumn(ids, offsets, vocabulary)


def decode_texts(texts: Sequence[str], *, keep_space: bool) -> TokenColumn:
    """Turn texts into their code points, with or without white space."""
    ids, offsets = _core.decode_texts(TextColumn.of(texts).held, keep_space, n_threads())
    return TokenColumn(ids, offsets, CodePoints())


def hash_words(words: list[str]) -> IdArray:
    """Java's hash of each word, as 32 bits."""
    return _core.hash_words(words)


def hash_vocabulary(vocabulary: Vocabulary, first: int = 0) -> IdArray:
    """Java's hash of each word of a vocabulary, from number `first` on."""
    return _core.hash_vocabulary(vocabulary, first)


def spell_words(vocabulary: Vocabulary) -> TokenColumn:
    """Turn every word of a vocabulary, in the order of their ids, into its code points."""
    ids, offsets = _core.spell_words(vocabulary)
    return TokenColumn(ids, offsets, CodePoints())


def number_pairs(
    first: Sequence[Sequence[Hashable]], second: Sequence[Sequence[Hashable]]
) -> tuple[TokenColumn, TokenColumn]:
    """Number the symbols (words, characters, tuples, …) of pairs of sequences.

    Equal symbols of one pair share an id; ids of different pairs have nothing to do with each other.
    """
    if len(first) != len(second):
        raise InputError(f"pairs are needed: {len(first):,} sequences against {len(second):,}")
    try:
        ids, offsets, other_ids, other_offsets = _core.number_pairs(list(first), list(second))
    except TypeError as error:
        raise InputError(f"a sequence of hashable symbols is needed: {error}") from error
    return TokenColumn(ids, offsets, Symbols(ids)), TokenColumn(other_ids, other_offsets, Symbols(other_ids))
