"""The base class of checks: faults among items, and the segments that have one; and the words that checks compare."""

import re
import unicodedata
from abc import abstractmethod
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tertium.metrics.base import Metric
from tertium.records import record
from tertium.text import References, Texts
from tertium.values import Explanation, FloatArray, TextKind


@record
class CheckOutcome:
    """The result of a check on one segment: the number of items that were checked, and a line for each fault."""

    n_items: int
    faults: tuple[str, ...] = ()


NOTHING = CheckOutcome(0)
"""The outcome of a segment without items."""


@dataclass(frozen=True)
class Check(Metric):
    """100 · the share of items without a fault; a segment without items has none and scores 100.

    The system score is computed from the counts of all segments.
    """

    paper: ClassVar[str] = "a check, not from a paper"
    reads: ClassVar[frozenset[TextKind]] = frozenset({"source"})
    perfect_from: ClassVar[int | None] = None  # most segments have nothing to check, and score 100
    empty_is_worst: ClassVar[bool] = False
    is_check: ClassVar[bool] = True

    @abstractmethod
    def check(self, hypothesis: str, source: str) -> CheckOutcome:
        """Check one segment."""

    def check_all(self, hypotheses: Sequence[str], sources: Sequence[str]) -> list[CheckOutcome]:
        """Check all segments of a batch."""
        return [self.check(text, source) for text, source in zip(hypotheses, sources, strict=True)]

    def statistics(self, hypotheses: Texts, references: References, source: Texts) -> FloatArray:  # noqa: ARG002
        """Return faults, items, whether the segment has a fault, and 1."""
        found = self.check_all(hypotheses, source)
        rows = [(len(outcome.faults), outcome.n_items, bool(outcome.faults), 1) for outcome in found]
        return np.array(rows, dtype=np.float64).reshape(-1, 4)

    def combine(self, totals: FloatArray) -> FloatArray:
        faults, items = totals[..., 0], totals[..., 1]
        return np.where(items > 0, 100.0 * (1.0 - faults / np.where(items > 0, items, 1.0)), 100.0)

    def details(self, totals: FloatArray) -> dict[str, float]:
        names = ("faults", "items", "faulty_segments", "segments")
        return {name: float(total) for name, total in zip(names, totals, strict=True)}

    def list_faults(self, hypothesis: str, source: str | None) -> Sequence[str]:
        return self.check(hypothesis, source or "").faults

    def explain(self, hypothesis: str, references: Sequence[str], source: str) -> Explanation:  # noqa: ARG002
        """List the faults."""
        found = self.check(hypothesis, source)
        return Explanation(
            metric=self.name,
            hypothesis=hypothesis.split(),
            reference=(),
            score=self.sentence_score(hypothesis, source=source).value,
            steps=list(found.faults) or ["no fault"],
            facts={"items": found.n_items, "faults": len(found.faults)},
            source=source.split(),
            reads=self.reads,
        )


def compare_items(expected: Sequence[str], present: Sequence[str], noun: str) -> CheckOutcome:
    """Compare items of the source with items of the output; each missing and each added item is a fault.

    Every item of either text counts once, so that a matched pair is one item.
    """
    if not (expected or present):
        return NOTHING
    ours, theirs = Counter(present), Counter(expected)
    missing, added = theirs - ours, ours - theirs
    faults = [f"missing {noun}: {item}" for item in missing.elements()]
    faults += [f"added {noun}: {item}" for item in added.elements()]
    return CheckOutcome((ours | theirs).total(), tuple(faults))


# Thai and Lao, Burmese, Khmer, Han and kana; in Hangul, endings follow a noun without a space.
_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u2fdf\u3005-\u3007\u3040-\u9fff\uac00-\ud7af\uf900-\ufaff"
    "\U00020000-\U0003fffd"
)

# Everything between white space and punctuation; \w would break words of Indic scripts at their vowel signs.
_WORD = re.compile(
    rf"[{_UNSPACED}]|[^\s!-/:-@\[-`{{-~\u00a1-\u00a9\u00ab-\u00b4\u00b6-\u00b9\u00bb-\u00bf\u0964\u0965\u060c\u061b\u061f"
    rf"\u2000-\u206f\u20a0-\u20cf\u2190-\u2bff\u3000-\u3004\u3008-\u303f\uff00-\uff0f\uff1a-\uff20\uff3b-\uff40{_UNSPACED}]+"
)


def split_words(text: str) -> list[str]:
    """Split a text into words, without punctuation.

    >>> split_words("L'Union européenne (EU), e-mail: 我买书 2.5")
    ['L', 'Union', 'européenne', 'EU', 'e', 'mail', '我', '买', '书', '2', '5']
    """
    return _WORD.findall(text if text.isascii() else unicodedata.normalize("NFC", text))
