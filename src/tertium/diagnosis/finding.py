"""A problem found in a text, with its lines and its remedy, and the pair of texts that checks compare."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Self

Severity = Literal["error", "warning", "note"]

# Enough to see a pattern, few enough for one line of a terminal.
SHOWN_LINES = 5


@dataclass(frozen=True)
class Finding:
    """What is wrong, where, and what would help.

    An error makes scores meaningless, a warning changes them, a note may explain a surprise. `lines`
    are the first few of the `n_lines` affected lines, counted from 1; both are empty when the whole
    file is meant. `code` names the kind of problem for programs.
    """

    severity: Severity
    file: str
    lines: tuple[int, ...]
    n_lines: int
    problem: str
    remedy: str
    code: str

    @classmethod
    def at(
        cls, rows: Sequence[int], *, severity: Severity, file: str, problem: str, remedy: str, code: str
    ) -> Self:
        """Build a finding from all affected rows, counted from 0."""
        lines = tuple(int(row) + 1 for row in rows[:SHOWN_LINES])
        return cls(severity, file, lines, len(rows), problem, remedy, code)


@dataclass(frozen=True)
class TextPair:
    """A hypothesis and what it is compared with; their numbers of lines may differ."""

    hypotheses: Sequence[str]
    references: Sequence[str]
    hypothesis_file: str = "hypotheses"
    reference_file: str = "references"
