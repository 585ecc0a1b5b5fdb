"""Translation edit rate, identical to sacreBLEU 2.6, which follows Tercom.

Snover, Dorr, Schwartz, Micciulla & Makhoul (2006), A Study of Translation Edit Rate with Targeted
Human Annotation.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from tertium.kernels.edits import count_translation_edits, trace_translation_edits
from tertium.kernels.strings import tokenize_texts
from tertium.metrics.base import ErrorRate, best_reference
from tertium.metrics.lexical._word_edits import describe_shifts, explain_edits
from tertium.metrics.options import option
from tertium.text import References, Texts
from tertium.values import Explanation, FloatArray, TokenColumn

_GENERAL = [
    (re.compile("\n-"), ""),
    (re.compile("\n"), " "),
    (re.compile("&quot;"), '"'),
    (re.compile("&amp;"), "&"),
    (re.compile("&lt;"), "<"),
    (re.compile("&gt;"), ">"),
]
# The text is padded with a space on both sides before these rules, so a rule for its very end never applies.
_WESTERN = [
    (re.compile(r"([{-~\[-` -&(-+:-@/])"), r" \1 "),
    (re.compile(r"'s "), r" 's "),
    (re.compile(r"([^0-9])([.,])"), r"\1 \2 "),
    (re.compile(r"([.,])([^0-9])"), r" \1 \2"),
    (re.compile(r"([0-9])(-)"), r"\1 \2 "),
]
_IDEOGRAPHIC_MARKS = r"[\u3001\u3002\u3008-\u3011\u3014-\u301f\uff61-\uff65\u30fb]"
_FULL_WIDTH_MARKS = r"[\uff0e\uff0c\uff1f\uff1a\uff1b\uff01\uff02\uff08\uff09]"
# The ranges are sacreBLEU's: its "enclosed letters" end at U+3F22, not U+32FF. Its rules for kana apply only at
# the beginning of the text, which is padding, so kana are not split.
_ASIAN = [
    (re.compile(f"({characters})"), r" \1 ")
    for characters in (
        r"[\u4e00-\u9fff\u3400-\u4dbf]",
        r"[\u31c0-\u31ef\u2e80-\u2eff]",
        r"[\u3300-\u33ff\uf900-\ufaff\ufe30-\ufe4f]",
        r"[\u3200-\u3f22]",
        _IDEOGRAPHIC_MARKS,
        _FULL_WIDTH_MARKS,
    )
]
_MARKS = re.compile(r'[.,?:;!"()]')
_ASIAN_MARKS = re.compile(f"{_IDEOGRAPHIC_MARKS}|{_FULL_WIDTH_MARKS}")


def normalize_tercom(text: str, *, normalized: bool, no_punct: bool, asian_support: bool) -> str:
    """Separate (`normalized`) or remove (`no_punct`) punctuation; `asian_support` does so in CJK text, too.

    The words of the result are separated by single spaces, which matters if it is normalised again.
    """
    text = text.rstrip()
    if not text:
        return ""
    if normalized:
        text = f" {_apply(_GENERAL, text)} "
        text = _apply(_WESTERN, text)
        text = _apply(_ASIAN, text) if asian_support else text
    if no_punct:
        text = _MARKS.sub("", text)
        text = _ASIAN_MARKS.sub("", text) if asian_support else text
    return " ".join(text.split())


def _apply(rules: list[tuple[re.Pattern[str], str]], text: str) -> str:
    for pattern, replacement in rules:
        text = pattern.sub(replacement, text)
    return text


@dataclass(frozen=True)
class TER(ErrorRate):
    """Insertions, deletions, substitutions and block shifts of words, over the reference length.

    A shift moves a block of at most 10 words by at most 50 words and costs one edit. The search is Tercom's:
    while the edit distance decreases, make the shift that reduces it most (on a tie the longest, then the
    leftmost, then the one with the leftmost target) among misplaced blocks that also occur in the reference.
    sacreBLEU's further limits are kept for identical scores: a beam of 25 words around the diagonal, and at most
    1,000 candidates.

    With several references the one with the fewest edits counts. The system score is the sum of edits over all
    segments divided by the sum of **average** reference lengths. The score can exceed 100. An empty reference
    gives 100, or 0 if the hypothesis is empty, too.

    Text is split at white space, and case is ignored unless `case_sensitive` is set. With `normalized`, sacreBLEU
    tokenises references twice and hypotheses once. The second pass splits tokens of the first: the 's of
    `McDonald's.` becomes a separate word in references only, so `I ate at McDonald's.` scores 33.33 against
    itself. With `retokenize=no`, references are tokenised once, like hypotheses, and scores differ from
    sacreBLEU's.

    >>> round(TER().sentence_score("b c d a", ["a b c d"]).score, 1)
    25.0
    """

    paper: ClassVar[str] = "Snover, Dorr, Schwartz, Micciulla & Makhoul 2006"

    case_sensitive: bool = option(
        False, "distinguish upper and lower case", key="case", spelled={False: "lc", True: "mixed"}
    )
    normalized: bool = option(False, "separate punctuation and decode XML entities", key="norm")
    no_punct: bool = option(False, "remove punctuation", key="punct", spelled={False: "yes", True: "no"})
    asian_support: bool = option(
        False,
        "with normalized or no_punct: also process Chinese and Japanese characters and punctuation",
        key="asian",
    )
    retokenize: bool = option(True, "with normalized: tokenise references twice, as sacreBLEU does")

    @property
    def word_tokenizer(self) -> str:
        """The tokenizer with about the same words: white space, or also single Chinese and Japanese characters."""
        return "char" if self.normalized and self.asian_support else "none"

    def statistics(self, hypotheses: Texts, references: References) -> FloatArray:
        ours, theirs = self._words(hypotheses), self._words(references.texts, of_references=True)
        return count_translation_edits(ours, theirs, references.offsets)

    def explain(self, hypothesis: str, references: Sequence[str]) -> Explanation:
        score = self.sentence_score(hypothesis, references)
        nearest = best_reference(self, hypothesis, references)
        texts, other = Texts([hypothesis]), Texts([references[nearest]])
        words = self._words(texts).words(0), self._words(other, of_references=True).words(0)
        # Words contain no white space, so tokenising them again gives the same words, with shared ids.
        pair = Texts([" ".join(side) for side in words]).tokens("none")
        shifts, order, edits = trace_translation_edits(pair)
        shifted = [words[0][i] for i in order]
        facts = {"shifts": len(shifts), "nearest_reference": nearest + 1}
        explanation = explain_edits(self, score, (shifted, words[1]), edits, facts)
        return replace(
            explanation,
            hypothesis=words[0],
            links=[(order[i], j, kind) for i, j, kind in explanation.links],
            steps=[*describe_shifts(words[0], shifts), *explanation.steps],
        )

    def signature(self, n_references: tuple[int, int], **extra: str | int) -> str:
        return super().signature(n_references, **extra, tok="tercom")

    def _words(self, texts: Texts, *, of_references: bool = False) -> TokenColumn:
        if not (self.normalized or self.no_punct):
            return texts.tokens("none", lowercase=not self.case_sensitive)
        # A second pass changes the text only with `normalized`.
        n_passes = 2 if of_references and self.normalized and self.retokenize else 1
        key = ("tercom", self.case_sensitive, self.normalized, self.no_punct, self.asian_support, n_passes)
        return texts.remember(key, lambda: self._tokenize(texts, n_passes))

    def _tokenize(self, texts: Texts, n_passes: int) -> TokenColumn:
        strings: Sequence[str] = texts.column(lowercase=not self.case_sensitive)
        for _ in range(n_passes):
            strings = [
                normalize_tercom(
                    text, normalized=self.normalized, no_punct=self.no_punct, asian_support=self.asian_support
                )
                for text in strings
            ]
        return tokenize_texts(strings, "none", texts.vocabulary)
