"""REDp of one pair in plain Python, straight from the paper's Formulas 7 to 10."""

import math
from collections.abc import Collection, Mapping, Sequence

from reference.dependency_ngrams import Ngram, chains, structures

__all__ = ["DEFAULTS", "TABLE_1", "redp"]

TABLE_1 = {
    "alpha": 0.9, "function": 0.2, "exact": 0.9, "stem": 0.6, "synonym": 0.6, "paraphrase": 0.6,
    "one": 0.6, "two": 0.5, "three": 0.1,
}  # fmt: skip
DEFAULTS = {**TABLE_1, "two": 0.3}


def redp(
    hypothesis: Sequence[str],
    reference: Sequence[str],
    heads: Sequence[int],
    links: Mapping[int, tuple[int, str]],
    *,
    phrases: Sequence[tuple[int, int]] = (),
    function_words: Collection[str] = (),
    given: Mapping[str, float] = TABLE_1,
    weighed: bool = False,
) -> float:
    """REDp, where `links` gives reference words their hypothesis word and module, `phrases` their spans.

    If `weighed`, an n-gram counts in recall what Formula 8 lets it earn, instead of 1.
    """

    def weight(positions: Sequence[int]) -> float:
        functional = sum(reference[at] in function_words for at in positions)
        content = len(positions) - functional
        return (functional * given["function"] + content * (1 - given["function"])) / len(positions)

    score = shares = 0.0
    names = ("one", "two", "three")
    for n, name in enumerate(names, start=1):
        paths, blocks = chains(heads, n), structures(heads, n) if n > 1 else set()
        spans = [range(begin, begin + length) for begin, length in phrases if length == n]
        everything = [*sorted(paths), *sorted(blocks), *(list(span) for span in spans)]
        count = sum(weight(ngram) if weighed else 1 for ngram in everything)
        if count == 0:
            continue
        total = sum(given["paraphrase"] * weight(list(span)) for span in spans)
        for ngram, together in [(p, False) for p in sorted(paths)] + [(b, True) for b in sorted(blocks)]:
            if value := _match(ngram, links, together=together):
                modules = sum(given[links[at][1]] for at in ngram) / n
                total += value * modules * weight(ngram)
        shares += given[name]
        if total > 0:
            precision, recall = total / len(hypothesis), total / count
            score += (
                given[name]
                * precision
                * recall
                / (given["alpha"] * precision + (1 - given["alpha"]) * recall)
            )
    whole = sum(given[name] for name in names)
    return score * whole / shares if shares else float(not hypothesis)


def _match(ngram: Ngram, links: Mapping[int, tuple[int, str]], *, together: bool) -> float:
    if not all(at in links for at in ngram):
        return 0.0
    places = [links[at][0] for at in ngram]
    if _ranks(places) != _ranks(ngram):
        return 0.0
    if together:
        return float(places == list(range(places[0], places[0] + len(places))))
    gaps = [abs(abs(ngram[i + 1] - ngram[i]) - abs(places[i + 1] - places[i])) for i in range(len(ngram) - 1)]
    return math.exp(-sum(gaps) / len(gaps)) if gaps else 1.0


def _ranks(positions: Sequence[int]) -> list[int]:
    return sorted(range(len(positions)), key=positions.__getitem__)
