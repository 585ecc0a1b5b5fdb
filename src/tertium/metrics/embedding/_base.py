"""What metrics over word vectors share: the vectors, and how text is cut before they are looked up."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from tertium.errors import ResourceError
from tertium.interfaces import WordVectors, vector_kind
from tertium.kernels.embedding import EmbeddedTexts, embed_texts, word_similarities
from tertium.metrics.base import Metric
from tertium.metrics.best_reference import best_reference
from tertium.metrics.embedding._scaling import tame_vectors
from tertium.metrics.options import Option, lowercase_option, option, tokenizer_option
from tertium.text import Texts
from tertium.types import Embedding, Explanation, TokenColumn

__all__ = ["EmbeddingMetric"]

# A vector for each of 25 words takes 40 to 100 kilobytes a text.
_MOST_ENCODED = 2_000


@dataclass(frozen=True)
class EmbeddingMetric(Metric):
    """A metric that looks every token up in word vectors.

    An option whose default depends on the vectors gets its value here, once; what was given stays.
    """

    takes_best_reference: ClassVar[bool] = True

    vectors: WordVectors = option(None, "word vectors: pass --vectors FILE", key="vectors")
    tokenizer: str = tokenizer_option("13a")
    lowercase: bool = lowercase_option(default=True)

    def __post_init__(self) -> None:
        if self.vectors is None:
            raise ResourceError(
                f"{self.name} needs word vectors: pass vectors=… (on the command line, --vectors FILE)"
            )
        for each in self.options():
            if each.by_vectors is not None and getattr(self, each.name) is None:
                object.__setattr__(self, each.name, self.usual(each))
        super().__post_init__()

    @property
    def most_segments(self) -> int | None:
        return _MOST_ENCODED if vector_kind(self.vectors) == "contextual" else None

    def usual(self, option: Option) -> Any:
        return option.default_for(vector_kind(self.vectors))

    def _embed(self, texts: Texts) -> EmbeddedTexts:
        key = ("embedded", self.vectors.identity, self.tokenizer, self.lowercase)
        return texts.remember(key, lambda: embed_texts(*self._look_up(texts)))

    def _look_up(self, texts: Texts) -> tuple[TokenColumn, Embedding]:
        tokens = self._tokens(texts)
        return tokens, self._find_vectors(tokens)

    def _find_vectors(self, tokens: TokenColumn) -> Embedding:
        return tame_vectors(self.vectors.embed(tokens), tokens, self.vectors.identity)

    def _tokens(self, texts: Texts) -> TokenColumn:
        return texts.tokens(self.tokenizer, lowercase=self.lowercase)

    def _explain_words(
        self, hypothesis: str, references: Sequence[str], *, strict: bool = False
    ) -> Explanation:
        """Show the similarity of every word of the hypothesis to every word of its best reference."""
        nearest = Texts([references[best_reference(self, hypothesis, references)]])
        texts = Texts([hypothesis], nearest.vocabulary)
        rows, columns = self._tokens(texts).words(0), self._tokens(nearest).words(0)
        alike = word_similarities(self._embed(texts), self._embed(nearest), strict=strict)
        return Explanation(
            metric=self.name,
            hypothesis=rows,
            reference=columns,
            score=self.sentence_score(hypothesis, references).value,
            rows=rows,
            columns=columns,
            matrices={"similarity": alike},
        )
