"""Outputs with what differs from the reference marked: [-added by the system-] and {+missing from it+}."""

from difflib import SequenceMatcher

__all__ = ["mark_words"]


def mark_words(hypothesis: str, reference: str) -> str:
    """Mark a hypothesis word by word against a reference.

    >>> mark_words("the cat sat on mat", "the cat sat on the mat")
    'the cat sat on {+the+} mat'
    """
    ours, theirs = hypothesis.split(), reference.split()
    pieces: list[str] = []
    for kind, i, j, k, m in SequenceMatcher(None, ours, theirs, autojunk=False).get_opcodes():
        if kind == "equal":
            pieces += ours[i:j]
            continue
        if i < j:
            pieces.append(f"[-{' '.join(ours[i:j])}-]")
        if k < m:
            pieces.append(f"{{+{' '.join(theirs[k:m])}+}}")
    return " ".join(pieces)
