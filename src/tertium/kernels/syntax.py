"""Batch kernels over dependency trees, and the compiled tagger and parser."""

from collections.abc import Mapping
from typing import Any

import numpy.typing as npt

import tertium._core as _core
from tertium._core import ParserModel, Vocabulary
from tertium.errors import InputError
from tertium.kernels.strings import pair_texts
from tertium.kernels.threads import n_threads
from tertium.types import DependencyNgrams, FloatArray, IdArray, OffsetArray, TokenColumn, TreeColumn


def extract_dependency_ngrams(trees: TreeColumn, *, order: int) -> DependencyNgrams:
    """Find the words, headword chains and fixed or floating structures of 1..order words."""
    return DependencyNgrams(*_core.extract_dependency_ngrams(trees.heads, trees.offsets, order))


def match_dependency_ngrams(
    hypotheses: TokenColumn, references: TokenColumn, groups: OffsetArray, ngrams: DependencyNgrams
) -> FloatArray:
    """Match every n-gram of a reference with the hypothesis of its segment: scores between 0 and 1.

    A word or a structure scores 1 where it occurs; a chain scores exp(-d), with d the mean change of
    the distances between its neighbouring words, at the best place where the order of its words is kept.
    """
    pairs = pair_texts(hypotheses, references, groups)
    return _core.match_dependency_ngrams(
        pairs, ngrams.positions, ngrams.starts, ngrams.kinds, ngrams.offsets, n_threads()
    )


def count_headword_chains(
    hypotheses: TokenColumn,
    hypothesis_trees: TreeColumn,
    references: TokenColumn,
    reference_trees: TreeColumn,
    groups: OffsetArray,
    *,
    order: int,
) -> FloatArray:
    """Count per reference: clipped matches, hypothesis chains and reference chains of orders 1..order."""
    pairs = pair_texts(hypotheses, references, groups)
    return _core.count_headword_chains(
        pairs, hypothesis_trees.heads, reference_trees.heads, order, n_threads()
    )


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
