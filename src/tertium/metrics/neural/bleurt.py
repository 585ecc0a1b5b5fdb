"""BLEURT (Sellam, Das & Parikh 2020): a regression on BERT, trained on synthetic data and human judgments."""

from dataclasses import dataclass
from typing import ClassVar

from tertium.interfaces import BleurtModel
from tertium.metrics.neural._base import NeuralMetric, batch_option
from tertium.metrics.options import option


@dataclass(frozen=True)
class BLEURT(NeuralMetric):
    """BLEURT with a checkpoint of yours: `bleurt:FOLDER`, or `bleurt:lucadiliello/BLEURT-20` if it is in the cache.

    The package bleurt-pytorch computes the scores (extra `bleurt`), on a GPU if there is one. It reads checkpoints that
    were converted for PyTorch. Nothing is downloaded: the error message names the command that downloads a checkpoint.
    The hypothesis is compared with each reference, and the best score counts; the source is not read. Texts that are
    longer than the model allows are cut.

    The system score is the mean of the segment scores.
    """

    title: ClassVar[str] = "BLEURT"
    paper: ClassVar[str] = "Sellam, Das & Parikh 2020; Pu et al. 2021"

    model: BleurtModel = option(None, "a checkpoint of BLEURT: write bleurt:FOLDER", key="model")
    batch_size: int = batch_option()
