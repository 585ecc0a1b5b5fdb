"""Columns of texts that compute their tokens and characters on first use and cache them."""

import itertools
import threading
from collections.abc import Callable, Hashable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Literal, TypeVar
from unicodedata import normalize
from weakref import WeakValueDictionary

import numpy as np

from tertium.kernels.strings import (
    TextColumn,
    Vocabulary,
    decode_texts,
    interleave_texts,
    lower_texts,
    tokenize_meteor,
    tokenize_texts,
    vocabulary_of,
)
from tertium.text.codes import add_codes, codes_of
from tertium.text.tokenizers import METEOR, foreign_tokenizer, is_user_tokenizer, tokenize_by_user
from tertium.values import OffsetArray, ReferenceStreams, TokenColumn

_DATA = Path(__file__).parent / "data"

NormalForm = Literal["none", "nfc", "nfkc"]
"""A normal form of Unicode: é is one character (nfc), and so are full-width and other variants of a letter (nfkc)."""


def normalize_text(text: str, form: NormalForm) -> str:
    r"""Bring a text into a normal form; inline codes stay with it.

    >>> normalize_text("cafe\u0301", "nfc") == "caf\xe9", normalize_text("ＢＬＥＵ", "nfkc")
    (True, 'BLEU')
    """
    if text.isascii() or form == "none":
        return text
    return add_codes(normalize("NFC" if form == "nfc" else "NFKC", text), codes_of(text))


# The abbreviations that always keep their full stop, and those that keep it before a number.
Abbreviations = tuple[frozenset[str], frozenset[str]]


@cache
def own_abbreviations(language: str) -> Abbreviations:
    """Read the package's abbreviations of a language; a language without a list has none."""
    always, _, before_number = read_word_list(language).partition("# NUMBER\n")
    return frozenset(parse_word_list(always)), frozenset(parse_word_list(before_number))


def read_word_list(language: str) -> str:
    """Read the file with the abbreviations of a language; return an empty text if there is none."""
    path = _DATA / f"abbreviations-{language}.txt"
    return path.read_text(encoding="utf-8") if path.exists() else ""


def parse_word_list(text: str) -> list[str]:
    """Return the words of a list, separated by white space, without lines that begin with `# `."""
    return [word for line in text.splitlines() if not line.startswith("# ") for word in line.split()]


def lower_tokens(texts: "Texts", tokenizer: str) -> TokenColumn:
    """Return the tokens in lower case, one for each token of `texts.tokens(tokenizer)`.

    Lower-casing the text before tokenisation may move token boundaries ('İ' becomes two characters), and a tree
    over the original tokens would no longer match.
    """
    key = ("lowered tokens", tokenizer)
    return texts.remember(key, lambda: lower_column(texts.tokens(tokenizer), texts.vocabulary))


def lower_column(tokens: TokenColumn, vocabulary: Vocabulary) -> TokenColumn:
    """Map each token to the id of its lower-cased form in `vocabulary`."""
    used, cased = tokens.distinct, vocabulary_of(tokens)
    lowered = np.zeros(len(cased), dtype=np.int32)
    lowered[used] = vocabulary.intern_lowered(cased, used)
    return TokenColumn(lowered[tokens.ids], tokens.offsets, vocabulary)


View = TypeVar("View")


class _Lock:
    """A reentrant lock that supports weak references."""

    __slots__ = ("__weakref__", "inner")

    def __init__(self) -> None:
        self.inner = threading.RLock()


# One lock per vocabulary, because building a view may add words to it. Columns keep their lock and their
# vocabulary alive, so as long as a lock is in this table, no other object has its vocabulary's id.
_locks: WeakValueDictionary[int, _Lock] = WeakValueDictionary()
_locks_lock = threading.Lock()


def _lock_of(vocabulary: Vocabulary) -> _Lock:
    with _locks_lock:
        return _locks.setdefault(id(vocabulary), _Lock())


