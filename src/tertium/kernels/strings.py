"""Convert strings to columns of ids; the only module through which text enters the compiled core."""

import json
from collections.abc import Callable, Collection, Hashable, Iterator, Sequence
from typing import Any, overload

import numpy as np
import numpy.typing as npt

import tertium._core as _core
from tertium._core import EmbeddedPairs, EmbeddedTexts, TextPairs
from tertium._core import Vocabulary as Vocabulary
from tertium.arguments import describe_value
from tertium.errors import InputError, OptionError
from tertium.kernels.threads import n_threads
from tertium.values import IdArray, OffsetArray, TokenColumn

ByteArray = npt.NDArray[np.uint8]


class TextColumn(Sequence[str]):
    r"""A sequence of texts whose items become Python strings only on access.

    >>> texts = TextColumn.from_lines(b"The cat sat.\r\nIt rained. \n")
    >>> texts[1], len(texts)
    ('It rained.', 2)
    >>> texts[:1] == ["The cat sat."]
    True
    """

    __slots__ = ("held",)

    def __init__(self, held: _core.TextColumn) -> None:
        self.held = held

    @classmethod
    def of(cls, strings: Sequence[str]) -> "TextColumn":
        """Make a column of strings; return a column unchanged."""
        return strings if isinstance(strings, TextColumn) else cls.keep(list(strings))

    @classmethod
    def keep(cls, texts: list[str]) -> "TextColumn":
        """Make a column over the strings of a list that must not change."""
        try:
            return cls(_core.TextColumn(texts))
        except UnicodeEncodeError as error:
            raise _surrogate_error(texts) from error
        except TypeError:
            number, text = next(item for item in enumerate(texts, start=1) if not isinstance(item[1], str))
            raise InputError(f"segment {number:,} must be a string, not {describe_value(text)}") from None

    @classmethod
    def from_lines(cls, data: "bytes | ByteArray") -> "TextColumn | None":
        r"""Split the bytes of a file into lines, without trailing white space; None if they are not UTF-8.

        Lines end with `\n`, which may be missing from the last one.
        """
        held = _core.TextColumn.from_lines(np.frombuffer(data, np.uint8), of_file=True)
        return None if held is None else cls(held)

    @classmethod
    def from_words(cls, vocabulary: Vocabulary, first: int = 0) -> "TextColumn":
        """Return the words of a vocabulary from id `first` on."""
        return cls(_core.TextColumn.from_words(vocabulary, first))

    def __len__(self) -> int:
        return len(self.held)

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> "TextColumn": ...
    def __getitem__(self, index: int | slice) -> "str | TextColumn":
        if isinstance(index, slice):
            start, stop, step = index.indices(len(self))
            if step < 0:
                return TextColumn.of(self.held.to_list()[index])
            return TextColumn(self.held.slice(start, stop, step))
        position = index + len(self) if index < 0 else index
        if not 0 <= position < len(self):
            raise IndexError(f"no text {index}: there are {len(self):,}")
        return self.held.at(position)

    def __iter__(self) -> Iterator[str]:
        return iter(self.held.to_list())

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sequence) or isinstance(other, (str, bytes)):
            return NotImplemented
        return self.held.to_list() == list(other)

    __hash__ = None  # type: ignore[assignment] # as a list

    def __repr__(self) -> str:
        return f"<TextColumn: {len(self):,} texts>"

    def __reduce__(self) -> tuple[Callable[[list[str]], "TextColumn"], tuple[list[str]]]:
        return TextColumn.of, (self.held.to_list(),)


def take_buffer(size: int) -> ByteArray:
    """Take a buffer from the pool, not filled with any value; the pool gets it back when nothing uses it any more."""
    return _core.take_buffer(size)


def find_lines(data: ByteArray, n_lines: int) -> tuple[int, int]:
    r"""Return the size in bytes and the number of line ends of the first `n_lines` lines; of all bytes if there are fewer.

    >>> find_lines(np.frombuffer(b"one\ntwo\n\nfour", np.uint8), 2)
    (8, 2)
    >>> find_lines(np.frombuffer(b"one\ntwo\n\nfour", np.uint8), 4)
    (13, 3)
    """
    return _core.find_lines(data, n_lines)


def count_line_ends(data: ByteArray) -> int:
    r"""Count the line feeds.

    >>> count_line_ends(np.frombuffer(b"one\ntwo\n\nfour", np.uint8))
    3
    """
    return find_lines(data, len(data) + 1)[1]


