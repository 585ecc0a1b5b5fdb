"""COMET (Rei et al. 2020, 2022): a regression on multilingual sentence embeddings, trained on human judgments."""

from dataclasses import dataclass
from typing import ClassVar

from tertium.interfaces import CometModel
from tertium.metrics.neural._base import NeuralMetric, batch_option
from tertium.metrics.options import option


@dataclass(frozen=True)
class COMET(NeuralMetric):
    """COMET with a checkpoint of yours: `comet:FOLDER`, or `comet:Unbabel/wmt22-comet-da` if it is in the cache.

    The package unbabel-comet computes the scores (extra `comet`), on a GPU if there is one. Nothing is downloaded: the
    error message names the command that downloads a checkpoint. The checkpoint says whether references are read;
    those for quality estimation, such as CometKiwi, need only the source.

    The system score is the mean of the segment scores, as `comet-score` prints it.
    """

    title: ClassVar[str] = "COMET"
    paper: ClassVar[str] = "Rei, Stewart, Farinha & Lavie 2020; Rei et al. 2022"

    model: CometModel = option(None, "a checkpoint of COMET: write comet:FOLDER", key="model")
    batch_size: int = batch_option()