class Texts(Sequence[str]):
    """A column of texts, one per segment.

    Columns that are compared share one vocabulary, so that equal tokens have equal ids. Columns are thread-safe.

    >>> texts = Texts(["The cat sat.", "It rained."])
    >>> texts.tokens("13a").words(0)
    ['The', 'cat', 'sat', '.']
    """

    def __init__(self, strings: Sequence[str], vocabulary: Vocabulary | None = None) -> None:
        self.strings: Sequence[str] = strings if isinstance(strings, TextColumn) else list(strings)
        self.vocabulary = Vocabulary() if vocabulary is None else vocabulary
        self._lock = _lock_of(self.vocabulary)
        self._views: dict[Hashable, object] = {}

    def __len__(self) -> int:
        return len(self.strings)

    def __getitem__(self, index):  # type: ignore[no-untyped-def] # noqa: ANN001, ANN204 - as list does
        return self.strings[index]

    def __iter__(self) -> Iterator[str]:
        return iter(self.strings)

    def remember(self, key: Hashable, build: Callable[[], View]) -> View:
        """Return the view cached under this key; build it on first use."""
        with self._lock.inner:
            if key not in self._views:
                self._views[key] = build()
            return self._views[key]  # type: ignore[return-value]

    def renew(self, key: Hashable, change: Callable[[View | None], View]) -> View:
        """Replace the view cached under this key by `change(view)`, at first by `change(None)`, and return it.

        No other thread adds words to the vocabulary meanwhile.
        """
        with self._lock.inner:
            view = self._views[key] = change(self._views.get(key))  # type: ignore[arg-type]
            return view

    def normalized(self, form: NormalForm) -> "Texts":
        """Return the texts in a normal form of Unicode."""
        return self if form == "none" else self.remember(("normalized", form), lambda: self._normalize(form))

    def _normalize(self, form: NormalForm) -> "Texts":
        made = Texts([normalize_text(text, form) for text in self.strings], self.vocabulary)
        made._views["normalized", form] = made  # to normalise again would change nothing
        return made

    def column(self, *, lowercase: bool = False) -> TextColumn:
        """Return the texts as the compiled core reads them."""
        whole = self.remember("column", lambda: TextColumn.of(self.strings))
        return self.remember("lowered", lambda: lower_texts(whole)) if lowercase else whole

    def tokens(self, tokenizer: str = "13a", *, lowercase: bool = False) -> TokenColumn:
        """Return the ids of the tokens."""
        return self.remember((tokenizer, lowercase), lambda: self._tokenize(tokenizer, lowercase=lowercase))

    def characters(self, *, lowercase: bool = False, keep_space: bool = True) -> TokenColumn:
        """Return the code points, with or without white space."""
        return self.remember(
            ("characters", lowercase, keep_space),
            lambda: decode_texts(self.column(lowercase=lowercase), keep_space=keep_space),
        )

    def _tokenize(self, tokenizer: str, *, lowercase: bool) -> TokenColumn:
        if tokenizer == METEOR:
            return tokenize_meteor(
                self.column(),
                self.vocabulary,
                abbreviations=own_abbreviations("en"),
                apostrophes="with_right",
                lowercase=lowercase,
            )
        texts = self.column(lowercase=lowercase)
        if is_user_tokenizer(tokenizer):
            return tokenize_texts(tokenize_by_user(tokenizer, list(texts)), "none", self.vocabulary)
        foreign = foreign_tokenizer(tokenizer)
        if foreign is None:
            return tokenize_texts(texts, tokenizer, self.vocabulary)
        return tokenize_texts([foreign(text.rstrip()) for text in texts], "none", self.vocabulary)


class TakenTexts(Texts):
    """Some texts of another column, in any order and number; tokens and characters come from that column."""

    def __init__(self, whole: Texts, indices: OffsetArray) -> None:
        super().__init__(list(map(whole.strings.__getitem__, indices.tolist())), whole.vocabulary)
        self._whole, self._indices = whole, indices

    def _normalize(self, form: NormalForm) -> Texts:
        return TakenTexts(self._whole.normalized(form), self._indices)

    def tokens(self, tokenizer: str = "13a", *, lowercase: bool = False) -> TokenColumn:
        key = ("taken", tokenizer, lowercase)
        return self.remember(
            key, lambda: self._whole.tokens(tokenizer, lowercase=lowercase).take(self._indices)
        )

    def characters(self, *, lowercase: bool = False, keep_space: bool = True) -> TokenColumn:
        whole = self._whole.characters(lowercase=lowercase, keep_space=keep_space)
        return self.remember(("taken characters", lowercase, keep_space), lambda: whole.take(self._indices))


class References:
    """The references of all segments: one flat column, and the offset of each segment in it."""

    def __init__(self, groups: Sequence[Sequence[str]], vocabulary: Vocabulary | None = None) -> None:
        texts, self.offsets = _flatten(groups)
        self.texts = Texts(texts, vocabulary)

    @classmethod
    def of_texts(cls, texts: Texts, offsets: OffsetArray | None = None) -> "References":
        """Make references from a column; by default each segment has one."""
        made = cls.__new__(cls)
        made.texts = texts
        made.offsets = np.arange(len(texts) + 1, dtype=np.int64) if offsets is None else offsets
        return made

    def normalized(self, form: NormalForm) -> "References":
        """Return the references in a normal form of Unicode."""
        return self if form == "none" else References.of_texts(self.texts.normalized(form), self.offsets)

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __iter__(self) -> Iterator[Sequence[str]]:
        """Iterate over the references of each segment."""
        return (self.texts.strings[start:end] for start, end in itertools.pairwise(self.offsets.tolist()))

    @property
    def vocabulary(self) -> Vocabulary:
        return self.texts.vocabulary

    def tokens(self, tokenizer: str = "13a", *, lowercase: bool = False) -> TokenColumn:
        """Return the tokens of all references in one column; `offsets` delimits the segments."""
        return self.texts.tokens(tokenizer, lowercase=lowercase)

    def pair_tokens(
        self, hypotheses: Texts, tokenizer: str, *, lowercase: bool
    ) -> tuple[TokenColumn, TokenColumn, OffsetArray]:
        """Return the tokens of hypotheses and references, and the offset of each segment's references."""
        ours = hypotheses.tokens(tokenizer, lowercase=lowercase)
        return ours, self.tokens(tokenizer, lowercase=lowercase), self.offsets

    def characters(self, *, lowercase: bool = False, keep_space: bool = True) -> TokenColumn:
        """Return the code points of all references in one column."""
        return self.texts.characters(lowercase=lowercase, keep_space=keep_space)


def _flatten(groups: Sequence[Sequence[str]]) -> tuple[Sequence[str], OffsetArray]:
    """Return all references in one column, and the offset of each segment in it."""
    if isinstance(groups, ReferenceStreams):
        columns = [TextColumn.of(stream) for stream in groups.streams]
        return interleave_texts(columns), np.arange(len(groups) + 1, dtype=np.int64) * len(columns)
    try:  # most segments have one reference
        return [text for (text,) in groups], np.arange(len(groups) + 1, dtype=np.int64)
    except ValueError:
        pass
    offsets: OffsetArray = np.zeros(len(groups) + 1, dtype=np.int64)
    np.cumsum(np.fromiter(map(len, groups), np.int64, len(groups)), out=offsets[1:])
    return list(itertools.chain.from_iterable(groups)), offsets
