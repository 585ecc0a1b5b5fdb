"""How sure a difference is: intervals, paired tests, clusters and further segments of an Evaluation."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from tertium.errors import InputError, OptionError, UnknownNameError
from tertium.evaluation.resampling import (
    POISSON_FROM,
    Drawing,
    Progress,
    ResampledScores,
    Resampling,
    ResamplingSource,
    SystemTotals,
    draw_bootstrap,
    draw_randomization,
    max_samples,
    source_of,
)
from tertium.evaluation.statistics import Evaluation
from tertium.stats.resampling import Interval, confidence_interval
from tertium.stats.significance import (
    PairedTest,
    cluster_ranks,
    holm_levels,
    holm_pairs,
    min_samples,
    min_units,
    segments_to_separate,
)
from tertium.types import FloatArray


def unite_groups(evaluation: Evaluation, groups: Sequence[Hashable]) -> Evaluation:
    """Make one row of all segments of a group, such as a document, so that groups are drawn and exchanged whole.

    Groups come in the order of their first segments.
    """
    if len(groups) != evaluation.n_segments:
        raise InputError(
            f"{len(groups):,} segments have a group, but {evaluation.n_segments:,} were scored; "
            "name the group of every segment"
        )
    number: dict[Hashable, int] = {}
    group_of = np.array([number.setdefault(group, len(number)) for group in groups])
    order = np.argsort(group_of, kind="stable")
    starts = np.searchsorted(group_of[order], np.arange(len(number)))
    tables = {
        label: np.add.reduceat(table[:, order], starts, axis=1) for label, table in evaluation.tables.items()
    }
    return replace(evaluation, tables=tables)


# sacreBLEU's defaults, so that the numbers agree without any option.
DEFAULT_SEED = 12345
DEFAULT_SAMPLES = {"bootstrap": 1000, "randomization": 10_000}

_TROUBLES = {
    "bootstrap": "the paired bootstrap would call equal systems different too often",
    "randomization": "no difference could be significant",
}


@dataclass(frozen=True, eq=False)
class MetricComparison:
    """What one metric says of all systems, in their order.

    Attributes
    ----------
    intervals
        Bootstrap intervals of the scores, at the level 1 − alpha.
    p_values
        Each system against the baseline, as sacreBLEU gives them; NaN for the baseline itself.
    adjusted_p
        Every pair of systems, Holm-adjusted (systems, systems).
    clusters
        From 1 for the best: systems of one cluster cannot be told apart.
    """

    scores: FloatArray
    intervals: Interval
    p_values: FloatArray | None
    adjusted_p: FloatArray
    clusters: npt.NDArray[np.int64]
    resampled_scores: FloatArray
    n_segments: int
    alpha: float = 0.05

    @cached_property
    def standard_errors(self) -> FloatArray:
        """Standard errors of all systems' differences, (systems, systems)."""
        if self.resampled_scores.shape[1] < 2:
            return np.full(self.adjusted_p.shape, np.nan)  # one sample has no spread
        rows = [np.std(each - self.resampled_scores, axis=1, ddof=1) for each in self.resampled_scores]
        return np.array(rows)

    def further_segments(self, a: int, b: int) -> int | None:
        """Estimate how many more segments would separate two systems in this table, in four cases of five.

        If the true difference is what it looks like now, and with the number of pairs that are tested
        taken into account. None if no number would do.
        """
        difference, error = float(self.scores[a] - self.scores[b]), float(self.standard_errors[a, b])
        level = float(self._levels[a, b])
        return segments_to_separate(difference, error, self.n_segments, alpha=level)

    @cached_property
    def _levels(self) -> FloatArray:
        differences = np.abs(np.subtract.outer(self.scores, self.scores))
        errors = np.where(self.standard_errors > 0, self.standard_errors, 1.0)
        certainties = np.where(self.standard_errors > 0, differences / errors, np.inf)
        return holm_levels(np.where(differences > 0, certainties, 0.0), alpha=self.alpha)


@dataclass(frozen=True)
class Comparison:
    """The comparisons by metric label, and how they were made.

    Attributes
    ----------
    n_samples
        For intervals and tests against the baseline.
    n_drawn
        For clusters: more, where so many pairs of systems need it.
    n_units
        How many segments there are, or groups of them, which are drawn or exchanged as a whole.
    unit
        What these are: "segment", or "document" and the like.
    resampling
        How the bootstrap draws: "index" as sacreBLEU does, or "poisson" for very many segments.
    unclustered
        Why there are no clusters; all systems then share one, and adjusted p-values are 1.
    """

    test: PairedTest
    n_samples: int
    seed: int
    baseline: str | None
    metrics: Mapping[str, MetricComparison]
    alpha: float
    n_drawn: int
    n_units: int
    unit: str
    resampling: Resampling
    unclustered: str | None

    def signature_facts(self) -> dict[str, str | int]:
        """What a signature says of the samples, in sacreBLEU's words where it has them."""
        facts: dict[str, str | int] = (
            {"ar": self.n_samples} if self.test == "randomization" else {"bs": self.n_samples}
        )
        if self.resampling == "poisson" and self.test == "bootstrap":
            facts = {"bs": "poisson", "samples": self.n_samples}
        facts["seed"] = self.seed
        return facts if self.unit == "segment" else {**facts, "resample": self.unit}


