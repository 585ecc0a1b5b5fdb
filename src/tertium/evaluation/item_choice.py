"""Choice of segments or documents for human evaluation: their expected information, and a choice within a budget.

Zouhar et al. (2025), How to Select Datapoints for Efficient Human Evaluation of NLG Models?, compare such methods;
docs/human-evaluation.md shows what they gain on WMT21 and WMT22.
"""

from collections.abc import Sequence
from itertools import combinations
from typing import Literal

import numpy as np
import numpy.typing as npt

from tertium.errors import InputError, OptionError, argument
from tertium.metrics.lexical.chrf import ChrF
from tertium.text import References, Texts
from tertium.values import FloatArray

ChoiceMethod = Literal["variance", "consistency", "disagreement", "diversity", "random"]
Indices = npt.NDArray[np.int64]


def rate_segments(
    method: ChoiceMethod,
    scores: FloatArray,
    outputs: Sequence[Sequence[str]],
    rng: np.random.Generator,
) -> FloatArray:
    """Rate how much the human judgment of each segment is expected to tell about the systems, (segments,).

    Parameters
    ----------
    method
        The variance of metric scores over systems; the consistency of a segment's scores with the scores of the whole test
        set; the disagreement of metrics; the diversity of the outputs; or a random order.
    scores
        Segment scores, higher is better, (metrics, systems, segments).
    outputs
        The texts of each system.
    """
    n_metrics, n_systems, n_segments = scores.shape
    if n_systems < 2 and method != "random":
        raise InputError(f"{argument('method', method)} compares systems; give the outputs of two or more")
    if method == "random":
        return np.asarray(rng.random(n_segments))
    if method == "diversity":
        return _diversity(outputs)
    if method == "disagreement" and n_metrics < 2:
        raise OptionError(
            f"{argument('method', method)} compares metrics; name two or more with {argument('metrics')}"
        )
    spread = scores.std(axis=(1, 2), keepdims=True)
    standard = (scores - scores.mean(axis=(1, 2), keepdims=True)) / np.where(spread > 0, spread, 1.0)
    if method == "variance":
        return np.asarray(standard.var(axis=1).mean(axis=0))
    if method == "disagreement":
        return np.asarray(standard.var(axis=0).mean(axis=0))
    return np.asarray(np.mean([_consistency(scores) for scores in standard], axis=0))


def _consistency(scores: FloatArray) -> FloatArray:
    """Correlate the systems' scores on each segment with their means on all other segments; 0 without variance."""
    n_segments = scores.shape[1]
    others = (scores.sum(axis=1, keepdims=True) - scores) / max(n_segments - 1, 1)
    own, others = (side - side.mean(axis=0) for side in (scores, others))
    norms = np.sqrt((own**2).sum(axis=0) * (others**2).sum(axis=0))
    return np.asarray(np.divide((own * others).sum(axis=0), norms, out=np.zeros(n_segments), where=norms > 0))


def _diversity(outputs: Sequence[Sequence[str]]) -> FloatArray:
    """Average how much each pair of systems differs on each segment: 100 minus the chrF of one output to the other."""
    metric = ChrF()
    totals = np.zeros(len(outputs[0]))
    pairs = list(combinations(range(len(outputs)), 2))
    texts = [Texts(output) for output in outputs]
    for a, b in pairs:
        references = References([[text] for text in outputs[b]])
        totals += 100 - metric.segment_scores(metric.statistics(texts[a], references))
    return totals / len(pairs)


def choose_items(
    ratings: FloatArray,
    costs: FloatArray,
    budget: float,
    *,
    groups: Sequence[str] | None = None,
    strata: Sequence[str] | None = None,
) -> Indices:
    """Choose the segments with the highest ratings whose costs fit the budget; return them in file order.

    Parameters
    ----------
    groups
        The document of each segment, to choose whole documents; a document has the mean rating of its segments.
    strata
        The domain (or another property) of each segment: each gets its share of the budget, by cost.

    Raises
    ------
    InputError
        If nothing fits the budget.

    Examples
    --------
    >>> ratings, costs = np.array([3.0, 1.0, 2.0, 5.0]), np.array([5.0, 5.0, 5.0, 9.0])
    >>> choose_items(ratings, costs, 15.0).tolist()
    [0, 3]
    """
    units = _unite(ratings, costs, groups)
    chosen: list[int] = []
    if strata is None:
        chosen = _fill(units, range(len(units)), budget)
    else:
        labels = [strata[int(rows[0])] for _, _, rows in units]
        total = float(costs.sum())
        for label in dict.fromkeys(labels):
            members = [i for i, own in enumerate(labels) if own == label]
            share = sum(units[i][1] for i in members) / total
            chosen += _fill(units, members, budget * share)
        left = budget - sum(units[i][1] for i in chosen)
        chosen += _fill(units, [i for i in range(len(units)) if i not in set(chosen)], left)
    if not chosen:
        least = min(cost for _, cost, _ in units)
        raise InputError(f"nothing fits the budget of {budget:g}; the smallest item costs {least:g}")
    return np.sort(np.concatenate([units[i][2] for i in chosen]))


_Unit = tuple[float, float, Indices]
"""The rating, the cost and the segments of an item."""


def _unite(ratings: FloatArray, costs: FloatArray, groups: Sequence[str] | None) -> list[_Unit]:
    if groups is None:
        return [(float(ratings[i]), float(costs[i]), np.array([i])) for i in range(len(ratings))]
    rows: dict[str, list[int]] = {}
    for i, group in enumerate(groups):
        rows.setdefault(group, []).append(i)
    return [(float(ratings[own].mean()), float(costs[own].sum()), np.array(own)) for own in rows.values()]


def _fill(units: Sequence[_Unit], members: Sequence[int], budget: float) -> list[int]:
    """Take items from the highest rating down, skipping items that exceed the budget."""
    chosen = []
    left = budget + 1e-9  # shares of a budget are rounded
    for i in sorted(members, key=lambda member: (-units[member][0], member)):
        if units[i][1] <= left:
            chosen.append(i)
            left -= units[i][1]
    return chosen
