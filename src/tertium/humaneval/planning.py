"""Planning of a human evaluation: how many segments and judgments show a difference, from an earlier campaign.

The variance of the difference of two systems per segment has a part of the outputs, which further segments reduce, and
a part of the judgments, which further raters of the same segment reduce too.
"""

from collections.abc import Sequence
from itertools import combinations
from math import ceil
from statistics import NormalDist

import numpy as np

from tertium.errors import InputError
from tertium.humaneval.ranking import Ranking
from tertium.records import record

MIN_REPEATS = 30
"""Outputs with several raters that are needed to separate the variance of raters from that of outputs."""


@record
class HumanVariances:
    """Variances of an earlier campaign, per judgment.

    Attributes
    ----------
    output
        Variance of outputs beyond that of their system and segment; None if too few outputs have several raters.
    judgment
        Variance of judgments of the same output, apart from the strictness of raters; with `output` None, of both.
    rater
        Variance of the strictness of raters.
    segment
        Variance of segments.
    clustering
        The factor by which dependent segments of a document enlarge the variance of a difference.
    """

    output: float | None
    judgment: float
    rater: float
    segment: float
    clustering: float

    def per_segment(self, raters: int, *, same_raters: bool) -> float:
        """Return the variance of the difference of two systems on one segment, with this number of raters each.

        If the same raters judge both systems, their strictness cancels out.
        """
        strictness = 0.0 if same_raters else self.rater
        return 2 * self.clustering * ((self.output or 0.0) + (self.judgment + strictness) / raters)


@record
class PlannedDesign:
    """The size of a design that is needed to show a difference.

    Attributes
    ----------
    difference
        The true difference of two systems.
    raters
        Number of raters of every output.
    segments, judgments
        Number of segments, and of judgments of all systems.
    segments_other_raters
        Number of segments if the systems are judged by different raters, without a model that adjusts for them.
    """

    difference: float
    raters: int
    segments: int
    judgments: int
    segments_other_raters: int


def estimate_variances(ranking: Ranking) -> HumanVariances:
    """Estimate the variance components of a campaign.

    Outputs and judgments are separated by the outputs that several raters judged; the clustering compares the variance
    over documents with that of independent segments.
    """
    within, between, share, n_repeated = _split_outputs(ranking)
    output = max(between - share * within, 0.0) if n_repeated >= MIN_REPEATS else None
    return HumanVariances(
        output=output,
        judgment=between if output is None else within,
        rater=ranking.model.variances.rater,
        segment=ranking.model.variances.item,
        clustering=_clustering(ranking) if ranking.campaign.documents else 1.0,
    )


def _split_outputs(ranking: Ranking) -> tuple[float, float, float, int]:
    """Compute the variance of judgments of the same output, and that of the means of outputs of the same segment.

    Both are without the effects of systems and raters. The third value is the mean of 1 / judgments over outputs, and the
    last one the number of outputs with several judgments.
    """
    campaign, model = ranking.campaign, ranking.model
    scores = campaign.scores - model.effects[campaign.system_of]
    if campaign.raters:
        scores = scores - model.raters[campaign.rater_of]
    outputs, own, counts = np.unique(campaign.outputs, return_inverse=True, return_counts=True)
    means = np.bincount(own, weights=scores) / counts
    n_free = int((counts - 1).sum())
    within = float(np.sum((scores - means[own]) ** 2)) / n_free if n_free else 0.0
    items = outputs % len(campaign.items)
    sizes = np.bincount(items, minlength=len(campaign.items))
    item_means = np.bincount(items, weights=means, minlength=len(campaign.items)) / np.maximum(sizes, 1)
    n_between = int(np.maximum(sizes - 1, 0).sum())
    if not n_between:
        raise InputError(f"{campaign.judged.path} has no segment that was judged for two systems")
    between = float(np.sum((means - item_means[items]) ** 2)) / n_between
    return within, between, float(np.mean(1 / counts)), int(np.count_nonzero(counts > 1))


def _clustering(ranking: Ranking) -> float:
    """Divide the variance of differences over documents by that over segments, on average over pairs of systems."""
    campaign, model = ranking.campaign, ranking.model
    units = {"document": campaign.document_of, "segment": np.arange(len(campaign.items))}
    moved = {name: model.influence(unit, int(unit.max()) + 1) for name, unit in units.items()}
    ratios = [
        np.sum((moved["document"][a] - moved["document"][b]) ** 2)
        / max(np.sum((moved["segment"][a] - moved["segment"][b]) ** 2), 1e-300)
        for a, b in combinations(range(len(campaign.systems)), 2)
    ]
    return max(1.0, float(np.mean(ratios)))


def plan_designs(
    variances: HumanVariances,
    differences: Sequence[float],
    *,
    n_systems: int = 2,
    n_comparisons: int = 1,
    max_raters: int = 3,
    alpha: float = 0.05,
    power: float = 0.8,
) -> list[PlannedDesign]:
    """Compute the designs that show differences with the given power.

    More than one rater per output is planned only if the campaign tells what further raters gain. The level is divided
    by the number of comparisons, as in Holm's first step.

    >>> known = HumanVariances(output=100.0, judgment=125.0, rater=50.0, segment=80.0, clustering=1.0)
    >>> [(design.raters, design.segments) for design in plan_designs(known, [2.0], max_raters=2)]
    [(1, 883), (2, 638)]
    """
    if n_systems < 2 or any(difference <= 0 for difference in differences):
        raise InputError("a plan needs two or more systems and differences above 0")
    normal = NormalDist()
    factor = normal.inv_cdf(1 - alpha / n_comparisons / 2) + normal.inv_cdf(power)
    found = []
    for difference in differences:
        for raters in range(1, (1 if variances.output is None else max_raters) + 1):
            segments, others = (
                ceil(variances.per_segment(raters, same_raters=same) * (factor / difference) ** 2)
                for same in (True, False)
            )
            found.append(PlannedDesign(difference, raters, segments, segments * raters * n_systems, others))
    return found
