"""Systems scored batch by batch, in any order and on any machine: their statistics are summed and dropped."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Self

import numpy as np

from tertium.catalog import LabelledMetric
from tertium.errors import InputError, OptionError, UnknownNameError
from tertium.evaluation.resampling import ResamplingSource, split_columns
from tertium.evaluation.statistics import format_signature
from tertium.kernels.resampling import PoissonSums
from tertium.kernels.sums import ExactSums
from tertium.metrics.base import Metric
from tertium.stats.analysis import DEFAULT_SEED
from tertium.types import FloatArray


class StreamedSums:
    """Sums of statistics over all segments, and over the samples of a Poisson bootstrap.

    Batches may come in any order and partition, and the parts of several machines may be merged: the numbers
    are the same to the last digit, and memory does not grow with the number of segments.

    Parameters
    ----------
    n_columns
        Statistics of all metrics and systems together.
    n_samples
        0 if nothing is to be compared.
    """

    def __init__(self, n_columns: int, *, n_samples: int = 0, seed: int = DEFAULT_SEED) -> None:
        self.sums = ExactSums(n_columns)
        self.samples = PoissonSums(n_samples, n_columns, seed=seed) if n_samples else None

    def add(self, start: int, tables: Sequence[FloatArray]) -> None:
        """Add a batch whose first segment has the number `start`: a table (systems, segments, k) per metric."""
        rows = np.concatenate([system for table in tables for system in table], axis=1)
        self.sums.add(rows)
        if self.samples is not None:
            self.samples.add(start, rows)

    def merge(self, other: Self) -> None:
        """Add what another one has summed of other segments."""
        if (self.samples is None) != (other.samples is None):
            raise InputError("one of two sums to merge was resampled and the other was not")
        self.sums.merge(other.sums)
        if self.samples is not None and other.samples is not None:
            self.samples.merge(other.samples)

    def to_bytes(self) -> bytes:
        """Write the sums down, for another process or machine."""
        sums = self.sums.to_bytes()
        return len(sums).to_bytes(8, "little") + sums + (self.samples.to_bytes() if self.samples else b"")

    @classmethod
    def from_bytes(cls, saved: bytes) -> Self:
        """Read what `to_bytes` wrote."""
        end = 8 + int.from_bytes(saved[:8], "little")
        made = cls(0)
        made.sums = ExactSums.from_bytes(saved[8:end])
        made.samples = PoissonSums.from_bytes(saved[end:]) if len(saved) > end else None
        return made

    def __reduce__(self) -> tuple[object, tuple[bytes]]:
        return type(self).from_bytes, (self.to_bytes(),)


@dataclass(frozen=True, eq=False)
class StreamedEvaluation:
    """What can be asked of streamed sums: scores, and with samples intervals, tests and clusters.

    `widths` has each metric's number of statistics.
    """

    systems: tuple[str, ...]
    metrics: tuple[LabelledMetric, ...]
    widths: dict[str, int]
    streamed: StreamedSums
    n_references: tuple[int, int] = field(default=(1, 1))

    @property
    def labels(self) -> tuple[str, ...]:
        return tuple(self.widths)

    @property
    def n_segments(self) -> int:
        return self.streamed.sums.n_rows

    def metric(self, label: str) -> Metric:
        """The metric that goes by this label."""
        for each in self.metrics:
            if each.label == label:
                return each.metric
        raise UnknownNameError(f"no metric {label!r} was computed; there are {', '.join(self.labels)}")

    def totals(self, label: str) -> FloatArray:
        """Each system's summed statistics (systems, k)."""
        return self._split(self.streamed.sums.totals()[None])[label][:, 0]

    def system_scores(self, label: str) -> FloatArray:
        """Each system's score."""
        return self.metric(label).combine(self.totals(label))

    def signature(self, label: str, **extra: str | int) -> str:
        """The metric's signature on this corpus, with the checksum of its preset if it has one."""
        return format_signature(self.metrics, label, self.n_references, extra)

    @property
    def resampling_source(self) -> ResamplingSource:
        """The samples that were summed while the segments were read."""
        return ResamplingSource(self, self.n_segments, self._resample, _raise_on_shuffles)

    def _resample(self, n_samples: int) -> Iterator[dict[str, FloatArray]]:
        drawn = self.streamed.samples.totals() if self.streamed.samples is not None else np.empty((0, 0))
        if len(drawn) < n_samples:
            raise OptionError(
                f"{n_samples:,} samples are needed, but the stream was summed over {len(drawn):,}"
            )
        yield self._split(drawn[:n_samples])

    def _split(self, rows: FloatArray) -> dict[str, FloatArray]:
        return split_columns(rows, len(self.systems), self.widths)


def _raise_on_shuffles(n_samples: int) -> Iterator[dict[str, FloatArray]]:
    raise OptionError(
        f"texts that are scored in parts cannot be shuffled {n_samples:,} times: they are read only once"
    )
