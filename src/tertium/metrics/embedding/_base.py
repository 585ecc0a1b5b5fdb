"""The base classes of metrics over word vectors: tokenisation, vector lookup and word-pair similarities."""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal

import numpy as np

from tertium.errors import ResourceError, argument
from tertium.interfaces import VectorKind, WordVectors, vector_kind
from tertium.kernels.embedding import (
    EmbeddedTexts,
    WordPairing,
    embed_texts,
    largest_magnitude,
    match_vectors,
    solve_assignments,
    word_alignment_similarities,
    word_similarities,
)
from tertium.metrics.base import Metric, best_reference
from tertium.metrics.frequencies import GreedyMatching
from tertium.metrics.options import Option, lowercase_option, option, tokenizer_option
from tertium.text import References, Texts
from tertium.values import Embedding, Explanation, FloatArray, TokenColumn

# Scaling in steps of 2⁸⁰ keeps values below 2⁴⁰, whose products and sums stay far from the limits of single precision.
_STEP = 80


def rescale_vectors(embedding: Embedding, tokens: TokenColumn, identity: str) -> Embedding:
    """Multiply all vectors by one power of two if their products could overflow or underflow.

    All metrics compare directions, so a common factor does not change scores, and a power of two causes no
    rounding. The exponent is a multiple of a large step, so that hypotheses and references, which are looked up
    separately, get the same factor.

    Raises
    ------
    ResourceError
        If a vector is not finite.
    """
    largest = largest_magnitude(embedding.matrix)
    if not np.isfinite(largest):
        raise ResourceError(f"{identity}: the vector of {_find_bad(embedding, tokens)!r} is not finite")
    _, exponent = np.frexp(largest)
    steps = round(int(exponent) / _STEP)
    if steps == 0:
        return embedding
    return replace(embedding, matrix=np.ldexp(embedding.matrix, -_STEP * steps))


def _find_bad(embedding: Embedding, tokens: TokenColumn) -> str:
    """Find a word whose vector is not finite."""
    bad_rows = np.flatnonzero(~np.isfinite(embedding.matrix).all(axis=1))
    at = np.flatnonzero(np.isin(embedding.rows, bad_rows))
    return tokens.vocabulary.words(tokens.ids[at[:1]])[0] if len(at) else "an unused word"


# Contextual vectors of a text of 25 words need 40 to 100 kilobytes.
_MAX_ENCODED = 2_000


@dataclass(frozen=True)
class EmbeddingMetric(Metric):
    """A metric that looks up every token in word vectors.

    Options whose defaults depend on the vectors are set here, unless the user set them.
    """

    takes_best_reference: ClassVar[bool] = True

    vectors: WordVectors = option(None, "word vectors", key="vectors")
    tokenizer: str = tokenizer_option("13a")
    lowercase: bool = lowercase_option(default=True)

    def __post_init__(self) -> None:
        if self.vectors is None:
            raise ResourceError(f"{self.name} needs word vectors: pass {argument('vectors', 'FILE')}")
        for known in self.options():
            if known.by_vectors is not None and getattr(self, known.name) is None:
                object.__setattr__(self, known.name, self.usual(known))
        super().__post_init__()

    @property
    def most_segments(self) -> int | None:
        return _MAX_ENCODED if vector_kind(self.vectors) == "contextual" else None

    def usual(self, option: Option) -> Any:
        return option.default_for(vector_kind(self.vectors))

    def _embed(self, texts: Texts) -> EmbeddedTexts:
        key = ("embedded", self.vectors.identity, self.tokenizer, self.lowercase)
        return texts.remember(key, lambda: embed_texts(*self._look_up(texts)))

    def _look_up(self, texts: Texts) -> tuple[TokenColumn, Embedding]:
        tokens = self._tokens(texts)
        return tokens, self._find_vectors(tokens)

    def _find_vectors(self, tokens: TokenColumn) -> Embedding:
        return rescale_vectors(self.vectors.embed(tokens), tokens, self.vectors.identity)

    def _tokens(self, texts: Texts) -> TokenColumn:
        return texts.tokens(self.tokenizer, lowercase=self.lowercase)

    def _explain_words(
        self, hypothesis: str, references: Sequence[str], *, strict: bool = False
    ) -> Explanation:
        """Return the similarity of every word of the hypothesis to every word of its best reference."""
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


