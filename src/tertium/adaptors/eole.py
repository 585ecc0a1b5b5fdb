"""Validation scores in eole and OpenNMT-py, whose scorers have the same interface."""

from collections.abc import Sequence
from typing import Any

from tertium.engines.accumulator import Accumulator


def register(label: str, package: Any, *, name: str | None = None, **options: Any) -> type:
    """Register a metric as a scorer, under its label in capital letters unless `name` is given; return the scorer's class.

    Parameters
    ----------
    label
        The label of one metric, such as "chrf" or "bleu:tokenizer=zh".
    package
        The module `eole.scorers` or `onmt.scorers`.
    options
        Further options of `tertium.Accumulator`, such as `language="de"`.

    Examples
    --------
    In a script that trains with `valid_metrics: ["CHRF"]`:

        import eole.scorers
        from tertium.adaptors import eole as adaptor
        adaptor.register("chrf", eole.scorers)
    """
    Accumulator(label, **options)  # a wrong label is reported before the training begins

    class TertiumScorer(package.Scorer):  # type: ignore[misc]
        def compute_score(self, preds: Sequence[str], texts_refs: Sequence[str]) -> float:
            if not preds:
                return 0.0
            scores = Accumulator(label, keep_segments=False, **options)
            scores.update(preds, texts_refs)
            return float(scores.compute()[label])

    made: type = package.register_scorer(metric=name or label.upper())(TertiumScorer)
    return made
