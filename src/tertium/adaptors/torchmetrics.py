"""A `torchmetrics.Metric` whose sums are added over all processes, for PyTorch and Lightning."""

from collections.abc import Sequence
from typing import Any

import torch
from torchmetrics import Metric

from tertium.engines.accumulator import Accumulator


class TranslationScores(Metric):  # type: ignore[misc]  # PyTorch is missing where types are checked
    """Scores of translations over all batches and processes, as a dictionary from label to tensor.

    Parameters
    ----------
    metrics
        Labels of metrics, such as "bleu,chrf".
    accumulator
        Further options of `tertium.Accumulator`, such as `{"language": "de"}`.

    Other keywords are those of `torchmetrics.Metric`.
    """

    full_state_update = False
    is_differentiable = False

    def __init__(
        self, metrics: str = "bleu", accumulator: dict[str, Any] | None = None, **keywords: Any
    ) -> None:
        super().__init__(**keywords)
        self._accumulator = Accumulator(metrics, keep_segments=False, **accumulator or {})
        for name, array in self._accumulator.state().items():
            self.add_state(name, default=torch.from_numpy(array), dist_reduce_fx="sum")

    def update(
        self,
        preds: Sequence[str],
        target: Sequence[str] | Sequence[Sequence[str]],
        source: Sequence[str] | None = None,
    ) -> None:
        """Add a batch: hypotheses, a reference or a list of references for each, and the source if a metric reads it."""
        self._accumulator.reset()
        self._accumulator.update(preds, target, source)
        for name, array in self._accumulator.state().items():
            setattr(self, name, getattr(self, name) + torch.from_numpy(array).to(self.device))

    def compute(self) -> dict[str, torch.Tensor]:
        """Compute the scores of all batches."""
        names = ("sums", "references")
        self._accumulator.load_state({name: getattr(self, name).cpu().numpy() for name in names})
        scores = self._accumulator.compute()
        return {label: torch.tensor(score.value, dtype=torch.float64) for label, score in scores.items()}
