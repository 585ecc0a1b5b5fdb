"""Time PERM-BOTH against the same test computed resample by resample with numpy."""

from collections.abc import Iterator
from functools import partial

import numpy as np

from harness import Row, Sample, compared_row
from tertium.kernels.threads import use_threads
from tertium.stats.correlation import (
    Coefficient,
    Grouping,
    average_over_groups,
    kendall_b,
    kendall_c,
    pearson,
    spearman,
)
from tertium.stats.metric_tests import permute_by_group, permute_scores
from tertium.values import FloatArray

__all__ = ["measure"]

N_METRICS, N_SAMPLES = 3, 100
COEFFICIENTS: dict[str, Coefficient] = {
    "pearson": pearson,
    "spearman": spearman,
    "kendall": kendall_b,
    "kendall-c": kendall_c,
}
# systems and segments; the mixtures per segment of 10 systems are few and are all tabulated, those of 16 are too many
SHAPES: dict[Grouping, tuple[tuple[int, int], ...]] = {
    "item": ((10, 200), (16, 200)),
    "system": ((14, 200),),
    "none": ((14, 100),),
}
GROUPS = {"item": "within segments", "system": "within systems", "none": "over all scores"}


def measure(sample: Sample) -> Iterator[Row]:  # noqa: ARG001 - scores are drawn, not made of text
    """Test all pairs of a few metrics both ways; a shared task has 30 metrics and a thousand segments."""
    with use_threads(1):
        for by, shapes in SHAPES.items():
            for shape in shapes:
                for name in COEFFICIENTS:
                    if (name, by) != ("pearson", "none"):  # that one is a matrix product
                        yield _compare(name, shape, by)


def _compare(name: str, shape: tuple[int, int], by: Grouping) -> Row:
    rng = np.random.default_rng(1)
    human = np.round(rng.normal(size=shape), 1)
    metrics = human + rng.normal(size=(N_METRICS, *shape))
    statistic = partial(_within_groups, COEFFICIENTS[name], human, by)
    fast = partial(permute_by_group, name, human, metrics, N_SAMPLES, by=by)
    slow = partial(permute_scores, metrics.reshape(N_METRICS, -1), statistic, N_SAMPLES)
    job = f"PERM-BOTH, {name} {GROUPS[by]}, {shape[0]} systems"
    return compared_row(
        job,
        "numpy, resample by resample",
        lambda: fast(np.random.default_rng(2)),
        lambda: slow(np.random.default_rng(2)),
        10,
        None,
    )


def _within_groups(coefficient: Coefficient, human: FloatArray, by: Grouping, rows: FloatArray) -> FloatArray:
    return average_over_groups(coefficient, human, rows.reshape(*rows.shape[:-1], *human.shape), by=by)
