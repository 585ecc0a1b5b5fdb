"""Corpus metrics for tasks of lm-evaluation-harness: `register("chrf")` makes the metric `tertium_chrf`."""

from collections.abc import Callable, Sequence
from typing import Any

from lm_eval.api.registry import register_aggregation, register_metric

from tertium.catalog import find_metric
from tertium.engines.accumulator import Accumulator


def register(label: str, *, name: str | None = None, **options: Any) -> str:
    """Register a metric and its aggregation over all samples for tasks that generate text; return their name.

    Parameters
    ----------
    label
        The label of one metric, such as "chrf" or "bleu:tokenizer=zh".
    name
        The name in `metric_list` and `aggregation` of the task's YAML file. [default: tertium_ and the metric's name]
    options
        Further options of `tertium.Accumulator`, such as `language="de"`.
    """
    metric = label.partition(":")[0].partition("@")[0]
    chosen = name or f"tertium_{metric}"
    register_aggregation(chosen)(aggregate(label, **options))
    better = find_metric(metric).higher_is_better
    register_metric(metric=chosen, higher_is_better=better, output_type="generate_until", aggregation=chosen)(
        _keep_texts
    )
    return chosen


def aggregate(label: str, **options: Any) -> Callable[[Sequence[Any]], float]:
    """Return the function that scores the samples of a task, pairs of references and prediction."""

    def aggregation(items: Sequence[Any]) -> float:
        scores = Accumulator(label, keep_segments=False, **options)
        references, predictions = zip(*items, strict=True)
        scores.update(
            [_only(text) for text in predictions],
            [[texts] if isinstance(texts, str) else list(texts) for texts in references],
        )
        return float(scores.compute()[label])

    Accumulator(label, **options)  # a wrong label is reported before the model runs
    return aggregation


def _keep_texts(items: Any) -> Any:
    return items


def _only(text: Any) -> str:
    """Return a prediction, which may be in a list of one."""
    return text if isinstance(text, str) else text[0]
