"""Trees from a spaCy model, each sentence parsed once for ever."""

import threading
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Self

from tertium.errors import ResourceError
from tertium.files.cache import DiskCache, content_key, open_cache
from tertium.resources.progress import report_progress
from tertium.resources.trees.parses import EMPTY, PARSE_FORMAT, Parse, decode_parse, encode_parse, make_column
from tertium.resources.trees.spacy_models import COMPONENTS, Model
from tertium.text.languages import target_language
from tertium.types import TokenColumn, TreeColumn

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

__all__ = ["SpacyTrees"]

# Sentences between two writes to the cache: what a killed run loses at most.
BLOCK = 512

Sentence = tuple[str, ...]

# A pipeline keeps what it learns about words, without a lock of its own.
_model_lock = threading.Lock()


@dataclass(frozen=True)
class SpacyTrees:
    """Parses with a spaCy model, over the tokens as they are given.

    Every text is one sentence: its tree has one root, whatever full stops it contains. The model is
    loaded only when a sentence is met that is not in the cache.
    """

    model: Model

    @property
    def identity(self) -> str:
        return self.model.identity

    @property
    def languages(self) -> frozenset[str] | None:
        """The language of the model; None if it does not say, or is made for many (xx)."""
        code = self.model.language
        return None if code in (None, "xx") else frozenset({target_language(code)})

    @property
    def cache_name(self) -> str:
        """Where trees are kept: another model, or another way to write trees down, has another place."""
        return f"trees-{PARSE_FORMAT}-{self.model.version}-{self.model.checksum[:16]}"

    def parse(self, tokens: TokenColumn) -> TreeColumn:
        """Parse every text, or take its tree from the cache.

        Raises
        ------
        ResourceError
            If a text is longer than the parser accepts.
        """
        sentences = [tuple(tokens.words(i)) for i in range(len(tokens))]
        parses = self._parse_all(list(dict.fromkeys(filter(None, sentences))))
        return make_column([parses[words] if words else EMPTY for words in sentences])

    def align(self, references: TokenColumn) -> Self:  # noqa: ARG002 - a parser takes any text
        """Return itself: a parser knows no test set."""
        return self

    def _parse_all(self, sentences: Sequence[Sentence]) -> dict[Sentence, Parse]:
        cached = open_cache(self.cache_name)
        parses = _recall(cached, sentences)
        missing = [words for words in sentences if words not in parses]
        if missing and cached is not None:
            cached.check_writable()  # before the work
        for start in range(0, len(missing), BLOCK):
            report_progress("parsing", start, len(missing))
            block = missing[start : start + BLOCK]
            with _model_lock:
                fresh = dict(zip(block, _run_model(self.model.name, block), strict=True))
            if cached is not None:
                cached.put_many({content_key(*words): encode_parse(fresh[words]) for words in block})
            parses |= fresh
        if missing:
            report_progress("parsing", len(missing), len(missing))
        return parses


def _recall(cached: DiskCache | None, sentences: Sequence[Sentence]) -> dict[Sentence, Parse]:
    if cached is None:
        return {}
    by_key = {content_key(*words): words for words in sentences}
    return {by_key[key]: decode_parse(data) for key, data in cached.get_many(list(by_key)).items()}


def _run_model(name: str, sentences: Sequence[Sentence]) -> Iterator[Parse]:
    pipeline = _load_pipeline(name)
    for words in sentences:
        if (size := sum(map(len, words))) > pipeline.max_length:
            raise ResourceError(
                f"a sentence of {size:,} characters is longer than the parser {name} accepts "
                f"({pipeline.max_length:,}); it begins {' '.join(words[:8])[:60]!r}; split it, "
                "or give its tree with --trees FILE"
            )
    documents = [_as_document(pipeline, words) for words in sentences]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # spaCy's notes to its developers
        yield from map(_as_parse, pipeline.pipe(documents))


@cache
def _load_pipeline(name: str) -> "Language":
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # such as: trained with another minor version
        import spacy  # noqa: PLC0415 - takes seconds

        try:
            pipeline = spacy.load(name)
        except (OSError, ValueError, KeyError, ImportError) as error:  # what spaCy raises for a broken model
            reason = " ".join(str(error).split())[:120]
            raise ResourceError(
                f"the spaCy model {name!r} cannot be loaded ({reason}); install or save it anew"
            ) from error
        for component in pipeline.pipe_names:
            if component not in COMPONENTS:
                pipeline.remove_pipe(component)
    if "parser" not in pipeline.pipe_names:
        raise ResourceError(f"the spaCy model {name!r} has no parser; choose one that lists 'parser'")
    return pipeline


def _as_document(pipeline: "Language", words: Sentence) -> "Doc":
    from spacy.tokens import Doc  # noqa: PLC0415

    document = Doc(pipeline.vocab, words=list(words))
    for token in document[1:]:
        token.is_sent_start = False  # a segment is one tree
    return document


def _as_parse(document: "Doc") -> Parse:
    heads = [-1 if token.head.i == token.i else token.head.i for token in document]
    root = heads.index(-1)
    return Parse(
        # A part that the parser left alone, such as a token of white space, hangs under the root.
        [root if head == -1 and i != root else head for i, head in enumerate(heads)],
        [token.lemma_ or token.text for token in document],
        [token.pos_ for token in document],
        [token.dep_ for token in document],
    )
