"""chrF and chrF++: F-scores of character (and word) n-grams, identical to sacreBLEU 2.6.

Popović (2015), chrF: character n-gram F-score for automatic MT evaluation; Popović (2017), chrF++:
words helping character n-grams.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tertium.errors import OptionError
from tertium.kernels.ngrams import count_overlaps
from tertium.metrics.lexical._f_score import NgramFScore, View, f_score
from tertium.metrics.options import lowercase_option, option
from tertium.text import References, Texts
from tertium.values import FloatArray


@dataclass(frozen=True)
class ChrF(NgramFScore):
    """F_β = (1 + β²)·P·R / (β²·P + R), where P and R are averaged over the n-gram orders.

    The n-grams have 1 to `char_order` characters, without white space, and 1 to `word_order` words;
    `word_order=2` is chrF++. Words are split at white space, and one punctuation mark at their beginning or end
    is separated. An order is part of the average if both texts have n-grams of that order (effective order). With
    `eps_smoothing` the score is the mean of the F-scores of all orders instead, where orders without n-grams count
    as 0; segment scores then equal those of chrF++.py.

    With several references the one with the best segment score counts. The system score is the formula over the
    counts summed over all segments.

    As in sacreBLEU, hypothesis n-grams that are longer than the reference are not counted, and an empty text
    scores 0, even against an empty reference.

    >>> round(ChrF().sentence_score("the cat sat on a mat", ["the cat sat on the mat"]).score, 2)
    65.98
    """

    title: ClassVar[str] = "chrF"
    paper: ClassVar[str] = "Popović 2015, 2017"

    lowercase: bool = lowercase_option(default=False)
    eps_smoothing: bool = option(
        False,
        "average the F-scores of all orders, as chrF++.py does, instead of precision and recall",
        key="eff",
        spelled={False: "yes", True: "no"},  # sacreBLEU's signature shows whether the order is effective
    )
    char_order: int = option(6, "length of the longest character n-gram", key="nc", at_least=0, at_most=64)
    word_order: int = option(
        0, "length of the longest word n-gram (2 gives chrF++)", key="nw", at_least=0, at_most=64
    )
    whitespace: bool = option(False, "keep white space in character n-grams", key="space")
    beta: float = option(
        2, "weight of recall relative to precision", at_least=0, at_most=1000, grid=(1, 2, 3)
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.char_order + self.word_order == 0:
            raise OptionError("chrf: char_order and word_order are both 0; at least one must be 1 or more")

    def count(self, hypotheses: Texts, references: References) -> FloatArray:
        return np.concatenate(
            [self._count_characters(hypotheses, references), self._count_words(hypotheses, references)],
            axis=1,
        )

    def combine(self, totals: FloatArray) -> FloatArray:
        return f_score(totals, self.beta, is_smoothed=self.eps_smoothing)

    def views(self, texts: Texts) -> list[View]:
        characters = texts.characters(lowercase=self.lowercase, keep_space=self.whitespace)
        words = texts.tokens("chrf", lowercase=self.lowercase)
        return [("character", characters, self.char_order), ("word", words, self.word_order)]

    def _count_characters(self, hypotheses: Texts, references: References) -> FloatArray:
        return count_overlaps(
            hypotheses.characters(lowercase=self.lowercase, keep_space=self.whitespace),
            references.characters(lowercase=self.lowercase, keep_space=self.whitespace),
            references.offsets,
            order=self.char_order,
        )

    def _count_words(self, hypotheses: Texts, references: References) -> FloatArray:
        if self.word_order == 0:
            return np.zeros((len(references.texts), 0))
        return count_overlaps(
            *references.pair_tokens(hypotheses, "chrf", lowercase=self.lowercase), order=self.word_order
        )
