"""Which words and n-grams two systems get right: counted over token ids, segment by segment, without a loop."""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from tertium.text import References, Texts
from tertium.types import Corpus, IdArray, TokenColumn

__all__ = ["FrequencyRow", "NgramGain", "count_ngram_gains", "recall_by_frequency"]

IntArray = npt.NDArray[np.int64]

# How often a word stands in the references: the upper ends of the rows.
FREQUENCIES = (1, 5, 20, 100)


@dataclass(frozen=True)
class NgramGain:
    """An n-gram of the references, and how often each system has it where a reference has it too."""

    words: tuple[str, ...]
    matches: tuple[int, int]

    @property
    def gain(self) -> int:
        """How much more often the second system gets it right."""
        return self.matches[1] - self.matches[0]


@dataclass(frozen=True)
class FrequencyRow:
    """Words of the references that are about equally frequent, and what share of them each system has."""

    name: str
    n_words: int
    recalls: tuple[float, float]


def count_ngram_gains(
    corpus: Corpus, first: str, second: str, *, tokenizer: str = "13a", order: int = 4, most: int = 10
) -> tuple[list[NgramGain], list[NgramGain]]:
    """Find the n-grams that the second system gets right more often than the first, and the other way round.

    A match is clipped as in BLEU: in a segment an n-gram counts at most as often as in the reference that has
    it most often. Returns the `most` telling ones of each side; of equally telling ones the longer go first.
    """
    columns = _tokenize(corpus, first, second, tokenizer)
    gains: list[NgramGain] = []
    for n in range(1, order + 1):
        gains += _gains_of_order(columns, n, most)
    ranked = sorted(gains, key=lambda each: (-abs(each.gain), -len(each.words), each.words))
    better = [each for each in ranked if each.gain > 0]
    worse = [each for each in ranked if each.gain < 0]
    return better[:most], worse[:most]


def recall_by_frequency(
    corpus: Corpus, first: str, second: str, *, tokenizer: str = "13a"
) -> list[FrequencyRow]:
    """Compute what share of the references' words each system has, by how frequent the words are there."""
    columns = _tokenize(corpus, first, second, tokenizer)
    words, totals, matches = _match(columns, 1)
    bounds = [0, *FREQUENCIES, np.inf]
    frequency = np.bincount(columns.references.ids, minlength=int(words.max(initial=0)) + 1)[words[:, 0]]
    rows = []
    for low, high in pairwise(bounds):
        chosen = (frequency > low) & (frequency <= high)
        n_words = int(totals[chosen].sum())
        if n_words:
            recalls = [float(each[chosen].sum()) / n_words for each in matches]
            rows.append(FrequencyRow(_name(low, high), n_words, (recalls[0], recalls[1])))
    return rows


@dataclass(frozen=True, eq=False)
class _Columns:
    """The tokens of both systems and of all references, over one vocabulary."""

    systems: tuple[TokenColumn, TokenColumn]
    references: TokenColumn
    groups: IntArray


def _tokenize(corpus: Corpus, first: str, second: str, tokenizer: str) -> _Columns:
    references = References(corpus.references)
    tokens = references.tokens(tokenizer)
    one, two = (
        Texts(corpus.systems[name], references.vocabulary).tokens(tokenizer) for name in (first, second)
    )
    return _Columns((one, two), tokens, references.offsets)


def _gains_of_order(columns: _Columns, n: int, most: int) -> list[NgramGain]:
    grams, _, (before, after) = _match(columns, n)
    gains = after - before
    # the most telling ones of both signs; the rest cannot be shown anyway
    order = np.argsort(-np.abs(gains), kind="stable")
    chosen = [*order[gains[order] > 0][:most], *order[gains[order] < 0][:most]]
    vocabulary = columns.references.vocabulary
    return [
        NgramGain(tuple(vocabulary.words(grams[i].astype(np.int32))), (int(before[i]), int(after[i])))
        for i in chosen
    ]


