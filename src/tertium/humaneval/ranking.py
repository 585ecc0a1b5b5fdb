"""Rankings of systems by human scores: means, z-scores or a mixed model, with tests over whole documents.

Every estimate is turned into a table of pseudo-values (systems, documents) whose mean is the estimate; intervals and
tests then treat it like the statistics of a metric.
"""

from dataclasses import replace
from itertools import combinations
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from tertium.catalog import LabelledMetric
from tertium.errors import InputError, OptionError, argument
from tertium.evaluation.comparison import MetricComparison, compare
from tertium.evaluation.evaluation import Evaluation
from tertium.evaluation.units import Units
from tertium.humaneval.campaign import Campaign, Indices
from tertium.metrics.means import make_external, tabulate_scores
from tertium.records import record
from tertium.stats.analysis import Analysis, PairedTest
from tertium.stats.human import score_systems
from tertium.stats.letters import compact_letters, find_best_group, rank_ranges
from tertium.stats.mixed_model import MixedModel, fit_mixed_model
from tertium.stats.significance import ROUNDING, holm_pairs, min_units
from tertium.stats.student import student_p
from tertium.values import FloatArray

HumanTest = Literal["jackknife", "bootstrap", "randomization"]
RankingMethod = Literal["mean", "z", "model"]
Unit = Literal["document", "segment"]
RANKING_METHODS: tuple[RankingMethod, ...] = get_args(RankingMethod)

LABEL = "human"

# Rater effects that may move a difference by more than this share of its standard error make a model necessary.
_TOLERATED_SHARE = 0.1


@record(eq=False)
class Ranking:
    """The systems of a campaign, ranked by one estimate.

    Attributes
    ----------
    method, reason
        The estimate, and why it was chosen.
    means, z_means
        Means over segments of the scores and of the z-scores, (systems,); no z-scores without named raters.
    model
        The mixed model of system, segment and rater.
    unit, n_units
        What is resampled as a whole: documents or segments.
    test
        The test between systems.
    comparison
        Intervals, tests of all pairs, letters and ranks.
    untested
        The reason if the systems were not tested.
    """

    campaign: Campaign
    method: RankingMethod
    reason: str
    means: FloatArray
    z_means: FloatArray | None
    model: MixedModel
    unit: str
    n_units: int
    test: HumanTest
    comparison: MetricComparison
    untested: str | None

    @property
    def scores(self) -> FloatArray:
        return self.comparison.scores

    @property
    def order(self) -> list[int]:
        """The systems from best to worst."""
        found: list[int] = np.argsort(-self.scores, kind="stable").tolist()
        return found

    @property
    def leaders(self) -> tuple[int, ...]:
        """The systems that are not significantly worse than the best one; none without tests, or if all scores are equal."""
        if self.untested is not None:
            return ()
        return find_best_group(self.scores, self.comparison.letters)

    @property
    def clusters(self) -> npt.NDArray[np.int64]:
        """WMT's clusters, from 1: the ranks of a cluster do not overlap those of the next."""
        return cluster_ranks(self.scores, self.comparison.ranks)

    def further_judgments(self, a: int, b: int) -> int | None:
        """Estimate how many more judgments of two systems would show their difference with a power of 80 %."""
        units = self.comparison.further_segments(a, b)
        counts = np.bincount(self.campaign.system_of, minlength=len(self.campaign.systems))
        return None if units is None else int(np.ceil(units * (counts[a] + counts[b]) / self.n_units))


def rank_systems(
    campaign: Campaign,
    analysis: Analysis,
    *,
    method: RankingMethod | None = None,
    unit: Unit | None = None,
    test: HumanTest = "jackknife",
) -> Ranking:
    """Rank the systems of a campaign.

    Parameters
    ----------
    method
        The estimate. [default: the mean of segments, as WMT publishes it; the mixed model if raters judged the systems
        unequally often, so that their strictness would move the means]
    unit
        The unit of resampling. [default: documents, unless they are unknown or too few for tests]
    test
        The test between systems: Student's t of the jackknife's pseudo-values, whose false-alarm rate is right even with
        few documents (tools/simulate_human_tests.py), or the tests of metrics.
    """
    if len(campaign.systems) < 2:
        raise InputError(
            f"{campaign.judged.path} has judgments of one system, {campaign.systems[0]}; give two or more"
        )
    model = fit_mixed_model(
        campaign.scores, campaign.system_of, campaign.item_of, campaign.rater_of if campaign.raters else None
    )
    chosen, reason = (method, "as chosen") if method else _choose_method(campaign, model)
    z_scores = campaign.z_scores
    z_means = None if z_scores is None else mean_over_items(campaign, z_scores)
    if chosen == "z":
        _check_z(campaign, z_means)
    unit_name, units = _choose_unit(campaign, unit, analysis)
    n_units = int(units.max()) + 1
    if n_units < 2:
        raise InputError(
            f"{campaign.judged.path} has judgments of one {unit_name} only, so systems cannot be tested; judge more {unit_name}s"
        )
    pseudo = _pseudo_values(campaign, chosen, model, units, n_units)
    comparison, untested = _compare(campaign.systems, pseudo, analysis, unit_name, test)
    return Ranking(
        campaign=campaign,
        method=chosen,
        reason=reason,
        means=mean_over_items(campaign, campaign.scores),
        z_means=z_means,
        model=model,
        unit=unit_name,
        n_units=n_units,
        test=test,
        comparison=comparison,
        untested=untested,
    )


