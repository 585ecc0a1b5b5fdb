"""Findings about texts with different numbers of lines: lines that were merged, split, dropped, added or moved."""

from typing import TYPE_CHECKING

from tertium.diagnosis.finding import Finding, ProblemKind, TextPair

if TYPE_CHECKING:
    from tertium.alignment.sentences import Change, SentenceGroup

MAX_LINES = 2000
"""Longer texts are not aligned: it would take seconds."""

_MERGED = ProblemKind("merged-lines", "note", "Lines of the hypothesis hold several lines of the reference.")
_SPLIT = ProblemKind("split-lines", "note", "Lines of the reference are several lines of the hypothesis.")
_DROPPED = ProblemKind("dropped-lines", "warning", "Lines of the reference are missing from the hypothesis.")
_ADDED = ProblemKind(
    "added-lines", "warning", "Lines of the hypothesis have no counterpart in the reference."
)
_MOVED = ProblemKind(
    "moved-lines", "warning", "Lines of the hypothesis are in another place than in the reference."
)

_REMEDIES = {
    "merged": "cut the text to the segments of the reference with `tertium align`",
    "split": "join the lines, or cut the text to the segments of the reference with `tertium align`",
    "dropped": "translate these lines, or leave an empty line in their place",
    "added": "remove these lines if they are not part of the translation",
    "moved": "bring the lines into the order of the reference",
}


def check_changes(pair: TextPair) -> list[Finding]:
    """Align the lines of two texts in one language, and report lines that are not one to one."""
    if max(len(pair.hypotheses), len(pair.references)) > MAX_LINES or not (
        pair.hypotheses and pair.references
    ):
        return []
    from tertium.alignment.sentences import align_sentences  # noqa: PLC0415 - most texts line up

    groups = align_sentences(pair.references, pair.hypotheses)
    if sum(group.change == "equal" for group in groups) < len(groups) / 2:
        return []  # the texts have too little in common to say more
    return [
        *_report(_MERGED, "merged", "each of these lines holds several lines of {other}", groups, pair),
        *_report(_SPLIT, "split", "these lines are parts of lines of {other}", groups, pair),
        *_report(_DROPPED, "dropped", "these lines are missing from {other}", groups, pair),
        *_report(_ADDED, "added", "these lines have no counterpart in {other}", groups, pair),
        *_report(_MOVED, "moved", "these lines are in another place than in {other}", groups, pair),
    ]


def _report(
    kind: ProblemKind, change: "Change", problem: str, groups: "list[SentenceGroup]", pair: TextPair
) -> list[Finding]:
    """Report a change; dropped lines are lines of the reference, lines of all other changes are lines of the hypothesis."""
    is_dropped = change == "dropped"
    spans = [group.reference if is_dropped else group.output for group in groups if group.change == change]
    rows = sorted({row for span in spans for row in range(*span)})
    if not rows:
        return []
    file, other = pair.hypothesis_file, pair.reference_file
    if is_dropped:
        file, other = other, file
    return [kind.at(rows, file, problem.format(other=other), _REMEDIES[change])]
