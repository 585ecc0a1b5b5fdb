"""Sums of statistics that are added batch by batch, in any order and on any machine, without keeping the segments."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Self

import numpy as np

from tertium.catalog import LabelledMetric
from tertium.errors import InputError, OptionError
from tertium.evaluation.evaluation import Resampling, SystemTotals
from tertium.evaluation.resampling import split_columns
from tertium.evaluation.units import Units
from tertium.kernels.resampling import PoissonSums
from tertium.kernels.sums import ExactSums
from tertium.records import record
from tertium.stats.analysis import DEFAULT_SEED
from tertium.values import FloatArray


class StreamedSums:
    """Sums of statistics over all segments, and over the samples of a Poisson bootstrap.

    The result does not depend on the order of the batches or on their sizes, and the sums of several machines can be
    merged. Memory does not grow with the number of segments.

    Parameters
    ----------
    n_columns
        The number of statistics of all metrics and systems together.
    n_samples
        The number of bootstrap samples; 0 for none.
    """

    def __init__(self, n_columns: int, *, n_samples: int = 0, seed: int = DEFAULT_SEED) -> None:
        self.sums = ExactSums(n_columns)
        self.samples = PoissonSums(n_samples, n_columns, seed=seed) if n_samples else None

    def add(self, start: int, tables: Sequence[FloatArray]) -> None:
        """Add a batch: a table (systems, segments, k) per metric; `start` is the number of its first segment."""
        columns = [system for table in tables for system in table]
        rows = columns[0] if len(columns) == 1 else np.concatenate(columns, axis=1)
        self.sums.add(rows)
        if self.samples is not None:
            self.samples.add(start, rows)

    def merge(self, other: Self) -> None:
        """Add the sums of other segments."""
        if (self.samples is None) != (other.samples is None):
            raise InputError("sums with and without bootstrap samples cannot be merged")
        self.sums.merge(other.sums)
        if self.samples is not None and other.samples is not None:
            self.samples.merge(other.samples)

    def to_bytes(self) -> bytes:
        """Serialise the sums for another process or machine."""
        sums = self.sums.to_bytes()
        return len(sums).to_bytes(8, "little") + sums + (self.samples.to_bytes() if self.samples else b"")

    @classmethod
    def from_bytes(cls, saved: bytes) -> Self:
        """Restore sums from `to_bytes`."""
        end = 8 + int.from_bytes(saved[:8], "little")
        made = cls(0)
        made.sums = ExactSums.from_bytes(saved[8:end])
        made.samples = PoissonSums.from_bytes(saved[end:]) if len(saved) > end else None
        return made

    def __reduce__(self) -> tuple[object, tuple[bytes]]:
        return type(self).from_bytes, (self.to_bytes(),)


@record(eq=False)
class StreamedEvaluation(SystemTotals):
    """Sums of all segments, which have scores and, if samples were drawn, intervals and tests."""

    systems: tuple[str, ...]
    metrics: tuple[LabelledMetric, ...]
    widths: Mapping[str, int]
    streamed: StreamedSums
    n_references: tuple[int, int] = (1, 1)
    units: Units = Units()

    @property
    def n_segments(self) -> int:
        return self.streamed.sums.n_rows

    def totals(self, label: str) -> FloatArray:
        columns = self.streamed.sums.totals()[None]
        return split_columns(columns, len(self.systems), self.widths)[label][:, 0]

    def resample(self, n_samples: int, *, seed: int, resampling: Resampling) -> Iterator[FloatArray]:  # noqa: ARG002
        """Return the samples that were summed while the segments were read."""
        drawn = np.empty((0, 0)) if self.streamed.samples is None else self.streamed.samples.totals()
        if len(drawn) < n_samples:
            raise OptionError(
                f"{n_samples:,} samples are needed, but only {len(drawn):,} were drawn during scoring"
            )
        yield drawn[:n_samples]

    def exchange(self, n_samples: int, *, seed: int) -> Iterator[FloatArray]:  # noqa: ARG002
        raise OptionError(
            f"texts that are scored in parts cannot be shuffled {n_samples:,} times: they are read only once"
        )
