"""Several evaluations of one test set, such as those of several runs, as one."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest

import numpy as np

from tertium.catalog import LabelledMetric
from tertium.catalog.finding import suggest
from tertium.errors import InputError, UnknownNameError
from tertium.evaluation.lazy_tables import LazyTables
from tertium.evaluation.statistics import Evaluation
from tertium.types import FloatArray

__all__ = ["Joined", "Part", "join_evaluations", "select_metrics", "select_systems"]


@dataclass(frozen=True, eq=False)
class Part:
    """An evaluation, and the name by which its systems are told from others of the same name."""

    name: str
    evaluation: Evaluation


@dataclass(frozen=True, eq=False)
class Joined:
    """The systems of all parts under the metrics that they share.

    Attributes
    ----------
    names
        For each part, what its systems are called now: `name@part` where parts have systems of one name.
    notes
        What a reader should know: metrics that were left out, versions that differ.
    """

    evaluation: Evaluation
    names: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...]


def join_evaluations(parts: Sequence[Part]) -> Joined:
    """Join evaluations of one test set.

    Raises
    ------
    InputError
        If a metric was computed in different ways, or no metric is shared.
    """
    first, *others = parts
    if not others:
        return Joined(first.evaluation, (first.evaluation.systems,), ())
    shared, notes = _share_metrics(parts)
    names = _name_systems(parts)
    evaluations = [part.evaluation for part in parts]
    chosen = [
        {ours: rows[i] for ours, rows in shared.items()} for i in range(len(parts))
    ]  # each part's label of every metric

    def load(label: str) -> FloatArray:
        return np.concatenate(
            [each.tables[labels[label]] for each, labels in zip(evaluations, chosen, strict=True)]
        )

    sums = {
        label: np.concatenate(
            [each.totals(labels[label]) for each, labels in zip(evaluations, chosen, strict=True)]
        )
        for label in shared
    }
    metrics = tuple(each for each in first.evaluation.metrics if each.label in shared)
    tables = LazyTables(first.evaluation.n_segments, sums, load)
    systems = tuple(name for group in names for name in group)
    return Joined(Evaluation(systems, metrics, tables, first.evaluation.n_references), names, tuple(notes))


def select_systems(evaluation: Evaluation, systems: Sequence[str]) -> Evaluation:
    """Keep some systems of an evaluation."""
    for name in systems:
        if name not in evaluation.systems:
            raise UnknownNameError(f"no system {name!r} was scored; {suggest(name, evaluation.systems)}")
    rows = [evaluation.systems.index(name) for name in systems]
    sums = {label: evaluation.totals(label)[rows] for label in evaluation.tables}
    tables = LazyTables(evaluation.n_segments, sums, lambda label: evaluation.tables[label][rows])
    return Evaluation(tuple(systems), evaluation.metrics, tables, evaluation.n_references)


def select_metrics(part: Part, labels: Sequence[str]) -> Part:
    """Keep some metrics of a part."""
    known = {each.label: each for each in part.evaluation.metrics}
    for label in labels:
        if label not in known:
            raise InputError(f"{part.name} lacks the metric {label}; it has {', '.join(known)}")
    sums = {label: part.evaluation.totals(label) for label in labels}
    tables = LazyTables(part.evaluation.n_segments, sums, lambda label: part.evaluation.tables[label])
    metrics = tuple(known[label] for label in labels)
    facts = part.evaluation.systems, metrics, tables, part.evaluation.n_references
    return Part(part.name, Evaluation(*facts))


def _name_systems(parts: Sequence[Part]) -> tuple[tuple[str, ...], ...]:
    counts = Counter(name for part in parts for name in part.evaluation.systems)
    return tuple(
        tuple(f"{name}@{part.name}" if counts[name] > 1 else name for name in part.evaluation.systems)
        for part in parts
    )


def _share_metrics(parts: Sequence[Part]) -> tuple[dict[str, list[str]], list[str]]:
    """Find the metrics of the first part in all others: each one's labels, part by part."""
    first, *others = parts
    shared: dict[str, list[str]] = {}
    for each in first.evaluation.metrics:
        found = [_find(first, each, other) for other in others]
        if None not in found:
            shared[each.label] = [each.label, *(label for label in found if label is not None)]
    if not shared:
        labels = "; ".join(f"{part.name} has {', '.join(part.evaluation.tables)}" for part in parts)
        raise InputError(f"no metric was computed everywhere: {labels}; score all with the same metrics")
    return shared, [*_tell_missing(parts, shared), *_tell_versions(parts, shared)]


def _find(part: Part, metric: LabelledMetric, other: Part) -> str | None:
    """The label of the same metric in another part; a metric of this label that differs is an error."""
    signature = part.evaluation.signature(metric.label)
    for each in other.evaluation.metrics:
        theirs = other.evaluation.signature(each.label)
        if _without_version(theirs) == _without_version(signature):
            return each.label
    if metric.label not in other.evaluation.tables:
        return None
    ours, theirs = _first_difference(signature, other.evaluation.signature(metric.label))
    raise InputError(
        f"{metric.label} was computed in two ways: {part.name} has {ours}, {other.name} has {theirs};"
        " score both with the same options and resources"
    )


def _tell_missing(parts: Sequence[Part], shared: dict[str, list[str]]) -> Iterator[str]:
    for i, part in enumerate(parts):
        kept = {labels[i] for labels in shared.values()}
        for label in part.evaluation.tables:
            if label not in kept:
                yield f"{label} of {part.name} is left out, since not all others have it"


def _tell_versions(parts: Sequence[Part], shared: dict[str, list[str]]) -> Iterator[str]:
    for labels in shared.values():
        signatures = [part.evaluation.signature(label) for part, label in zip(parts, labels, strict=True)]
        if len(set(signatures)) > 1:
            versions = dict.fromkeys(signature.rpartition("|version:")[2] for signature in signatures)
            yield f"{labels[0]} was computed by different versions: {', '.join(versions)}"


def _without_version(signature: str) -> str:
    return "|".join(item for item in signature.split("|") if not item.startswith("version:"))


def _first_difference(ours: str, theirs: str) -> tuple[str, str]:
    pairs = zip_longest(
        _without_version(ours).split("|"), _without_version(theirs).split("|"), fillvalue="nothing"
    )
    return next(pair for pair in pairs if pair[0] != pair[1])
