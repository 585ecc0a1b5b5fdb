"""EED: extended edit distance over characters, with jumps at word boundaries and a coverage term.

Stanchev, Wang & Ney (2019), EED: Extended Edit Distance Measure for Machine Translation.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from tertium.kernels.edits import count_extended_edits
from tertium.kernels.strings import decode_texts
from tertium.metrics.base import CountingMetric, best_reference, keep_best
from tertium.metrics.lexical._word_ngrams import order_facts
from tertium.metrics.options import lowercase_option, option
from tertium.text import References, Texts
from tertium.values import Explanation, FloatArray, OffsetArray, TokenColumn


@dataclass(frozen=True)
class EED(CountingMetric):
    """min(1, (cost + coverage) / (reference length + coverage)), in characters.

    The reference is covered from left to right. The cost of the cheapest path counts deletions, insertions and
    substitutions of characters; after each space of the reference, a jump to any position of the hypothesis costs
    `jump`. After each reference character the cheapest position so far is marked as visited. Coverage is `coverage`
    times the number of positions that are never visited and of repeated visits.

    As in the authors' EED.py, texts are prepared first: a space is put before . ! ? and , except after a few
    titles such as Mr, and around the whole text. With several references the lowest score counts. The system
    score is the mean of the segment scores. The position before the first character is never visited, so a text
    scores a little above 0 against itself, and an empty hypothesis a little below 100.

    Published scores are usually those of the authors' C++ program, which their command runs by default: `eed@program`
    (`variant=program`) gives them. The program differs in three ways: it keeps the lowest cost so far in an
    integer, so that another position than the cheapest may be marked as visited and be the start of jumps; it leaves
    the position before the first character out of the coverage, so a text scores 0 against itself; and it
    computes in single precision. Its scores differ from the formula's in all of 56 test pairs, by 0.7 points in the
    median and by up to 6.6.

    >>> round(EED().sentence_score("the cat is on the mat", ["the cat sat on the mat"]).score, 2)
    15.5
    """

    paper: ClassVar[str] = "Stanchev, Wang & Ney 2019"
    higher_is_better: ClassVar[bool] = False
    best: ClassVar[float] = 0.0
    worst: ClassVar[float] = 100.0
    takes_best_reference: ClassVar[bool] = True
    perfect_from: ClassVar[int | None] = None
    empty_is_worst: ClassVar[bool] = False
    formula_options: ClassVar[frozenset[str]] = frozenset({"coverage"})

    lowercase: bool = lowercase_option(default=False)
    deletion: float = option(0.2, "cost of a hypothesis character that is left out", at_least=0, at_most=100)
    insertion: float = option(1.0, "cost of a reference character that is missing", at_least=0, at_most=100)
    substitution: float = option(1.0, "cost of another character", at_least=0, at_most=100)
    jump: float = option(2.0, "cost of a jump", at_least=0, at_most=1000)
    coverage: float = option(0.3, "weight of positions that are not visited once", at_least=0, at_most=100)
    variant: Literal["formula", "program"] = option(
        "formula", "whether positions are visited as in the formula or as in the authors' C++ program"
    )

    def count(self, hypotheses: Texts, references: References) -> FloatArray:
        """Compute, for each reference: cost of the path, coverage term without its weight, reference length."""
        theirs = self._characters(references.texts)
        parts = count_extended_edits(
            self._characters(hypotheses),
            theirs,
            references.offsets,
            deletion=self.deletion,
            insertion=self.insertion,
            substitution=self.substitution,
            jump=self.jump,
            as_program=self.variant == "program",
        )
        return np.column_stack([parts, theirs.lengths])

    def weigh(self, counts: FloatArray, groups: OffsetArray) -> FloatArray:
        cost, visits, length = counts.T
        term = self.coverage * visits
        scores = 100.0 * np.minimum(1.0, (cost + term) / (length + term))
        rows = np.column_stack([scores, cost, term, length, np.ones_like(scores)])
        return keep_best(rows, groups, lambda kept: -kept[:, 0])

    def combine(self, totals: FloatArray) -> FloatArray:
        return totals[..., 0] / np.maximum(totals[..., -1], 1.0)

    def details(self, totals: FloatArray) -> dict[str, float]:
        names = ("path_cost", "coverage_term", "reference_characters")
        return {name: float(total) for name, total in zip(names, totals[1:4], strict=True)}

    def explain(self, hypothesis: str, references: Sequence[str]) -> Explanation:
        """Show the parts of the formula."""
        score = self.sentence_score(hypothesis, references)
        nearest = best_reference(self, hypothesis, references)
        texts = [prepare(text) for text in (hypothesis, references[nearest])]
        cost, term, length = score.details.values()
        return Explanation(
            metric=self.name,
            hypothesis=texts[0].split(),
            reference=texts[1].split(),
            score=score.value,
            steps=[
                f"the cheapest path costs {cost:.1f} for {length:.0f} characters of the reference",
                f"positions of the hypothesis that are not visited exactly once cost {term:.1f}",
            ],
            facts={**order_facts(score.details), "nearest_reference": nearest + 1},
        )

    def _characters(self, texts: Texts) -> TokenColumn:
        def decode() -> TokenColumn:
            column = texts.column(lowercase=self.lowercase)
            return decode_texts([prepare(text) for text in column], keep_space=True)

        return texts.remember(("EED", self.lowercase), decode)


_SPACES = re.compile(r"\s+")
_MARKS = re.compile(r"([.!?,])")
_NUMBERS = re.compile(r"(\d) ([.,]) (\d)")
# As in EED.py: any character becomes a full stop.
_TITLES = re.compile(r"(Dr|Jr|Prof|Rev|Gen|Mr|Mt|Mrs|Ms) .")
_ABBREVIATIONS = {"e . g .": "e.g.", "i . e .": "i.e.", "U . S .": "U.S."}


def prepare(text: str) -> str:
    """Separate punctuation marks as EED.py does, and put a space at both ends.

    >>> prepare("Mr. Li paid 3.50, e.g. here.")
    ' Mr. Li paid 3 .50 , e .g . here . '
    """
    text = _SPACES.sub(" ", _MARKS.sub(r" \1", text.rstrip()))
    text = _TITLES.sub(r"\1.", _NUMBERS.sub(r"\1\2\3", text))
    for apart, joined in _ABBREVIATIONS.items():
        text = text.replace(apart, joined)
    return f" {text} "
