"""The cosine of the word counts of two texts.

Matsuo, Komachi & Sudoh (2017), Section 3.1.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from tertium.kernels.embedding import count_cosines
from tertium.metrics.base import best_reference
from tertium.metrics.embedding._base import MeanSimilarity
from tertium.metrics.options import lowercase_option, tokenizer_option
from tertium.text import References, Texts
from tertium.values import Explanation, FloatArray


@dataclass(frozen=True)
class OneHot(MeanSimilarity):
    """100 · the cosine of the mean one-hot word vectors of both texts; punctuation counts.

    Two empty texts score 100; an empty text against a non-empty one scores 0. With several references the best one
    counts. The system score is the mean of the segment scores.

    >>> reference = "In both the cases, postoperative course were good."
    >>> round(OneHot().sentence_score("In both cases, the postoperative course was good.", [reference]).score, 2)
    90.0
    """

    paper: ClassVar[str] = "Matsuo, Komachi & Sudoh 2017"

    tokenizer: str = tokenizer_option("13a")
    lowercase: bool = lowercase_option(default=True)

    def _similarities(self, hypotheses: Texts, references: References) -> FloatArray:
        return count_cosines(*references.pair_tokens(hypotheses, self.tokenizer, lowercase=self.lowercase))

    def explain(self, hypothesis: str, references: Sequence[str]) -> Explanation:
        """Show how often each word occurs in the hypothesis and in the best reference."""
        nearest = references[best_reference(self, hypothesis, references)]
        one, other = (
            Texts([text]).tokens(self.tokenizer, lowercase=self.lowercase).words(0)
            for text in (hypothesis, nearest)
        )
        counts = {word: (one.count(word), other.count(word)) for word in dict.fromkeys([*one, *other])}
        return Explanation(
            metric=self.name,
            hypothesis=one,
            reference=other,
            score=self.sentence_score(hypothesis, references).value,
            steps=[f"{word}: {ours} and {theirs}" for word, (ours, theirs) in counts.items()],
        )
