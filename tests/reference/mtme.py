"""The statistics of the WMT24 metrics task as mt-metrics-eval defines them, computed naively."""

from itertools import combinations

import numpy as np

from tertium.values import FloatArray


def soft_pairwise_accuracy(
    human: FloatArray, metric: FloatArray, *, n_samples: int, rng: np.random.Generator
) -> float:
    """Compute 1 - mean |p_human - p_metric| over the pairs of systems; p-values are those of sign-flip tests."""
    signs = rng.choice([-1.0, 1.0], size=(n_samples, human.shape[1]))

    def p_value(first: FloatArray, second: FloatArray) -> float:
        difference = first - second
        return float(np.mean((signs * difference).mean(axis=1) >= difference.mean()))

    pairs = list(combinations(range(len(human)), 2))
    gaps = [abs(p_value(human[a], human[b]) - p_value(metric[a], metric[b])) for a, b in pairs]
    return 1 - float(np.mean(gaps))


def accuracy_with_ties(human: FloatArray, metric: FloatArray) -> float:
    """Compute the best mean over segments of the accuracy over pairs of systems, over all thresholds of ties.

    NaN marks outputs without a judgment.
    """
    segments = []
    for column in range(human.shape[1]):
        judged = np.flatnonzero(~np.isnan(human[:, column]))
        pairs = list(combinations(judged, 2))
        if pairs:
            segments.append(
                [
                    (human[a, column] - human[b, column], metric[a, column] - metric[b, column])
                    for a, b in pairs
                ]
            )
    thresholds = {0.0, *(abs(gap) for pairs in segments for _, gap in pairs)}
    return max(
        float(np.mean([_accuracy(pairs, threshold) for pairs in segments])) for threshold in thresholds
    )


def _accuracy(pairs: list[tuple[float, float]], threshold: float) -> float:
    return float(
        np.mean(
            [
                abs(metric) <= threshold if human == 0 else abs(metric) > threshold and human * metric > 0
                for human, metric in pairs
            ]
        )
    )
