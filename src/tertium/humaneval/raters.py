"""The raters of a human evaluation: their judgments counted, and their agreement.

Krippendorff (2011), Computing Krippendorff's Alpha-Reliability. A unit is what several raters may judge: an output.
"""

from collections.abc import Iterator
from functools import cached_property
from typing import Literal, NamedTuple

import numpy as np

from tertium.errors import InputError
from tertium.humaneval.campaign import Campaign, Indices
from tertium.records import record
from tertium.stats.correlation import kendall_b
from tertium.values import FloatArray

AlphaLevel = Literal["interval", "ordinal"]


@record
class RaterFacts:
    """One rater.

    Attributes
    ----------
    n_judgments
        Number of judgments of systems.
    mean, sd
        Mean and standard deviation of the scores.
    agreement
        Pearson's r with the mean of the other raters, over outputs that others judged too; None without any.
    kendall
        Kendall's τ-b over the same outputs.
    n_shared
        The number of these outputs.
    repeat_difference
        The mean absolute difference of two judgments of the same output; None without repeated outputs.
    failed_checks, n_checks
        Attention checks that the rater failed, of those that can be decided.
    seconds
        The median time of a judgment.
    """

    name: str
    n_judgments: int
    mean: float
    sd: float
    agreement: float | None
    kendall: float | None
    n_shared: int
    repeat_difference: float | None
    failed_checks: int
    n_checks: int
    seconds: float | None


class SplitHalf(NamedTuple):
    """The mean correlation of two random halves, and the reliability of the whole by Spearman and Brown's formula.

    The formula has the magnitude of a negative correlation in its denominator, so that its result is above -1.
    """

    correlation: float
    reliability: float


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


def examine_raters(campaign: Campaign, *, seed: int) -> RaterReport:
    """Examine the raters of a campaign.

    Raises
    ------
    InputError
        If the judgments do not name their raters.
    """
    if not campaign.raters:
        raise InputError(f"{campaign.judged.path} does not name the raters; add a column rater")
    group = _Raters(campaign)
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
    """The judgments by rater and output."""

    campaign: Campaign

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

    def describe(self, rater: int) -> RaterFacts:
        campaign = self.campaign
        rows = np.flatnonzero(campaign.rater_of == rater)
        scores = campaign.scores[rows]
        agreement, kendall, n_shared = self._agree(rater)
        failed, n_checks = self._check(campaign.raters[rater])
        return RaterFacts(
            name=campaign.raters[rater],
            n_judgments=len(rows),
            mean=float(scores.mean()),
            sd=float(scores.std(ddof=1)) if len(rows) > 1 else float("nan"),
            agreement=agreement,
            kendall=kendall,
            n_shared=n_shared,
            repeat_difference=self._repeat(rows),
            failed_checks=failed,
            n_checks=n_checks,
            seconds=self._median_seconds(rows),
        )

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


def _or_none(value: float) -> float | None:
    return None if np.isnan(value) else value


def krippendorff_alpha(scores: FloatArray, units: Indices, *, level: AlphaLevel = "interval") -> float:
    """Compute Krippendorff's α of scores that belong to units; units with one score do not count.

    1 is perfect agreement, 0 that of scores given at random. NaN if no unit has two scores, or all scores are equal.

    Parameters
    ----------
    scores, units
        One entry per rater and unit.
    level
        Differences of scores (interval) or of their ranks (ordinal).

    Examples
    --------
    >>> units = np.array([0, 0, 1, 1, 2, 2, 3])
    >>> round(krippendorff_alpha(np.array([1.0, 1.0, 2.0, 3.0, 5.0, 5.0, 9.0]), units), 4)
    0.9505
    """
    sizes = np.bincount(units)
    paired = sizes[units] > 1
    values, units = scores[paired], units[paired]
    if not len(values):
        return float("nan")
    if level == "ordinal":
        values = _mid_ranks(values)
    values = values - values.mean()  # for precision
    sizes = np.bincount(units)
    sums, squares = np.bincount(units, weights=values), np.bincount(units, weights=values**2)
    within = np.where(sizes > 1, (sizes * squares - sums**2) / np.maximum(sizes - 1, 1), 0.0).sum()
    n_values = len(values)
    overall = (n_values * squares.sum() - sums.sum() ** 2) / (n_values - 1)
    return float("nan") if overall <= 0 else float(1 - within / overall)


def _mid_ranks(values: FloatArray) -> FloatArray:
    """Rank values from 1; equal values share the mean of their ranks."""
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    return np.asarray((np.cumsum(counts) - (counts - 1) / 2)[inverse])


def split_half(table: FloatArray, rng: np.random.Generator, *, n_splits: int = 100) -> SplitHalf:
    """Correlate the row means of random halves of the columns of a table, where NaN is a missing judgment.

    Rows without judgments in one of the halves do not count. NaN if fewer than three rows are left in every split.
    """
    found = [value for value in _halves(table, rng, n_splits) if not np.isnan(value)]
    if not found:
        return SplitHalf(float("nan"), float("nan"))
    mean = float(np.mean(found))
    return SplitHalf(mean, 2 * mean / (1 + abs(mean)))


def _halves(table: FloatArray, rng: np.random.Generator, n_splits: int) -> Iterator[float]:
    known = ~np.isnan(table)
    filled = np.where(known, table, 0.0)
    for _ in range(n_splits):
        is_first = rng.permutation(table.shape[1]) < table.shape[1] / 2
        counts = [known[:, side].sum(axis=1) for side in (is_first, ~is_first)]
        both = (counts[0] > 0) & (counts[1] > 0)
        means = [
            filled[:, side].sum(axis=1)[both] / count[both]
            for side, count in zip((is_first, ~is_first), counts, strict=True)
        ]
        yield correlate(*means)


def correlate(one: FloatArray, other: FloatArray) -> float:
    """Compute Pearson's r; NaN for fewer than three pairs or constant values."""
    if len(one) < 3 or any(np.ptp(values) == 0 or np.var(values) == 0 for values in (one, other)):
        return float("nan")  # the variance of tiny values is 0, too
    return float(np.corrcoef(one, other)[0, 1])
