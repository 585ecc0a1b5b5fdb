"""What is asked of statistics once they are there."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from tertium.errors import InputError, OptionError
from tertium.evaluation.selection import find_column
from tertium.stats.significance import PairedTest

__all__ = ["View", "find_groups"]


@dataclass(frozen=True, kw_only=True)
class View:
    """What is asked of statistics once they are there.

    Attributes
    ----------
    ci
        Whether scores get bootstrap intervals.
    paired
        The test of every system against the baseline; None for no test.
    baseline
        The system that others are tested against; the first by default.
    samples
        Resamples: 1,000 for the bootstrap and 10,000 for randomization by default.
    alpha
        The level of tests and clusters; intervals have the level 1 - alpha.
    sort
        The metric by which systems are ordered in tables, best first; as they were given by default.
    clusters
        Whether systems that cannot be told apart are marked; None marks them where that is quick.
    scale
        100 or 1: where a bounded metric's scores end.
    resample
        A column of segments, such as `document`: intervals and tests draw its groups of segments whole.
    full
        Whether records (CSV, TSV, pandas, Arrow) also carry intervals, p-values, clusters and signatures.
    by
        A column whose values `by` will show one by one; named here, it is looked for before anything is scored.
    calibration
        A table of how often people agree with differences, made by `tertium meta --calibrate`; the package's own, from
        WMT, by default.
    """

    ci: bool = False
    paired: PairedTest | None = None
    baseline: str | None = None
    samples: int | None = None
    seed: int = 12345
    alpha: float = 0.05
    sort: str | None = None
    clusters: bool | None = None
    scale: Literal[100, 1] = 100
    resample: str | None = None
    full: bool = False
    by: str | None = None
    calibration: str | None = None

    def __post_init__(self) -> None:
        if self.baseline and not self.paired:
            raise OptionError("--baseline goes with --paired bootstrap or --paired randomization")
        if self.full and self.by is not None:
            raise OptionError("--full is for tables of systems or segments; leave it out beside --by")
        if not 0 < self.alpha < 1:
            raise OptionError(f"alpha must lie between 0 and 1, not at {self.alpha:g}")

    def check_sort(self, labels: Sequence[str]) -> None:
        """Raise if systems are to be ordered by a metric that is not there."""
        if self.sort is not None and self.sort not in labels:
            raise OptionError(
                f"--sort {self.sort}: no such metric is computed; there are {', '.join(labels)}"
            )

    def check_systems(self, systems: tuple[str, ...]) -> None:
        """Raise if the test that is asked for cannot be made with these systems."""
        if self.paired and len(systems) < 2:
            raise OptionError("--paired needs two systems or more")
        if self.baseline is not None and self.baseline not in systems:
            raise OptionError(
                f"the baseline {self.baseline!r} is not among the systems: {', '.join(systems)}"
            )

    def check_columns(self, columns: Mapping[str, Sequence[str]]) -> None:
        """Raise if segments cannot be drawn or parted as this asks for."""
        if self.resample is not None:
            find_groups(columns, self.resample)
        if self.by is not None:
            find_column(columns, self.by)

    def check_size(self, n_segments: int) -> None:
        """Raise if so few segments were chosen that nothing can be drawn from them."""
        if n_segments == 1 and (self.ci or self.full or self.paired):
            raise InputError(
                "only 1 segment fits, and intervals and tests need several; choose more segments"
            )


def find_groups(columns: Mapping[str, Sequence[str]], name: str) -> Sequence[str]:
    """Find each segment's group; every segment must have one."""
    groups = find_column(columns, name)
    if "" in groups:
        raise InputError(
            f"segment {groups.index('') + 1:,} has no {name}, so it belongs to no group; give every segment a value"
        )
    return groups
