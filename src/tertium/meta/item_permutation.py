"""PERM-BOTH for coefficients within each segment, averaged: all mixtures of two metrics at once.

A segment has few systems, so that few mixtures of two metrics exist for it: each is computed once for all
pairs of metrics, as a matrix product, and every resample looks its mixtures up. The result is that of
`permute_scores`, hundreds of times faster.
"""

from collections.abc import Callable, Mapping
from functools import cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tertium.meta.permutation import Permutations, RowStatistic, standardise
from tertium.meta.resampling import draw_swaps
from tertium.types import FloatArray

__all__ = ["ITEM_COEFFICIENTS", "MOST_SYSTEMS", "permute_by_item"]

MOST_SYSTEMS = 62  # a mixture is the bits of a whole number

Bits = npt.NDArray[np.bool_]


class _Item(NamedTuple):
    """A segment: people's scores (systems,), metrics' (metrics, systems), and the pairs of metrics."""

    human: FloatArray
    scores: FloatArray
    first: npt.NDArray[np.intp]
    second: npt.NDArray[np.intp]


Table = tuple[FloatArray, Bits]
"""Coefficients of mixtures, (mixtures, pairs of metrics), 0 where they do not exist; and where they do."""


def permute_by_item(
    name: str,
    human: FloatArray,
    metrics: FloatArray,
    statistic: RowStatistic,
    n_samples: int,
    rng: np.random.Generator,
) -> Permutations:
    """Run PERM-BOTH for one of `ITEM_COEFFICIENTS`, averaged over segments.

    `human` is (systems, segments), NaN where nobody judged, and `metrics` (metrics, systems, segments);
    `statistic` gives the value as it is, of judged cells.
    """
    judged = ~np.isnan(human)
    known = metrics.reshape(len(metrics), -1)[:, judged.reshape(-1)]
    n_cells = known.shape[1]
    swaps = np.concatenate([block.astype(bool) for block in draw_swaps(n_cells, n_samples, rng)])
    standard = standardise(known)
    cell_of = np.full(human.shape, -1)
    cell_of[judged] = np.arange(n_cells)
    first, second = np.triu_indices(len(metrics), k=1)
    sums, counts = np.zeros((2, 2, n_samples, len(first)))
    for segment in range(human.shape[1]):
        cells = cell_of[judged[:, segment], segment]
        item = _Item(human[judged[:, segment], segment], standard[:, cells], first, second)
        if len(cells) > 1 and (name == "accuracy" or np.ptp(item.human) > 0):
            _add_item(ITEM_COEFFICIENTS[name], item, swaps[:, cells], sums, counts)
    means = np.where(counts > 0, sums / np.maximum(counts, 1), 0.0)
    null = np.where((counts > 0).all(axis=0), means[0] - means[1], 0.0)  # as if nothing had differed
    return Permutations(statistic(known), np.ascontiguousarray(null.T))


def _add_item(
    coefficient: "Callable[[_Item, Bits], Table]", item: _Item, swaps: Bits, sums: FloatArray, counts: FloatArray
) -> None:  # fmt: skip
    mixtures, kept, exchanged = _list_mixtures(swaps)
    table, exists = coefficient(item, mixtures)
    everywhere = bool(exists.all())
    for side, places in enumerate((kept, exchanged)):
        sums[side] += table[places]
        counts[side] += 1 if everywhere else exists[places]


