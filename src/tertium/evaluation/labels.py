"""Systems on groups of segments and on kinds of words: scores, tests of all pairs in all groups, letters, examples."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from tertium.catalog import LabelledMetric
from tertium.evaluation.comparison import compare
from tertium.evaluation.evaluation import Evaluation
from tertium.evaluation.gaps import limit_groups
from tertium.evaluation.selection import select_metric, select_segments
from tertium.evaluation.units import Units
from tertium.kernels.ngrams import count_overlaps
from tertium.metrics.base import Metric
from tertium.records import record
from tertium.stats.analysis import Analysis
from tertium.stats.letters import compact_letters
from tertium.stats.significance import holm
from tertium.text import References, Texts
from tertium.values import Corpus, FloatArray, TokenColumn

Rows = npt.NDArray[np.intp]

FREQUENCIES = (0, 10, 100, 1000)
"""Upper ends of the ranges of a word's frequency in a training corpus."""

MIN_SEGMENTS = 20
"""A source word is compared if this number of segments have it."""

_MAX_SOURCE_WORDS = 100
_TOKENIZER = "13a"


@record(eq=False)
class LabelRow:
    """The scores of all systems on one group.

    Attributes
    ----------
    kind, name
        What groups are made by, and the group: "part of speech" and "NOUN".
    n_items
        The number of segments or words.
    letters
        Two systems share a letter if and only if they do not differ significantly; empty if the group is too small.
    p_adjusted
        p-values of all pairs (systems, systems), Holm-adjusted over all pairs and groups of this kind; NaN as above.
    example
        The segment, from 0, on which the best system is ahead of the worst by most; None if they are equal.
    """

    kind: str
    name: str
    n_items: int
    scores: tuple[float, ...]
    letters: tuple[str, ...]
    p_adjusted: FloatArray
    example: int | None

    @property
    def p_value(self) -> float | None:
        """The smallest adjusted p-value of a pair of systems; None if the group is too small for tests."""
        known = self.p_adjusted[np.isfinite(self.p_adjusted)]
        return float(known.min()) if len(known) else None


def compare_segment_groups(
    evaluation: Evaluation, label: str, kind: str, groups: Mapping[str, Rows], analysis: Analysis
) -> list[LabelRow]:
    """Compare all systems on groups of segments with one metric."""
    whole = select_metric(evaluation, label)
    sign = 1.0 if whole.metric(label).higher_is_better else -1.0
    segment_scores = whole.segment_scores(label)
    groups = limit_groups(whole, label, groups)
    parts = {name: select_segments(whole, rows) for name, rows in groups.items()}
    pairs = [_test(part, label, analysis) for part in parts.values()]
    rows = []
    for (name, part), p_adjusted in zip(parts.items(), _adjust(pairs), strict=True):
        scores = part.system_scores(label)
        example = _find_example(sign * scores, sign * segment_scores[:, groups[name]])
        found = None if example is None else int(groups[name][example])
        rows.append(_make_row(kind, name, part.n_segments, scores, p_adjusted, found, analysis, sign))
    return rows


def compare_word_groups(
    words: "ReferenceWords", kind: str, labels: Sequence[str], order: Sequence[str], analysis: Analysis
) -> list[LabelRow]:
    """Compare the recall of the references' words by their labels: one label per word, in the given order."""
    tables = words.tabulate(labels, order)
    metrics = tuple(LabelledMetric(name, WordRecall()) for name in tables)
    evaluation = Evaluation(words.systems, metrics, tables, (1, 1), words.units)
    compared = compare(evaluation, analysis) if tables else None
    rows, pairs = [], []
    for name in tables:
        n_segments = int(np.count_nonzero(tables[name][0, :, 1]))
        is_tested = compared is not None and compared.untested is None and n_segments >= MIN_SEGMENTS
        pairs.append(compared.metrics[name].pair_p if compared is not None and is_tested else None)
    for (name, table), p_adjusted in zip(tables.items(), _adjust(pairs, len(words.systems)), strict=True):
        scores = evaluation.system_scores(name)
        example = _find_example(scores, table[:, :, 0])
        n_words = int(table[0, :, 1].sum())
        rows.append(_make_row(kind, name, n_words, scores, p_adjusted, example, analysis, 1.0))
    return rows


