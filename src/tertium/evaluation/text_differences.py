"""Word-level differences between systems: edits to the reference, and n-grams that one system gets right."""

from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from tertium.errors import InputError
from tertium.kernels.edits import DERIVATION_EDITS, InversionCosts, count_edit_kinds, trace_inversions
from tertium.kernels.threads import n_threads
from tertium.metrics.base import keep_best
from tertium.records import record
from tertium.text import References, Texts
from tertium.values import Corpus, IdArray, OffsetArray, TokenColumn


@record
class EditCounts:
    """The edits that turn a system's outputs into the references, counted as in the translation edit rate.

    Attributes
    ----------
    insertions
        Words that are missing in the output.
    deletions
        Extra words in the output.
    shifts
        Blocks of words in the wrong position.
    inversions
        Pairs of neighbouring blocks that are swapped in a cheapest derivation of the inversion word error rate, which
        has no shifts; None if they were not counted.
    n_words
        The total length of the references; the average for a segment with several references.
    """

    insertions: int
    deletions: int
    substitutions: int
    shifts: int
    n_words: float
    inversions: int | None = None

    def counts(self) -> dict[str, int]:
        """The number of edits of each kind."""
        kinds = ("insertions", "deletions", "substitutions", "shifts")
        counted = {kind: int(getattr(self, kind)) for kind in kinds}
        return counted if self.inversions is None else {**counted, "inversions": self.inversions}

    def rate(self, count: int) -> float:
        """Edits per word of the references; 0 if there are no words."""
        return count / self.n_words if self.n_words else 0.0


def count_needed_edits(corpus: Corpus, system: str, *, counts_inversions: bool = False) -> EditCounts:
    """Count the edits of each kind that turn a system's outputs into their nearest references.

    Words are separated by white space and case is ignored, as in TER without options. Counting inversions takes far
    longer than all other edits together.
    """
    references = References(corpus.references)
    theirs = references.tokens("none", lowercase=True)
    n_each = np.diff(references.offsets)
    outputs = np.repeat(np.array(corpus.systems[system], dtype=object), n_each)
    ours = Texts(outputs.tolist(), references.vocabulary).tokens("none", lowercase=True)
    edits = count_edit_kinds(ours, theirs).astype(np.float64)
    nearest = keep_best(edits, references.offsets, by=lambda rows: -rows.sum(axis=1))
    insertions, deletions, substitutions, shifts = (int(total) for total in nearest.sum(axis=0))
    n_words = float((theirs.lengths / np.repeat(n_each, n_each)).sum())
    inversions = _count_inversions(ours, theirs, references.offsets) if counts_inversions else None
    return EditCounts(insertions, deletions, substitutions, shifts, n_words, inversions)


def _count_inversions(ours: TokenColumn, theirs: TokenColumn, groups: OffsetArray) -> int:
    """Count the inversions of each output and its nearest reference; 0 if the pair is too large for the search."""
    with ThreadPoolExecutor(n_threads()) as pool:
        found = list(pool.map(lambda i: _trace(_text(ours, i), _text(theirs, i)), range(len(ours))))
    rows = np.array(found, dtype=np.float64).reshape(-1, 2)
    return int(keep_best(rows, groups, by=lambda pairs: -pairs[:, 0])[:, 1].sum())


def _text(column: TokenColumn, i: int) -> IdArray:
    return column.ids[column.offsets[i] : column.offsets[i + 1]]


def _trace(first: IdArray, second: IdArray) -> tuple[int, int]:
    """Return the cost of a cheapest derivation and its number of inversions."""
    try:
        edits = trace_inversions(first, second, costs=InversionCosts())[:, 0]
    except InputError:
        return len(first) + len(second), 0
    n_matches = int(np.count_nonzero(edits == DERIVATION_EDITS.index("match")))
    n_inversions = int(np.count_nonzero(edits == DERIVATION_EDITS.index("inversion")))
    return len(edits) - n_matches, n_inversions


IntArray = npt.NDArray[np.int64]

# Upper ends of the ranges of word frequency.
FREQUENCIES = (1, 5, 20, 100)


@record
class NgramGain:
    """An n-gram of the references, and the number of each system's matches."""

    words: tuple[str, ...]
    matches: tuple[int, int]

    @property
    def gain(self) -> int:
        """The second system's matches minus the first one's."""
        return self.matches[1] - self.matches[0]


@record
class FrequencyRow:
    """Words of the references in a range of frequencies, and each system's recall of them."""

    name: str
    n_words: int
    recalls: tuple[float, float]


def count_ngram_gains(
    corpus: Corpus, first: str, second: str, *, tokenizer: str = "13a", order: int = 4, most: int = 10
) -> tuple[list[NgramGain], list[NgramGain]]:
    """Find the n-grams that the second system gets right more often than the first, and vice versa.

    Matches are clipped as in BLEU: in a segment, an n-gram counts at most as often as in the reference that has
    it most often. Returns the `most` n-grams with the largest gains for each system; longer n-grams win ties.
    """
    columns = _tokenize(corpus, first, second, tokenizer)
    gains: list[NgramGain] = []
    for n in range(1, order + 1):
        gains += _gains_of_order(columns, n, most)
    ranked = sorted(gains, key=lambda ngram: (-abs(ngram.gain), -len(ngram.words), ngram.words))
    better = [ngram for ngram in ranked if ngram.gain > 0]
    worse = [ngram for ngram in ranked if ngram.gain < 0]
    return better[:most], worse[:most]


def recall_by_frequency(
    corpus: Corpus, first: str, second: str, *, tokenizer: str = "13a"
) -> list[FrequencyRow]:
    """Compute each system's recall of the references' words by the frequency of the words."""
    columns = _tokenize(corpus, first, second, tokenizer)
    words, totals, matches = _match(columns, 1)
    bounds = [0, *FREQUENCIES, np.inf]
    frequency = np.bincount(columns.references.ids, minlength=int(words.max(initial=0)) + 1)[words[:, 0]]
    rows = []
    for low, high in pairwise(bounds):
        chosen = (frequency > low) & (frequency <= high)
        n_words = int(totals[chosen].sum())
        if n_words:
            recalls = [float(match[chosen].sum()) / n_words for match in matches]
            rows.append(FrequencyRow(_name(low, high), n_words, (recalls[0], recalls[1])))
    return rows


@record(eq=False)
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
    # the largest gains of both signs; the rest is never shown
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
    return grams[is_reference], totals[is_reference], [match[is_reference] for match in matches]


def _number_rows(rows: IntArray) -> tuple[IntArray, IntArray]:
    """Find the distinct rows, sorted, and the index of each row among them.

    Like `np.unique` with an axis, but several times faster: prefixes of rows are numbered word by word.
    """
    numbers, span = rows[:, 0], int(rows.max(initial=0)) + 1
    for column in rows.T[1:]:
        numbers = np.unique(numbers * span + column, return_inverse=True)[1].reshape(-1)
    _, places, numbers = np.unique(numbers, return_index=True, return_inverse=True)
    return rows[places], numbers.reshape(-1)


def _allowed(texts: IntArray, owners: IntArray, numbers: IntArray, n_grams: int) -> tuple[IntArray, IntArray]:
    """Return how often each n-gram of a segment may match: as often as in the reference that has it most often."""
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
    """Return all n-grams of a column, one per row, and the text of each."""
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
