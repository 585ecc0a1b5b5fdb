"""Comparison of the inline codes of two texts: codes that changed, and pairs that are not nested as in the source."""

from collections import Counter
from collections.abc import Sequence

from tertium.text.codes import InlineCode


def name_codes(expected: Sequence[InlineCode], present: Sequence[InlineCode]) -> tuple[list[str], list[str]]:
    """Write the codes of both texts as tags; the same code has one tag even if its elements differ."""
    tags = {code.key: code.tag for code in [*present, *expected]}
    return [tags[code.key] for code in expected], [tags[code.key] for code in present]


def compare_codes(expected: Sequence[InlineCode], present: Sequence[InlineCode]) -> list[str]:
    """List the codes of both texts that are changed, emptied or misplaced; lost and added codes are not among them.

    A pair is emptied if its text was moved out of it. An end that comes before its start, or between the start and the
    end of another pair, is misplaced unless it is so in the source.
    """
    contents = {code.key: code.content for code in expected}
    shared = Counter(code.key for code in expected) & Counter(code.key for code in present)
    faults, changed = [], set()
    for code in {code.key: code for code in present}.values():
        before = contents.get(code.key)
        if before and code.content and before != code.content:
            changed.add(code.key)
            faults.append(f"changed item: {before} to {code.content}")
    filled = {code.key for code in expected if code.kind == "start" and not code.is_empty}
    emptied = {code.key: code for code in present if code.is_empty and code.key in filled}
    faults += [f"emptied item: {code.tag}" for key, code in emptied.items() if key not in changed]
    allowed = {code.key for code in _find_misplaced(expected)}
    misplaced = {code.key: code for code in _find_misplaced(present)}
    return faults + [
        f"misplaced item: {code.tag}"
        for key, code in misplaced.items()
        if key in shared and key not in allowed and key not in changed
    ]


def _find_misplaced(codes: Sequence[InlineCode]) -> list[InlineCode]:
    """Find the ends that come before their starts, or that cross another pair."""
    is_paired = _paired_links(codes)
    # Starts that an end inside another pair closed stay on the stack until they are on top.
    stack: list[str] = []
    n_open, n_closed = Counter[str](), Counter[str]()
    found = []
    for code in codes:
        if code.link not in is_paired or code.kind == "alone":
            continue
        if code.kind == "start":
            stack.append(code.link)
            n_open[code.link] += 1
            continue
        while stack and n_closed[stack[-1]]:
            n_closed[stack.pop()] -= 1
        if n_open[code.link] and stack[-1] == code.link:
            stack.pop()
        else:
            found.append(code)
            n_closed[code.link] += n_open[code.link] > 0
        n_open[code.link] -= n_open[code.link] > 0
    return found


def _paired_links(codes: Sequence[InlineCode]) -> set[str]:
    """Return the numbers that have both a start and an end; other codes cannot cross."""
    starts, ends = ({code.link for code in codes if code.kind == kind} for kind in ("start", "end"))
    return starts & ends