def find_line_starts(data: ByteArray, spacing: int) -> tuple[int, list[tuple[int, int]]]:
    r"""Count the line feeds, and find the first line that begins in each range of `spacing` bytes.

    Returns the number of line feeds, and the number of lines and of bytes before each such line.

    >>> find_line_starts(np.frombuffer(b"one\ntwo\n\nfour", np.uint8), 6)
    (3, [(1, 4), (2, 8)])
    """
    n_ends, lines, sizes = _core.find_line_starts(data, spacing)
    return n_ends, list(zip(lines.tolist(), sizes.tolist(), strict=True))


def parse_rows(data: ByteArray, names: Sequence[str]) -> list[tuple[TextColumn, OffsetArray | None]] | None:
    r"""Parse lines as `json.dumps(row, ensure_ascii=False)` writes them: objects with these names, in this order.

    A value is a text or a list of texts. Returns the texts of each column; if they are in lists, with the offset of
    each row. Returns None if a line has any other form, even if it is valid JSON.

    >>> data = np.frombuffer(b'{"id": "1", "words": ["a", "b"]}\n{"id": "2", "words": []}\n', np.uint8)
    >>> (ids, _), (words, offsets) = parse_rows(data, ["id", "words"])
    >>> list(ids), list(words), offsets.tolist()
    (['1', '2'], ['a', 'b'], [0, 2, 2])
    """
    keys = [f"{', ' if i else '{'}{json.dumps(name, ensure_ascii=False)}: " for i, name in enumerate(names)]
    columns = _core.parse_rows(data, keys)
    return None if columns is None else [(TextColumn(texts), offsets) for texts, offsets in columns]


def are_strings(values: list[Any]) -> bool:
    """Whether all values are of type `str`, not None or numpy's strings, for example."""
    return _core.are_strings(values)


def interleave_texts(columns: Sequence[TextColumn]) -> TextColumn:
    """Interleave columns of the same length: the first text of each, then the second of each, and so on."""
    if len(columns) == 1:
        return columns[0]
    return TextColumn(_core.TextColumn.interleave([column.held for column in columns]))


def lower_texts(texts: TextColumn) -> TextColumn:
    """Lower-case each text as `str.lower` does."""
    lowered, others = texts.held.lower_ascii()
    if others:
        lowered.put(others, _lower_unicode(texts.held.pick(others)))
    return TextColumn(lowered)


def _lower_unicode(texts: _core.TextColumn) -> _core.TextColumn:
    whole = texts.joined()
    if whole is None:
        return _core.TextColumn([text.lower() for text in texts.to_list()])
    # The lower case of a letter may depend on its neighbours (Σ at the end of a word), but never across a line end.
    lines = np.frombuffer(whole.decode().lower().encode(), np.uint8)
    lowered = _core.TextColumn.from_lines(lines, of_file=False)
    assert lowered is not None  # noqa: S101 - it was encoded here
    return lowered


def _surrogate_error(texts: list[str]) -> InputError:
    for number, text in enumerate(texts, start=1):
        for position, character in enumerate(text, start=1):
            if "\ud800" <= character <= "\udfff":
                return InputError(
                    f"segment {number}, character {position} is the lone surrogate U+{ord(character):04X}, "
                    "which is not valid text; decode the input as UTF-8 with errors='strict'"
                )
    return InputError("the text cannot be encoded as UTF-8")


CORE_TOKENIZERS = tuple(_core.tokenizer_names())
"""The names of the core's tokenizers."""

APOSTROPHE_STYLES = tuple(_core.apostrophe_styles())
"""How METEOR splits at an apostrophe between letters: it's -> it 's, l'eau -> l' eau, or a separate token."""


class CodePoints:
    """The vocabulary of a character column: an id is a code point."""

    def __len__(self) -> int:
        return 0x110000

    def words(self, ids: IdArray) -> list[str]:
        return [chr(code) for code in ids]


class Symbols:
    """The vocabulary of a column of arbitrary symbols, which are not stored."""

    def __init__(self, ids: IdArray) -> None:
        self._size = int(ids.max(initial=np.int32(-1))) + 1

    def __len__(self) -> int:
        return self._size

    def words(self, ids: IdArray) -> list[str]:
        return [str(symbol) for symbol in ids]


def tokenize_texts(texts: Sequence[str], tokenizer: str, vocabulary: Vocabulary) -> TokenColumn:
    """Tokenise texts with one of the core's tokenizers and assign ids to their tokens."""
    held = TextColumn.of(texts).held
    ids, offsets = _core.tokenize_texts(held, tokenizer, vocabulary, n_threads())
    return TokenColumn(ids, offsets, vocabulary)


