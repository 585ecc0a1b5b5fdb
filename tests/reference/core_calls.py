"""A small call of every function and method of the compiled core, for tests that hold for all of them."""

from collections.abc import Callable
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

import tertium._core as _core
from reference.arc_parser import random_tables
from reference.encoder import make_tables
from reference.shortcuts import draw_pairs
from tertium.kernels.edits import InversionCosts, count_inversions, trace_inversions
from tertium.kernels.embedding import (
    EmbeddedTexts,
    TextEncoder,
    TravelOptions,
    embed_texts,
    explain_travel,
    solve_assignments,
    solve_transports,
    travel_distances,
    word_alignment_similarities,
)
from tertium.kernels.meteor import WordAligner, make_phrase_table
from tertium.kernels.ngrams import SKIP_GAPS, weigh_ngrams
from tertium.kernels.resampling import sum_kept, sum_resamples
from tertium.kernels.segmentation import cut_stream, spelling_costs
from tertium.kernels.strings import Vocabulary, pair_texts, parse_rows, vocabulary_words
from tertium.kernels.syntax import (
    count_headword_chains,
    extract_dependency_ngrams,
    make_parser_model,
    match_dependency_ngrams,
)
from tertium.kernels.threads import n_threads
from tertium.resources.synonyms import WORDNET
from tertium.values import Embedding, IdRows, TokenColumn, TreeColumn, WordAlignments

__all__ = ["CALLS", "CoreCall", "exported_names", "freeze"]


@dataclass(frozen=True)
class CoreCall:
    """A call: `call(prepare())`. What it changes instead of returning it is read by `read`.

    A call that failed can be repeated on what `prepare` made, unless it `spoils` it.
    """

    call: Callable[[Any], object]
    prepare: Callable[[], Any] = lambda: None
    read: Callable[[Any], object] = lambda _: None
    spoils: bool = False


def exported_names() -> set[str]:
    """Name every function of the core and every method of its classes; a class stands for its constructor."""
    names = set[str]()
    for name, value in vars(_core).items():
        if isinstance(value, type):
            members = {member for member in vars(value) if not member.startswith("__") or member in _SPECIAL}
            names |= {name, *(f"{name}.{member}" for member in members)}
        elif callable(value):
            names.add(name)
    return names


_SPECIAL = frozenset({"__len__", "__contains__"})


def freeze(value: object) -> object:
    """Return what makes two results equal: the bytes of arrays, the texts of columns."""
    if isinstance(value, np.ndarray):
        return value.dtype.str, value.shape, value.tobytes()
    if isinstance(value, _core.TextColumn):
        return value.to_list()
    if isinstance(value, list | tuple):
        return [freeze(item) for item in value]
    if is_dataclass(value):
        return [freeze(getattr(value, field.name)) for field in fields(value)]
    return value


# As many texts as three threads share
N_TEXTS = 200
_RNG = np.random.default_rng(11)

STRINGS = [
    " ".join(f"wörd{word}" if word % 5 == 0 else f"Word{word}." for word in _RNG.integers(0, 900, 6).tolist())
    for _ in range(N_TEXTS)
]
TEXTS = _core.TextColumn(STRINGS)
LINES = np.frombuffer("\n".join(STRINGS).encode(), np.uint8)
JSON = np.frombuffer(
    "".join(f'{{"id": "\\u00e9{i}", "words": ["a", "b"]}}\n' for i in range(N_TEXTS)).encode(), np.uint8
)
FIRST, SECOND, GROUPS = draw_pairs(_RNG, N_TEXTS, 7)
PAIRS = pair_texts(FIRST, SECOND, GROUPS)
N_WORDS = int(max(FIRST.ids.max(), SECOND.ids.max())) + 1
ONE, OTHER = FIRST.ids[:9], SECOND.ids[:8]


def _letters(n_words: int) -> TokenColumn:
    vocabulary = Vocabulary()
    vocabulary.intern_all([f"word{word}" for word in range(n_words)])
    return vocabulary_words(vocabulary)


LETTERS = _letters(N_WORDS)
MATRIX = _RNG.normal(size=(N_WORDS, 5)).astype(np.float32)


def _embed(column: TokenColumn) -> EmbeddedTexts:
    return embed_texts(column, Embedding(column.ids, MATRIX))


