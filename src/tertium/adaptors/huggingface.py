"""Metrics for the `Trainer` of Hugging Face transformers."""

from collections.abc import Callable
from typing import Any

import numpy as np

from tertium.engines.accumulator import Accumulator
from tertium.errors import InputError

_IGNORED = -100  # the label that PyTorch's losses ignore: the Trainer pads labels and predictions with it


def compute_metrics(
    tokenizer: Any, metrics: str = "bleu,chrf", **options: Any
) -> Callable[[Any], dict[str, float]]:
    """Return the argument `compute_metrics` of a `Seq2SeqTrainer` whose arguments set `predict_with_generate=True`.

    Parameters
    ----------
    tokenizer
        The tokenizer that decodes predictions and labels.
    options
        Further options of `tertium.Accumulator`, such as `language="de"`.
    """

    def compute(prediction: Any) -> dict[str, float]:
        scores = Accumulator(metrics, keep_segments=False, **options)
        scores.update(_decode(tokenizer, prediction.predictions), _decode(tokenizer, prediction.label_ids))
        return scores.compute().to_metrics()

    Accumulator(metrics, **options)  # a wrong label is reported before the training begins
    return compute


def _decode(tokenizer: Any, ids: Any) -> list[str]:
    numbers = np.asarray(ids[0] if isinstance(ids, tuple) else ids)
    if numbers.ndim != 2 or not np.issubdtype(numbers.dtype, np.integer):
        raise InputError(
            f"predictions of shape {numbers.shape} and type {numbers.dtype} are not token ids: set"
            " predict_with_generate=True in Seq2SeqTrainingArguments"
        )
    kept = np.where(numbers == _IGNORED, tokenizer.pad_token_id, numbers)
    return [text.strip() for text in tokenizer.batch_decode(kept, skip_special_tokens=True)]
