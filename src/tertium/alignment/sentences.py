"""Align the sentences of two texts n to m, by their lengths and their words (Gale & Church 1993)."""

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Literal

import numpy as np

from tertium.alignment.streams import Stream, ends_sentence, split_tokens
from tertium.interfaces import WordVectors
from tertium.kernels.strings import Vocabulary
from tertium.records import record
from tertium.text import Texts
from tertium.text.columns import own_abbreviations
from tertium.values import FloatArray

# Gale & Church's prior probabilities of matching (a, b) sentences, and 1:3, which paragraphs need.
_PRIORS = {
    (1, 1): 0.89,
    (1, 0): 0.00495,
    (0, 1): 0.00495,
    (2, 1): 0.0445,
    (1, 2): 0.0445,
    (2, 2): 0.011,
    (3, 1): 0.005,
    (1, 3): 0.005,
}
_VARIANCE = 6.8  # Gale & Church's variance of the length, per character
_MAX_LENGTH_COST = 3.0  # a length alone proves nothing: sentences may be cut off or contain much more
_WORDS = 10.0  # the cost of a pair without a common word: nearly that of leaving both out
_WIDTH = 4096  # columns of the table of words
_BAND = 60  # how far an alignment may lie from the diagonal, besides the difference of the lengths
_SAME = 0.1  # the least similarity of a dropped and an added sentence at the same place that belong together
_MOVED = 0.3  # between 99 % of other pairs and 90 % of translations of WMT15-22: such a dropped and added sentence was moved

Change = Literal["equal", "merged", "split", "dropped", "added", "moved", "changed"]


@record
class SentenceGroup:
    """Sentences of the references, from `first` to `last`, and the sentences of the output that match them.

    A dropped group has no sentences of the output, an added one none of the references. `similarity` is the cosine
    of their words or vectors.
    """

    change: Change
    reference: tuple[int, int]
    output: tuple[int, int]
    similarity: float
    length_ratio: float | None


@record(eq=False)
class DocumentSentences:
    """A document: its sentences in the reference and in an output, and how they match."""

    name: str
    references: Sequence[str]
    output: Sequence[str]
    groups: Sequence[SentenceGroup]

    def count(self, change: Change) -> int:
        """Count the groups with this change."""
        return sum(group.change == change for group in self.groups)


def align_document(
    name: str,
    references: Sequence[str],
    output: Sequence[str],
    vectors: WordVectors | None = None,
    *,
    by_line: bool = False,
) -> DocumentSentences:
    """Split the lines of a document into sentences, unless `by_line` is set, and align them."""
    if by_line:
        ours, theirs = ([line for line in lines if line.strip()] for lines in (references, output))
    else:
        ours, theirs = (
            [sentence for line in lines for sentence in split_sentences(line)]
            for lines in (references, output)
        )
    return DocumentSentences(name, ours, theirs, align_sentences(ours, theirs, vectors))


def split_sentences(text: str) -> list[str]:
    """Split a text at the punctuation of sentence ends before a capital letter, a digit or a script without case.

    >>> split_sentences("It rained. Mr. Smith came at 3 p.m. and left. 「はい。」と言った。次。")
    ['It rained.', 'Mr. Smith came at 3 p.m. and left.', '「はい。」と言った。', '次。']
    """
    stream = Stream.of([text])
    units, first, found = stream.units, 0, []
    for i, unit in enumerate(units[:-1]):
        if (
            ends_sentence(unit)
            and not units[i + 1][:1].islower()
            and not _is_abbreviation(unit, units[i + 1])
        ):
            found.append(stream.extract(first, i + 1))
            first = i + 1
    return [*found, stream.extract(first, len(units))] if units else []


def _is_abbreviation(unit: str, following: str) -> bool:
    """Whether a full stop follows a title or an initial, or a quotation continues."""
    word = unit.removesuffix(".")
    is_short = word in own_abbreviations("en")[0] or (len(word) == 1 and word.isalpha() and word.isascii())
    return (is_short and unit.endswith(".")) or following[:1] == "と"


