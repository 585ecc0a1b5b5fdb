"""PERM-BOTH within segments beside the same test made resample by resample with numpy."""

from collections.abc import Iterator
from functools import partial

import numpy as np

from harness import Row, Sample, best_seconds
from tertium.stats.correlation import Statistic, average_over_groups, kendall_b, pearson
from tertium.stats.item_permutation import permute_by_item
from tertium.stats.permutation import permute_scores
from tertium.types import FloatArray

__all__ = ["measure"]

N_METRICS, N_SYSTEMS, N_SEGMENTS, N_SAMPLES = 3, 10, 200, 200


def measure(sample: Sample) -> Iterator[Row]:  # noqa: ARG001 - scores are drawn, not made of text
    """Test all pairs of a few metrics both ways; a shared task has 30 metrics and a thousand segments."""
    rng = np.random.default_rng(1)
    human = np.round(rng.normal(size=(N_SYSTEMS, N_SEGMENTS)), 1)
    metrics = human + rng.normal(size=(N_METRICS, *human.shape))
    for name, coefficient in {"pearson": pearson, "kendall": kendall_b}.items():
        statistic = partial(_within_segments, coefficient, human)
        fast = partial(permute_by_item, name, human, metrics, statistic, N_SAMPLES)
        slow = partial(permute_scores, metrics.reshape(N_METRICS, -1), statistic, N_SAMPLES)
        ours = best_seconds(lambda run=fast: run(np.random.default_rng(2)))  # type: ignore[misc]
        theirs = best_seconds(lambda run=slow: run(np.random.default_rng(2)), repeats=1)  # type: ignore[misc]
        yield Row(f"PERM-BOTH, {name} within segments", "numpy, resample by resample", ours, theirs, 10)


def _within_segments(coefficient: Statistic, human: FloatArray, rows: FloatArray) -> FloatArray:
    return average_over_groups(coefficient, human, rows.reshape(*rows.shape[:-1], *human.shape), by="item")
