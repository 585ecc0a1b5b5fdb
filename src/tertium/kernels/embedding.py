"""Batch kernels over word vectors: alignments, soft matches and edits, text vectors, optimal transport."""

from collections.abc import Sequence
from dataclasses import astuple, dataclass
from itertools import pairwise
from typing import Literal

import numpy as np
import numpy.typing as npt

import tertium._core as _core
from tertium._core import EmbeddedTexts as EmbeddedTexts
from tertium.errors import InputError
from tertium.kernels.strings import pair_embedded, pair_texts
from tertium.kernels.threads import n_threads
from tertium.types import Embedding, FloatArray, IdArray, OffsetArray, TokenColumn

WordPairing = Literal["whole", "maximum", "hungarian"]

_NO_WEIGHTS = np.empty(0)


def embed_texts(
    tokens: TokenColumn, embedding: Embedding, weights: FloatArray | None = None
) -> EmbeddedTexts:
    """Join a token column with its vectors and, where tokens differ in weight, their weights.

    Raises
    ------
    InputError
        If a vector is not finite, or so large or small that products with it would not be numbers.
    """
    rows = np.ascontiguousarray(embedding.rows, dtype=np.int32)
    matrix = np.ascontiguousarray(embedding.matrix, dtype=np.float32)
    heavy = _NO_WEIGHTS if weights is None else np.ascontiguousarray(weights, dtype=np.float64)
    try:
        return EmbeddedTexts(tokens.ids, tokens.offsets, rows, matrix, heavy)
    except ValueError as error:
        raise _vector_error(tokens, rows, matrix, str(error)) from error


def alignment_similarities(
    hypotheses: EmbeddedTexts,
    references: EmbeddedTexts,
    groups: OffsetArray,
    *,
    kind: WordPairing,
    threshold: float,
    strict: bool = False,
) -> FloatArray:
    """Compare each reference with its hypothesis by aligned words: all pairs, the nearest, or one to one.

    A word similarity below the threshold counts as 0. Equal words without a vector have similarity 1,
    or 0 if `strict`.
    """
    pairs = pair_embedded(hypotheses, references, groups)
    return _core.alignment_similarities(pairs, kind, threshold, strict, n_threads())


def text_vector_cosines(
    hypotheses: EmbeddedTexts, references: EmbeddedTexts, groups: OffsetArray
) -> FloatArray:
    """Compute the cosine of each reference's mean vector with its hypothesis'."""
    return _core.text_vector_cosines(pair_embedded(hypotheses, references, groups), n_threads())


def count_cosines(hypotheses: TokenColumn, references: TokenColumn, groups: OffsetArray) -> FloatArray:
    """Compute the cosine of each reference's token counts with its hypothesis'."""
    return _core.count_cosines(pair_texts(hypotheses, references, groups), n_threads())


def count_soft_edits(
    hypotheses: EmbeddedTexts, references: EmbeddedTexts, groups: OffsetArray, *, strict: bool = False
) -> FloatArray:
    """Count per segment: the cheapest edits over its references, and their average length.

    Replacing a word costs 1 − max(0, similarity).
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
    """Count per segment: lengths as BLEU does, then similarities and totals of n-grams of orders 1..order."""
    pairs = pair_embedded(hypotheses, references, groups)
    return _core.count_soft_matches(pairs, order, threshold, strict, n_threads())


def nearest_ngrams(
    hypothesis: EmbeddedTexts, references: EmbeddedTexts, *, order: int, strict: bool = False
) -> list[FloatArray]:
    """Find how near each n-gram of the first hypothesis is to the nearest of all references, by order."""
    return _core.nearest_ngrams(hypothesis, references, order, strict)


def word_similarities(first: EmbeddedTexts, second: EmbeddedTexts, *, strict: bool = False) -> FloatArray:
    """Compute the similarity of every word of one column's first text with every word of the other's."""
    return _core.word_similarities(first, second, strict)


def solve_assignments(weights: Sequence[npt.ArrayLike]) -> tuple[FloatArray, list[IdArray]]:
    """Match rows with columns one to one so that the weights' sum is largest.

    Returns each problem's sum and, for every row, its column, or -1 if there are more rows than columns.

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
    """Put arrays of any shape one after the other; the offsets say where each begins."""
    flat = [np.ravel(np.asarray(array, dtype=np.float64)) for array in arrays]
    offsets = np.cumsum([0, *map(len, flat)], dtype=np.int64)
    return np.concatenate([np.empty(0), *flat]), offsets


def check_finite(flat: FloatArray, offsets: OffsetArray, noun: str) -> None:
    """Raise if a problem's numbers cannot be added up; `offsets` say where each problem begins."""
    bad = np.flatnonzero(~(np.abs(flat) <= 1e300))
    if bad.size:
        problem = int(np.searchsorted(offsets, bad[0], side="right"))
        raise InputError(f"problem {problem}: {noun} must be finite and at most 1e300, not {flat[bad[0]]}")


def _vector_error(
    tokens: TokenColumn, rows: IdArray, matrix: npt.NDArray[np.float32], complaint: str
) -> InputError:
    """Name the first word whose vector cannot be compared, if that is what is wrong."""
    fits = len(rows) == len(tokens.ids) and rows.max(initial=-1) < len(matrix)
    largest = np.abs(matrix[rows]).max(axis=1, initial=0) if fits else np.zeros(len(rows))
    bad = np.flatnonzero(~((largest == 0) | ((largest >= 1e-15) & (largest <= 1e12))) & (rows >= 0))
    if not bad.size:
        return InputError(complaint)
    (word,) = tokens.vocabulary.words(tokens.ids[bad[0] : bad[0] + 1])
    return InputError(
        f"the largest value of the vector of {word!r} is {largest[bad[0]]:g}; to be compared, it must lie between "
        "1e-15 and 1e12: get the vectors anew, or multiply all of them by a constant"
    )


Matrices = Sequence[npt.ArrayLike]


@dataclass(frozen=True)
class TravelOptions:
    """What Semantic Travel Distance leaves open.

    `order_weight` is the share of place in the ground distance, `cancels` leaves mass where both
    sides have it, `similarity_mass` weighs n-grams by nSIM rather than by the tokens' weights,
    `centroid_of_list` counts a repeated n-gram repeatedly in a text's centre, and `occurrences`
    makes each occurrence an n-gram of its own.
    """

    order_weight: float = 0.4
    cancels: bool = True
    similarity_mass: bool = True
    centroid_of_list: bool = True
    occurrences: bool = False


@dataclass(frozen=True, eq=False)
class TravelPlan:
    """One pair's transport: n-grams are numbered in their order of appearance, hypothesis first.

    `ground` has a row and a column for every n-gram, `flow` a row per source and a column per sink.
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
    """Compute Semantic Travel Distance in 0..1: a row per reference, a column per n-gram order."""
    pairs = pair_embedded(hypotheses, references, groups)
    wanted = np.array(orders, dtype=np.int64)
    return _core.travel_distances(pairs, wanted, _core_options(options), n_threads())


def explain_travel(
    hypothesis: EmbeddedTexts, reference: EmbeddedTexts, *, order: int, options: TravelOptions
) -> TravelPlan | None:
    """Show the transport between two columns' first texts; None if one of them has no known word."""
    seen = _core.explain_travel(hypothesis, reference, order, _core_options(options))
    return None if seen is None else TravelPlan(*seen)


def solve_transports(
    supplies: Matrices, demands: Matrices, costs: Matrices
) -> tuple[FloatArray, list[FloatArray]]:
    """Solve transportation problems exactly: the least cost of each, and its flow.

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
