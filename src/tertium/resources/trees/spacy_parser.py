"""Dependency trees from a spaCy model."""

import warnings
from collections.abc import Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING

from tertium.errors import ResourceError, argument
from tertium.records import record
from tertium.resources.trees.parses import CachedTrees, Parse, Sentence
from tertium.resources.trees.spacy_models import COMPONENTS

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc


@record
class SpacyTrees(CachedTrees):
    """Parses with a spaCy model."""

    def _run(self, sentences: Sequence[Sentence]) -> Iterator[Parse]:
        pipeline = _load_pipeline(self.model.name)
        for words in sentences:
            if (size := sum(map(len, words))) > pipeline.max_length:
                raise ResourceError(
                    f"a sentence of {size:,} characters is longer than the parser {self.model.name} accepts "
                    f"({pipeline.max_length:,}); it begins {' '.join(words[:8])[:60]!r}; split it, "
                    f"or give its tree with {argument('trees', 'FILE')}"
                )
        documents = [_as_document(pipeline, words) for words in sentences]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # spaCy's warnings are for developers
            yield from map(_as_parse, pipeline.pipe(documents))


@cache
def _load_pipeline(name: str) -> "Language":
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # such as: trained with another minor version
        import spacy  # noqa: PLC0415 - takes seconds

        try:
            pipeline = spacy.load(name)
        except (OSError, ValueError, KeyError, ImportError) as error:  # spaCy's errors for a broken model
            reason = " ".join(str(error).split())[:120]
            raise ResourceError(
                f"the spaCy model {name!r} cannot be loaded ({reason}); install or save it again"
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
        # Tokens that the parser did not attach, such as white space, are attached to the root.
        [root if head == -1 and i != root else head for i, head in enumerate(heads)],
        [token.lemma_ or token.text for token in document],
        [token.pos_ for token in document],
        [token.dep_ for token in document],
    )
