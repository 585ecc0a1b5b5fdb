"""Batch kernels over word vectors: alignments, soft matches and edits, text vectors, optimal transport, and an encoder of contextual vectors."""

from collections.abc import Mapping, Sequence
from dataclasses import astuple
from itertools import pairwise
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

import tertium._core as _core
from tertium._core import EmbeddedTexts as EmbeddedTexts
from tertium.errors import InputError
from tertium.kernels.strings import pair_embedded, pair_texts
from tertium.kernels.threads import n_threads
from tertium.records import record
from tertium.values import Embedding, FloatArray, IdArray, OffsetArray, TokenColumn

WordPairing = Literal["whole", "maximum", "hungarian"]

_NO_WEIGHTS = np.empty(0)


def embed_texts(
    tokens: TokenColumn, embedding: Embedding, weights: FloatArray | None = None
) -> EmbeddedTexts:
    """Combine a token column with its vectors and, optionally, weights of the tokens.

    Raises
    ------
    InputError
        If a vector is not finite, or so large or small that products with it would overflow or underflow.
    """
    rows = np.ascontiguousarray(embedding.rows, dtype=np.int32)
    matrix = np.ascontiguousarray(embedding.matrix, dtype=np.float32)
    heavy = _NO_WEIGHTS if weights is None else np.ascontiguousarray(weights, dtype=np.float64)
    try:
        return EmbeddedTexts(tokens.ids, tokens.offsets, rows, matrix, heavy)
    except ValueError as error:
        raise _vector_error(tokens, rows, matrix, str(error)) from error


def largest_magnitude(matrix: npt.NDArray[np.float32]) -> float:
    """Return the largest magnitude of the values; 0 if there are none, NaN if one of them is NaN."""
    return _core.largest_magnitude(np.ascontiguousarray(matrix, dtype=np.float32))


def word_alignment_similarities(
    hypotheses: EmbeddedTexts,
    references: EmbeddedTexts,
    groups: OffsetArray,
    *,
    kind: WordPairing,
    threshold: float,
    strict: bool = False,
) -> FloatArray:
    """Compute the similarity of each reference to its hypothesis by word pairs: all, the nearest, or one-to-one.

    A word similarity below the threshold counts as 0. Equal words without a vector have similarity 1,
    or 0 with `strict`.
    """
    pairs = pair_embedded(hypotheses, references, groups)
    return _core.alignment_similarities(pairs, kind, threshold, strict, n_threads())


def match_vectors(
    hypotheses: EmbeddedTexts, references: EmbeddedTexts, groups: OffsetArray, *, order: int
) -> FloatArray:
    """Compute, for each *reference*, precision and recall of n-grams matched with the most similar one by cosines.

    The weights of the tokens weigh the n-grams. A shorter text lowers the order to its length.
    """
    return _core.match_vectors(pair_embedded(hypotheses, references, groups), order, n_threads())


def match_substrings(
    hypotheses: tuple[TokenColumn, FloatArray],
    references: tuple[TokenColumn, FloatArray],
    groups: OffsetArray,
    letters: TokenColumn,
    *,
    order: int,
) -> FloatArray:
    """Compute, for each *reference*, precision and recall of n-grams whose words match by longest common substrings.

    The second item of `hypotheses` and `references` has the weights of their tokens. Text i of `letters` has the letters of word i.
    """
    (ours, our_weights), (theirs, their_weights) = hypotheses, references
    pairs = pair_texts(ours, theirs, groups)
    return _core.match_substrings(
        pairs, our_weights, their_weights, letters.ids, letters.offsets, order, n_threads()
    )


def text_vector_cosines(
    hypotheses: EmbeddedTexts, references: EmbeddedTexts, groups: OffsetArray
) -> FloatArray:
    """Compute the cosine of the mean vectors of each reference and its hypothesis."""
    return _core.text_vector_cosines(pair_embedded(hypotheses, references, groups), n_threads())


def count_cosines(hypotheses: TokenColumn, references: TokenColumn, groups: OffsetArray) -> FloatArray:
    """Compute the cosine of the token counts of each reference and its hypothesis."""
    return _core.count_cosines(pair_texts(hypotheses, references, groups), n_threads())


def count_soft_edits(
    hypotheses: EmbeddedTexts, references: EmbeddedTexts, groups: OffsetArray, *, strict: bool = False
) -> FloatArray:
    """Compute, per segment, the cost of the cheapest edits over its references, and the average reference length.

    A substitution costs 1 − max(0, similarity).
    """
    return _core.count_soft_edits(pair_embedded(hypotheses, references, groups), strict, n_threads())