def align_sentences(
    references: Sequence[str], output: Sequence[str], vectors: WordVectors | None = None
) -> list[SentenceGroup]:
    """Align the sentences of an output with the sentences of a reference.

    Parameters
    ----------
    references, output
        The sentences of a document, in order.
    vectors
        Compare word vectors instead of words; multilingual ones compare a source text with its translation.
    """
    sides = _Sides(references, output, vectors)
    found = _join_neighbours(_search(sides), sides)
    return _mark_moved([_describe(group, sides) for group in found], sides)


Spans = tuple[tuple[int, int], tuple[int, int]]


class _Sides:
    """The sentences of both sides: their lengths, and the products of vectors that are sums of their words."""

    def __init__(self, references: Sequence[str], output: Sequence[str], vectors: WordVectors | None) -> None:
        self.lengths = tuple(
            np.cumsum([0, *(len("".join(text.split())) for text in texts)]).tolist()
            for texts in (references, output)
        )
        both = (
            _count_words(references, output) if vectors is None else _sum_vectors(references, output, vectors)
        )
        products = np.zeros((len(references) + 1, len(output) + 1))
        products[1:, 1:] = both[0] @ both[1].T
        self._products = products.cumsum(axis=0).cumsum(axis=1).tolist()
        self._norms = tuple(_list_norms(text) for text in both)

    @property
    def sizes(self) -> tuple[int, int]:
        """The numbers of sentences."""
        return len(self.lengths[0]) - 1, len(self.lengths[1]) - 1

    def count_characters(self, spans: Spans) -> tuple[int, int]:
        """Count the characters of both spans."""
        (a, b), (c, d) = spans
        return self.lengths[0][b] - self.lengths[0][a], self.lengths[1][d] - self.lengths[1][c]

    def similarity(self, spans: Spans) -> float:
        """Compute the cosine of both spans."""
        (a, b), (c, d) = spans
        norm = self._norms[0][b - a][a] * self._norms[1][d - c][c]
        products = self._products
        return (products[b][d] - products[a][d] - products[b][c] + products[a][c]) / norm if norm else 0.0


def _list_norms(vectors: FloatArray) -> list[list[float]]:
    """Compute the norms of the sums of 0, 1, 2 and 3 vectors, from each vector on."""
    sums = np.vstack([np.zeros(vectors.shape[1]), np.cumsum(vectors, axis=0)])
    widest = max(max(prior) for prior in _PRIORS)
    return [
        np.linalg.norm(sums[k:] - sums[: len(sums) - k], axis=1).tolist() if k < len(sums) else []
        for k in range(widest + 1)
    ]


def _count_words(references: Sequence[str], output: Sequence[str]) -> tuple[FloatArray, FloatArray]:
    """Count the words of each sentence; a word that many sentences have weighs little.

    Words share columns of a table of fixed width, so that long texts need little memory.
    """
    tokens = [split_tokens(text, "words") for text in (*references, *output)]
    frequency = Counter(chain.from_iterable(map(set, tokens)))
    columns = {word: k % _WIDTH for k, word in enumerate(frequency)}
    counts = np.zeros((len(tokens), _WIDTH))
    for row, words in zip(counts, tokens, strict=True):
        for word in words:
            row[columns[word]] += math.log(1 + len(tokens) / frequency[word])
    return counts[: len(references)], counts[len(references) :]


def _sum_vectors(
    references: Sequence[str], output: Sequence[str], vectors: WordVectors
) -> tuple[FloatArray, FloatArray]:
    """Sum the vectors of the words of each sentence, without the mean of all sentences."""
    vocabulary, found = Vocabulary(), list[FloatArray]()
    for texts in (references, output):
        tokens = Texts(list(texts), vocabulary).tokens("13a")
        embedding = vectors.embed(tokens)
        sums = np.zeros((len(texts), embedding.matrix.shape[1]))
        owners, is_known = np.repeat(np.arange(len(texts)), tokens.lengths), embedding.rows >= 0
        np.add.at(sums, owners[is_known], embedding.matrix[embedding.rows[is_known]])
        sums /= np.maximum(np.linalg.norm(sums, axis=1, keepdims=True), 1e-9)
        found.append(sums - sums.mean(axis=0) if len(texts) > 2 else sums)
    return found[0], found[1]