def tokenize_meteor(
    texts: Sequence[str],
    vocabulary: Vocabulary,
    *,
    abbreviations: tuple[Collection[str], Collection[str]],
    apostrophes: str,
    lowercase: bool = False,
) -> TokenColumn:
    """Tokenise texts as METEOR's `-norm` does.

    Parameters
    ----------
    abbreviations
        The abbreviations that always keep their full stop, and those that keep it only before a number.
    apostrophes
        How the language uses apostrophes, one of `APOSTROPHE_STYLES`.
    lowercase
        Whether to lower-case the tokens afterwards, because abbreviations are recognised by their case. The
        vocabulary gets the lower-cased words only.
    """
    if apostrophes not in APOSTROPHE_STYLES:
        raise OptionError(f"apostrophes must be one of {', '.join(APOSTROPHE_STYLES)}, not {apostrophes!r}")
    always, before_number = map(list, abbreviations)
    held = TextColumn.of(texts).held
    ids, offsets = _core.tokenize_meteor(
        held, apostrophes, always, before_number, lowercase, vocabulary, n_threads()
    )
    return TokenColumn(ids, offsets, vocabulary)


def decode_texts(texts: Sequence[str], *, keep_space: bool) -> TokenColumn:
    """Turn texts into their code points, with or without white space."""
    ids, offsets = _core.decode_texts(TextColumn.of(texts).held, keep_space, n_threads())
    return TokenColumn(ids, offsets, CodePoints())


def hash_words(words: list[str]) -> IdArray:
    """Compute Java's 32-bit hash of each word."""
    return _core.hash_words(words)


def hash_vocabulary(vocabulary: Vocabulary, first: int = 0) -> IdArray:
    """Compute Java's 32-bit hash of each word of a vocabulary, from id `first` on."""
    return _core.hash_vocabulary(vocabulary, first)


def vocabulary_words(vocabulary: Vocabulary) -> TokenColumn:
    """Return the code points of every word of a vocabulary, in the order of their ids."""
    ids, offsets = _core.spell_words(vocabulary)
    return TokenColumn(ids, offsets, CodePoints())


def number_pairs(
    first: Sequence[Sequence[Hashable]], second: Sequence[Sequence[Hashable]]
) -> tuple[TokenColumn, TokenColumn]:
    """Assign ids to the symbols (words, characters, tuples, …) of pairs of sequences.

    Equal symbols of one pair have the same id; ids of different pairs are unrelated.
    """
    if len(first) != len(second):
        raise InputError(f"pairs need equal numbers of sequences: {len(first):,} against {len(second):,}")
    try:
        ids, offsets, other_ids, other_offsets = _core.number_pairs(list(first), list(second))
    except TypeError as error:
        raise InputError(f"the symbols of a sequence must be hashable: {error}") from error
    return TokenColumn(ids, offsets, Symbols(ids)), TokenColumn(other_ids, other_offsets, Symbols(other_ids))


def pair_texts(hypotheses: TokenColumn, references: TokenColumn, groups: OffsetArray) -> TextPairs:
    """Combine hypotheses with their references: segment i has the references `groups[i]` to `groups[i + 1]`."""
    return _core.TextPairs(hypotheses.ids, hypotheses.offsets, references.ids, references.offsets, groups)


def pair_embedded(hypotheses: EmbeddedTexts, references: EmbeddedTexts, groups: OffsetArray) -> EmbeddedPairs:
    """Combine embedded hypotheses with their references."""
    return _core.EmbeddedPairs(hypotheses, references, groups)


def vocabulary_of(texts: TokenColumn) -> Vocabulary:
    """Return the vocabulary of a column of words; raise if its ids are not those of words."""
    if not isinstance(texts.vocabulary, Vocabulary):
        kind = type(texts.vocabulary).__name__
        raise InputError(f"words are needed, but the ids of this column are {kind}; tokenise the texts")
    return texts.vocabulary


class UnigramPieces:
    """Split words into the pieces of a unigram model, with the minimal sum of costs.

    The cost of a piece is −ln of its probability. A character that no piece covers is left out, at a cost higher
    than that of every piece.

    >>> UnigramPieces(["a", "b", "ab"], [2.0, 2.0, 3.0]).cut(["abba"])[0].tolist()
    [2, 1, 0]
    """

    def __init__(self, pieces: Sequence[str], prices: npt.ArrayLike) -> None:
        self._core = _core.UnigramPieces(list(pieces), np.ascontiguousarray(prices, dtype=np.float32))

    def cut(self, words: Sequence[str]) -> tuple[IdArray, OffsetArray]:
        """Return the ids of the pieces of all words, with the offset of each word."""
        return self._core.cut(list(words))


def form_vectors(words: Sequence[str], *, orders: tuple[int, int], width: int) -> npt.NDArray[np.float32]:
    """Compute a vector of each word from its character n-grams, of the first to the last of `orders`.

    The n-grams, with a marker at both ends of the word, are hashed into `width` dimensions; every row has norm 1.
    """
    first, last = orders
    return _core.form_vectors(list(words), first, last, width)
