"""Explanations of alignments: which words belong together, why, and what is left over."""

from collections.abc import Iterator, Sequence

from tertium.types import Alignments, Explanation

__all__ = ["describe_matches", "explain_alignment"]


def _links(found: Alignments) -> list[tuple[int, int, str]]:
    """Hypothesis word, reference word and kind of every link of the first pair; a phrase links all its words."""
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


def describe_matches(hypothesis: Sequence[str], reference: Sequence[str], found: Alignments) -> Iterator[str]:
    """Say of each match of the first pair which words it joins, where they stand, and why."""
    for r, r_length, h, h_length, kind in found.of(0).tolist():
        left, right = " ".join(hypothesis[h : h + h_length]), " ".join(reference[r : r + r_length])
        pair = f"{left} ({_places(h, h_length)}) – {right} ({_places(r, r_length)})"
        is_chance = found.KINDS[kind] == "exact" and left != right
        remark = ", which METEOR takes for the same word: equal hashes" if is_chance else ""
        yield f"{found.KINDS[kind]}: {pair}{remark}"


def _places(first: int, length: int) -> str:
    return str(first + 1) if length == 1 else f"{first + 1}–{first + length}"


def _left_over(side: str, words: Sequence[str], used: set[int]) -> str:
    rest = [f"{word} ({at + 1})" for at, word in enumerate(words) if at not in used]
    return f"without a match in the {side}: {', '.join(rest) or 'none'}"
