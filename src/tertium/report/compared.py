"""What a comparison of two systems found, as plain data for reports."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tertium.evaluation.differences import Bucket, Difference
from tertium.evaluation.edit_needs import EditNeeds
from tertium.evaluation.word_gains import FrequencyRow, NgramGain
from tertium.types import Corpus, FloatArray

__all__ = ["Compared"]


@dataclass(frozen=True, eq=False, kw_only=True)
class Compared:
    """Two systems, and all that was found about them.

    Attributes
    ----------
    n
        How many segments of each kind are shown.
    corpus
        The texts, if they are known; `ngrams`, `words` and `edits` are empty without them.
    buckets, signatures, segment_gains
        By the metric's label. A gain is positive where the second system is better.
    edits
        By the system's name, the first one first.
    disagreements
        For each segment, how far metrics disagree about the winner.
    """

    first: str
    second: str
    alpha: float
    n: int
    n_segments: int
    notes: Sequence[str]
    corpus: Corpus | None
    differences: Sequence[Difference]
    signatures: Mapping[str, str]
    segment_gains: Mapping[str, FloatArray]
    buckets: Mapping[str, Sequence[Bucket]]
    ngrams: tuple[Sequence[NgramGain], Sequence[NgramGain]]
    words: Sequence[FrequencyRow]
    edits: Mapping[str, EditNeeds]
    disagreements: FloatArray
