"""Position-independent error rate: WER without regard to word order.

Leusch, Ueffing & Ney (2003), A Novel String-to-String Distance Measure, Section 4.2.3.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from tertium.kernels.edits import count_bag_errors
from tertium.metrics.base import best_reference
from tertium.metrics.lexical._word_edits import WordErrorRate
from tertium.metrics.lexical._word_ngrams import list_counts, order_facts
from tertium.text import References, Texts
from tertium.values import Explanation, FloatArray


@dataclass(frozen=True)
class PER(WordErrorRate):
    """(max(|h|, |r|) − number of common words, counted with repetitions) / reference length.

    References and normalisation are those of WER: with several references the nearest one counts, and the system
    score is the sum of errors over all segments divided by the sum of **average** reference lengths.

    >>> PER().corpus_score(["a b c d"], [["d c b a"]], orientation="streams").score
    0.0
    """

    paper: ClassVar[str] = "Leusch, Ueffing & Ney 2003"

    def statistics(self, hypotheses: Texts, references: References) -> FloatArray:
        return count_bag_errors(*references.pair_tokens(hypotheses, self.tokenizer, lowercase=self.lowercase))

    def explain(self, hypothesis: str, references: Sequence[str]) -> Explanation:
        """Show the words that both texts have, that only the hypothesis has, and that are missing from it."""
        score = self.sentence_score(hypothesis, references)
        nearest = best_reference(self, hypothesis, references)
        words = self.words(hypothesis, references[nearest])
        ours, theirs = map(Counter, words)
        sides = {"in both": ours & theirs, "surplus": ours - theirs, "missing": theirs - ours}
        numbers = {f"words {name}": float(counts.total()) for name, counts in sides.items()}
        return Explanation(
            metric=self.name,
            hypothesis=words[0],
            reference=words[1],
            score=score.value,
            links=_link_equal_words(*words),
            steps=[f"{name}: {list_counts(counts)}" for name, counts in sides.items() if counts],
            facts={**numbers, **order_facts(score.details), "nearest_reference": nearest + 1},
        )


def _link_equal_words(hypothesis: Sequence[str], reference: Sequence[str]) -> list[tuple[int, int, str]]:
    """Link each word to the first equal word that is not linked yet."""
    free: dict[str, list[int]] = {}
    for j, word in reversed(list(enumerate(reference))):
        free.setdefault(word, []).append(j)
    return [(i, free[word].pop(), "match") for i, word in enumerate(hypothesis) if free.get(word)]
