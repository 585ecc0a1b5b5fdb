"""BERTScore: greedy matching of contextual word vectors.

Zhang, Kishore, Wu, Weinberger & Artzi (2020), BERTScore: Evaluating Text Generation with BERT.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Literal

import numpy as np

from tertium.kernels.elementary import log
from tertium.metrics.embedding._base import VectorMatching
from tertium.metrics.frequencies import weighted_f
from tertium.metrics.options import option
from tertium.values import Explanation, FloatArray


@dataclass(frozen=True)
class BERTScore(VectorMatching):
    """F1 of precision and recall: the mean, over a text's words, of the largest cosine with the other text's words.

    Recall is the mean over the reference's words, precision the mean over those of the hypothesis; `part` selects
    one of them instead of F1. With `idf`, words are weighted by ln((N + 1) / (n + 1)), where n of the N references
    contain the word. `baseline` rescales every value x to (x − baseline) / (1 − baseline), as bert_score does; a
    score below the baseline is negative.

    The vectors are those of `--vectors`, one per word of the tokenizer: contextual ones by intention, but a table
    of words works as well. Published BERTScores depend on the encoder, its layer and its word pieces, and can only
    be compared with scores of the same vectors. Equal words without a vector have similarity 1. Two empty texts
    score 100, an empty text against another 0. With several references the best one counts. The system score is
    the mean of the segment scores.
    """

    paper: ClassVar[str] = "Zhang, Kishore, Wu, Weinberger & Artzi 2020"
    takes_best_reference: ClassVar[bool] = True  # without idf
    formula_options: ClassVar[frozenset[str]] = frozenset({"part", "baseline"})

    part: Literal["f1", "precision", "recall"] = option("f1", "value that is the score", key="part")
    idf: bool = option(False, "weigh words by inverse document frequency in the references", key="idf")
    baseline: float = option(0.0, "score of unrelated texts, which is mapped to 0", at_least=-1, at_most=0.99)

    @property
    def uses_frequencies(self) -> bool:
        return self.idf

    def explain(self, hypothesis: str, references: Sequence[str]) -> Explanation:
        """Show the cosines of all word pairs, and the match of each word."""
        words = self._explain_matches(hypothesis, references)
        alike = words.matrices["similarity"]
        if 0 in alike.shape:
            return words
        there = [(i, int(j)) for i, j in enumerate(alike.argmax(axis=1))]
        back = [(int(i), j) for j, i in enumerate(alike.argmax(axis=0))]
        links = [(i, j, f"{alike[i, j]:.3f}") for i, j in sorted({*there, *back})]
        steps = [f"{words.rows[i]} – {words.columns[j]}: {value}" for i, j, value in links]
        return replace(words, links=links, steps=steps)

    def _score(self, precision: FloatArray, recall: FloatArray) -> FloatArray:
        value = {"f1": weighted_f(precision, recall, 0.5), "precision": precision, "recall": recall}[
            self.part
        ]
        return np.asarray((value - self.baseline) / (1.0 - self.baseline))

    def _weigh(self, ratios: FloatArray) -> FloatArray:
        return log(ratios)
