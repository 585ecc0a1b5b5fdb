"""Cut the output of a system to the segments of the references, by minimum edit distance."""

from collections.abc import Sequence
from itertools import chain, pairwise

import numpy as np
import numpy.typing as npt

from tertium.alignment.boundaries import CutCosts, weigh_cuts
from tertium.alignment.streams import Stream, TokenKind, split_tokens
from tertium.interfaces import WordVectors
from tertium.kernels.edits import count_levenshtein
from tertium.kernels.segmentation import SOFT_STEPS, cut_stream, spelling_costs
from tertium.kernels.strings import decode_texts
from tertium.records import record
from tertium.values import FloatArray, IdArray, OffsetArray, TokenColumn


@record(kw_only=True)
class CutOptions:
    """How an output is compared with the references, and where it may be cut.

    Attributes
    ----------
    tokens
        The units of the edit distance.
    boundaries
        The cost, in edits, of a cut in the middle of a sentence if the reference has a sentence end there; other
        places that look unlike the end of the reference and the beginning of the next one cost less. 0 minimises
        the edits alone, which depend on the order of words; boundaries then only decide between equal numbers of
        edits.
    spelling
        Whether similar spellings cost less than a whole substitution.
    vectors
        If given, words with similar vectors cost less than a whole substitution.
    """

    tokens: TokenKind = "words"
    boundaries: float = 6.0
    spelling: bool = False
    vectors: WordVectors | None = None

    @property
    def signature(self) -> str:
        """The tokens, and the options that differ from their defaults, as a signature shows them.

        >>> CutOptions().signature, CutOptions(tokens="whitespace", boundaries=0).signature
        ('words', 'whitespace,boundaries=0')
        """
        similar = "spelling" if self.spelling else None if self.vectors is None else self.vectors.identity
        facts = (
            f"boundaries={self.boundaries:g}" if self.boundaries != CutOptions.boundaries else "",
            f"similar={similar}" if similar else "",
        )
        return ",".join([self.tokens, *filter(None, facts)])


Groups = Sequence[Sequence[str]]
"""The references of each segment."""

_MAX_LISTED = 5  # segments that a message lists
_SIMILAR = 0.5  # words whose vectors have a lower cosine are different words
_UNCERTAIN = 1.0  # a cut that could lie elsewhere for fewer edits is uncertain
_WINDOW = 40  # segments of a control: enough to see a difference, few enough to cost nothing
_N_WINDOWS = 4
_N_SHUFFLES = 4
_LEAST_SEGMENTS = 8  # fewer segments say nothing about chance


@record(eq=False)
class Cutting:
    """An output that was cut to the segments of the references.

    Attributes
    ----------
    texts
        The text of each segment; empty if it received nothing.
    edits
        The edits between each segment and its closest reference.
    lengths
        The mean number of tokens of each segment's references.
    margins
        How many edits more the next best place of the cut before each segment would cost; infinity if there is
        no cut or no other place.
    """

    texts: Sequence[str]
    edits: FloatArray
    lengths: FloatArray
    margins: FloatArray

    @property
    def error_rate(self) -> float:
        """Edits per token of the references: the word error rate after automatic segmentation (AS-WER)."""
        return float(self.edits.sum() / max(self.lengths.sum(), 1))

    @property
    def empty(self) -> list[int]:
        """The segments that received nothing, from 0."""
        return [i for i, text in enumerate(self.texts) if not text]

    def describe_empty(self) -> str:
        """Describe the segments that received nothing, in words."""
        shown = ", ".join(f"{i + 1:,}" for i in self.empty[:_MAX_LISTED])
        more = f" and {len(self.empty) - _MAX_LISTED:,} more" if len(self.empty) > _MAX_LISTED else ""
        noun = "segment" if len(self.empty) == 1 else "segments"
        return f"{len(self.empty):,} of {len(self.texts):,} segments received no text: {noun} {shown}{more}"

    @property
    def n_uncertain(self) -> int:
        """The number of cuts that could lie elsewhere at the cost of less than one edit."""
        return int((self.margins < _UNCERTAIN).sum())


class _TokenIds(dict[str, int]):
    """Numbers tokens in the order in which they first occur."""

    def __missing__(self, token: str) -> int:
        self[token] = len(self)
        return self[token]

    def words(self, ids: IdArray) -> list[str]:
        listed = list(self)
        return [listed[word] for word in ids.tolist()]

    def column(self, texts: Sequence[str], options: CutOptions) -> TokenColumn:
        """Tokenize texts into a column of ids."""
        tokens = [split_tokens(text, options.tokens) for text in texts]
        ids = np.fromiter(map(self.__getitem__, chain.from_iterable(tokens)), dtype=np.int32)
        return TokenColumn(ids, np.cumsum([0, *map(len, tokens)]), self)


