"""METEOR's aligner in plain Python: its beam search step by step, and all alignments one after the other."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

__all__ = [
    "EXACT",
    "PARAPHRASE",
    "Match",
    "align",
    "all_alignments",
    "count_chunks",
    "coverage",
    "find_matches",
]

# (reference start, length, hypothesis start, length, kind)
Match = tuple[int, int, int, int, int]
EXACT, STEM, SYNONYM, PARAPHRASE = range(4)
Phrase = tuple[str, ...]


def find_matches(
    hypothesis: Sequence[str],
    reference: Sequence[str],
    stem: Callable[[str], object],
    synsets: Callable[[str], set[int]],
    pairs: Sequence[tuple[Phrase, Phrase]],
) -> list[Match]:
    """Every possible match, by reference word; those of one word in METEOR's order."""
    rules: list[Callable[[str, str], bool]] = [
        lambda a, b: a == b,
        lambda a, b: a != b and stem(a) == stem(b),
        lambda a, b: a != b and bool(synsets(a) & synsets(b)),
    ]
    found = [
        (r, 1, h, 1, kind)
        for kind, rule in enumerate(rules)
        for r, right in enumerate(reference)
        for h, left in enumerate(hypothesis)
        if rule(left, right)
    ]
    for r, length in _spans(reference):
        for source, target in pairs:
            if tuple(reference[r : r + length]) == source:
                found += [(r, length, h, len(target), PARAPHRASE) for h in _places(target, hypothesis)]
    for h, length in _spans(hypothesis):
        for source, target in pairs:
            if tuple(hypothesis[h : h + length]) == source:
                found += [(r, len(target), h, length, PARAPHRASE) for r in _places(target, reference)]
    return sorted(found, key=lambda match: match[0])


@dataclass(frozen=True)
class _Path:
    covered: int = 0
    chunks: int = 0
    distance: int = 0
    following: int | None = None
    free_from: int = 0
    chosen: tuple[Match, ...] = ()

    def rank(self) -> tuple[int, int, int]:
        return -self.covered, self.chunks, self.distance

    def closed(self) -> "_Path":
        return replace(self, chunks=self.chunks + (self.following is not None), following=None)

    def taking(self, match: Match, distance: int) -> "_Path":
        r, r_length, h, h_length, _ = match
        return _Path(
            self.covered + coverage([match]),
            self.chunks + (self.following not in (None, h)),
            distance,
            h + h_length,
            r + r_length,
            (*self.chosen, match),
        )

    def allows(self, match: Match) -> bool:
        used = {word for _, _, h, length, _ in self.chosen for word in range(h, h + length)}
        return not used & set(range(match[2], match[2] + match[3]))


def align(matches: Sequence[Match], length: int, beam: int) -> list[Match]:
    """The alignment that METEOR's beam search was observed to choose."""
    fixed = set(_without_rivals(matches))
    paths = [_Path()]
    for r in range(length):
        here = [match for match in matches if match[0] == r]
        grown: list[_Path] = []
        for path in paths:
            if path.free_from > r:
                grown.append(path)
                continue
            distance = path.distance
            for match in filter(path.allows, here):
                grown.append(path.taking(match, distance))
                distance += abs(match[0] - match[2])
            if not fixed & set(here):
                grown.append(replace(path, distance=distance).closed())
        paths = sorted(grown, key=_Path.rank)[:beam]
    return list(min((path.closed() for path in paths), key=_Path.rank).chosen)


def all_alignments(matches: Sequence[Match]) -> Iterator[list[Match]]:
    """Every set of matches that covers no word twice and has all matches without rivals."""
    fixed = _without_rivals(matches)
    free = [match for match in matches if match not in fixed]

    def grow(at: int, chosen: list[Match]) -> Iterator[list[Match]]:
        if at == len(free):
            yield sorted([*fixed, *chosen])
            return
        yield from grow(at + 1, chosen)
        if not any(_overlap(free[at], other) for other in chosen):
            yield from grow(at + 1, [*chosen, free[at]])

    return grow(0, [])


def coverage(matches: Sequence[Match]) -> int:
    """The words covered, where an inexact match counts half of each side's, rounded down."""
    return sum(2 if m[4] == EXACT else m[1] // 2 + m[3] // 2 for m in matches)


def count_chunks(matches: Sequence[Match]) -> int:
    """The runs of matches that follow each other in both texts."""
    ends = {(m[0] + m[1], m[2] + m[3]) for m in matches}
    return sum((m[0], m[2]) not in ends for m in matches)


def _without_rivals(matches: Sequence[Match]) -> list[Match]:
    reference = Counter(word for m in matches for word in range(m[0], m[0] + m[1]))
    hypothesis = Counter(word for m in matches for word in range(m[2], m[2] + m[3]))
    return [
        m
        for m in matches
        if all(reference[word] == 1 for word in range(m[0], m[0] + m[1]))
        and all(hypothesis[word] == 1 for word in range(m[2], m[2] + m[3]))
    ]


def _overlap(a: Match, b: Match) -> bool:
    return (a[0] < b[0] + b[1] and b[0] < a[0] + a[1]) or (a[2] < b[2] + b[3] and b[2] < a[2] + a[3])


def _spans(words: Sequence[str]) -> list[tuple[int, int]]:
    return [(begin, end - begin) for begin in range(len(words)) for end in range(begin + 1, len(words) + 1)]


def _places(phrase: Phrase, words: Sequence[str]) -> list[int]:
    return [i for i in range(len(words)) if tuple(words[i : i + len(phrase)]) == phrase]
