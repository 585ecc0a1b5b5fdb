"""Token columns and arrays in, arrays out: the only caller of the compiled core.

Every kernel takes a whole batch, releases the GIL and spreads over the threads that
`use_threads` allows; its result does not depend on their number.
"""

from tertium.kernels.alignment import (
    PhraseReader,
    PhraseTable,
    align_texts,
    count_matches,
    make_phrase_table,
    open_phrases,
)
from tertium.kernels.information import InformationWeights, count_information, weigh_ngrams
from tertium.kernels.inversion import InversionCosts, count_inversions
from tertium.kernels.lexical import count_bag_errors, count_bleu, count_levenshtein
from tertium.kernels.overlaps import SKIP_GAPS, count_overlaps, count_skip_bigrams
from tertium.kernels.parsing import ParserModel, label_texts, make_parser_model, parse_texts
from tertium.kernels.reordering import count_character_edits, count_ranks, count_translation_edits
from tertium.kernels.strings import (
    Vocabulary,
    decode_texts,
    hash_vocabulary,
    hash_words,
    number_pairs,
    spell_words,
    tokenize_meteor,
    tokenize_texts,
)
from tertium.kernels.syntax import (
    count_headword_chains,
    extract_dependency_ngrams,
    match_dependency_ngrams,
)
from tertium.kernels.threads import n_threads, use_threads
from tertium.kernels.wordnet import WordNetTable

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
    "spell_words",
    "tokenize_meteor",
    "tokenize_texts",
    "use_threads",
    "weigh_ngrams",
]
