"""Translation edit rate, identical to sacreBLEU 2.6, which follows Tercom.

Snover, Dorr, Schwartz, Micciulla & Makhoul (2006), A Study of Translation Edit Rate with Targeted
Human Annotation.
"""

from dataclasses import dataclass
from typing import ClassVar

from tertium.kernels import count_translation_edits, tokenize_texts
from tertium.metrics.base import Metric
from tertium.metrics.error_rates import error_rate
from tertium.metrics.options import option
from tertium.text import References, Texts
from tertium.text.tercom import normalize_tercom
from tertium.types import FloatArray, TokenColumn

__all__ = ["TER"]


@dataclass(frozen=True)
class TER(Metric):
    """Insertions, deletions, substitutions and block shifts of words, over the reference length.

    A shift moves a block of words, at most 10 words long and 50 words far, for the price of one edit. The
    search is Tercom's: as long as the edit distance falls, make the shift that lowers it most (then the
    longest, the leftmost, the one with the leftmost target), among blocks that also stand in the reference
    and are misplaced. sacreBLEU's further limits are kept, so that scores agree: a beam of 25 words around the
    diagonal, and an end of the search after 1,000 candidates.

    With several references the one with the fewest edits counts, and the sum of edits over all segments is
    divided by the sum of **average** reference lengths. The score can pass 100. An empty reference costs 100
    unless the hypothesis is empty too (0).

    Text is cut at white space; case is ignored unless `case_sensitive`.

    >>> round(TER().sentence_score("b c d a", ["a b c d"]).score, 1)
    25.0
    """

    paper: ClassVar[str] = "Snover, Dorr, Schwartz, Micciulla & Makhoul 2006"
    higher_is_better: ClassVar[bool] = False
    best: ClassVar[float] = 0.0
    worst: ClassVar[float] = 100.0

    case_sensitive: bool = option(False, "mind case", key="case", spelled={False: "lc", True: "mixed"})
    normalized: bool = option(False, "split off punctuation, resolve XML entities", key="norm")
    no_punct: bool = option(False, "remove punctuation", key="punct", spelled={False: "yes", True: "no"})
    asian_support: bool = option(
        False, "with normalized or no_punct: treat Chinese and Japanese characters and marks too", key="asian"
    )

    def statistics(self, hypotheses: Texts, references: References) -> FloatArray:
        return count_translation_edits(
            self._words(hypotheses), self._words(references.texts), references.offsets
        )

    def combine(self, totals: FloatArray) -> FloatArray:
        return error_rate(totals[..., 0], totals[..., 1])

    def details(self, totals: FloatArray) -> dict[str, float]:
        return {"edits": float(totals[0]), "reference_length": float(totals[1])}

    def signature(self, n_references: tuple[int, int], **extra: str | int) -> str:
        return super().signature(n_references, **extra, tok="tercom")

    def _words(self, texts: Texts) -> TokenColumn:
        if not (self.normalized or self.no_punct):
            return texts.tokens("none", lowercase=not self.case_sensitive)
        key = ("tercom", self.case_sensitive, self.normalized, self.no_punct, self.asian_support)
        return texts.remember(key, lambda: self._tokenize(texts))

    def _tokenize(self, texts: Texts) -> TokenColumn:
        strings = [
            normalize_tercom(
                text, normalized=self.normalized, no_punct=self.no_punct, asian_support=self.asian_support
            )
            for text in (texts.strings if self.case_sensitive else texts.lowered())
        ]
        return tokenize_texts(strings, "none", texts.vocabulary)
