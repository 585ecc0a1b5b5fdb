"""Select segments, subsets and metrics of evaluations, and join evaluations of one test set."""

import math
import operator
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import zip_longest
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from tertium.catalog import LabelledMetric
from tertium.decimals import parse_number
from tertium.errors import InputError, OptionError, UnknownNameError, suggest
from tertium.evaluation.evaluation import Evaluation, LazyTables
from tertium.evaluation.units import Columns, find_column
from tertium.records import record
from tertium.text.tokenizers import mean_lengths
from tertium.values import Corpus, FloatArray, ReferenceStreams

Rows = npt.NDArray[np.int64]

_ORDERS: Mapping[str, Callable[[Any, Any], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
# A name without operators, an operator, and a value up to the next comma or in double quotes.
_ITEM = r'\s*([^<>=!~,"]+?)\s*(!=|<=|>=|=|<|>|~)\s*("[^"]*"|[^,"]*?)\s*(?:,|$)'


@record
class Condition:
    """A condition on the values of a column: = != < <= > >= or ~ (contains)."""

    column: str
    relation: str
    value: str

    def __str__(self) -> str:
        return f"{self.column}{self.relation}{self.value}"

    def select(self, columns: Columns) -> npt.NDArray[np.bool_]:
        """Return which segments meet the condition."""
        values = find_column(columns, self.column)
        if self.relation == "~":
            return np.array([self.value in value for value in values])
        if self.relation in _ORDERS:
            return self._select_ordered(values)
        equal = np.array([_is_equal(value, self.value) for value in values])
        if self.relation == "=" and not equal.any():
            near = suggest(self.value, dict.fromkeys(values))
            raise InputError(f"no segment has {self.column} {self.value!r}; {near}")
        return equal if self.relation == "=" else ~equal

    def _select_ordered(self, values: Sequence[str]) -> npt.NDArray[np.bool_]:
        """Compare numbers; a segment without a value never meets the condition."""
        limit, compare = parse_number(self.value), _ORDERS[self.relation]
        if limit is None:
            raise OptionError(
                f"{self}: only numbers can be compared with {self.relation}, not {self.value!r}"
            )
        numbers = [parse_number(value) if value else math.nan for value in values]
        if None in numbers:
            row = numbers.index(None)
            raise InputError(
                f"{self}: segment {row + 1:,} has {self.column} {values[row]!r}, which is not a number;"
                " compare it with = != or ~"
            )
        return np.array([compare(number, limit) for number in numbers])


def parse_conditions(texts: Sequence[str]) -> tuple[Condition, ...]:
    """Parse conditions that must all hold; a value with commas is written in double quotes.

    >>> [str(condition) for condition in parse_conditions(["domain=news,length>20", 'topic~"a, b"'])]
    ['domain=news', 'length>20', 'topic~a, b']
    """
    return tuple(condition for text in texts for condition in _parse(text))


def select_rows(conditions: Sequence[Condition], columns: Columns, n_segments: int) -> Rows:
    """Find the segments that meet all conditions.

    Raises
    ------
    InputError
        If there are none.
    """
    chosen = np.ones(n_segments, dtype=bool)
    for condition in conditions:
        chosen &= condition.select(columns)
    if not chosen.any():
        raise InputError(
            f"no segment fulfils {', '.join(map(str, conditions))}; leave a condition out, or change it"
        )
    return np.flatnonzero(chosen)


def _parse(text: str) -> list[Condition]:
    found, at = [], 0
    while at < len(text):
        item = re.compile(_ITEM).match(text, at)
        if item is None:
            raise OptionError(
                f"{text[at:]!r} is not a condition; write COLUMN=VALUE, or != < <= > >= ~ instead of ="
            )
        found.append(Condition(item[1], item[2], item[3].strip('"')))
        at = item.end()
    if not found:
        raise OptionError("a condition is empty; write COLUMN=VALUE, such as domain=news")
    return found


def _is_equal(one: str, other: str) -> bool:
    """Whether two values are the same text or the same number."""
    if one == other:
        return True
    ours, theirs = parse_number(one), parse_number(other)
    return ours is not None and ours == theirs


T = TypeVar("T")

LENGTH = "length"
"""A column that every corpus has: the mean length of a segment's references, as `count_length` counts it.

Without references it is the length of the source, or else of the first system's output."""


class SegmentColumns(Mapping[str, Sequence[str]]):
    """The columns of a corpus, its documents, and the lengths of its references, which are computed on first use."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus
        self._known = dict(corpus.columns)
        if corpus.document_ids is not None:
            self._known.setdefault("document", corpus.document_ids)

    def __getitem__(self, name: str) -> Sequence[str]:
        if name == LENGTH and name not in self._known:
            self._known[name] = [f"{length:g}" for length in mean_lengths(self._corpus.measured_texts)]
        return self._known[name]

    def __iter__(self) -> Iterator[str]:
        return iter(dict.fromkeys([*self._known, LENGTH]))

    def __len__(self) -> int:
        return len(self._known) + (LENGTH not in self._known)


def select_texts(corpus: Corpus, rows: Rows) -> Corpus:
    """Keep some segments of a corpus."""
    return replace(
        corpus,
        references=_pick_references(corpus.references, rows),
        systems={name: _pick(texts, rows) for name, texts in corpus.systems.items()},
        sources=None if corpus.sources is None else _pick(corpus.sources, rows),
        segment_ids=None if corpus.segment_ids is None else _pick(corpus.segment_ids, rows),
        document_ids=None if corpus.document_ids is None else _pick(corpus.document_ids, rows),
        columns={name: _pick(values, rows) for name, values in corpus.columns.items()},
    )


def part_by(columns: Mapping[str, Sequence[str]], name: str) -> dict[str, Rows]:
    """Group the segments by the values of a column: numbers in their order, texts as they first occur."""
    groups: dict[str, list[int]] = {}
    for row, value in enumerate(find_column(columns, name)):
        groups.setdefault(value, []).append(row)
    numbers = {value: number for value in groups if (number := parse_number(value)) is not None}
    values = sorted(groups, key=numbers.__getitem__) if len(numbers) == len(groups) else list(groups)
    return {value: np.array(groups[value]) for value in values}


def _pick(values: Sequence[T], rows: Rows) -> list[T]:
    return [values[row] for row in rows.tolist()]


def _pick_references(references: Sequence[Sequence[str]], rows: Rows) -> Sequence[Sequence[str]]:
    if not isinstance(references, ReferenceStreams):
        return _pick(references, rows)
    return ReferenceStreams([_pick(stream, rows) for stream in references.streams], n_segments=len(rows))


def select_segments(evaluation: Evaluation, rows: Sequence[int] | npt.NDArray[np.intp]) -> Evaluation:
    """Keep some segments of an evaluation, in the order of `rows`."""
    chosen = np.asarray(rows, dtype=np.intp)
    tables = {label: np.asarray(table[:, chosen]) for label, table in evaluation.tables.items()}
    return replace(evaluation, tables=tables, units=evaluation.units.take(chosen.tolist()))


def select_metric(evaluation: Evaluation, label: str) -> Evaluation:
    """Keep one metric of an evaluation."""
    evaluation.metric(label)  # raises on an unknown label
    metrics = tuple(metric for metric in evaluation.metrics if metric.label == label)
    return replace(evaluation, metrics=metrics, tables={label: evaluation.tables[label]})


@record(eq=False)
class NamedEvaluation:
    """An evaluation, and a name that distinguishes its systems from others of the same name."""

    name: str
    evaluation: Evaluation


@record(eq=False)
class JoinedEvaluation:
    """The systems of all parts under the metrics that they share.

    Attributes
    ----------
    names
        The names of the systems of each part: `name@part` if another part has a system of the same name.
    notes
        Metrics that were left out, and versions that differ.
    """

    evaluation: Evaluation
    names: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...]


def join_evaluations(parts: Sequence[NamedEvaluation]) -> JoinedEvaluation:
    """Join evaluations of one test set.

    Raises
    ------
    InputError
        If a metric was computed in different ways, or no metric is shared.
    """
    first, *others = parts
    if not others:
        return JoinedEvaluation(first.evaluation, (first.evaluation.systems,), ())
    shared, notes = _share_metrics(parts)
    names = _name_systems(parts)
    evaluations = [part.evaluation for part in parts]
    chosen = [
        {ours: rows[i] for ours, rows in shared.items()} for i in range(len(parts))
    ]  # each part's label of every metric

    def load(label: str) -> FloatArray:
        return np.concatenate(
            [evaluation.tables[labels[label]] for evaluation, labels in zip(evaluations, chosen, strict=True)]
        )

    sums = {
        label: np.concatenate(
            [evaluation.totals(labels[label]) for evaluation, labels in zip(evaluations, chosen, strict=True)]
        )
        for label in shared
    }
    metrics = tuple(metric for metric in first.evaluation.metrics if metric.label in shared)
    tables = LazyTables(first.evaluation.n_segments, sums, load)
    systems = tuple(name for group in names for name in group)
    return JoinedEvaluation(
        replace(first.evaluation, systems=systems, metrics=metrics, tables=tables), names, tuple(notes)
    )


def select_systems(evaluation: Evaluation, systems: Sequence[str]) -> Evaluation:
    """Keep some systems of an evaluation."""
    for name in systems:
        if name not in evaluation.systems:
            raise UnknownNameError(f"no system {name!r} was scored; {suggest(name, evaluation.systems)}")
    rows = [evaluation.systems.index(name) for name in systems]
    sums = {label: evaluation.totals(label)[rows] for label in evaluation.tables}
    tables = LazyTables(evaluation.n_segments, sums, lambda label: evaluation.tables[label][rows])
    return replace(evaluation, systems=tuple(systems), tables=tables)


def select_metrics(part: NamedEvaluation, labels: Sequence[str]) -> NamedEvaluation:
    """Keep some metrics of a part."""
    known = {metric.label: metric for metric in part.evaluation.metrics}
    for label in labels:
        if label not in known:
            message = f"{part.name} lacks the metric {label}; it has {', '.join(known)}"
            raise InputError(message).about("metrics")
    sums = {label: part.evaluation.totals(label) for label in labels}
    tables = LazyTables(part.evaluation.n_segments, sums, lambda label: part.evaluation.tables[label])
    metrics = tuple(known[label] for label in labels)
    return NamedEvaluation(part.name, replace(part.evaluation, metrics=metrics, tables=tables))


def _name_systems(parts: Sequence[NamedEvaluation]) -> tuple[tuple[str, ...], ...]:
    counts = Counter(name for part in parts for name in part.evaluation.systems)
    return tuple(
        tuple(f"{name}@{part.name}" if counts[name] > 1 else name for name in part.evaluation.systems)
        for part in parts
    )


def _share_metrics(parts: Sequence[NamedEvaluation]) -> tuple[dict[str, list[str]], list[str]]:
    """Find the metrics that all parts share: the labels of each metric, part by part."""
    first, *others = parts
    shared: dict[str, list[str]] = {}
    for metric in first.evaluation.metrics:
        found = [_find(first, metric, other) for other in others]
        if None not in found:
            shared[metric.label] = [metric.label, *(label for label in found if label is not None)]
    if not shared:
        labels = "; ".join(f"{part.name} has {', '.join(part.evaluation.tables)}" for part in parts)
        raise InputError(f"no metric was computed everywhere: {labels}; score all with the same metrics")
    return shared, [*_tell_missing(parts, shared), *_tell_versions(parts, shared)]


def _find(part: NamedEvaluation, metric: LabelledMetric, other: NamedEvaluation) -> str | None:
    """Return the label of the same metric in another part; raise if the label belongs to another metric there."""
    signature = part.evaluation.signature(metric.label)
    for candidate in other.evaluation.metrics:
        theirs = other.evaluation.signature(candidate.label)
        if _without_version(theirs) == _without_version(signature):
            return candidate.label
    if metric.label not in other.evaluation.tables:
        return None
    ours, theirs = _first_difference(signature, other.evaluation.signature(metric.label))
    raise InputError(
        f"{metric.label} was computed in two ways: {part.name} has {ours}, {other.name} has {theirs};"
        " score both with the same options and resources"
    )


def _tell_missing(parts: Sequence[NamedEvaluation], shared: dict[str, list[str]]) -> Iterator[str]:
    for i, part in enumerate(parts):
        kept = {labels[i] for labels in shared.values()}
        for label in part.evaluation.tables:
            if label not in kept:
                yield f"{label} of {part.name} is left out, since not all others have it"


def _tell_versions(parts: Sequence[NamedEvaluation], shared: dict[str, list[str]]) -> Iterator[str]:
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