@dataclass(frozen=True)
class WordRecall(Metric):
    """100 · matched words / words of the references, for words of one kind."""

    def statistics(self, hypotheses: Texts, references: References) -> FloatArray:
        """Count the matched words and all words of the first reference of each segment."""
        words = hypotheses.tokens(_TOKENIZER), references.tokens(_TOKENIZER)
        counts = count_overlaps(*words, references.offsets, order=1)
        return np.asarray(counts[references.offsets[:-1]][:, [2, 1]], dtype=np.float64)

    def combine(self, totals: FloatArray) -> FloatArray:
        words = totals[..., 1]
        return np.where(words > 0, 100.0 * totals[..., 0] / np.where(words > 0, words, 1.0), 0.0)


@record(eq=False)
class ReferenceWords:
    """The words of the first reference of each segment, and which of them each system has.

    An output has a word as often as it contains it, as in BLEU: the second *the* of a reference needs a second one.

    Attributes
    ----------
    tokens
        The words of the references.
    owners
        The segment of each word.
    is_matched
        Whether each system has each word (systems, words).
    units
        The units of the segments.
    """

    systems: tuple[str, ...]
    tokens: TokenColumn
    owners: npt.NDArray[np.int64]
    is_matched: npt.NDArray[np.bool_]
    units: Units = Units()

    @classmethod
    def of(cls, corpus: Corpus, systems: Sequence[str], units: Units | None = None) -> "ReferenceWords":
        references = Texts([group[0] for group in corpus.references])
        outputs = [Texts(corpus.systems[name], references.vocabulary).tokens(_TOKENIZER) for name in systems]
        tokens = references.tokens(_TOKENIZER)
        owners = _owners(tokens)
        size = 1 + max([int(column.ids.max(initial=0)) for column in (tokens, *outputs)])
        keys = owners * size + tokens.ids
        ranks = _rank_within(keys)
        matched = [ranks < _count(keys, _owners(output) * size + output.ids) for output in outputs]
        return cls(tuple(systems), tokens, owners, np.array(matched), units or Units())

    def words(self) -> list[str]:
        """Return all words in order."""
        found: list[str] = self.tokens.vocabulary.words(self.tokens.ids)
        return found

    def tabulate(self, labels: Sequence[str], order: Sequence[str]) -> dict[str, FloatArray]:
        """Count matched words and all words of each label, by system and segment (systems, segments, 2)."""
        array, tables = np.array(labels, dtype=object), {}
        for name in order:
            chosen = array == name
            if not chosen.any():
                continue
            all_words = self._sum(chosen)
            tables[name] = np.stack(
                [np.stack([self._sum(chosen & matched), all_words], axis=-1) for matched in self.is_matched]
            )
        return tables

    def _sum(self, chosen: npt.NDArray[np.bool_]) -> FloatArray:
        return np.bincount(self.owners[chosen], minlength=len(self.tokens)).astype(np.float64)


def label_by_frequency(
    words: Sequence[str], counts: Mapping[str, int], bounds: Sequence[int] = FREQUENCIES
) -> tuple[list[str], list[str]]:
    """Label words by their frequency, in ranges up to each bound; return the labels, and their order.

    A word that has no count is looked up in lower case.
    """
    names = [_name_range(low, high) for low, high in pairwise([-1, *bounds, np.inf])]
    frequencies = [counts.get(word, 0) or counts.get(word.lower(), 0) for word in words]
    return [names[i] for i in np.searchsorted(bounds, frequencies, side="left").tolist()], names


