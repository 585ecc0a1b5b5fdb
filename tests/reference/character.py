"""CharacTER by the textbook: every shift is made, every distance filled in cell by cell."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import takewhile

__all__ = ["character_score", "edit_distance"]

Matches = Callable[[str, str], bool]


def edit_distance(first: Sequence[str], second: Sequence[str], matches: Matches = str.__eq__) -> int:
    """Levenshtein's distance, where symbols that match cost nothing."""
    row = list(range(len(second) + 1))
    for i, one in enumerate(first, start=1):
        above, row = row, [i]
        for j, other in enumerate(second, start=1):
            row.append(min(above[j] + 1, row[-1] + 1, above[j - 1] + (not matches(one, other))))
    return row[-1]


def character_score(hypothesis: list[str], reference: list[str], *, threshold: int = 0) -> float:
    """The score of a pair of texts as lists of words, 0 to 100."""
    if not hypothesis:
        return 100.0
    words = _put_in_order(hypothesis, reference, partial(_alike, threshold)) if reference else hypothesis
    ours, theirs = " ".join(words), " ".join(reference)
    return 100 * min(1.0, (edit_distance(ours, theirs) + _shift_costs(hypothesis, words)) / len(ours))


def _alike(threshold: int, one: str, other: str) -> bool:
    if threshold == 0:
        return one == other
    return one == other or edit_distance(one, other) <= min(threshold, max(len(one), len(other)) - 1)


def _put_in_order(words: list[str], reference: list[str], matches: Matches) -> list[str]:
    rate = edit_distance(words, reference, matches) / len(reference)
    while True:
        # In floating point, as the tool has it.
        shifted = [
            (rate - edit_distance(each, reference, matches) / len(reference), each)
            for each in _shifts(words, reference, matches)
        ]
        gain, best = max(shifted, default=(0.0, words))
        if gain <= 0:
            return words
        rate -= gain
        words = best


def _shifts(words: list[str], reference: list[str], matches: Matches) -> Iterator[list[str]]:
    for start in range(len(words)):
        for goal in range(len(reference)):
            pairs = zip(words[start:], reference[goal:], strict=False)
            length = sum(1 for _ in takewhile(lambda pair: matches(*pair), pairs))
            if start != goal and length:
                rest = words[:start] + words[start + length :]
                yield rest[:goal] + words[start : start + length] + rest[goal:]


def _shift_costs(original: list[str], shifted: list[str]) -> float:
    costs, i = 0.0, 0
    while i < len(original):
        further_right = [j for j in range(i + 1, len(shifted)) if shifted[j] == original[i]]
        if original[i] == shifted[i] or not further_right:
            i += 1
            continue
        pairs = zip(original[i:], shifted[further_right[0] :], strict=False)
        phrase = [one for one, _ in takewhile(lambda pair: pair[0] == pair[1], pairs)]
        costs += len("".join(phrase)) / len(phrase)
        i += len(phrase)
    return costs
