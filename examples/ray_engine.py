"""Tertium on Ray: an engine of a few lines. Run: python examples/ray_engine.py REFERENCES HYPOTHESES METRICS.

An engine calls a function on many items and gives the results as they come; Ray's `remote` does the rest. The function travels to the
object store once (`ray.put`), and a worker that dies is replaced by Ray.
"""

import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Self

import ray

from tertium.catalog import parse_metrics
from tertium.corpus import plan_texts
from tertium.engines.pipeline import compute_scores, plan_files


class RayEngine:
    """Sends items to Ray's workers."""

    is_remote = True

    def __enter__(self) -> Self:
        ray.init(ignore_reinit_error=True, include_dashboard=False, log_to_driver=False)
        return self

    def map(self, function: Callable[[Any], Any], items: Sequence[Any]) -> Iterator[tuple[int, Any]]:
        """Call the function on every item, at most 64 of them at a time."""
        call, sent = ray.remote(lambda function, item: function(item)), ray.put(function)
        waiting, running = list(enumerate(items))[::-1], {}
        while waiting or running:
            while waiting and len(running) < 64:
                number, item = waiting.pop()
                running[call.remote(sent, item)] = number
            (done, *_), _ = ray.wait(list(running))
            yield running.pop(done), ray.get(done)

    def __exit__(self, *_: object) -> None:
        ray.shutdown()


def main(reference: str, hypotheses: str, metrics: str) -> None:
    """Score one system on Ray."""
    with RayEngine() as engine:
        plan = plan_files(engine, plan_texts([reference], [(None, hypotheses)]))
        evaluation, _ = compute_scores(engine, plan, parse_metrics([metrics]))
    for label in evaluation.labels:
        print(label, float(evaluation.system_scores(label)[0]), sep="\t")


if __name__ == "__main__":
    main(*sys.argv[1:])