def group_by_source_word(sources: Sequence[str], *, lower: int = MIN_SEGMENTS) -> dict[str, Rows]:
    """Group segments by the words of their sources: the most frequent words that at most half of the segments have."""
    tokens = Texts(sources).tokens(_TOKENIZER, lowercase=True)
    pairs = np.unique(np.stack([tokens.ids.astype(np.int64), _owners(tokens)]), axis=1)
    ids, counts = np.unique(pairs[0], return_counts=True)
    wanted = ids[(counts >= lower) & (2 * counts <= len(sources))]
    ranked = wanted[np.argsort(-counts[np.searchsorted(ids, wanted)], kind="stable")]
    words = tokens.vocabulary.words(ranked.astype(np.int32))
    named = [(word, i) for word, i in zip(words, ranked.tolist(), strict=True) if any(map(str.isalpha, word))]
    return {word: pairs[1][pairs[0] == i].astype(np.intp) for word, i in named[:_MAX_SOURCE_WORDS]}


def _make_row(
    kind: str,
    name: str,
    n_items: int,
    scores: FloatArray,
    p_adjusted: FloatArray,
    example: int | None,
    analysis: Analysis,
    sign: float,
) -> LabelRow:
    is_tested = bool(np.isfinite(p_adjusted).any())
    differs = np.nan_to_num(p_adjusted, nan=1.0) < analysis.alpha
    letters = compact_letters(sign * scores, differs) if is_tested else ("",) * len(scores)
    return LabelRow(kind, name, n_items, tuple(scores.tolist()), letters, p_adjusted, example)


def _test(part: Evaluation, label: str, analysis: Analysis) -> FloatArray | None:
    compared = compare(part, analysis)
    return compared.metrics[label].pair_p if compared.untested is None else None


def _adjust(pairs: Sequence[FloatArray | None], n_systems: int = 0) -> list[FloatArray]:
    """Adjust the p-values of all pairs of systems in all groups as one family; NaN where nothing was tested."""
    known = [pair for pair in pairs if pair is not None]
    size = len(known[0]) if known else n_systems
    upper = np.triu_indices(size, k=1)
    adjusted = holm(np.array([p_values[upper] for p_values in known])) if known else np.empty((0, 0))
    rows, found = iter(adjusted), []
    for pair in pairs:
        matrix = np.full((size, size), np.nan)
        if pair is not None:
            matrix[upper] = next(rows)
            matrix.T[upper] = matrix[upper]
        found.append(matrix)
    return found


def _find_example(scores: FloatArray, by_segment: FloatArray) -> int | None:
    """Return the segment on which the best system is ahead of the worst by most; None if it is nowhere ahead."""
    ahead = np.nan_to_num(by_segment[int(np.argmax(scores))] - by_segment[int(np.argmin(scores))])
    best = int(np.argmax(ahead))
    return best if ahead[best] > 0 else None


def _owners(tokens: TokenColumn) -> npt.NDArray[np.int64]:
    return np.repeat(np.arange(len(tokens), dtype=np.int64), np.diff(tokens.offsets))


def _rank_within(keys: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Return how many equal keys come before each key."""
    order = np.argsort(keys, kind="stable")
    sorted_keys = keys[order]
    starts = (
        np.flatnonzero(np.concatenate([[True], sorted_keys[1:] != sorted_keys[:-1]])) if len(keys) else order
    )
    sizes = np.diff(np.append(starts, len(keys)))
    ranks = np.empty(len(keys), dtype=np.int64)
    ranks[order] = np.arange(len(keys)) - np.repeat(starts, sizes)
    return ranks


def _count(keys: npt.NDArray[np.int64], others: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Count how often each key occurs among others."""
    found, counts = np.unique(others, return_counts=True)
    places = np.minimum(np.searchsorted(found, keys), max(0, len(found) - 1))
    if not len(found):
        return np.zeros(len(keys), dtype=np.int64)
    return np.where(found[places] == keys, counts[places], 0)


def _name_range(low: float, high: float) -> str:
    if high == 0:
        return "never"
    return f"more than {low:,.0f}" if high == np.inf else f"{low + 1:,.0f}–{high:,.0f}"
