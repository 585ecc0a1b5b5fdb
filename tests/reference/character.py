"""CharacTER by the textbook: every move is made and measured, and words are compared by plain tables."""

from collections.abc import Callable, Iterator, Sequence
from operator import eq

from reference.edits import levenshtein

__all__ = ["character_score"]


def character_score(hypothesis: list[str], reference: list[str], *, threshold: int = 0) -> float:
    """The score of one pair, 0 to 100."""
    if not hypothesis or not reference:
        return 100.0
    ordered = _Reordering(reference, threshold).reorder(hypothesis)
    cost = levenshtein(" ".join(ordered), " ".join(reference)) + _shift_costs(hypothesis, ordered)
    return 100 * min(1.0, cost / len(" ".join(hypothesis)))


class _Reordering:
    """The moves towards one reference."""

    def __init__(self, reference: list[str], threshold: int) -> None:
        self.reference = reference
        self.threshold = threshold
        self.known: dict[tuple[str, str], bool] = {}

    def reorder(self, words: list[str]) -> list[str]:
        """Make the best move until none lowers the word error rate, which is tracked as the tool tracks it."""
        rate = self.error_rate(words)
        while moves := [(rate - self.error_rate(moved), moved) for moved in self.moves(words)]:
            gain, moved = max(moves)
            if gain <= 0:
                break
            words = moved
            rate -= gain
        return words

    def moves(self, words: list[str]) -> Iterator[list[str]]:
        """Put each longest phrase that begins alike at i and at j, one in each text, where the reference has it."""
        for i in range(len(words)):
            for j in range(len(self.reference)):
                length = _common_length(words[i:], self.reference[j:], self.alike)
                if length and i != j:
                    rest = words[:i] + words[i + length :]
                    yield rest[:j] + words[i : i + length] + rest[j:]

    def error_rate(self, words: list[str]) -> float:
        row = list(range(len(self.reference) + 1))
        for i, word in enumerate(words, start=1):
            before, row = row, [i]
            for j, other in enumerate(self.reference, start=1):
                row.append(min(before[j] + 1, row[-1] + 1, before[j - 1] + (not self.alike(word, other))))
        return row[-1] / len(self.reference)

    def alike(self, a: str, b: str) -> bool:
        if (a, b) not in self.known:
            near = bool(set(a) & set(b)) and levenshtein(a, b) <= self.threshold
            self.known[a, b] = a == b or near
        return self.known[a, b]


def _shift_costs(before: Sequence[str], after: Sequence[str]) -> float:
    """The mean word lengths of the phrases that `after` has at the next place further right."""
    cost, i = 0.0, 0
    while i < len(before):
        places = [place for place in range(i + 1, len(after)) if after[place] == before[i]]
        if before[i] == after[i] or not places:
            i += 1
            continue
        length = _common_length(before[i:], after[places[0] :], eq)
        cost += sum(map(len, before[i : i + length])) / length
        i += length
    return cost


def _common_length(a: Sequence[str], b: Sequence[str], same: Callable[[str, str], bool]) -> int:
    length = 0
    while length < min(len(a), len(b)) and same(a[length], b[length]):
        length += 1
    return length