def _check_z(campaign: Campaign, z_means: FloatArray | None) -> None:
    """Raise if a system has no z-score."""
    if z_means is None:
        raise OptionError(f"{argument('ranking', 'z')} needs judgments that name their raters")
    for system in np.flatnonzero(np.isnan(z_means))[:1]:
        raise OptionError(
            f"{argument('ranking', 'z')}: {campaign.systems[system]} has no z-scores, because each of its raters gave one score"
            f" throughout; use {argument('ranking', 'mean')}"
        )


def _compare(
    systems: tuple[str, ...], pseudo: FloatArray, analysis: Analysis, unit: str, test: HumanTest
) -> tuple[MetricComparison, str | None]:
    """Compute intervals, tests of all pairs, letters and ranks; and the reason if the systems were not tested."""
    labelled = LabelledMetric(LABEL, make_external(LABEL, ""))
    evaluation = Evaluation(systems, (labelled,), {LABEL: tabulate_scores(pseudo)}, (1, 1), Units(unit))
    resampled: PairedTest = "bootstrap" if test == "jackknife" else test
    compared = compare(evaluation, replace(analysis, test=resampled, is_open=False))
    comparison = compared.metrics[LABEL]
    if test != "jackknife":
        return comparison, compared.untested
    adjusted = holm_pairs(_student_pairs(pseudo))
    is_significant = adjusted < analysis.alpha
    tested = replace(
        comparison,
        adjusted_p=adjusted,
        letters=compact_letters(comparison.scores, is_significant),
        ranks=rank_ranges(comparison.scores, is_significant),
    )
    return tested, None


def _student_pairs(pseudo: FloatArray) -> FloatArray:
    """Test every pair of systems by Student's t over the differences of their pseudo-values."""
    n_systems, n_units = pseudo.shape
    p_values = np.ones((n_systems, n_systems))
    for a, b in combinations(range(n_systems), 2):
        gaps = pseudo[a] - pseudo[b]
        error = gaps.std(ddof=1) / np.sqrt(n_units)
        if error > ROUNDING * np.abs(pseudo[[a, b]]).max():
            p_values[[a, b], [b, a]] = student_p(gaps.mean() / error, n_units - 1)
    return p_values


def mean_over_items(campaign: Campaign, scores: FloatArray) -> FloatArray:
    """Average the judgments of each output, then the outputs of each system, as WMT's findings do."""
    return score_systems(campaign.item_means(scores))


def cluster_ranks(scores: FloatArray, ranks: tuple[tuple[int, int], ...]) -> npt.NDArray[np.int64]:
    """Number WMT's clusters from 1: a cluster ends where all ranks above are better than all ranks below.

    >>> cluster_ranks(np.array([3.0, 2.9, 1.0]), ((1, 2), (1, 2), (3, 3))).tolist()
    [1, 1, 2]
    """
    order = np.argsort(-scores, kind="stable")
    worst_above, cluster = 0, 0
    found = np.zeros(len(scores), np.int64)
    for place, system in enumerate(order):
        best_below = min(ranks[other][0] for other in order[place:])
        cluster += best_below > worst_above
        found[system] = cluster
        worst_above = max(worst_above, ranks[system][1])
    return found


def _choose_method(campaign: Campaign, model: MixedModel) -> tuple[RankingMethod, str]:
    """Choose the model if the strictness of raters could move a difference noticeably."""
    if len(campaign.raters) < 2:
        return "mean", "as WMT publishes it"
    table = np.zeros((len(campaign.systems), len(campaign.raters)))
    np.add.at(table, (campaign.system_of, campaign.rater_of), 1.0)
    shares = table / table.sum(axis=1, keepdims=True)
    strictness = np.sqrt(model.variances.rater)
    covariance = model.covariance
    is_moved = False
    for a, b in combinations(range(len(shares)), 2):
        variance = covariance[a, a] + covariance[b, b] - 2 * covariance[a, b]
        error = np.sqrt(max(variance, 0.0))  # rounding makes it negative if the model explains every score
        moved = strictness * np.sqrt(np.sum((shares[a] - shares[b]) ** 2))
        is_moved = is_moved or bool(moved > _TOLERATED_SHARE * error)
    if not is_moved:
        return "mean", "as WMT publishes it; the raters judged the systems about equally often"
    return "model", "the raters judged the systems unequally often, so their strictness would move the means"


def _choose_unit(campaign: Campaign, unit: Unit | None, analysis: Analysis) -> tuple[str, Indices]:
    """Return the unit of resampling, and the unit of each item."""
    if unit == "document" and not campaign.documents:
        raise OptionError(f"{argument('unit', 'document')}: {campaign.judged.path} does not name documents")
    needed = min_units("randomization", len(campaign.systems), alpha=analysis.alpha)
    enough = len(campaign.documents) >= needed
    if unit == "document" or (unit is None and enough):
        return "document", campaign.document_of
    return "segment", np.arange(len(campaign.items))


def _pseudo_values(
    campaign: Campaign, method: RankingMethod, model: MixedModel, units: Indices, n_units: int
) -> FloatArray:
    """Compute a table (systems, units) whose mean over units is the estimate of each system."""
    if method == "model":
        return model.effects[:, None] + (n_units - 1) * model.influence(units, n_units)
    scores = campaign.z_scores if method == "z" else campaign.scores
    means = campaign.item_means(campaign.scores if scores is None else scores)
    judged = ~np.isnan(means)
    estimates = score_systems(means)
    deviations = np.where(judged, means - estimates[:, None], 0.0) / judged.sum(axis=1, keepdims=True)
    moved = np.zeros((len(estimates), n_units))
    np.add.at(moved.T, units, deviations.T)
    return np.asarray(estimates[:, None] + n_units * moved)
