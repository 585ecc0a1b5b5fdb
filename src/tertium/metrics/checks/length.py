"""Length: outputs that are far too short or too long for their source."""

from dataclasses import dataclass

from tertium.metrics.checks._base import Check, CheckOutcome
from tertium.metrics.options import option

_ADDED = 10  # characters that are added to both lengths, so that short segments may differ more


@dataclass(frozen=True)
class Length(Check):
    """100 · the share of segments whose length, in characters, fits that of the source.

    `ratio` is the usual length of an output per character of source: 1 fits languages with the same script, about
    0.35 English to Chinese and 3 the other way round. A segment is a fault if its length differs from the expected one by
    more than the factor `factor`. Ten characters are added to both lengths, so that short segments may differ more.

    >>> Length().sentence_score("Ja.", source="Yes, of course we will come to the meeting tomorrow.").score
    0.0
    """

    ratio: float = option(
        1.0, "characters of output per character of source", key="ratio", at_least=0.01, at_most=100
    )
    factor: float = option(
        2.0, "largest factor between actual and expected length", key="factor", at_least=1.01, at_most=100
    )

    def check(self, hypothesis: str, source: str) -> CheckOutcome:
        ours, theirs = len(hypothesis) + _ADDED, self.ratio * len(source) + _ADDED
        if max(ours / theirs, theirs / ours) <= self.factor:
            return CheckOutcome(1)
        word = "short" if ours < theirs else "long"
        return CheckOutcome(1, (f"too {word}: {len(hypothesis)} characters for {len(source)} of the source",))
