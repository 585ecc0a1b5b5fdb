"""Scores of all pairs of candidates and references, and the utilities of candidates (minimum Bayes risk decoding)."""

from collections.abc import Iterator, Sequence
from itertools import pairwise as neighbours
from typing import Final, Literal

import numpy as np

from tertium.catalog.building import change_metric
from tertium.errors import OptionError
from tertium.kernels.ngrams import count_aggregated_overlaps
from tertium.metrics.base import Metric
from tertium.metrics.lexical.bleu import BLEU
from tertium.metrics.lexical.chrf import ChrF
from tertium.records import record
from tertium.text import References, TakenTexts, Texts
from tertium.values import FloatArray, OffsetArray, TokenColumn

_MAX_PAIRS: Final = 1 << 17  # pairs that are scored at once: tens of megabytes for texts of ordinary length


@record(eq=False)
class CandidateGroup:
    """The candidates of one source and its references; both may contain repeated texts."""

    candidates: Sequence[str]
    references: Sequence[str]
    source: str | None = None


def score_pairs(
    metric: Metric, hypotheses: Sequence[str], references: Sequence[str], source: str | None = None
) -> FloatArray:
    """Compute the segment score of each hypothesis (row) with each reference (column); each text is prepared once."""
    (matrix,) = score_groups(metric, [CandidateGroup(hypotheses, references, source)])
    return matrix


def score_candidates(metric: Metric, groups: Sequence[CandidateGroup]) -> list[FloatArray]:
    """Compute the score of each candidate of each source, for metrics that read no references."""
    alone = [CandidateGroup(group.candidates, [""], group.source) for group in groups]
    return [matrix[:, 0] for matrix in score_groups(metric, alone)]


def score_groups(metric: Metric, groups: Sequence[CandidateGroup]) -> list[FloatArray]:
    """Compute the matrix of `score_pairs` for each source. The metric must be fitted."""
    distinct = [_DistinctTexts.of(group) for group in groups]
    theirs, their_offsets = _join([texts.references for texts in distinct])
    ours, our_offsets = _join([texts.candidates for texts in distinct], theirs)
    rows, columns = [], []
    for k, texts in enumerate(distinct):
        n, m = len(texts.candidates), len(texts.references)
        rows.append(our_offsets[k] + np.repeat(np.arange(n), m))
        columns.append(their_offsets[k] + np.tile(np.arange(m), n))
    sizes = [len(row) for row in rows]
    pairs = [(ours, np.concatenate(rows)), (theirs, np.concatenate(columns))]
    if "source" in metric.reads:
        sources = Texts([group.source or "" for group in groups])
        pairs.append((sources, np.repeat(np.arange(len(groups)), sizes)))
    parts = np.split(_score_indices(metric, pairs), np.cumsum(sizes)[:-1])
    return [texts.spread(part) for texts, part in zip(distinct, parts, strict=True)]


@record(eq=False)
class _DistinctTexts:
    """The different texts of a source, and where each text of the group is among them."""

    candidates: list[str]
    references: list[str]
    candidate_places: OffsetArray
    reference_places: OffsetArray

    @classmethod
    def of(cls, group: CandidateGroup) -> "_DistinctTexts":
        candidates, candidate_places = _distinct(group.candidates)
        references, reference_places = _distinct(group.references)
        return cls(candidates, references, candidate_places, reference_places)

    def spread(self, scores: FloatArray) -> FloatArray:
        """Turn the scores of pairs of different texts into the matrix of the group."""
        matrix = scores.reshape(len(self.candidates), len(self.references))
        return matrix[np.ix_(self.candidate_places, self.reference_places)]


def _distinct(texts: Sequence[str]) -> tuple[list[str], OffsetArray]:
    places: dict[str, int] = {}
    indices = [places.setdefault(text, len(places)) for text in texts]
    return list(places), np.array(indices, dtype=np.int64)


def _join(lists: Sequence[Sequence[str]], other: Texts | None = None) -> tuple[Texts, OffsetArray]:
    """Return all texts in one column, and the offset of each list in it."""
    offsets = np.cumsum([0, *map(len, lists)], dtype=np.int64)
    vocabulary = None if other is None else other.vocabulary
    return Texts([text for texts in lists for text in texts], vocabulary), offsets


def _score_indices(metric: Metric, columns: Sequence[tuple[Texts, OffsetArray]]) -> FloatArray:
    """Score pairs, whose hypotheses, references and, if there are any, sources are given by a column and indices."""
    step = min(_MAX_PAIRS, metric.most_segments or _MAX_PAIRS)
    parts = []
    for start in range(0, len(columns[0][1]), step):
        hypotheses, references, *source = (
            TakenTexts(texts, indices[start : start + step]) for texts, indices in columns
        )
        rows = metric.checked_statistics(hypotheses, References.of_texts(references), *source)
        parts.append(metric.segment_scores(rows))
    return np.concatenate([np.empty(0), *parts])