def compare(
    evaluation: Evaluation,
    *,
    test: PairedTest = "bootstrap",
    n_samples: int | None = None,
    seed: int = DEFAULT_SEED,
    baseline: str | None = None,
    alpha: float = 0.05,
    groups: Sequence[Hashable] | None = None,
    unit: str | None = None,
    resampling: Resampling | None = None,
    progress: Progress | None = None,
) -> Comparison:
    """Compare all systems of an evaluation under every metric.

    Intervals, and p-values against the baseline, equal sacreBLEU's for the same seed and number of
    samples, below 200,000 segments. All pairs are tested with the calibrated version of the same test
    (differences centred with their sign; ties of shuffles counted), Holm-adjusted, and clusters are drawn
    from that. Beside the tables this needs less than a gigabyte of memory.

    Parameters
    ----------
    groups
        Each segment's group, such as its document: groups are then drawn and exchanged whole, since
        segments of one document are not independent.
    unit
        What a group is, for signatures and messages; "group" by default.
    resampling
        Decided by the number of segments, unless it is given.
    progress
        Told how many samples of how many are done.
    """
    units = evaluation if groups is None else unite_groups(evaluation, groups)
    chosen = resampling or ("poisson" if units.n_segments >= POISSON_FROM else "index")
    options = ComparisonOptions(
        test=test,
        n_samples=DEFAULT_SAMPLES[test] if n_samples is None else n_samples,
        seed=seed,
        baseline=baseline,
        alpha=alpha,
        unit=unit or ("segment" if groups is None else "group"),
        resampling=chosen,
    )
    options.check(evaluation)
    return compare_sums(evaluation, source_of(units, seed, chosen), options, progress)


@dataclass(frozen=True, kw_only=True)
class ComparisonOptions:
    """How to compare; see `compare`."""

    test: PairedTest = "bootstrap"
    n_samples: int
    seed: int
    baseline: str | None
    alpha: float
    unit: str = "segment"
    resampling: Resampling

    def check(self, sums: SystemTotals) -> None:
        """Refuse what cannot be done, before anything is drawn."""
        if self.n_samples < 1:
            raise OptionError(f"the number of samples must be at least 1, not {self.n_samples}")
        if self.seed < 0:
            raise OptionError(f"the seed must not be negative, but is {self.seed}")
        if self.n_samples > (most := max_samples(sums)):
            raise OptionError(
                f"{self.n_samples:,} samples of {len(sums.systems)} systems under {len(sums.labels)} metrics "
                f"would need too much memory; ask for at most {most:,}"
            )
        if self.baseline is not None and self.baseline not in sums.systems:
            raise UnknownNameError(
                f"the baseline {self.baseline!r} is not among the systems: {', '.join(sums.systems)}"
            )

    def n_drawn(self, n_systems: int) -> int:
        """Count the samples of clusters: Holm needs more for many systems, of which the first stay the same."""
        return max(self.n_samples, min_samples(n_systems, alpha=self.alpha))


def compare_sums(
    sums: SystemTotals, source: ResamplingSource, options: ComparisonOptions, progress: Progress | None = None
) -> Comparison:
    """Compare systems of which no more is known than sums over all segments and over samples of them."""
    n_systems = len(sums.systems)
    unclustered = explain_unclustered(
        options.test, source.n_units, n_systems, unit=options.unit, alpha=options.alpha
    )
    n_drawn = options.n_drawn(n_systems) if unclustered is None else options.n_samples
    drawing = Drawing(source, options.n_samples, n_drawn, options.baseline, tests_pairs=unclustered is None)
    draw = draw_bootstrap if options.test == "bootstrap" else draw_randomization
    drawn = draw(drawing, progress)
    return Comparison(
        metrics={label: _summarise(sums, label, each, options.alpha) for label, each in drawn.items()},
        n_drawn=n_drawn,
        n_units=source.n_units,
        unclustered=unclustered,
        **vars(options),
    )


def explain_unclustered(
    test: PairedTest, n_units: int, n_systems: int, *, unit: str = "segment", alpha: float = 0.05
) -> str | None:
    """Say why so few segments, or groups of them, get no clusters; None if there are enough."""
    needed = min_units(test, n_systems, alpha=alpha)
    if n_units >= needed:
        return None
    return f"too few {unit}s for clusters ({n_units:,}): with fewer than {needed:,} {_TROUBLES[test]}"


def _summarise(sums: SystemTotals, label: str, drawn: ResampledScores, alpha: float) -> MetricComparison:
    scores, adjusted = sums.system_scores(label), holm_pairs(drawn.pairs)
    higher = sums.metric(label).higher_is_better
    return MetricComparison(
        scores=scores,
        intervals=confidence_interval(drawn.resampled, level=1 - alpha),
        p_values=drawn.baseline,
        adjusted_p=adjusted,
        clusters=cluster_ranks(scores, adjusted, alpha=alpha, higher_is_better=higher),
        resampled_scores=drawn.resampled,
        n_segments=sums.n_segments,
        alpha=alpha,
    )
