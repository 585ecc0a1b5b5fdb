"""What runs side by side, each batch or part on one thread: nothing is shared out or put together inside a kernel."""

from collections.abc import Sequence
from math import ceil

from tertium.kernels import n_threads
from tertium.kernels.strings import CORE_TOKENIZERS
from tertium.metrics.base import Metric
from tertium.metrics.options import is_resource_type
from tertium.metrics.origins import is_own

__all__ = ["choose_batch_size", "may_run_side_by_side", "share_evenly"]

# Segments of a batch. Smaller ones meet the same words anew too often, larger ones take memory on every thread.
_USUAL, _LEAST = 12_500, 2_500


def choose_batch_size(n_segments: int, metrics: Sequence[Metric]) -> int | None:
    """Choose how large batches are that run side by side on the threads in force; None if they should not."""
    threads = n_threads()
    if threads == 1 or n_segments < threads * _LEAST or not may_run_side_by_side(metrics):
        return None
    return max(_LEAST, share_evenly(n_segments, _USUAL))


def share_evenly(n_segments: int, size: int) -> int:
    """Find a size near the given one with which all threads have work to the end."""
    rounds = max(1, round(n_segments / (n_threads() * size)))
    return ceil(n_segments / (n_threads() * rounds))


def may_run_side_by_side(metrics: Sequence[Metric]) -> bool:
    """Tell whether only the core computes the metrics: other packages may not expect several threads."""
    return all(map(_asks_the_core_only, metrics))


def _asks_the_core_only(metric: Metric) -> bool:
    tokenizer = metric.word_tokenizer
    return (
        is_own(type(metric))
        and (tokenizer is None or tokenizer in CORE_TOKENIZERS)
        and not any(is_resource_type(each.type) for each in metric.options())
    )
