"""Repetition: outputs in which a word or phrase is repeated again and again, as failing neural systems do."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tertium.metrics.checks._base import Check, CheckOutcome
from tertium.metrics.options import option
from tertium.text import References, Texts
from tertium.values import Explanation, FloatArray, TextKind

_MARKS = ".,;:!?…\"'“”„«»()"
# Scripts without spaces: Thai, Lao, Burmese, Khmer, Chinese and Japanese.
_UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u9fff]")
_LONGEST = 12  # words, or characters, of a repeated phrase


@dataclass(frozen=True)
class Repetition(Check):
    """100 · the share of segments without a loop: a phrase that occurs `times` times in a row.

    Phrases have up to 12 words; in text without spaces, up to 12 characters. A loop of digits, punctuation or other
    marks is not counted. The check reads the output only.

    >>> Repetition().sentence_score("and the cat and the cat and the cat and the cat").score
    0.0
    """

    reads: ClassVar[frozenset[TextKind]] = frozenset()

    times: int = option(4, "occurrences in a row that make a loop", key="times", at_least=2, at_most=1000)

    def statistics(self, hypotheses: Texts, references: References) -> FloatArray:  # type: ignore[override] # noqa: ARG002
        loops = [self.check(text).faults for text in hypotheses]
        return np.array([(len(loop), 1, bool(loop), 1) for loop in loops], dtype=np.float64).reshape(-1, 4)

    def explain(self, hypothesis: str, references: Sequence[str]) -> Explanation:  # type: ignore[override] # noqa: ARG002
        """Show the loop."""
        found = self.check(hypothesis)
        score = 0.0 if found.faults else 100.0
        steps = list(found.faults) or ["no loop"]
        facts = {"loops": len(found.faults)}
        return Explanation(
            self.name, hypothesis.split(), (), score, steps=steps, facts=facts, reads=self.reads
        )

    def check(self, hypothesis: str, source: str = "") -> CheckOutcome:  # noqa: ARG002
        loop = find_loop(hypothesis, self.times)
        return CheckOutcome(1, () if loop is None else (f"repeated: {loop}",))


def find_loop(text: str, times: int) -> str | None:
    """Find a phrase that occurs this many times in a row; None if there is none.

    >>> find_loop("no no no no", 4), find_loop("a rose is a rose is a rose", 4)
    ('no', None)
    """
    is_spaced = text.isascii() or 3 * len(_UNSPACED.findall(text)) < len(text)
    units: Sequence[str] = [character for character in text if not character.isspace()]
    if is_spaced:
        units = [word.strip(_MARKS) or word for word in text.split()]  # the last word may have a full stop
    if len(units) - len(set(units)) < times - 1:
        return None  # no unit occurs so often
    joint = " " if is_spaced else ""
    for size in range(1, min(_LONGEST, len(units) // times) + 1):
        run = 0
        for i in range(size, len(units)):
            run = run + 1 if units[i] == units[i - size] else 0
            if run >= size * (times - 1):
                phrase = joint.join(units[i - size + 1 : i + 1])
                if any(map(str.isalpha, phrase)):
                    return phrase
    return None
