"""The faults that checks find, segment by segment."""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from tertium.catalog import LabelledMetric
from tertium.errors import ResourceError
from tertium.evaluation.evaluation import Evaluation
from tertium.records import record
from tertium.values import Corpus


@record
class Fault:
    """A fault of an output: the system, the segment (from 0), the label of the check, and a line that describes it."""

    system: str
    row: int
    label: str
    description: str


UNKNOWN = "unknown fault: a run does not have the glossary; list the faults from the files"


class FaultFinder:
    """Finds the faults of an evaluation's outputs; the scores tell which outputs have faults."""

    def __init__(self, evaluation: Evaluation, corpus: Corpus) -> None:
        self.checks = list_checks(evaluation)
        self._corpus = corpus
        self._systems = evaluation.systems
        self._is_faulty = {
            check.label: evaluation.segment_scores(check.label) < check.metric.best for check in self.checks
        }

    def find(self, system: str, row: int) -> Mapping[str, Sequence[str]]:
        """Return the faults of a segment (from 0) by the label of the check, without checks that find none."""
        output = self._corpus.systems[system][row]
        source = None if self._corpus.sources is None else self._corpus.sources[row]
        i = self._systems.index(system)
        return {
            check.label: _list_faults(check, output, source)
            for check in self.checks
            if self._is_faulty[check.label][i, row]
        }

    def find_all(self) -> Iterator[Fault]:
        """Find all faults, system by system and in the order of the segments."""
        if not self.checks:
            return
        is_faulty = np.any(list(self._is_faulty.values()), axis=0)
        for i, row in np.argwhere(is_faulty).tolist():
            for label, found in self.find(self._systems[i], row).items():
                yield from (Fault(self._systems[i], row, label, description) for description in found)


def describe_faulty(check: LabelledMetric, evaluation: Evaluation, systems: Sequence[str]) -> str:
    """Describe how many segments of each system have faults: `markup: faults in 3 of 10 segments of ours`."""
    is_faulty = evaluation.segment_scores(check.label) < check.metric.best
    counts = dict(zip(evaluation.systems, is_faulty.sum(axis=1).tolist(), strict=True))
    listed = ", ".join(
        f"{counts[name]:,} of {evaluation.n_segments:,} segments of {name}" for name in systems
    )
    return f"{check.label}: faults in {listed}"


def list_checks(evaluation: Evaluation) -> list[LabelledMetric]:
    """Return the metrics that are checks."""
    return [metric for metric in evaluation.metrics if metric.metric.is_check]


def _list_faults(check: LabelledMetric, output: str, source: str | None) -> Sequence[str]:
    try:
        return check.metric.list_faults(output, source)
    except ResourceError:
        return (UNKNOWN,)
