"""The compiled tagger and parser: token columns in; heads, then the numbers of tags and relations out."""

from collections.abc import Mapping
from typing import Any

import numpy.typing as npt

import tertium._core as _core
from tertium._core import ParserModel, Vocabulary
from tertium.errors import InputError
from tertium.kernels.threads import n_threads
from tertium.types import IdArray, TokenColumn

__all__ = ["ParserModel", "label_texts", "make_parser_model", "parse_texts"]


def make_parser_model(tables: Mapping[str, npt.NDArray[Any]]) -> ParserModel:
    """Hand over a parser's tables, each flattened: bytes, int32 biases and uint32 keys.

    Raises
    ------
    ValueError
        If the tables do not fit together.
    """
    return _core.ParserModel({name: table.reshape(-1) for name, table in tables.items()})


def parse_texts(tokens: TokenColumn, model: ParserModel) -> IdArray:
    """Give every token its head, -1 at the root."""
    return _core.parse_texts(tokens.ids, tokens.offsets, _words_of(tokens), model, n_threads())


def label_texts(tokens: TokenColumn, heads: IdArray, model: ParserModel) -> tuple[IdArray, IdArray]:
    """Give every token the number of its tag and that of its relation, -1 at the root."""
    return _core.label_texts(tokens.ids, tokens.offsets, heads, _words_of(tokens), model, n_threads())


def _words_of(tokens: TokenColumn) -> Vocabulary:
    if not isinstance(tokens.vocabulary, Vocabulary):
        raise InputError("only words can be parsed, not characters or numbered symbols")
    return tokens.vocabulary