def count_soft_matches(
    hypotheses: EmbeddedTexts,
    references: EmbeddedTexts,
    groups: OffsetArray,
    *,
    order: int,
    threshold: float,
    strict: bool = False,
) -> FloatArray:
    """Compute, per segment, lengths as in BLEU, then similarities and totals of n-grams of orders 1..order."""
    pairs = pair_embedded(hypotheses, references, groups)
    return _core.count_soft_matches(pairs, order, threshold, strict, n_threads())


def nearest_ngrams(
    hypothesis: EmbeddedTexts, references: EmbeddedTexts, *, order: int, strict: bool = False
) -> list[FloatArray]:
    """Compute, by order, the similarity of each n-gram of the first hypothesis to the nearest reference n-gram."""
    return _core.nearest_ngrams(hypothesis, references, order, strict)


def word_similarities(first: EmbeddedTexts, second: EmbeddedTexts, *, strict: bool = False) -> FloatArray:
    """Compute the similarities of all words of the first texts of two columns."""
    return _core.word_similarities(first, second, strict)


def solve_assignments(weights: Sequence[npt.ArrayLike]) -> tuple[FloatArray, list[IdArray]]:
    """Match rows with columns one-to-one so that the sum of weights is maximal.

    Returns the sum of each problem and, for every row, its column or -1 if it is unmatched.

    >>> solve_assignments([[[0.9, 0.8], [0.7, 0.1]]])
    (array([1.5]), [array([1, 0], dtype=int32)])
    """
    shapes = [np.shape(matrix) for matrix in weights]
    for number, shape in enumerate(shapes, start=1):
        if len(shape) != 2:
            raise InputError(f"problem {number}: weights must be a matrix, not an array of shape {shape}")
    rows = np.cumsum([0, *(shape[0] for shape in shapes)], dtype=np.int64)
    flat, offsets = flatten_arrays(weights)
    check_finite(flat, offsets, "weights")
    totals, matches = _core.solve_assignments(
        flat, np.array(shapes, dtype=np.int64).ravel(), offsets, rows, n_threads()
    )
    return totals, np.split(matches, rows[1:-1]) if shapes else []


def flatten_arrays(arrays: Sequence[npt.ArrayLike]) -> tuple[FloatArray, OffsetArray]:
    """Concatenate arrays of any shape; return the flat array and the offset of each array."""
    flat = [np.ravel(np.asarray(array, dtype=np.float64)) for array in arrays]
    offsets = np.cumsum([0, *map(len, flat)], dtype=np.int64)
    return np.concatenate([np.empty(0), *flat]), offsets


def check_finite(flat: FloatArray, offsets: OffsetArray, noun: str) -> None:
    """Raise if a number of a problem is too large or not finite; `offsets` are those of the problems."""
    bad = np.flatnonzero(~(np.abs(flat) <= 1e300))
    if bad.size:
        problem = int(np.searchsorted(offsets, bad[0], side="right"))
        raise InputError(f"problem {problem}: {noun} must be finite and at most 1e300, not {flat[bad[0]]}")


def _vector_error(
    tokens: TokenColumn, rows: IdArray, matrix: npt.NDArray[np.float32], complaint: str
) -> InputError:
    """Make an error that names the first word whose vector is out of range, if there is one."""
    fits = len(rows) == len(tokens.ids) and rows.max(initial=-1) < len(matrix)
    largest = np.abs(matrix[rows]).max(axis=1, initial=0) if fits else np.zeros(len(rows))
    bad = np.flatnonzero(~((largest == 0) | ((largest >= 1e-15) & (largest <= 1e12))) & (rows >= 0))
    if not bad.size:
        return InputError(complaint)
    (word,) = tokens.vocabulary.words(tokens.ids[bad[0] : bad[0] + 1])
    return InputError(
        f"the largest value of the vector of {word!r} is {largest[bad[0]]:g}; it must be between 1e-15 and 1e12: "
        "download the vectors again, or multiply all of them by a constant"
    )


Matrices = Sequence[npt.ArrayLike]
TravelCost = Literal["clipped", "cosine", "euclidean"]


@record
class TravelOptions:
    """The options of Semantic Travel Distance.

    `order_weight` is the share of the difference in position in the ground distance; the rest is `cost`, a function of
    the cosine: 1 − max(0, cosine), 1 − cosine, or the Euclidean distance of vectors of length 1. With a `price` above 0,
    mass may be left out at that price per unit, and the distance is a share of the price of leaving out everything.
    With `cancels`, mass that both texts give to an n-gram does not move. With `similarity_mass`, n-grams are weighted by nSIM rather than by
    the weights of tokens. With `centroid_of_list`, a repeated n-gram counts repeatedly in the centre of a text.
    With `occurrences`, each occurrence is a separate n-gram.
    """

    order_weight: float = 0.4
    cost: TravelCost = "clipped"
    price: float = 0.0
    cancels: bool = True
    similarity_mass: bool = True
    centroid_of_list: bool = True
    occurrences: bool = False


