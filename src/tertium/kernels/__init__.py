"""Token columns and arrays in, arrays out: the only caller of the compiled core.

Every kernel takes a whole batch, releases the GIL and spreads over the threads that
`use_threads` allows; its result does not depend on their number.
"""

from tertium.kernels.lexical import count_bag_errors, count_bleu, count_levenshtein
from tertium.kernels.strings import Vocabulary, decode_texts, number_pairs, tokenize_texts
from tertium.kernels.threads import n_threads, use_threads

__all__ = [
    "Vocabulary",
    "count_bag_errors",
    "count_bleu",
    "count_levenshtein",
    "decode_texts",
    "n_threads",
    "number_pairs",
    "tokenize_texts",
    "use_threads",
]