EMBEDDED, OTHERS = _embed(FIRST), _embed(SECOND)
EMBEDDED_PAIRS = _core.EmbeddedPairs(EMBEDDED, OTHERS, GROUPS)
WEIGHTS, OTHER_WEIGHTS = np.ones(len(FIRST.ids)), np.ones(len(SECOND.ids))
NO_WEIGHTS = np.empty(0)


def _chains(column: TokenColumn) -> TreeColumn:
    heads = [place - 1 for length in column.lengths.tolist() for place in range(length)]
    blank = [""] * len(heads)
    return TreeColumn(np.array(heads, np.int32), column.offsets, blank, blank, blank)


TREES, OTHER_TREES = _chains(FIRST), _chains(SECOND)
NGRAMS = extract_dependency_ngrams(OTHER_TREES, order=3)


def _words() -> tuple[Vocabulary, npt.NDArray[np.int32], npt.NDArray[np.int64]]:
    vocabulary = Vocabulary()
    ids, offsets = _core.tokenize_texts(TEXTS, "13a", vocabulary, 1)
    return vocabulary, ids, offsets


WORDS, WORD_IDS, WORD_OFFSETS = _words()
LISTED = WORDS.words(np.arange(len(WORDS), dtype=np.int32))
PARSER_TABLES = random_tables(np.random.default_rng(5), LISTED[:40])
PARSER = make_parser_model(PARSER_TABLES)
HEADS = _core.parse_texts(WORD_IDS, WORD_OFFSETS, WORDS, PARSER, 1)
ENCODER_TABLES = make_tables(np.random.default_rng(6), width=32, inner=32, n_layers=1)
ENCODER = TextEncoder(*ENCODER_TABLES)

