"""BLEU, identical to sacreBLEU 2.6.

Papineni, Roukos, Ward & Zhu (2002), BLEU: a Method for Automatic Evaluation of Machine Translation.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from tertium.kernels.ngrams import count_bleu
from tertium.metrics.base import Metric, best_reference
from tertium.metrics.bleu_formula import BLEUParts, Smoothing, compute_bleu
from tertium.metrics.lexical._word_ngrams import cut_words, explain_ngrams, order_facts
from tertium.metrics.options import lowercase_option, option, tokenizer_option
from tertium.text import References, Texts
from tertium.values import Explanation, FloatArray


@dataclass(frozen=True)
class BLEU(Metric):
    """The geometric mean of clipped n-gram precisions, times a brevity penalty.

    The n-grams of several references are pooled; the reference closest in length (the shorter on a tie)
    determines the brevity penalty. The system score is computed from matches and counts summed over all
    segments. A segment score uses the effective order: orders longer than the hypothesis are left out, as
    sacreBLEU recommends for sentences and its command line does. With `effective_order=no` they count as zero.

    With `tokenizer=intl,lowercase=yes` this is the BLEU of the WMT15 and WMT16 metrics tables.

    >>> BLEU().corpus_score(["the cat sat on a mat"], [["the cat sat on the mat"]],
    ...                     orientation="streams").score
    53.728...
    """

    paper: ClassVar[str] = "Papineni, Roukos, Ward & Zhu 2002"
    formula_options: ClassVar[frozenset[str]] = frozenset(
        {"effective_order", "smooth_method", "smooth_value"}
    )

    lowercase: bool = lowercase_option(default=False)
    effective_order: bool | None = option(
        None,
        "leave out orders without any n-gram: in segment scores only (none), always (yes), never (no)",
        key="eff",
        spelled={None: "no", True: "yes", False: "never"},  # as sacreBLEU's default
    )
    tokenizer: str = tokenizer_option("13a")
    smooth_method: Smoothing = option("exp", "smoothing of precisions that are zero", key="smooth")
    smooth_value: float | None = option(
        None, "parameter of floor (0.1 by default) or add-k (1 by default)", at_least=0
    )
    max_ngram_order: int = option(4, "length of the longest n-gram", at_least=1, at_most=32)

    def statistics(self, hypotheses: Texts, references: References) -> FloatArray:
        return count_bleu(
            *references.pair_tokens(hypotheses, self.tokenizer, lowercase=self.lowercase),
            order=self.max_ngram_order,
        )

    def combine(self, totals: FloatArray) -> FloatArray:
        return self._parts(totals, effective_order=self.effective_order is True).score

    def segment_scores(self, rows: FloatArray) -> FloatArray:
        return self._parts(rows, effective_order=self.effective_order is not False).score

    def segment_signature(self, signature: str) -> str:
        """Show `eff:yes`, as sacreBLEU does for sentences, if only segment scores use the effective order."""
        return signature.replace("|eff:no|", "|eff:yes|")

    def details(self, totals: FloatArray) -> dict[str, float | list[float]]:
        parts = self._parts(totals, effective_order=self.effective_order is True)
        return {
            "precisions": [float(p) for p in parts.precisions],
            "brevity_penalty": float(parts.brevity_penalty),
            "length_ratio": float(totals[0] / totals[1]) if totals[1] else 0.0,
            "hypothesis_length": float(totals[0]),
            "reference_length": float(totals[1]),
        }

    def explain(self, hypothesis: str, references: Sequence[str]) -> Explanation:
        """Show the n-grams of each order that match and that do not, the precisions and the brevity penalty."""
        score = self.sentence_score(hypothesis, references)
        return explain_ngrams(
            self.name,
            score.value,
            cut_words(self, hypothesis, references),
            nearest=best_reference(self, hypothesis, references),
            orders=range(1, self.max_ngram_order + 1),
            facts=order_facts(score.details),
        )

    def _parts(self, totals: FloatArray, *, effective_order: bool) -> BLEUParts:
        return compute_bleu(
            totals,
            smooth_method=self.smooth_method,
            smooth_value=self.smooth_value,
            effective_order=effective_order,
        )