def _list_mixtures(swaps: Bits) -> tuple[Bits, npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """List the mixtures that resamples need, and where each finds its own and the opposite one."""
    n_samples, n = swaps.shape
    codes = swaps @ (1 << np.arange(n, dtype=np.int64))
    opposite = (1 << n) - 1 - codes
    if 1 << n <= 2 * n_samples:
        return _all_mixtures(n), codes, opposite
    needed, places = np.unique(np.concatenate([codes, opposite]), return_inverse=True)
    bits = (needed[:, None] >> np.arange(n)) & 1
    return bits.astype(bool), places[:n_samples], places[n_samples:]


@cache
def _all_mixtures(n: int) -> Bits:
    return ((np.arange(1 << n)[:, None] >> np.arange(n)) & 1).astype(bool)


def _pearson(item: _Item, mixtures: Bits) -> Table:
    scores = item.scores - item.scores.mean()  # near zero, so that nothing is lost below
    target = item.human - item.human.mean()
    target /= np.sqrt(np.sum(target**2))
    sums = np.stack([scores, scores**2, scores * target])  # (3, metrics, systems)
    gaps = sums[:, item.first] - sums[:, item.second]
    total, squares, products = mixtures @ gaps.transpose(0, 2, 1) + sums[:, item.second].sum(axis=-1)[:, None]
    spread = squares - total**2 / len(target)
    exists = spread > 1e-12 * squares
    return np.where(exists, products, 0.0) / np.sqrt(np.where(exists, spread, 1.0)), exists


def _kendall_b(item: _Item, mixtures: Bits) -> Table:
    order = _Orders(item)
    return _divide(
        order.total(order.signs, mixtures, order.human),
        np.count_nonzero(order.human) * (len(order.human) - order.total(_is_tied, mixtures)),
        np.sqrt,
    )


def _red_tau(item: _Item, mixtures: Bits) -> Table:
    order = _Orders(item)
    decided = order.human != 0
    n_untied = np.count_nonzero(decided) - order.total(_is_tied, mixtures, decided)
    return _divide(order.total(order.signs, mixtures, order.human), n_untied, np.asarray)


def _accuracy(item: _Item, mixtures: Bits) -> Table:
    order = _Orders(item)
    agreed = order.total(lambda signs: signs == order.human, mixtures)
    return agreed / len(order.human), np.ones(agreed.shape, dtype=bool)


ITEM_COEFFICIENTS: Mapping[str, Callable[[_Item, Bits], Table]] = {
    "pearson": _pearson,
    "kendall": _kendall_b,
    "red": _red_tau,
    "accuracy": _accuracy,
}


class _Orders:
    """How people and two metrics, each giving either of two scores, order each pair of systems.

    Say u is 1 where the first metric gives the score and -1 where the second does. Any function of the order
    of systems c and d is then k0 + k1·u_c + k2·u_d + k3·u_c·u_d, and its sum over all pairs, for all
    mixtures and all pairs of metrics, is one matrix product.
    """

    def __init__(self, item: _Item) -> None:
        self.c, self.d = np.triu_indices(len(item.human), k=1)
        self.human = np.sign(item.human[self.c] - item.human[self.d])
        a, b = item.scores[item.first], item.scores[item.second]
        c, d = self.c, self.d
        sides = ((a[:, c], a[:, d]), (a[:, c], b[:, d]), (b[:, c], a[:, d]), (b[:, c], b[:, d]))
        self.orders = [
            np.sign(one - other).astype(np.float32) for one, other in sides
        ]  # (pairs of metrics, pairs of systems)

    @staticmethod
    def signs(signs: FloatArray) -> FloatArray:
        return signs

    def total(
        self, mark: Callable[[FloatArray], npt.NDArray[np.generic]], mixtures: Bits, weights: FloatArray | Bits | None = None
    ) -> FloatArray:  # fmt: skip
        """Sum what `mark` makes of the orders, (mixtures, pairs of metrics); all are whole numbers."""
        heights = np.float32(1) if weights is None else weights.astype(np.float32)
        aa, ab, ba, bb = (mark(signs) * heights for signs in self.orders)
        n = mixtures.shape[1]
        at_c, at_d = np.eye(n)[self.c], np.eye(n)[self.d]
        linear = (aa + ab - ba - bb) @ at_c + (aa - ab + ba - bb) @ at_d
        constant = (aa + ab + ba + bb).sum(axis=1, keepdims=True)
        factors = np.concatenate([constant, linear, aa - ab - ba + bb], axis=1).astype(np.float32)
        u = (2 * mixtures - 1).astype(np.float32)
        design = np.concatenate([np.ones_like(u[:, :1]), u, u[:, self.c] * u[:, self.d]], axis=1)
        # single precision is exact: all terms are whole numbers far below 2**24
        return np.asarray((design @ factors.T).astype(np.float64) / 4)


def _is_tied(signs: FloatArray) -> Bits:
    return signs == 0


def _divide(above: FloatArray, below: FloatArray, root: Callable[[FloatArray], FloatArray]) -> Table:
    exists = below > 0
    if exists.all():
        return above / root(below), exists
    return np.where(exists, above, 0.0) / root(np.where(exists, below, 1.0)), exists
