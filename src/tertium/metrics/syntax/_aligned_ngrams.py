"""How well an alignment keeps a reference's dependency n-grams: the scores that REDp sums.

Yu et al. (2014), Section 3.
"""

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from tertium.kernels.elementary import exp
from tertium.types import Alignments, DependencyNgrams, FloatArray, IdArray, OffsetArray, TokenColumn

__all__ = [
    "OTHER_CAPITALS",
    "WordMatches",
    "match_ngrams",
    "mean_over_ngrams",
    "mean_over_spans",
    "tell_capitals",
    "word_matches",
]

_STRUCTURE = DependencyNgrams.KINDS.index("structure")
_UNMATCHED = -1
_EXACT = Alignments.KINDS.index("exact")
# A kind of match that the aligner does not tell from an exact one: equal in lower case only.
OTHER_CAPITALS = len(Alignments.KINDS)


@dataclass(frozen=True, eq=False)
class WordMatches:
    """What each token of the references is matched with: a hypothesis token (-1: none), and the kind of match."""

    places: IdArray
    kinds: IdArray


def word_matches(alignments: Alignments, offsets: OffsetArray) -> WordMatches:
    """Spread matches of single words over the references' flat column of tokens."""
    pairs = np.repeat(np.arange(len(alignments)), np.diff(alignments.offsets))
    at = offsets[pairs] + alignments.matches[:, 0]
    places = np.full(offsets[-1], _UNMATCHED, dtype=np.int32)
    kinds = np.zeros(offsets[-1], dtype=np.int32)
    places[at] = alignments.matches[:, 2]
    kinds[at] = alignments.matches[:, 4]
    return WordMatches(places, kinds)


def tell_capitals(
    matches: WordMatches, hypotheses: TokenColumn, references: TokenColumn, groups: OffsetArray
) -> WordMatches:
    """Tell words that are equal as they are written from those whose capitals differ, which become a kind of their own."""
    segments = np.repeat(np.arange(len(groups) - 1), np.diff(groups))
    begins = np.repeat(hypotheses.offsets[segments], references.lengths)
    exact = np.flatnonzero((matches.places != _UNMATCHED) & (matches.kinds == _EXACT))
    partners = hypotheses.ids[begins[exact] + matches.places[exact]]
    kinds = matches.kinds.copy()
    kinds[exact[partners != references.ids[exact]]] = OTHER_CAPITALS
    return replace(matches, kinds=kinds)


def match_ngrams(ngrams: DependencyNgrams, matches: WordMatches, offsets: OffsetArray) -> FloatArray:
    """Score each n-gram by position: Formulas 2 and 4 with the aligned words in place of equal ones.

    An n-gram matches if all its words are aligned and keep their order; those of a structure must also
    stand together.
    """
    scores = np.zeros(len(ngrams.kinds))
    for length in np.unique(ngrams.lengths):
        chosen = np.flatnonzero(ngrams.lengths == length)
        positions = _words_of(ngrams, chosen, int(length))
        places = matches.places[offsets[ngrams.texts[chosen], None] + positions]
        is_structure = ngrams.kinds[chosen] == _STRUCTURE
        holds = (places != _UNMATCHED).all(axis=1) & _keeps_order(positions, places)
        holds &= ~is_structure | (np.diff(places, axis=1) == 1).all(axis=1)
        scores[chosen] = np.where(holds, np.where(is_structure, 1.0, _nearness(positions, places)), 0.0)
    return scores


def mean_over_ngrams(ngrams: DependencyNgrams, offsets: OffsetArray, values: FloatArray) -> FloatArray:
    """Average over each n-gram's words a value that is known of each token of the references."""
    tokens = np.repeat(offsets[ngrams.texts], ngrams.lengths) + ngrams.positions
    return mean_over_spans(values[tokens], ngrams.starts[:-1], ngrams.lengths)


def mean_over_spans(values: FloatArray, begins: OffsetArray, lengths: OffsetArray) -> FloatArray:
    """Average each span of values, so that the result does not depend on what stands around the span."""
    sums = np.zeros(len(begins))
    for i in range(int(lengths.max(initial=0))):
        inside = lengths > i
        sums[inside] += values[begins[inside] + i]
    return np.asarray(sums / lengths)


def _words_of(ngrams: DependencyNgrams, chosen: OffsetArray, length: int) -> IdArray:
    return np.asarray(ngrams.positions[ngrams.starts[chosen, None] + np.arange(length)])


def _keeps_order(positions: IdArray, places: IdArray) -> npt.NDArray[np.bool_]:
    kept = np.ones(len(positions), dtype=bool)
    for i in range(positions.shape[1]):
        for j in range(i):
            kept &= (positions[:, i] > positions[:, j]) == (places[:, i] > places[:, j])
    return kept


def _nearness(positions: IdArray, places: IdArray) -> FloatArray:
    """Compute exp(−Σ|dis_r − dis_h| / (n − 1)), which is 1 for a single word."""
    if positions.shape[1] == 1:
        return np.ones(len(positions))
    gaps = np.abs(np.abs(np.diff(positions, axis=1)) - np.abs(np.diff(places, axis=1)))
    return np.asarray(exp(-gaps.mean(axis=1)))