@record(eq=False)
class TravelPlan:
    """The transport of one pair; n-grams are numbered in their order of appearance, hypothesis first.

    `ground` has one row and one column per n-gram, `flow` one row per source and one column per sink.
    """

    distance: float
    hypothesis: IdArray
    reference: IdArray
    hypothesis_mass: FloatArray
    reference_mass: FloatArray
    sources: OffsetArray
    sinks: OffsetArray
    ground: FloatArray
    flow: FloatArray


def travel_distances(
    hypotheses: EmbeddedTexts,
    references: EmbeddedTexts,
    groups: OffsetArray,
    *,
    orders: Sequence[int],
    options: TravelOptions,
) -> FloatArray:
    """Compute Semantic Travel Distance, with one row per reference and one column per n-gram order."""
    pairs = pair_embedded(hypotheses, references, groups)
    wanted = np.array(orders, dtype=np.int64)
    return _core.travel_distances(pairs, wanted, _core_options(options), n_threads())


def explain_travel(
    hypothesis: EmbeddedTexts, reference: EmbeddedTexts, *, order: int, options: TravelOptions
) -> TravelPlan | None:
    """Return the transport between the first texts of two columns; None if one of them has no known word."""
    parts = _core.explain_travel(hypothesis, reference, order, _core_options(options))
    return None if parts is None else TravelPlan(*parts)


def solve_transports(
    supplies: Matrices, demands: Matrices, costs: Matrices
) -> tuple[FloatArray, list[FloatArray]]:
    """Solve transportation problems exactly; return the minimal cost and the flow of each.

    >>> total, (flow,) = solve_transports([[0.5, 0.5]], [[0.25, 0.75]], [[[0.0, 1.0], [1.0, 0.0]]])
    >>> total, flow
    (array([0.25]), array([[0.25, 0.25], [0.  , 0.5 ]]))
    """
    shapes = [(np.size(s), np.size(d)) for s, d in zip(supplies, demands, strict=True)]
    for number, ((sources, sinks), cost) in enumerate(zip(shapes, costs, strict=True), start=1):
        if np.shape(cost) != (sources, sinks):
            raise InputError(f"problem {number}: costs must be {sources} by {sinks}, not {np.shape(cost)}")
    flat, offsets = flatten_arrays(costs)
    sides = [flatten_arrays(supplies), flatten_arrays(demands)]
    for noun, (values, ends) in zip(("costs", "supplies", "demands"), [(flat, offsets), *sides], strict=True):
        check_finite(values, ends, noun)
    totals, flows = _core.solve_transports(*sides[0], *sides[1], flat, offsets, n_threads())
    parts = [
        flows[begin:end].reshape(shape) for (begin, end), shape in zip(pairwise(offsets), shapes, strict=True)
    ]
    return totals, parts


def _core_options(options: TravelOptions) -> _core.TravelOptions:
    return _core.TravelOptions(*astuple(options))


Table = npt.NDArray[Any]
Tables = Mapping[str, Table]


class TextEncoder:
    """A BERT encoder whose weights are bytes; states have the same bits on every processor.

    Parameters
    ----------
    embeddings
        The embedding layer: `pieces` and `positions`, each with `.weights` (a row of int8 per entry) and `.scales`;
        `type`; the layer normalisation `norm` with `.weights` and `.biases`.
    layers
        For each layer `query`, `key`, `value`, `output`, `wide` and `narrow`, each with `.weights` (a row of int8 per
        input), `.scales` and `.biases` (a number per output); the layer normalisations `attention_norm` and `norm`.

    Raises
    ------
    ValueError
        If the tables' sizes do not fit together, or are not multiples of 32.
    """

    def __init__(self, embeddings: Tables, layers: Sequence[Tables]) -> None:
        self._encoder = _core.TextEncoder(dict(embeddings), [dict(layer) for layer in layers])

    def encode(self, sequences: Sequence[Sequence[int]], n_layers: int) -> list[npt.NDArray[np.float32]]:
        """Return the states of each sequence after `n_layers` layers: a row for each piece."""
        offsets = np.cumsum([0, *map(len, sequences)])
        ids = np.fromiter((piece for pieces in sequences for piece in pieces), np.int32, int(offsets[-1]))
        states = self._encoder.encode(ids, offsets, n_layers, n_threads())
        return np.split(states, offsets[1:-1])
