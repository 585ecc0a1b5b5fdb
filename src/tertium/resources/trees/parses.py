"""Parses of single sentences as plain data, and the base class of parsers that cache their parses."""

import json
import threading
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Self

import numpy as np

from tertium.files.cache import DiskCache, content_key, open_cache
from tertium.progress import report_progress
from tertium.records import record
from tertium.text.languages import target_language
from tertium.values import TokenColumn, TreeColumn


@record
class Parse:
    """The tree of a sentence: head (-1 at the root), lemma, part of speech and relation of each token."""

    heads: Sequence[int]
    lemmas: Sequence[str]
    tags: Sequence[str]
    relations: Sequence[str]

    def __len__(self) -> int:
        return len(self.heads)


EMPTY = Parse((), (), (), ())


def make_column(parses: Sequence[Parse]) -> TreeColumn:
    """Combine the trees of many sentences into one column."""
    offsets = np.zeros(len(parses) + 1, dtype=np.int64)
    np.cumsum([len(parse) for parse in parses], out=offsets[1:])
    heads = np.fromiter(chain.from_iterable(parse.heads for parse in parses), np.int32, int(offsets[-1]))
    return TreeColumn(
        heads,
        offsets,
        list(chain.from_iterable(parse.lemmas for parse in parses)),
        list(chain.from_iterable(parse.tags for parse in parses)),
        list(chain.from_iterable(parse.relations for parse in parses)),
    )


# Increase this number whenever `encode_parse` changes, so that cached trees of an older format are not read.
PARSE_FORMAT = 1


def encode_parse(parse: Parse) -> bytes:
    """Encode a tree as JSON."""
    fields = [list(parse.heads), list(parse.lemmas), list(parse.tags), list(parse.relations)]
    return json.dumps(fields, separators=(",", ":")).encode("ascii")


def decode_parse(data: bytes) -> Parse:
    """Decode a tree written by `encode_parse`."""
    return Parse(*json.loads(data))


# Sentences between two writes to the cache; a killed run loses at most the parses of this number of sentences.
BLOCK = 512

Sentence = tuple[str, ...]

# spaCy's pipelines are not thread-safe: they add words to their vocabulary without a lock.
_model_lock = threading.Lock()


@record
class Model:
    """An installed model: its name in spaCy, version, checksum of its weights, and language."""

    name: str
    version: str
    checksum: str
    language: str | None = None

    @property
    def identity(self) -> str:
        return f"{self.name}-{self.version}[{self.checksum[:8]}]"


@record
class CachedTrees:
    """Parses tokens with an installed model and caches the trees.

    Every text is one sentence with one root, even if it contains full stops. The model is loaded only if a
    sentence is not in the cache.
    """

    model: Model

    @property
    def identity(self) -> str:
        return self.model.identity

    @property
    def languages(self) -> frozenset[str] | None:
        """The language of the model; None if the model declares none, or is multilingual (xx)."""
        code = self.model.language
        return None if code in (None, "xx") else frozenset({target_language(code)})

    @property
    def cache_name(self) -> str:
        """The name of the cache, which depends on the model and on the format of cached trees."""
        return f"trees-{PARSE_FORMAT}-{self.model.version}-{self.model.checksum[:16]}"

    def parse(self, tokens: TokenColumn) -> TreeColumn:
        """Parse every text whose tree is not in the cache.

        Raises
        ------
        ResourceError
            If a text is longer than the parser accepts.
        """
        sentences = [tuple(tokens.words(i)) for i in range(len(tokens))]
        parses = self._parse_all(list(dict.fromkeys(filter(None, sentences))))
        return make_column([parses[words] if words else EMPTY for words in sentences])

    def match_to(self, references: TokenColumn) -> Self:  # noqa: ARG002 - a parser takes any text
        """Return itself: a parser does not depend on the test set."""
        return self

    def _parse_all(self, sentences: Sequence[Sentence]) -> dict[Sentence, Parse]:
        cached = open_cache(self.cache_name)
        parses = _read_cached(cached, sentences)
        missing = [words for words in sentences if words not in parses]
        if missing and cached is not None:
            cached.check_writable()  # before parsing, which is slow
        for start in range(0, len(missing), BLOCK):
            report_progress("parsing", start, len(missing))
            block = missing[start : start + BLOCK]
            with _model_lock:
                fresh = dict(zip(block, self._run(block), strict=True))
            if cached is not None:
                cached.put_many({content_key(*words): encode_parse(fresh[words]) for words in block})
            parses |= fresh
        if missing:
            report_progress("parsing", len(missing), len(missing))
        return parses

    def _run(self, sentences: Sequence[Sentence]) -> Iterator[Parse]:
        """Parse sentences that are not empty."""
        raise NotImplementedError


def _read_cached(cached: DiskCache | None, sentences: Sequence[Sentence]) -> dict[Sentence, Parse]:
    if cached is None:
        return {}
    by_key = {content_key(*words): words for words in sentences}
    return {by_key[key]: decode_parse(data) for key, data in cached.get_many(list(by_key)).items()}
