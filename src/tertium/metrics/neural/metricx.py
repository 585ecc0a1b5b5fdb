"""MetricX (Juraska et al. 2023, 2024): a regression on mT5 that predicts MQM scores."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

from tertium.interfaces import MetricXModel
from tertium.metrics.neural._base import NeuralMetric, TextItem, batch_option
from tertium.metrics.options import option
from tertium.values import TextKind

# The prompts of Google's programs; see metricx23/predict.py and metricx24/predict.py there.
_PROMPTS = {
    "24": "source: {source} candidate: {hypothesis} reference: {reference}",
    "24-qe": "source: {source} candidate: {hypothesis}",
    "23": "candidate: {hypothesis} reference: {reference}",
    "23-qe": "candidate: {hypothesis} source: {source}",
}


@dataclass(frozen=True)
class MetricX(NeuralMetric):
    """MetricX with a checkpoint of yours, such as `metricx:google/metricx-24-hybrid-large-v2p6` if it is in the cache.

    The score predicts the errors of a translation: 0 is perfect and 25 the worst. The package transformers computes it
    (extra `metricx`), on a GPU if there is one, exactly as Google's programs do. Nothing is downloaded: the error message
    names the command that downloads a checkpoint, or mT5's tokenizer, which the checkpoints need.

    `prompt` selects how the texts are passed, which depends on the checkpoint: `24` and, without references,
    `24-qe` for MetricX-24, `23` for MetricX-23 (which does not read the source), and `23-qe` for MetricX-23-QE. With
    several references the best score counts. The system score is the mean of the segment scores. Lower is better.
    """

    title: ClassVar[str] = "MetricX"
    paper: ClassVar[str] = "Juraska et al. 2023; Juraska, Deutsch, Finkelstein & Freitag 2024"
    higher_is_better: ClassVar[bool] = False
    best: ClassVar[float] = 0.0
    worst: ClassVar[float] = 25.0

    model: MetricXModel = option(None, "a checkpoint of MetricX: write metricx:FOLDER", key="model")
    prompt: Literal["24", "24-qe", "23", "23-qe"] = option(
        "24", "how texts are passed: that of MetricX-24 or 23, with references or without (qe)", key="prompt"
    )
    batch_size: int = batch_option()

    @property
    def texts_read(self) -> frozenset[TextKind]:
        known: dict[str, TextKind] = {"{source}": "source", "{reference}": "references"}
        return frozenset(kind for field, kind in known.items() if field in _PROMPTS[self.prompt])

    @property
    def cache_name(self) -> str:
        return f"{super().cache_name}-{self.prompt}"

    def compute(self, items: Sequence[TextItem]) -> list[float]:
        prompts = [
            _PROMPTS[self.prompt].format(hypothesis=text, reference=reference, source=source)
            for text, reference, source in items
        ]
        return super().compute([(prompt, "", "") for prompt in prompts])