def _match(columns: _Columns, n: int) -> tuple[IntArray, IntArray, list[IntArray]]:
    """Count the references' n-grams and each system's clipped matches of them, over all segments."""
    reference_rows, texts = _windows(columns.references, n)
    owners = np.searchsorted(columns.groups, texts, side="right") - 1
    hypothesis_rows = [_windows(column, n) for column in columns.systems]
    stacked = np.concatenate([reference_rows, *(rows for rows, _ in hypothesis_rows)])
    grams, numbers = _number_rows(stacked)
    n_grams, n_reference = len(grams), len(reference_rows)
    allowed_keys, allowed = _allowed(texts, owners, numbers[:n_reference], n_grams)
    totals = np.bincount(allowed_keys % n_grams, weights=allowed, minlength=n_grams).astype(np.int64)
    matches, start = [], n_reference
    for rows, segments in hypothesis_rows:
        keys = segments * n_grams + numbers[start : start + len(rows)]
        start += len(rows)
        matches.append(_clip(keys, allowed_keys, allowed, n_grams))
    is_reference = totals > 0
    return grams[is_reference], totals[is_reference], [each[is_reference] for each in matches]


def _number_rows(rows: IntArray) -> tuple[IntArray, IntArray]:
    """Find the different rows, in order, and the number of each row among them.

    As `np.unique` does with an axis, but several times faster: word by word, the beginning of a row has a number already.
    """
    numbers, span = rows[:, 0], int(rows.max(initial=0)) + 1
    for column in rows.T[1:]:
        numbers = np.unique(numbers * span + column, return_inverse=True)[1].reshape(-1)
    _, places, numbers = np.unique(numbers, return_index=True, return_inverse=True)
    return rows[places], numbers.reshape(-1)


def _allowed(texts: IntArray, owners: IntArray, numbers: IntArray, n_grams: int) -> tuple[IntArray, IntArray]:
    """How often each segment's n-gram may match: as often as in the reference that has it most often."""
    keys, counts = np.unique(texts * n_grams + numbers, return_counts=True)
    owner_of_text = np.zeros(int(texts.max(initial=-1)) + 1, dtype=np.int64)
    owner_of_text[texts] = owners
    segment_keys = owner_of_text[keys // n_grams] * n_grams + keys % n_grams
    found, places = np.unique(segment_keys, return_inverse=True)
    most = np.zeros(len(found), dtype=np.int64)
    np.maximum.at(most, places.reshape(-1), counts)
    return found, most


def _clip(keys: IntArray, allowed_keys: IntArray, allowed: IntArray, n_grams: int) -> IntArray:
    found, counts = np.unique(keys, return_counts=True)
    places = np.searchsorted(allowed_keys, found)
    is_known = places < len(allowed_keys)
    is_known[is_known] = allowed_keys[places[is_known]] == found[is_known]
    clipped = np.minimum(counts[is_known], allowed[places[is_known]])
    grams = found[is_known] % n_grams
    return np.bincount(grams, weights=clipped, minlength=n_grams).astype(np.int64)


def _windows(column: TokenColumn, n: int) -> tuple[IntArray, IntArray]:
    """All n-grams of a column, a row each, and the text of each."""
    ids: IdArray = column.ids
    texts = np.repeat(np.arange(len(column), dtype=np.int64), np.diff(column.offsets))
    if len(ids) < n:
        return np.empty((0, n), dtype=np.int64), np.empty(0, dtype=np.int64)
    rows = np.lib.stride_tricks.sliding_window_view(ids, n).astype(np.int64)
    is_inside = texts[: len(rows)] == texts[n - 1 :]
    return rows[is_inside], texts[: len(rows)][is_inside]


def _name(low: float, high: float) -> str:
    if high == np.inf:
        return f"more than {low:g} times"
    return "once" if high == 1 else f"{low + 1:g} to {high:g} times"