def _search(sides: _Sides) -> list[Spans]:
    """Find the cheapest sequence of groups: dynamic programming in a band around the diagonal."""
    n, m = sides.sizes
    ratio = max(sides.lengths[1][-1], 1) / max(sides.lengths[0][-1], 1)
    best: dict[tuple[int, int], tuple[float, tuple[int, int]]] = {(0, 0): (0.0, (0, 0))}
    half = _BAND + abs(n - m) + (0 if n else m)
    for i in range(n + 1):
        centre = round(i * m / n) if n else 0
        for j in range(max(0, centre - half), min(m, centre + half) + 1):
            options = [
                (best[i - a, j - b][0] + _cost(sides, ((i - a, i), (j - b, j)), prior, ratio), (a, b))
                for (a, b), prior in _PRIORS.items()
                if (i - a, j - b) in best
            ]
            if options:
                best[i, j] = min(options)
    return list(_trace(best, n, m))[::-1]


def _cost(sides: _Sides, spans: Spans, prior: float, ratio: float) -> float:
    (a, b), (c, d) = spans
    if a == b or c == d:
        return -math.log(prior)
    ours, theirs = sides.count_characters(spans)
    spread = _VARIANCE * (ours + theirs / ratio) / 2 or 1.0
    length = min((theirs - ratio * ours) ** 2 / spread / 2, _MAX_LENGTH_COST)
    n_pairs = (b - a + d - c) / 2  # larger groups must not be cheaper because they pay once
    return -math.log(prior) + length + _WORDS * n_pairs * (1 - max(sides.similarity(spans), 0.0))


def _trace(best: dict[tuple[int, int], tuple[float, tuple[int, int]]], i: int, j: int) -> Iterator[Spans]:
    while i or j:
        a, b = best[i, j][1]
        yield (i - a, i), (j - b, j)
        i, j = i - a, j - b


def _join_neighbours(found: Sequence[Spans], sides: _Sides) -> list[Spans]:
    """Join a dropped and an added sentence at the same place that have words in common: one was cut off or extended."""
    joined = list(found[:1])
    for spans in found[1:]:
        (a, b), (c, d) = joined[-1]
        both = (a, spans[0][1]), (c, spans[1][1])
        are_one_sided = (a == b or c == d) and (spans[0][1] == b or spans[1][1] == d)
        if are_one_sided and sides.similarity(both) >= _SAME:
            joined[-1] = both
        else:
            joined.append(spans)
    return joined


def _describe(spans: Spans, sides: _Sides) -> SentenceGroup:
    (a, b), (c, d) = spans
    n, m = b - a, d - c
    if not n or not m:
        return SentenceGroup("added" if m else "dropped", spans[0], spans[1], 0.0, None)
    change: Change = "equal" if n == m == 1 else "merged" if n > m else "split" if m > n else "changed"
    ours, theirs = sides.count_characters(spans)
    return SentenceGroup(change, *spans, sides.similarity(spans), theirs / ours if ours else None)


def _mark_moved(groups: Sequence[SentenceGroup], sides: _Sides) -> list[SentenceGroup]:
    """Mark added sentences that are similar to a dropped one: they were moved, and the dropped sentences are left out."""
    dropped = [group for group in groups if group.change == "dropped"]
    moved: dict[SentenceGroup, SentenceGroup] = {}
    for added in (group for group in groups if group.change == "added"):
        rated = [(sides.similarity((other.reference, added.output)), k) for k, other in enumerate(dropped)]
        similarity, k = max(rated, default=(0.0, -1))
        if similarity >= _MOVED:
            other = dropped.pop(k)
            moved[added] = SentenceGroup("moved", other.reference, added.output, similarity, None)
            moved[other] = moved[added]
    return [moved.get(group, group) for group in groups if group.change != "dropped" or group not in moved]
