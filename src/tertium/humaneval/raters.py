"""The raters of a human evaluation: agreement, drift, signs of carelessness, and the effect of leaving one out."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np

from tertium.errors import InputError
from tertium.humaneval.campaign import Campaign, Indices
from tertium.humaneval.ranking import Ranking, mean_over_items
from tertium.humaneval.reliability import (
    Drift,
    SplitHalf,
    correlate,
    find_drift,
    krippendorff_alpha,
    split_half,
)
from tertium.records import record
from tertium.stats.correlation import kendall_b
from tertium.stats.mixed_model import fit_mixed_model
from tertium.values import FloatArray

_DRIFT_LEVEL = 0.01  # of the test for drift, because every rater is tested
_SAME_SHARE = 0.9  # from this share of equal scores on, a rater hardly distinguishes outputs
_FAST_SHARE = 0.25  # of the median time of all raters
_FEW = 10  # judgments below which nothing is concluded


@record
class RaterFacts:
    """One rater.

    Attributes
    ----------
    n_judgments
        Number of judgments of systems.
    mean, sd
        Mean and standard deviation of the scores.
    strictness
        The rater's deviation from the average rater, from the mixed model; negative is strict.
    agreement
        Pearson's r with the mean of the other raters, over outputs that others judged too; None without any.
    kendall
        Kendall's τ-b over the same outputs.
    n_shared
        The number of these outputs.
    same_share
        The share of the rater's most frequent score.
    drift
        The change from the first to the last judgment, and its p-value; NaN without times.
    repeat_difference
        The mean absolute difference of two judgments of the same output; None without repeated outputs.
    failed_checks, n_checks
        Attention checks that the rater failed, of those that can be decided.
    seconds
        The median time of a judgment.
    rank_changes
        How many systems change their rank if the rater is left out.
    suspicions
        Signs of carelessness, in words; nothing is removed because of them.
    """

    name: str
    n_judgments: int
    mean: float
    sd: float
    strictness: float
    agreement: float | None
    kendall: float | None
    n_shared: int
    same_share: float
    drift: Drift
    repeat_difference: float | None
    failed_checks: int
    n_checks: int
    seconds: float | None
    rank_changes: int
    suspicions: tuple[str, ...] = ()


@record(eq=False)
class RaterReport:
    """All raters, and their agreement as a group.

    Attributes
    ----------
    alpha, alpha_ordinal
        Krippendorff's α over outputs that several raters judged; NaN if there are none.
    halves
        Split half of the raters: the correlation of output means; NaN if the raters do not overlap.
    ranking_halves
        Split half of the documents or segments: the correlation of system scores.
    n_shared
        The number of outputs that several raters judged.
    """

    raters: tuple[RaterFacts, ...]
    alpha: float
    alpha_ordinal: float
    halves: SplitHalf
    ranking_halves: SplitHalf
    n_shared: int


def examine_raters(ranking: Ranking, *, seed: int) -> RaterReport:
    """Examine the raters of a campaign.

    Raises
    ------
    InputError
        If the judgments do not name their raters.
    """
    campaign = ranking.campaign
    if not campaign.raters:
        raise InputError(f"{campaign.judged.path} does not name the raters; add a column rater")
    group = _Raters(ranking)
    outputs, _, means = group.cells
    rng = np.random.default_rng(seed)
    return RaterReport(
        raters=tuple(group.describe(i) for i in range(len(campaign.raters))),
        alpha=krippendorff_alpha(means, outputs),
        alpha_ordinal=krippendorff_alpha(means, outputs, level="ordinal"),
        halves=split_half(group.table, rng),
        ranking_halves=split_half(campaign.item_means(campaign.scores), rng),
        n_shared=int(np.count_nonzero(np.bincount(outputs) > 1)),
    )


@record(eq=False)
class _Raters:
    """The judgments by rater and output, and the ranking with everyone."""

    ranking: Ranking

    @property
    def campaign(self) -> Campaign:
        return self.ranking.campaign

    @cached_property
    def cells(self) -> tuple[Indices, Indices, FloatArray]:
        """The output, the rater and the mean score of each rater's judgments of an output."""
        _, numbers = np.unique(self.campaign.outputs, return_inverse=True)
        n_raters = len(self.campaign.raters)
        keys, inverse, counts = np.unique(
            numbers * n_raters + self.campaign.rater_of, return_inverse=True, return_counts=True
        )
        means = np.bincount(inverse, weights=self.campaign.scores) / counts
        return keys // n_raters, keys % n_raters, means

    @cached_property
    def table(self) -> FloatArray:
        """The scores (outputs, raters) of outputs that several raters judged; NaN where there is none."""
        outputs, raters, means = self.cells
        shared = np.flatnonzero(np.bincount(outputs) > 1)
        place = np.full(int(outputs.max()) + 1, -1)
        place[shared] = np.arange(len(shared))
        kept = place[outputs] >= 0
        table = np.full((len(shared), len(self.campaign.raters)), np.nan)
        table[place[outputs[kept]], raters[kept]] = means[kept]
        return table

    @cached_property
    def residuals(self) -> FloatArray:
        """The part of each judgment that systems, segments and raters do not explain."""
        campaign, model = self.campaign, self.ranking.model
        left = campaign.scores - model.effects[campaign.system_of] - model.raters[campaign.rater_of]
        sizes = np.bincount(campaign.item_of, minlength=len(campaign.items))
        ratio = model.variances.item / model.variances.residual
        items = np.bincount(campaign.item_of, weights=left, minlength=len(campaign.items))
        predicted = items * ratio / (1 + ratio * sizes)
        return np.asarray(left - predicted[campaign.item_of])

    def describe(self, rater: int) -> RaterFacts:
        campaign = self.campaign
        rows = np.flatnonzero(campaign.rater_of == rater)
        scores = campaign.scores[rows]
        agreement, kendall, n_shared = self._agree(rater)
        failed, n_checks = self._check(campaign.raters[rater])
        facts = RaterFacts(
            name=campaign.raters[rater],
            n_judgments=len(rows),
            mean=float(scores.mean()),
            sd=float(scores.std(ddof=1)) if len(rows) > 1 else float("nan"),
            strictness=float(self.ranking.model.raters[rater]),
            agreement=agreement,
            kendall=kendall,
            n_shared=n_shared,
            same_share=float(np.unique(scores, return_counts=True)[1].max() / len(scores)),
            drift=self._drift(rows),
            repeat_difference=self._repeat(rows),
            failed_checks=failed,
            n_checks=n_checks,
            seconds=self._median_seconds(rows),
            rank_changes=self._leave_out(rater),
        )
        everyone = self._median_seconds(np.arange(len(campaign)))
        return replace(facts, suspicions=tuple(_suspect(facts, everyone)))

    def _agree(self, rater: int) -> tuple[float | None, float | None, int]:
        """Compare the rater with the mean of the others over shared outputs."""
        own = self.table[:, rater]
        others = np.delete(self.table, rater, axis=1)
        both = ~np.isnan(own) & ~np.all(np.isnan(others), axis=1)
        if np.count_nonzero(both) < 3:
            return None, None, int(np.count_nonzero(both))
        means = np.nanmean(others[both], axis=1)
        r, tau = correlate(own[both], means), float(kendall_b(own[both], means))
        return _or_none(r), _or_none(tau), int(np.count_nonzero(both))

    def _drift(self, rows: Indices) -> Drift:
        """Find the drift over the times of the judgments; files without times are rarely in the order of the work."""
        times = self.campaign.judged.times
        if times is None or np.any(np.isnan(times[rows])):
            return Drift(float("nan"), float("nan"))
        return find_drift(self.residuals[rows], times[rows])

    def _median_seconds(self, rows: Indices) -> float | None:
        seconds = self.campaign.judged.seconds
        known = np.empty(0) if seconds is None else seconds[rows][~np.isnan(seconds[rows])]
        return float(np.median(known)) if len(known) else None

    def _repeat(self, rows: Indices) -> float | None:
        """Compare the first two judgments of every output that the rater judged again."""
        first: dict[int, float] = {}
        gaps = []
        for row in rows.tolist():
            output, score = int(self.campaign.outputs[row]), float(self.campaign.scores[row])
            if output in first:
                gaps.append(abs(score - first[output]))
            first.setdefault(output, score)
        return float(np.mean(gaps)) if gaps else None

    def _check(self, name: str) -> tuple[int, int]:
        """Count degraded outputs that the rater did not score below the genuine output of the same segment."""
        checks, judged = self.campaign.checks, self.campaign.judged
        if checks is None or checks.raters is None or judged.raters is None:
            return 0, 0
        own: dict[str, list[float]] = {}
        for rater, segment, score in zip(judged.raters, judged.segments, judged.scores, strict=True):
            if rater == name:
                own.setdefault(segment, []).append(float(score))
        rows = zip(checks.raters, checks.checks or (), checks.segments, checks.scores, strict=True)
        decided = [
            float(score) >= float(np.mean(own[segment]))
            for rater, kind, segment, score in rows
            if rater == name and kind == "bad" and segment in own
        ]
        return sum(decided), len(decided)

    def _leave_out(self, rater: int) -> int:
        """Count the systems whose rank changes without the rater."""
        campaign = self.campaign
        kept = np.flatnonzero(campaign.rater_of != rater)
        if len(set(campaign.system_of[kept].tolist())) < len(campaign.systems):
            return len(campaign.systems)  # a system loses all of its judgments
        rest = campaign.select(kept.tolist())
        if self.ranking.method == "model":
            scores = fit_mixed_model(
                rest.scores, rest.system_of, rest.item_of, rest.rater_of, known=self.ranking.model.variances
            ).effects
        else:
            scores = mean_over_items(rest, rest.scores)
        ranks = [
            np.argsort(np.argsort(-each, kind="stable"), kind="stable")
            for each in (self.ranking.scores, scores)
        ]
        return int(np.count_nonzero(ranks[0] != ranks[1]))


def _suspect(facts: RaterFacts, median_seconds: float | None) -> Sequence[str]:
    """List signs of carelessness."""
    found = []
    if facts.n_judgments >= _FEW and facts.same_share >= _SAME_SHARE:
        found.append(f"{100 * facts.same_share:.0f} % equal scores")
    if facts.n_shared >= _FEW and facts.agreement is not None and facts.agreement <= 0:
        found.append(f"r = {facts.agreement:.2f} with the others")
    if facts.n_checks and facts.failed_checks / facts.n_checks >= 0.5:
        found.append(f"failed {facts.failed_checks} of {facts.n_checks} checks")
    if facts.drift.p_value < _DRIFT_LEVEL:
        found.append(f"drift of {facts.drift.change:+.2f}")
    if facts.seconds is not None and median_seconds and facts.seconds < _FAST_SHARE * median_seconds:
        found.append(f"{facts.seconds:.0f} s per judgment, where all raters take {median_seconds:.0f} s")
    return found


def _or_none(value: float) -> float | None:
    return None if np.isnan(value) else value
