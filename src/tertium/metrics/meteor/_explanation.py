"""Explanations of alignments: which words belong together, why, and what is left over."""

from collections.abc import Sequence

from tertium.metrics.aligner import describe_matches
from tertium.types import Alignments, Explanation

__all__ = ["explain_alignment"]


def _links(found: Alignments) -> list[tuple[int, int, str]]:
    """List hypothesis word, reference word and kind of every link of the first pair; a phrase links all its words."""
    return [
        (h + i, r + j, found.KINDS[kind])
        for r, r_length, h, h_length, kind in found.of(0).tolist()
        for i in range(h_length)
        for j in range(r_length)
    ]


def explain_alignment(
    metric: str, score: float, hypothesis: Sequence[str], reference: Sequence[str], found: Alignments
) -> Explanation:
    """Account for the alignment of one pair: each match with its kind, then the words without one."""
    links = _links(found)
    facts: dict[str, float | str] = {"chunks": float(found.chunks[0])}
    for kind in found.KINDS:
        facts[f"{kind} matches"] = float(sum(found.KINDS[k] == kind for k in found.of(0)[:, 4]))
    steps = [
        *describe_matches(hypothesis, reference, found),
        _left_over("hypothesis", hypothesis, {h for h, _, _ in links}),
        _left_over("reference", reference, {r for _, r, _ in links}),
    ]
    return Explanation(metric, hypothesis, reference, score, links=links, steps=steps, facts=facts)


def _left_over(side: str, words: Sequence[str], used: set[int]) -> str:
    rest = [f"{word} ({at + 1})" for at, word in enumerate(words) if at not in used]
    return f"without a match in the {side}: {', '.join(rest) or 'none'}"
