"""The kinds of problems that checks find, and the findings that they report.

A check is one function: it reports a `ProblemKind` that is declared above it, and is in a tuple of checks at the
end of its module. Checks run in the order of the tuple.
"""

from collections.abc import Sequence
from typing import Literal

from tertium.records import record

Severity = Literal["error", "warning", "note"]

# Enough to see a pattern, few enough for one line of a terminal.
SHOWN_LINES = 5


def are_many(n_affected: int, n_lines: int) -> bool:
    """Whether a problem is likely to cost points of BLEU: it costs about two if a twentieth of the lines loses its score."""
    return n_affected > max(2, 0.03 * n_lines)


@record
class Finding:
    """A problem, where it is, and how to fix it.

    An error makes scores meaningless, a warning changes them, a note may explain a surprise. `lines`
    are the first few of the `n_lines` affected lines, counted from 1; both are empty if the finding
    concerns the whole file. `code` identifies the kind of problem for programs.
    """

    severity: Severity
    file: str
    lines: tuple[int, ...]
    n_lines: int
    problem: str
    remedy: str
    code: str


@record
class ProblemKind:
    """The declaration of a kind of problem: its code, its usual severity and a description.

    A check reports it with `at`. Every kind is listed in `KINDS`.
    """

    code: str
    severity: Severity
    help: str

    def __post_init__(self) -> None:
        if self.code in KINDS:
            raise ValueError(f"the code {self.code!r} is declared twice")
        KINDS[self.code] = self

    def at(
        self,
        rows: Sequence[int],
        file: str,
        problem: str,
        remedy: str,
        *,
        severity: Severity | None = None,
        n_lines: int | None = None,
    ) -> Finding:
        """Report the problem for the affected rows, counted from 0; no rows mean the whole file.

        `n_lines` is given where `rows` only lists the first line of each affected block.
        """
        lines = tuple(int(row) + 1 for row in rows[:SHOWN_LINES])
        n_affected = len(rows) if n_lines is None else n_lines
        return Finding(severity or self.severity, file, lines, n_affected, problem, remedy, self.code)


KINDS: dict[str, ProblemKind] = {}
"""All kinds of problems by code. A module adds its kinds when it is imported."""


@record
class TextPair:
    """A hypothesis and the reference or source it is compared with; their numbers of lines may differ."""

    hypotheses: Sequence[str]
    references: Sequence[str]
    hypothesis_file: str = "hypotheses"
    reference_file: str = "references"
