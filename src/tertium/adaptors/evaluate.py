"""Metrics with the interface of `evaluate`, Hugging Face's library of metrics."""

from collections.abc import Iterable
from typing import Any

from tertium.engines.accumulator import Accumulator


class EvaluationModule(Accumulator):
    """An accumulator with the methods of a metric that `evaluate.load` returns."""

    def add(self, *, prediction: str, reference: str | Iterable[str]) -> None:
        """Add a segment."""
        self.add_batch(predictions=[prediction], references=[reference])

    def add_batch(
        self, *, predictions: Iterable[str], references: Iterable[str] | Iterable[Iterable[str]]
    ) -> None:
        """Add a batch of segments."""
        self.update(predictions, references)

    def compute(self, *, predictions: Any = None, references: Any = None, **options: Any) -> Any:
        """Compute the scores of all segments, and forget these segments."""
        if predictions is not None:
            self.add_batch(predictions=predictions, references=references)
        found = super().compute(**options)
        self.reset()
        return found.to_metrics()
