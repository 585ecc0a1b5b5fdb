"""Batch computations over token columns and arrays; the only package that calls the compiled core.

Every kernel processes a whole batch, releases the GIL and runs on the threads that `use_threads` allows. Its
result does not depend on their number.
"""

from tertium._core import ParserModel, PhraseReader, PhraseTable, Vocabulary
from tertium._core import WordNet as WordNetTable
from tertium.kernels.alignment import (
    align_texts,
    count_matches,
    make_phrase_table,
    open_phrases,
)
from tertium.kernels.edits import (
    InversionCosts,
    count_bag_errors,
    count_character_edits,
    count_cover_errors,
    count_edit_sequences,
    count_extended_edits,
    count_inversions,
    count_levenshtein,
    count_ranks,
    count_translation_edits,
)
from tertium.kernels.ngrams import (
    SKIP_GAPS,
    InformationWeights,
    count_bleu,
    count_information,
    count_overlaps,
    count_skip_bigrams,
    weigh_ngrams,
)
from tertium.kernels.strings import (
    decode_texts,
    hash_vocabulary,
    hash_words,
    number_pairs,
    tokenize_meteor,
    tokenize_texts,
    vocabulary_words,
)
from tertium.kernels.syntax import (
    count_headword_chains,
    extract_dependency_ngrams,
    label_texts,
    make_parser_model,
    match_dependency_ngrams,
    parse_texts,
)
from tertium.kernels.threads import n_threads, use_threads

__all__ = [
    "SKIP_GAPS",
    "InformationWeights",
    "InversionCosts",
    "ParserModel",
    "PhraseReader",
    "PhraseTable",
    "Vocabulary",
    "WordNetTable",
    "align_texts",
    "count_bag_errors",
    "count_bleu",
    "count_character_edits",
    "count_cover_errors",
    "count_edit_sequences",
    "count_extended_edits",
    "count_headword_chains",
    "count_information",
    "count_inversions",
    "count_levenshtein",
    "count_matches",
    "count_overlaps",
    "count_ranks",
    "count_skip_bigrams",
    "count_translation_edits",
    "decode_texts",
    "extract_dependency_ngrams",
    "hash_vocabulary",
    "hash_words",
    "label_texts",
    "make_parser_model",
    "make_phrase_table",
    "match_dependency_ngrams",
    "n_threads",
    "number_pairs",
    "open_phrases",
    "parse_texts",
    "tokenize_meteor",
    "tokenize_texts",
    "use_threads",
    "vocabulary_words",
    "weigh_ngrams",
]