def combine_utilities(
    utilities: Sequence[FloatArray], higher_is_better: Sequence[bool], *, by: Literal["rank", "z"]
) -> tuple[FloatArray, int]:
    """Combine the utilities of the candidates of a source by several metrics; also return the best candidate.

    The result is the mean of the ranks (from 1, the best; candidates with equal utility share the mean of their ranks), or
    the mean of standardised utilities, where higher is better. Utilities of a single metric are returned unchanged.
    """
    signed = [
        values if higher else -values for values, higher in zip(utilities, higher_is_better, strict=True)
    ]
    if len(utilities) == 1:
        return utilities[0], int(np.argmax(signed[0]))
    if by == "rank":
        ranks = np.mean([_rank(-values) for values in signed], axis=0)
        return ranks, int(np.argmin(ranks))
    scores = np.mean([_standardise(values) for values in signed], axis=0)
    return scores, int(np.argmax(scores))


def _rank(values: FloatArray) -> FloatArray:
    """Rank values from 1, the lowest; equal values share the mean of their ranks."""
    below = (values[:, None] > values).sum(axis=1)
    ranks: FloatArray = below + ((values[:, None] == values).sum(axis=1) + 1) / 2
    return ranks


def _standardise(values: FloatArray) -> FloatArray:
    spread = values.std()
    return (values - values.mean()) / spread if spread > 0 else np.zeros_like(values)


def can_aggregate(metric: Metric) -> bool:
    """Whether the references of a source can be averaged for this metric."""
    return isinstance(metric, ChrF | BLEU)


def aggregated_utilities(metric: Metric, groups: Sequence[CandidateGroup]) -> list[FloatArray]:
    """Compute the score of each candidate with the average of its source's references (Vamvas & Sennrich 2024).

    The time grows with the number of texts, not with the number of pairs. The result approximates the mean score of
    each candidate over the references.
    """
    theirs, their_offsets = _join([group.references for group in groups])
    ours, our_offsets = _join([group.candidates for group in groups], theirs)
    form = metric.normalize
    both = _Aggregation(ours.normalized(form), our_offsets, theirs.normalized(form), their_offsets)
    metric = change_metric(
        metric, {"system": "corpus"}
    )  # a mean has other statistics, but the same segment scores
    if isinstance(metric, ChrF):
        rows = _chrf_rows(metric, both)
    elif isinstance(metric, BLEU):
        rows = _bleu_rows(metric, both)
    else:
        raise OptionError(f"references can be averaged for chrf and bleu only, not for {metric.name}")
    scores = metric.segment_scores(rows)
    return [scores[start:end] for start, end in neighbours(our_offsets.tolist())]


@record(eq=False)
class _Aggregation:
    """The candidates and references of many sources."""

    ours: Texts
    our_offsets: OffsetArray
    theirs: Texts
    their_offsets: OffsetArray

    def count(self, ours: TokenColumn, theirs: TokenColumn, order: int) -> FloatArray:
        return count_aggregated_overlaps(ours, self.our_offsets, theirs, self.their_offsets, order=order)


def _chrf_rows(metric: ChrF, both: _Aggregation) -> FloatArray:
    ours, theirs = (
        texts.characters(lowercase=metric.lowercase, keep_space=metric.whitespace)
        for texts in (both.ours, both.theirs)
    )
    our_words, their_words = (
        texts.tokens("chrf", lowercase=metric.lowercase) for texts in (both.ours, both.theirs)
    )
    return np.concatenate(
        [both.count(ours, theirs, metric.char_order), both.count(our_words, their_words, metric.word_order)],
        axis=1,
    )


def _bleu_rows(metric: BLEU, both: _Aggregation) -> FloatArray:
    ours, theirs = (
        texts.tokens(metric.tokenizer, lowercase=metric.lowercase) for texts in (both.ours, both.theirs)
    )
    counts = both.count(ours, theirs, metric.max_ngram_order)
    orders = range(1, metric.max_ngram_order + 1)
    totals = np.stack([np.maximum(ours.lengths - n + 1, 0) for n in orders], axis=1)
    average = np.add.reduceat(theirs.lengths, both.their_offsets[:-1]) / np.diff(both.their_offsets)
    lengths = np.stack([ours.lengths, np.repeat(average, np.diff(both.our_offsets))], axis=1)
    return np.concatenate([lengths, counts[:, 2::3], totals], axis=1).astype(np.float64)


def fit_references(metric: Metric, groups: Iterator[CandidateGroup]) -> Metric:
    """Return the metric with the values learnt from the references of all sources, if it learns any."""
    learnt = None
    for group in groups:
        counts = metric.learn(References([[text] for text in group.references]))
        if counts is None:
            return metric
        learnt = counts if learnt is None else learnt.merge(counts)
    return metric if learnt is None else metric.fit_learnt(learnt)