def cut_output(lines: Sequence[str], references: Groups, options: CutOptions) -> Cutting:
    """Cut a text, whose line breaks need not mean anything, to the segments of the references.

    Parameters
    ----------
    lines
        The output of a system, or of a part of it that belongs to one document.
    references
        The references of each segment of the same document.
    """
    stream, ids = Stream.of(lines), _TokenIds()
    units = ids.column(stream.distinct, options).take(stream.index)
    flat = ids.column(list(chain.from_iterable(references)), options)
    groups = np.cumsum([0, *map(len, references)])
    costs = _weigh(stream, [group[0] for group in references], options.boundaries)
    found = cut_stream(
        units.ids,
        flat,
        groups,
        cut_costs=_spread(costs.rows, units.offsets),
        kinds=costs.kinds,
        substitutions=_soften(ids, options),
        words=_WORDS if options.boundaries > 0 else 0.0,
    )
    cuts = np.searchsorted(units.offsets, found.positions)
    cuts[-1] = len(stream)
    texts = [stream.extract(first, last) for first, last in pairwise(cuts.tolist())]
    counts = count_levenshtein(TokenColumn(units.ids, found.positions, ids), flat, groups)
    return Cutting(texts, counts[:, 0], counts[:, 1], found.margins)


_WORDS = 0.3  # the cost of a word without a counterpart in any order; chosen on WMT15 and WMT22
_CHARACTERS_PER_WORD = 2  # in scripts without spaces, where edits are counted in characters


def _weigh(stream: Stream, references: Sequence[str], weight: float) -> CutCosts:
    """Compute the costs of cuts in edits; without a weight, they only decide between equal numbers of edits."""
    costs = weigh_cuts(stream, references)
    if weight == 0:
        highest = np.max(costs.rows, where=np.isfinite(costs.rows), initial=1.0)
        finite = np.minimum(costs.rows, highest)
        return costs._replace(rows=finite * (0.9 / highest / len(references)))
    return costs._replace(rows=costs.rows * weight * (_CHARACTERS_PER_WORD if stream.is_unspaced else 1))


def _spread(rows: FloatArray, offsets: OffsetArray) -> FloatArray:
    """Allow cuts before the first token of each unit and at the end, not inside units."""
    spread = np.full((len(rows), offsets[-1] + 1), np.inf)
    spread[:, offsets] = rows
    return spread


def _soften(ids: _TokenIds, options: CutOptions) -> npt.NDArray[np.uint8] | None:
    """Compute the costs of all substitutions, if similar words cost less."""
    if not options.spelling and options.vectors is None:
        return None
    costs = np.full((len(ids), len(ids)), SOFT_STEPS, dtype=np.uint8)
    if options.spelling:
        letters = decode_texts(list(ids), keep_space=True)
        np.minimum(costs, spelling_costs(letters, letters), out=costs)
    if options.vectors is not None:
        np.minimum(costs, _vector_costs(ids, options.vectors), out=costs)
    np.fill_diagonal(costs, 0)
    return costs


def _vector_costs(ids: _TokenIds, vectors: WordVectors) -> npt.NDArray[np.uint8]:
    """Compute 1 - cosine for words that have vectors; words below a cosine of one half are
    different words.
    """
    words = TokenColumn(np.arange(len(ids), dtype=np.int32), np.arange(len(ids) + 1), ids)
    embedding = vectors.embed(words)
    if not len(embedding.matrix):  # no word has a vector
        return np.full((len(ids), len(ids)), SOFT_STEPS, dtype=np.uint8)
    matrix = embedding.matrix[np.maximum(embedding.rows, 0)]
    matrix = matrix / np.maximum(np.linalg.norm(matrix, axis=1, keepdims=True), 1e-9)
    matrix[embedding.rows < 0] = 0
    cosines = matrix @ matrix.T
    costs = np.where(cosines >= _SIMILAR, np.round((1 - np.minimum(cosines, 1)) * SOFT_STEPS), SOFT_STEPS)
    return costs.astype(np.uint8)


def join_cuttings(cuttings: Sequence[Cutting]) -> Cutting:
    """Join the segments of several documents."""
    return Cutting(
        list(chain.from_iterable(cutting.texts for cutting in cuttings)),
        np.concatenate([cutting.edits for cutting in cuttings]),
        np.concatenate([cutting.lengths for cutting in cuttings]),
        np.concatenate([cutting.margins for cutting in cuttings]),
    )


def count_control_edits(found: Cutting, references: Groups, options: CutOptions) -> tuple[float, FloatArray]:
    """Count edits in windows of the text, and the edits if the references of each window are shuffled.

    An output that has nothing to do with its references is cut as well to any other order of them.

    Returns
    -------
    edits
        The edits of the segments in the windows.
    shuffled
        The same after cutting the windows to the references in each of several random orders; empty if there
        are too few segments.
    """
    windows = _choose_windows(len(references))
    if not windows:
        return 0.0, np.zeros(0)
    rng = np.random.default_rng(0)
    edits = sum(float(found.edits[window].sum()) for window in windows)
    shuffled = np.zeros(_N_SHUFFLES)
    for window in windows:
        lines, own = found.texts[window], references[window]
        for k in range(_N_SHUFFLES):
            order = rng.permutation(len(own)).tolist()
            shuffled[k] += cut_output(lines, [own[i] for i in order], options).edits.sum()
    return edits, shuffled


def _choose_windows(n_segments: int) -> list[slice]:
    if n_segments < _LEAST_SEGMENTS:
        return []
    n_windows = min(_N_WINDOWS, -(-n_segments // _WINDOW))
    firsts = np.linspace(0, max(n_segments - _WINDOW, 0), n_windows).astype(int).tolist()
    return [slice(first, first + _WINDOW) for first in firsts]
