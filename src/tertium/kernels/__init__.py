"""Token columns and arrays in, arrays out: the only caller of the compiled core.

Every kernel takes a whole batch, releases the GIL and spreads over the threads that
`use_threads` allows; its result does not depend on their number.
"""

from tertium.kernels.alignment import align_texts, make_phrase_table, read_phrases
from tertium.kernels.lexical import count_bag_errors, count_bleu, count_levenshtein
from tertium.kernels.strings import Vocabulary, decode_texts, number_pairs, tokenize_meteor, tokenize_texts
from tertium.kernels.syntax import (
    count_headword_chains,
    extract_dependency_ngrams,
    match_dependency_ngrams,
)
from tertium.kernels.threads import n_threads, use_threads

__all__ = [
    "Vocabulary",
    "align_texts",
    "count_bag_errors",
    "count_bleu",
    "count_headword_chains",
    "count_levenshtein",
    "decode_texts",
    "extract_dependency_ngrams",
    "make_phrase_table",
    "match_dependency_ngrams",
    "n_threads",
    "number_pairs",
    "read_phrases",
    "tokenize_meteor",
    "tokenize_texts",
    "use_threads",
]
