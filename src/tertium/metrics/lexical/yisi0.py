"""YiSi-0: greedy matching of n-grams by common substrings of words, weighted by inverse document frequency.

Lo (2019), YiSi: a Unified Semantic MT Quality Evaluation and Estimation Metric for Languages with Different
Levels of Available Resources.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from tertium.kernels.elementary import log
from tertium.kernels.embedding import match_substrings
from tertium.kernels.strings import decode_texts, vocabulary_words
from tertium.metrics.base import best_reference
from tertium.metrics.frequencies import GreedyMatching, weighted_f
from tertium.metrics.lexical._word_ngrams import compare_word_pairs, cut_words
from tertium.metrics.options import lowercase_option, option, tokenizer_option
from tertium.text import References, Texts
from tertium.values import Explanation, FloatArray, TokenColumn


@dataclass(frozen=True)
class YiSi0(GreedyMatching):
    """P · R / (α · P + (1 − α) · R), where each n-gram is matched with the most similar n-gram of the other text.

    The similarity of two words is twice the length of their longest common substring over the sum of their
    lengths. Like the author's tool, this metric counts bytes of UTF-8, which makes words of scripts beyond Latin
    look more alike than they are; `unit=characters` counts characters. N-grams, weights and the formula are those
    of YiSi-1. Two empty texts score 100, an empty text against another 0. With several references the best one
    counts. The system score is the mean of the segment scores.

    The tool expects tokenised text (use `tokenizer=none`), while the default here tokenises raw text.
    """

    paper: ClassVar[str] = "Lo 2019"
    formula_options: ClassVar[frozenset[str]] = frozenset({"alpha"})

    tokenizer: str = tokenizer_option("13a")
    lowercase: bool = lowercase_option(default=False)
    order: int = option(3, "length of the n-grams", key="order", at_least=1, at_most=32)
    alpha: float = option(0.8, "weight of recall", key="alpha", at_least=0, at_most=1)
    unit: Literal["bytes", "characters"] = option("bytes", "unit of the common substrings of words")

    def count(self, hypotheses: Texts, references: References) -> FloatArray:
        ours = hypotheses.tokens(self.tokenizer, lowercase=self.lowercase)
        theirs = references.tokens(self.tokenizer, lowercase=self.lowercase)
        return match_substrings(
            (ours, self._weights(ours)),
            (theirs, self._weights(theirs)),
            references.offsets,
            self._letters(references.texts),
            order=self.order,
        )

    def explain(self, hypothesis: str, references: Sequence[str]) -> Explanation:
        """Show precision and recall of the n-grams, and the similarities of words."""
        metric = self._fitted(references)
        score = metric.sentence_score(hypothesis, references)
        nearest = best_reference(metric, hypothesis, references)
        words, (others,) = cut_words(self, hypothesis, [references[nearest]])
        facts = {**metric._facts(hypothesis, references), "nearest_reference": nearest + 1}  # noqa: SLF001
        steps = [f"{name}: {value:.2f}" for name, value in score.details.items()]
        return Explanation(
            self.name,
            words,
            others,
            score.value,
            rows=words,
            columns=others,
            matrices=compare_word_pairs(metric, words, others),
            steps=steps,
            facts=facts,
        )

    def _weights(self, tokens: TokenColumn) -> FloatArray:
        if self.frequencies is None:
            return np.ones(len(tokens.ids))
        return log(1.0 + self.frequencies.ratios(tokens))

    def _letters(self, texts: Texts) -> TokenColumn:
        if self.unit == "characters":
            return vocabulary_words(texts.vocabulary)
        words = texts.vocabulary.words(np.arange(len(texts.vocabulary), dtype=np.int32))
        return decode_texts([word.encode().decode("latin-1") for word in words], keep_space=True)

    def _reference_tokens(self, references: References) -> TokenColumn:
        return references.tokens(self.tokenizer, lowercase=self.lowercase)

    def _score(self, precision: FloatArray, recall: FloatArray) -> FloatArray:
        return weighted_f(precision, recall, self.alpha)
