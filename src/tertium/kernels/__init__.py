"""Token columns and arrays in, arrays out: the only caller of the compiled core.

Every kernel takes a whole batch, releases the GIL and spreads over the threads that
`use_threads` allows; its result does not depend on their number.
"""

from tertium.kernels.lexical import count_bag_errors, count_bleu, count_levenshtein
from tertium.kernels.overlaps import OVERLAP_FAMILIES, count_overlaps
from tertium.kernels.strings import Vocabulary, decode_texts, number_pairs, tokenize_texts
from tertium.kernels.syntax import (
    count_headword_chains,
    extract_dependency_ngrams,
    match_dependency_ngrams,
)
from tertium.kernels.threads import n_threads, use_threads

__all__ = [
    "OVERLAP_FAMILIES",
    "Vocabulary",
    "count_bag_errors",
    "count_bleu",
    "count_headword_chains",
    "count_levenshtein",
    "count_overlaps",
    "decode_texts",
    "extract_dependency_ngrams",
    "match_dependency_ngrams",
    "n_threads",
    "number_pairs",
    "tokenize_texts",
    "use_threads",
]
