"""Batch kernels over dependency trees, and the compiled tagger and parser."""

from collections.abc import Mapping
from typing import Any

import numpy.typing as npt

import tertium._core as _core
from tertium._core import ParserModel as ParserModel
from tertium._core import Vocabulary
from tertium.errors import InputError
from tertium.kernels.strings import pair_texts
from tertium.kernels.threads import n_threads
from tertium.values import DependencyNgrams, FloatArray, IdArray, OffsetArray, TokenColumn, TreeColumn


def extract_dependency_ngrams(trees: TreeColumn, *, order: int) -> DependencyNgrams:
    """Find the words, headword chains and fixed or floating structures of 1..order words."""
    return DependencyNgrams(*_core.extract_dependency_ngrams(trees.heads, trees.offsets, order))


def match_dependency_ngrams(
    hypotheses: TokenColumn, references: TokenColumn, groups: OffsetArray, ngrams: DependencyNgrams
) -> FloatArray:
    """Score every n-gram of a reference by its best match in the hypothesis, between 0 and 1.

    A word or a structure that occurs scores 1. A chain scores exp(-d) at the best position where its words are
    in the same order; d is the mean change of the distances between its neighbouring words.
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
    """Count, for each reference: clipped matches, hypothesis chains and reference chains of orders 1..order."""
    pairs = pair_texts(hypotheses, references, groups)
    return _core.count_headword_chains(
        pairs, hypothesis_trees.heads, reference_trees.heads, order, n_threads()
    )


def make_parser_model(tables: Mapping[str, npt.NDArray[Any]]) -> ParserModel:
    """Make a parser from its tables, each flattened: bytes, int32 biases and uint32 keys.

    Raises
    ------
    ValueError
        If the sizes of the tables are inconsistent.
    """
    return _core.ParserModel({name: table.reshape(-1) for name, table in tables.items()})


def parse_texts(tokens: TokenColumn, model: ParserModel) -> IdArray:
    """Return the head of every token, -1 for the root."""
    return _core.parse_texts(tokens.ids, tokens.offsets, _words_of(tokens), model, n_threads())


def label_texts(tokens: TokenColumn, heads: IdArray, model: ParserModel) -> tuple[IdArray, IdArray]:
    """Return the ids of the tag and of the relation of every token, -1 for the root."""
    return _core.label_texts(tokens.ids, tokens.offsets, heads, _words_of(tokens), model, n_threads())


def _words_of(tokens: TokenColumn) -> Vocabulary:
    if not isinstance(tokens.vocabulary, Vocabulary):
        raise InputError("only words can be parsed, not characters or numbered symbols")
    return tokens.vocabulary