PHRASES = [(f"Word{i} .", f"Word{i + 1}") for i in range(40)]
PHRASE_LINES = "".join(f"0.5\n{first}\n{second}\n" for first, second in PHRASES).encode()
PHRASE_TABLE = make_phrase_table(PHRASES)
ALIGNER = WordAligner(
    WordAlignments.KINDS,
    stems=np.arange(len(WORDS), dtype=np.int32) // 2,
    synsets=IdRows.of([[word // 3] for word in range(len(WORDS))]),
    phrases=PHRASE_TABLE,
)
ALIGNED = (
    TokenColumn(WORD_IDS, WORD_OFFSETS, WORDS),
    TokenColumn(
        np.ascontiguousarray(WORD_IDS[::-1]), len(WORD_IDS) - np.ascontiguousarray(WORD_OFFSETS[::-1]), WORDS
    ),
)
IS_FUNCTION_WORD = np.arange(len(WORDS)) % 3 == 0
with np.load(WORDNET, allow_pickle=False) as _file:
    WORDNET_PARTS = _file["lemmas"].tobytes(), _file["counts"], _file["ids"], _file["exceptions"].tobytes()
WORDNET_TABLE = _core.WordNet(*WORDNET_PARTS)

TABLE = np.random.default_rng(7).normal(size=(N_TEXTS, 3))
HUMAN = np.tile(np.arange(5.0), N_TEXTS // 5)
SCORES = np.random.default_rng(8).normal(size=(3, N_TEXTS))
CELLS = np.arange(0, N_TEXTS + 1, 5)
KEPT = np.random.default_rng(9).integers(0, 2, (20, N_TEXTS)).astype(np.uint8)
VALUES = np.linspace(0.1, 3, 50)
COSTS = InversionCosts()


def _filled_vocabulary() -> Vocabulary:
    vocabulary = Vocabulary()
    vocabulary.intern_all(LISTED)
    return vocabulary


def _exact_columns() -> _core.ExactColumns:
    columns = _core.ExactColumns(3)
    columns.add(TABLE)
    return columns


def _poisson_sums() -> _core.PoissonSums:
    sums = _core.PoissonSums(150, 3, 1, 2, 0)
    sums.add(0, TABLE[:10], 1)
    return sums


def _read_phrases() -> _core.PhraseReader:
    reader = _core.PhraseReader()
    reader.read(PHRASE_LINES)
    return reader


def _build_phrases() -> _core.PhraseBuilder:
    builder = _core.PhraseBuilder()
    for first, second in PHRASES:
        builder.add(first, second)
    return builder


def _tokenize_meteor(vocabulary: Vocabulary) -> object:
    style = _core.apostrophe_styles()[0]
    return _core.tokenize_meteor(TEXTS, style, ["Mr"], ["No"], True, vocabulary, n_threads())


def _poisson_pair() -> tuple[_core.PoissonSums, _core.PoissonSums]:
    larger = _core.PoissonSums(150, 3, 1, 2, 0)
    larger.add(10, TABLE[10:] * 1e20, 1)
    return _poisson_sums(), larger


def _on_pairs(name: str, *options: object) -> CoreCall:
    return CoreCall(lambda _: getattr(_core, name)(PAIRS, *options, n_threads()))


def _on_embedded(name: str, *options: object) -> CoreCall:
    return CoreCall(lambda _: getattr(_core, name)(EMBEDDED_PAIRS, *options, n_threads()))


def _on_values(name: str) -> CoreCall:
    return CoreCall(lambda _: getattr(_core, name)(VALUES))


def _names(name: str) -> CoreCall:
    return CoreCall(lambda _: getattr(_core, name)())


def _permute(name: str) -> CoreCall:
    return CoreCall(lambda _: getattr(_core, name)(HUMAN, SCORES, CELLS, KEPT, "pearson", n_threads()))


def _count_information(_: object) -> object:
    weights = weigh_ngrams(SECOND, order=2)
    tokens = np.array([int(word) for word in weights.words], np.int32).take(weights.tokens)
    return _core.count_information(PAIRS, weights.parents, tokens, weights.weights, 2, n_threads())


def _cut_stream(_: object) -> object:
    segments = TokenColumn(SECOND.ids[: SECOND.offsets[20]], SECOND.offsets[:21], Vocabulary())
    return cut_stream(FIRST.ids[:90], segments, np.arange(21), cut_costs=[np.zeros(91)], words=0.5)


def _solve_transports(_: object) -> object:
    sizes = np.random.default_rng(3).integers(1, 8, N_TEXTS)
    sides = [np.full(size, 1 / size) for size in sizes]
    return solve_transports(sides, sides, [np.ones((size, size)) - np.eye(size) for size in sizes])


def _solve_assignments(_: object) -> object:
    rng = np.random.default_rng(4)
    return solve_assignments([rng.random((3, 4)) for _ in range(N_TEXTS)])


def _travel(_: object) -> object:
    return travel_distances(EMBEDDED, OTHERS, GROUPS, orders=[1, 2], options=TravelOptions())


CALLS: dict[str, CoreCall] = {
    "take_shortcuts": CoreCall(lambda _: _core.take_shortcuts(True)),
    "TextColumn": CoreCall(lambda _: _core.TextColumn(STRINGS)),
    "TextColumn.from_lines": CoreCall(lambda _: _core.TextColumn.from_lines(LINES, of_file=True)),
    "TextColumn.from_words": CoreCall(lambda _: _core.TextColumn.from_words(WORDS, 3)),
    "TextColumn.interleave": CoreCall(lambda _: _core.TextColumn.interleave([TEXTS, TEXTS])),
    "TextColumn.__len__": CoreCall(lambda _: len(TEXTS)),
    "TextColumn.at": CoreCall(lambda _: TEXTS.at(4)),
    "TextColumn.slice": CoreCall(lambda _: TEXTS.slice(2, 90, 3)),
    "TextColumn.pick": CoreCall(lambda _: TEXTS.pick(list(range(40)))),
    "TextColumn.put": CoreCall(
        lambda texts: texts.put([1, 3], _core.TextColumn(["Éins", "Zwei"])),
        lambda: TEXTS.slice(0, 5, 1),
        read=lambda texts: texts.to_list(),
    ),
    "TextColumn.lower_ascii": CoreCall(lambda _: TEXTS.lower_ascii()),
    "TextColumn.to_list": CoreCall(lambda _: TEXTS.to_list()),
    "TextColumn.joined": CoreCall(lambda _: TEXTS.joined()),
    "find_lines": CoreCall(lambda _: _core.find_lines(LINES, 30)),
    "find_line_starts": CoreCall(lambda _: _core.find_line_starts(LINES, 100)),
    "parse_rows": CoreCall(lambda _: [column.held.to_list() for column, _ in parse_rows(JSON, ["id", "words"]) or []]),
    "take_buffer": CoreCall(lambda _: len(_core.take_buffer(100_000))),
    "are_strings": CoreCall(lambda _: _core.are_strings([*STRINGS, None])),
    "Vocabulary": CoreCall(lambda _: len(_core.Vocabulary())),
    "Vocabulary.__len__": CoreCall(lambda _: len(WORDS)),
    "Vocabulary.intern": CoreCall(lambda words: [words.intern(word) for word in LISTED], Vocabulary),
    "Vocabulary.intern_all": CoreCall(lambda words: words.intern_all(LISTED), Vocabulary),
    "Vocabulary.intern_words": CoreCall(lambda words: words.intern_words(WORDS, WORD_IDS), Vocabulary),
    "Vocabulary.intern_lowered": CoreCall(lambda words: words.intern_lowered(WORDS, WORD_IDS), _filled_vocabulary),
    "Vocabulary.words": CoreCall(lambda _: WORDS.words(WORD_IDS)),
    "tokenizer_names": _names("tokenizer_names"),
    "apostrophe_styles": _names("apostrophe_styles"),
    "tokenize_texts": CoreCall(
        lambda vocabulary: _core.tokenize_texts(TEXTS, "13a", vocabulary, n_threads()),
        Vocabulary,
        read=lambda vocabulary: vocabulary.words(WORD_IDS),
    ),
    "tokenize_meteor": CoreCall(_tokenize_meteor, Vocabulary),
    "decode_texts": CoreCall(lambda _: _core.decode_texts(TEXTS, False, n_threads())),
    "hash_words": CoreCall(lambda _: _core.hash_words(LISTED)),
    "hash_vocabulary": CoreCall(lambda _: _core.hash_vocabulary(WORDS, 0)),
    "spell_words": CoreCall(lambda _: _core.spell_words(WORDS)),
    "UnigramPieces": CoreCall(lambda _: bool(_core.UnigramPieces(list("abcdor"), np.ones(6, np.float32)))),
    "UnigramPieces.cut": CoreCall(
        lambda pieces: pieces.cut(LISTED), lambda: _core.UnigramPieces(list("abcdor"), np.ones(6, np.float32))
    ),
    "form_vectors": CoreCall(lambda _: _core.form_vectors(LISTED[:50], 2, 4, 32)),
    "number_pairs": CoreCall(
        lambda _: _core.number_pairs([text.split() for text in STRINGS], [(i, str(i)) for i in range(N_TEXTS)])
    ),
    "TextPairs": CoreCall(lambda _: bool(pair_texts(FIRST, SECOND, GROUPS))),
    "EmbeddedTexts": CoreCall(
        lambda _: len(_core.EmbeddedTexts(FIRST.ids, FIRST.offsets, FIRST.ids, MATRIX, NO_WEIGHTS))
    ),
    "EmbeddedTexts.__len__": CoreCall(lambda _: len(EMBEDDED)),
    "EmbeddedPairs": CoreCall(lambda _: bool(_core.EmbeddedPairs(EMBEDDED, OTHERS, GROUPS))),
    "count_bleu": _on_pairs("count_bleu", 4),
    "count_overlaps": _on_pairs("count_overlaps", 4),
    "count_aggregated_overlaps": CoreCall(
        lambda _: _core.count_aggregated_overlaps(
            FIRST.ids, FIRST.offsets, GROUPS, SECOND.ids, SECOND.offsets, GROUPS, 4, n_threads()
        )
    ),
    "count_skip_bigrams": _on_pairs("count_skip_bigrams", np.array(SKIP_GAPS, np.int64)),
    "count_ngrams": CoreCall(lambda _: _core.count_ngrams(FIRST.ids, FIRST.offsets, 4)),
    "count_information": CoreCall(_count_information),
    "count_ranks": _on_pairs("count_ranks"),
    "count_levenshtein": _on_pairs("count_levenshtein"),
    "count_bag_errors": _on_pairs("count_bag_errors"),
    "count_cover_errors": _on_pairs("count_cover_errors"),
    "count_edit_sequences": _on_pairs("count_edit_sequences"),
    "trace_edits": CoreCall(lambda _: _core.trace_edits(ONE, OTHER)),
    "count_extended_edits": _on_pairs("count_extended_edits", 0.2, 1.0, 1.0, 2.0, False),
    "count_translation_edits": _on_pairs("count_translation_edits"),
    "translation_edit_names": _names("translation_edit_names"),
    "trace_translation_edits": CoreCall(lambda _: _core.trace_translation_edits(ONE, OTHER)),
    "count_character_edits": _on_pairs("count_character_edits", LETTERS.ids, LETTERS.offsets, 1),
    "cut_stream": CoreCall(_cut_stream),
    "spelling_costs": CoreCall(lambda _: spelling_costs(LETTERS, LETTERS)),
    "InversionCosts": CoreCall(lambda _: bool(_core.InversionCosts(1, 1, 1, 1))),
    "count_inversions": CoreCall(lambda _: count_inversions(FIRST, SECOND, GROUPS, costs=COSTS)),
    "trace_inversions": CoreCall(lambda _: trace_inversions(ONE, OTHER, costs=COSTS)),
    "derivation_edit_names": _names("derivation_edit_names"),
    "PhraseTable": CoreCall(lambda data: len(_core.PhraseTable(data)), lambda: _build_phrases().finish("").view(np.uint8)),
    "PhraseTable.__len__": CoreCall(lambda _: len(PHRASE_TABLE)),
    "PhraseTable.name": CoreCall(lambda _: PHRASE_TABLE.name),
    "PhraseBuilder": CoreCall(lambda _: bool(_core.PhraseBuilder())),
    "PhraseBuilder.add": CoreCall(
        lambda builder: builder.add("one more", "phrase"),
        _build_phrases,
        read=lambda builder: builder.finish(""),
        spoils=True,
    ),
    "PhraseBuilder.finish": CoreCall(lambda builder: builder.finish("name"), _build_phrases),
    "PhraseReader": CoreCall(lambda _: bool(_core.PhraseReader())),
    "PhraseReader.read": CoreCall(
        lambda reader: reader.read(b"0.25\none more\nphrase\n"),
        _read_phrases,
        read=lambda reader: reader.finish(""),
        spoils=True,
    ),
    "PhraseReader.finish": CoreCall(lambda reader: reader.finish("name"), _read_phrases),
    "PhraseReader.lines": CoreCall(lambda reader: reader.lines, _read_phrases),
    "WordNet": CoreCall(lambda _: "dog" in _core.WordNet(*WORDNET_PARTS)),
    "WordNet.__contains__": CoreCall(lambda _: "dog" in WORDNET_TABLE),
    "WordNet.irregular": CoreCall(lambda _: WORDNET_TABLE.irregular("better")),
    "WordNet.base_forms": CoreCall(lambda _: WORDNET_TABLE.base_forms("leaves")),
    "WordNet.synsets": CoreCall(lambda _: WORDNET_TABLE.synsets(_core.TextColumn(["dogs", "leaves", "better"]))),
    "AlignerTables": CoreCall(
        lambda _: bool(_core.AlignerTables(None, None, None, None, None, PHRASE_TABLE, TEXTS))
    ),
    "match_kinds": _names("match_kinds"),
    "align_texts": CoreCall(lambda _: ALIGNER.align(*ALIGNED, GROUPS).matches),
    "count_matches": CoreCall(lambda _: ALIGNER.count(*ALIGNED, GROUPS, IS_FUNCTION_WORD)),
    "alignment_similarities": CoreCall(
        lambda _: word_alignment_similarities(EMBEDDED, OTHERS, GROUPS, kind="hungarian", threshold=0.1)
    ),
    "match_vectors": _on_embedded("match_vectors", 2),
    "match_substrings": CoreCall(
        lambda _: _core.match_substrings(
            PAIRS, WEIGHTS, OTHER_WEIGHTS, LETTERS.ids, LETTERS.offsets, 2, n_threads()
        )
    ),
    "text_vector_cosines": _on_embedded("text_vector_cosines"),
    "count_cosines": _on_pairs("count_cosines"),
    "count_soft_edits": _on_embedded("count_soft_edits", False),
    "count_soft_matches": _on_embedded("count_soft_matches", 3, 0.1, False),
    "nearest_ngrams": CoreCall(lambda _: _core.nearest_ngrams(EMBEDDED, OTHERS, 3, False)),
    "word_similarities": CoreCall(lambda _: _core.word_similarities(EMBEDDED, OTHERS, False)),
    "largest_magnitude": CoreCall(lambda _: _core.largest_magnitude(MATRIX)),
    "solve_assignments": CoreCall(_solve_assignments),
    "TextEncoder": CoreCall(lambda _: bool(TextEncoder(*ENCODER_TABLES))),
    "TextEncoder.encode": CoreCall(lambda _: ENCODER.encode([[1, 2, 3], [4]] * 40, 1)),
    "TravelOptions": CoreCall(lambda _: bool(_core.TravelOptions(0.4, "clipped", 0, True, True, True, False))),
    "travel_distances": CoreCall(_travel),
    "explain_travel": CoreCall(
        lambda _: explain_travel(EMBEDDED, OTHERS, order=1, options=TravelOptions())
    ),
    "solve_transports": CoreCall(_solve_transports),
    "ngram_kinds": _names("ngram_kinds"),
    "extract_dependency_ngrams": CoreCall(
        lambda _: _core.extract_dependency_ngrams(TREES.heads, TREES.offsets, 3)
    ),
    "match_dependency_ngrams": CoreCall(lambda _: match_dependency_ngrams(FIRST, SECOND, GROUPS, NGRAMS)),
    "count_headword_chains": CoreCall(
        lambda _: count_headword_chains(FIRST, TREES, SECOND, OTHER_TREES, GROUPS, order=3)
    ),
    "ParserModel": CoreCall(lambda _: bool(make_parser_model(PARSER_TABLES))),
    "parse_texts": CoreCall(lambda _: _core.parse_texts(WORD_IDS, WORD_OFFSETS, WORDS, PARSER, n_threads())),
    "label_texts": CoreCall(
        lambda _: _core.label_texts(WORD_IDS, WORD_OFFSETS, HEADS, WORDS, PARSER, n_threads())
    ),
    "item_coefficients": _names("item_coefficients"),
    "max_systems": _names("max_systems"),
    "group_coefficients": _names("group_coefficients"),
    "permute_items": _permute("permute_items"),
    "permute_groups": _permute("permute_groups"),
    "ExactColumns": CoreCall(lambda _: len(_core.ExactColumns(3))),
    "ExactColumns.__len__": CoreCall(len, _exact_columns),
    "ExactColumns.n_rows": CoreCall(lambda columns: columns.n_rows(), _exact_columns),
    "ExactColumns.add": CoreCall(
        lambda columns: columns.add(TABLE * 1e9), _exact_columns, read=lambda columns: columns.to_bytes()
    ),
    "ExactColumns.merge": CoreCall(
        lambda pair: pair[0].merge(pair[1]),
        lambda: (_exact_columns(), _exact_columns()),
        read=lambda pair: pair[0].to_bytes(),
    ),
    "ExactColumns.round": CoreCall(lambda columns: columns.round(), _exact_columns),
    "ExactColumns.to_bytes": CoreCall(lambda columns: columns.to_bytes(), _exact_columns),
    "PoissonSums": CoreCall(lambda _: _core.PoissonSums(150, 3, 1, 2, 0).n_rows()),
    "PoissonSums.n_rows": CoreCall(lambda sums: sums.n_rows(), _poisson_sums),
    "PoissonSums.n_columns": CoreCall(lambda sums: sums.n_columns(), _poisson_sums),
    "PoissonSums.add": CoreCall(
        lambda sums: sums.add(10, TABLE[10:], n_threads()), _poisson_sums, read=lambda sums: sums.round()
    ),
    "PoissonSums.merge": CoreCall(
        lambda pair: pair[0].merge(pair[1]), _poisson_pair, read=lambda pair: pair[0].round()
    ),
    "PoissonSums.round": CoreCall(lambda sums: sums.round(), _poisson_sums),
    "PoissonSums.to_bytes": CoreCall(lambda sums: sums.to_bytes(), _poisson_sums),
    "poisson_weights": CoreCall(lambda _: _core.poisson_weights(1, 2, 10, 0, 50)),
    "bootstrap_shape": _names("bootstrap_shape"),
    "kept_shape": _names("kept_shape"),
    "bootstrap_sums": CoreCall(lambda _: list(sum_resamples([TABLE], 150, np.random.default_rng(1)))),
    "kept_sums": CoreCall(lambda _: list(sum_kept([TABLE], 150, np.random.default_rng(1)))),
    "count_gaps": CoreCall(
        lambda _: _core.count_gaps(SCORES, SCORES.mean(axis=1), np.zeros((3, 3)), np.zeros((3, 3)), n_threads())
    ),
    "Stop": CoreCall(lambda _: bool(_core.Stop())),
    "Stop.enter": CoreCall(lambda stop: stop.enter(), _core.Stop, read=lambda stop: stop.leave()),
    "Stop.leave": CoreCall(lambda _: _core.Stop.leave()),
    "Stop.request_stop": CoreCall(lambda stop: stop.request_stop(), _core.Stop),
    **{name: _on_values(name) for name in ("exp", "expm1", "log", "log2", "log1p", "erfc", "lgamma")},
    "power": CoreCall(lambda _: _core.power(VALUES, VALUES)),
}  # fmt: skip