@dataclass(frozen=True)
class MeanSimilarity(Metric):
    """A metric whose statistics are (100 · similarity to the best reference, 1)."""

    takes_best_reference: ClassVar[bool] = True

    def statistics(self, hypotheses: Texts, references: References) -> FloatArray:
        similarities = self._similarities(hypotheses, references)
        best = 100.0 * np.maximum.reduceat(similarities, references.offsets[:-1])
        return np.stack([best, np.ones_like(best)], axis=-1)

    def combine(self, totals: FloatArray) -> FloatArray:
        count = totals[..., 1]
        return np.where(count > 0, totals[..., 0] / np.where(count > 0, count, 1.0), self.worst)

    @abstractmethod
    def _similarities(self, hypotheses: Texts, references: References) -> FloatArray:
        """Compute the similarity, 0 to 1, of each reference to the hypothesis of its segment."""


def threshold_option(by_vectors: Mapping[VectorKind, float]) -> float:
    """Declare the threshold, with default 0 except for the given kinds of vectors."""
    declared: float = option(
        0.0,
        "similarities below this count as 0",
        key="threshold",
        at_least=0,
        at_most=1,
        grid=[n / 20 for n in range(21)],
        by_vectors=by_vectors,
    )
    return declared


@dataclass(frozen=True)
class WordPairMetric(MeanSimilarity, EmbeddingMetric):
    """A mean of the similarities of word pairs; `pairing` selects the pairs of words that count."""

    pairing: ClassVar[WordPairing]
    paper: ClassVar[str] = "Matsuo, Komachi & Sudoh 2017"

    threshold: float = threshold_option({})
    oov: Literal["identity", "zero"] = option(
        "identity", "similarity of equal words without a vector: 1 (identity) or 0 (zero)"
    )

    def _similarities(self, hypotheses: Texts, references: References) -> FloatArray:
        return word_alignment_similarities(
            self._embed(hypotheses),
            self._embed(references.texts),
            references.offsets,
            kind=self.pairing,
            threshold=self.threshold,
            strict=self.oov == "zero",
        )

    def explain(self, hypothesis: str, references: Sequence[str]) -> Explanation:
        """Show the similarity of all word pairs, and which of them count."""
        words = self._explain_words(hypothesis, references, strict=self.oov == "zero")
        alike = words.matrices["similarity"]
        kept = np.where(alike >= self.threshold, alike, 0.0)
        links = [(i, j, f"{kept[i, j]:.3f}") for i, j in self._pairs(kept) if kept[i, j] > 0]
        steps = [f"{words.rows[i]} – {words.columns[j]}: {value}" for i, j, value in links]
        return replace(words, links=links, steps=steps)

    def _pairs(self, kept: FloatArray) -> list[tuple[int, int]]:
        """List the pairs of words that count; none for WAS, where all pairs do and the matrix shows them."""
        if self.pairing == "whole" or 0 in kept.shape:
            return []
        if self.pairing == "hungarian":
            (match,) = solve_assignments([kept])[1]
            return [(i, int(j)) for i, j in enumerate(match) if j >= 0]
        there = [(i, int(j)) for i, j in enumerate(kept.argmax(axis=1))]
        back = [(int(i), j) for j, i in enumerate(kept.argmax(axis=0))]
        return sorted({*there, *back})


@dataclass(frozen=True)
class VectorMatching(GreedyMatching, EmbeddingMetric):
    """Greedy matching of words or n-grams by the cosines of their words."""

    def count(self, hypotheses: Texts, references: References) -> FloatArray:
        return match_vectors(
            self._embed(hypotheses), self._embed(references.texts), references.offsets, order=self._order
        )

    @property
    def _order(self) -> int:
        return 1

    @abstractmethod
    def _weigh(self, ratios: FloatArray) -> FloatArray:
        """Turn (N + 1) / (n + 1), for words in n of N references, into weights."""

    def _reference_tokens(self, references: References) -> TokenColumn:
        return references.tokens(self.tokenizer, lowercase=self.lowercase)

    def _embed(self, texts: Texts) -> EmbeddedTexts:
        learnt = self.frequencies
        if learnt is None:
            return super()._embed(texts)

        def embed() -> EmbeddedTexts:
            tokens, embedding = self._look_up(texts)
            return embed_texts(tokens, embedding, self._weigh(learnt.ratios(tokens)))

        key = (self.name, self.vectors.identity, self.tokenizer, self.lowercase, id(learnt))
        return texts.remember(key, embed)

    def _explain_matches(self, hypothesis: str, references: Sequence[str]) -> Explanation:
        """Return the cosines of all word pairs, with precision and recall."""
        metric = self._fitted(references)
        words = metric._explain_words(hypothesis, references)  # noqa: SLF001 - another value of this class
        return replace(words, facts=metric._facts(hypothesis, references))  # noqa: SLF001 - as above
