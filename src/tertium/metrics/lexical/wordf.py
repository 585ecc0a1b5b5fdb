"""wordF: the F-score of word n-grams, which chrF++.py computes in addition to that of characters.

Popović (2017), chrF++: words helping character n-grams.
"""

from dataclasses import dataclass
from typing import ClassVar

from tertium.kernels.ngrams import count_overlaps
from tertium.metrics.lexical._f_score import NgramFScore, View, f_score
from tertium.metrics.options import lowercase_option, option, tokenizer_option
from tertium.text import References, Texts
from tertium.values import FloatArray


@dataclass(frozen=True)
class WordF(NgramFScore):
    """The mean over word n-gram orders 1 to 4 of F_β = (1 + β²)·P·R / (β²·P + R).

    An order that is longer than one of the texts counts as 0, so texts of fewer than four words score below 100.
    With `eps_smoothing=no`, precision and recall are averaged over the orders that both texts have instead, as in
    chrF. Words are split at white space, and one punctuation mark at their beginning or end is separated.

    With several references the one with the best segment score counts. The system score is the formula over the
    counts summed over all segments.

    Segment scores equal those of chrF++.py with -nc 0 -nw 4. Its system score is not reproduced: for a segment
    whose F is 0, that tool adds the counts of the previous segment again. It also stops at an empty reference,
    where the score here is 0. As in the tool, hypothesis n-grams that are longer than the reference are not
    counted.

    >>> round(WordF().sentence_score("the cat sat on a mat", ["the cat sat on the mat"]).score, 2)
    56.67
    """

    paper: ClassVar[str] = "Popović 2017"
    perfect_from: ClassVar[int] = 4

    tokenizer: str = tokenizer_option("chrf")
    lowercase: bool = lowercase_option(default=False)
    eps_smoothing: bool = option(
        True, "average the F-scores of all orders instead of precision and recall", key="eff",
        spelled={False: "yes", True: "no"},  # as in sacreBLEU's signature of chrF
    )  # fmt: skip
    order: int = option(4, "length of the longest word n-gram", key="nw", at_least=1, at_most=64)
    beta: float = option(
        2, "weight of recall relative to precision", at_least=0, at_most=1000, grid=(1, 2, 3)
    )

    def count(self, hypotheses: Texts, references: References) -> FloatArray:
        return count_overlaps(
            *references.pair_tokens(hypotheses, self.tokenizer, lowercase=self.lowercase), order=self.order
        )

    def combine(self, totals: FloatArray) -> FloatArray:
        return f_score(totals, self.beta, is_smoothed=self.eps_smoothing)

    def views(self, texts: Texts) -> list[View]:
        return [("word", texts.tokens(self.tokenizer, lowercase=self.lowercase), self.order)]
