"""Single segments with their scores and texts: the worst, those that meet conditions, or differences of systems."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, field, replace
from functools import cached_property
from typing import Annotated

import numpy as np
import numpy.typing as npt

from tertium.commands.base.annotations import AnnotationOptions
from tertium.commands.base.options import N_SHOWN, WHERE
from tertium.commands.base.request import Request, Strings, function_of
from tertium.commands.base.results import Result
from tertium.commands.base.scored_inputs import (
    ScoredInput,
    ScoredInputOptions,
    ScoredInputs,
    choose_systems,
    list_inputs,
)
from tertium.commands.base.text_options import HYPOTHESES, INPUTS, SYSTEMS
from tertium.decimals import parse_integer
from tertium.declarations import Opt
from tertium.errors import InputError, OptionError, argument
from tertium.evaluation.differences import measure_segment_gains
from tertium.evaluation.faults import FaultFinder, describe_faulty, list_checks
from tertium.evaluation.gaps import list_gaps
from tertium.evaluation.selection import SegmentColumns, parse_conditions, select_rows
from tertium.evaluation.units import find_column
from tertium.presentation.segment_tables import Annotations, ShownSegment, describe_shown_segments
from tertium.presentation.tables.model import Document
from tertium.records import record
from tertium.values import FloatArray

DEFAULT_WORST = 10


@record
class SegmentsRequest(AnnotationOptions, ScoredInputOptions, Request["SegmentsResult"]):
    """Show single segments with their scores and texts, and the words that differ from the reference.

    Without a choice of segments, the 10 outputs with the lowest quality are shown, by the first metric. With
    two systems to compare, a score is the difference between them, positive where the second is better.
    """

    inputs: Annotated[ScoredInput | Sequence[ScoredInput], INPUTS] = ()
    _: KW_ONLY
    hypotheses: Annotated[
        Strings, replace(HYPOTHESES, help="Outputs of systems, in addition to the runs.")
    ] = ()
    systems: Annotated[
        Strings,
        replace(SYSTEMS, help="Show only these systems.", default="all"),
    ] = ()
    differences: Annotated[
        bool, Opt("Compare two systems: scores are those of the second minus those of the first.", "Analysis")
    ] = False
    where: Annotated[
        Strings,
        replace(
            WHERE,
            help="Show segments that meet all conditions on metrics and columns: 'chrf<40,length>20' (= != < <= > >=, ~ contains).",
        ),
    ] = ()
    lines: Annotated[
        Strings,
        Opt("Show these segments: 12,40-45.", "Analysis", flags=("--line", "--lines"), metavar="LIST"),
    ] = ()
    worst: Annotated[
        int | None, Opt("Show the N worst outputs by the first metric.", "Output", metavar="N", least=1)
    ] = None
    best: Annotated[
        int | None,
        Opt(
            "Show the N best outputs by the first metric.",
            "Output",
            metavar="N",
            least=1,
            excludes=("worst",),
        ),
    ] = None
    sort: Annotated[
        str | None,
        Opt(
            "Order by a metric (worst first) or by a column; -NAME reverses the order.",
            "Output",
            metavar="NAME",
            default="worst or best first if they are chosen, otherwise as in the files",
        ),
    ] = None
    n: Annotated[int | None, N_SHOWN] = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.worst and self.best:
            raise OptionError(f"give either {argument('worst')} or {argument('best')}, not both")

    def run(self) -> "SegmentsResult":
        inputs = list_inputs(self.inputs, self.hypotheses)
        if not inputs:
            raise OptionError(
                f"no segments: give a run, or outputs with {argument('references', 'FILE')}"
                f" {argument('hypotheses', 'FILE')}"
            )
        scored = self.load(inputs)
        systems = choose_systems(scored.evaluation, tuple(self.systems), is_pair=self.differences)
        outputs = _Outputs(scored, systems, is_pair=self.differences)
        annotations = self.read_annotations(scored)
        return SegmentsResult(self, scored, systems, self._choose(outputs), outputs, annotations)

    def _choose(self, outputs: "_Outputs") -> list[int]:
        """Choose the outputs to show, in their order."""
        chosen = np.arange(len(outputs))
        if self.lines:
            numbers = parse_lines(tuple(self.lines), outputs.n_segments)
            chosen = np.flatnonzero(np.isin(outputs.segments, numbers))
        if conditions := parse_conditions(tuple(self.where)):
            chosen = np.intersect1d(chosen, select_rows(conditions, outputs, len(outputs)))
        n_extreme = self.worst or self.best
        if not (self.lines or self.where or n_extreme or self.n or self.sort):
            n_extreme = DEFAULT_WORST
        if n_extreme:
            ranked = outputs.rank(outputs.labels[0], chosen, is_reversed=bool(self.best))
            chosen = ranked[:n_extreme]
        if self.sort is not None:
            chosen = outputs.rank(self.sort.removeprefix("-"), chosen, is_reversed=self.sort.startswith("-"))
        return [int(i) for i in chosen[: self.n]]


def parse_lines(texts: Sequence[str], n_segments: int) -> list[int]:
    """Parse numbers and ranges of segments, counted from 1; return them counted from 0.

    >>> parse_lines(["2,4-6"], 10)
    [1, 3, 4, 5]
    """
    found: list[int] = []
    for text in (part for listed in texts for part in listed.split(",")):
        match = re.fullmatch(r"\s*([0-9]+)(?:-([0-9]+))?\s*", text)
        if match is None:
            raise OptionError(f"{text!r} is not the number of a segment, nor a range such as 40-45")
        first, last = parse_integer(match[1]), parse_integer(match[2] or match[1])
        if first is None or last is None or not 1 <= first <= last <= n_segments:
            raise InputError(f"there is no segment {text.strip()}: the texts have {n_segments:,}")
        found += range(first - 1, last)
    return found


class _Outputs(Mapping[str, Sequence[str]]):
    """The outputs of all systems segment by segment, or the segments of two systems, with metrics as columns."""

    def __init__(self, scored: ScoredInputs, systems: Sequence[str], *, is_pair: bool) -> None:
        evaluation = scored.evaluation
        self.n_segments = evaluation.n_segments
        self.labels = evaluation.labels
        self._evaluation = evaluation
        self._systems = [evaluation.systems.index(name) for name in systems]
        self._gains = measure_segment_gains(evaluation, *systems) if is_pair else None
        self._width = 1 if is_pair else len(systems)
        self._columns = scored.columns if scored.corpus is None else SegmentColumns(scored.corpus)

    @property
    def segments(self) -> npt.NDArray[np.int64]:
        """The segment of each output, from 0."""
        return np.repeat(np.arange(self.n_segments), self._width)

    def system_of(self, i: int) -> int:
        """Return the index of the system of an output among the shown ones."""
        return i % self._width

    def scores(self, label: str) -> FloatArray:
        """Return the score of each output, or the gain of each segment."""
        if self._gains is not None:
            return self._gains[label]
        return self._evaluation.segment_scores(label)[self._systems].T.ravel()

    def rank(self, name: str, chosen: npt.NDArray[np.int64], *, is_reversed: bool) -> npt.NDArray[np.int64]:
        """Sort outputs by a metric, worst first, or by a column; those without a number come last."""
        keys = self._quality(name) if name in self.labels else _order(find_column(self, name))
        values = keys[chosen]
        order = np.argsort(-values if is_reversed else values, kind="stable")  # NaN is last in both
        return chosen[order]

    def _quality(self, label: str) -> FloatArray:
        is_oriented = self._gains is not None or self._evaluation.metric(label).higher_is_better
        return self.scores(label) if is_oriented else -self.scores(label)

    def __getitem__(self, name: str) -> Sequence[str]:
        if name in self.labels:
            return ["" if np.isnan(score) else repr(score) for score in self.scores(name).tolist()]
        if name == "system" and self._gains is None:
            names = [self._evaluation.systems[i] for i in self._systems]
            return names * self.n_segments
        return [value for value in self._columns[name] for _ in range(self._width)]

    def __iter__(self) -> Iterator[str]:
        own = ["system"] if self._gains is None else []
        return iter(dict.fromkeys([*self.labels, *own, *self._columns]))

    def __len__(self) -> int:
        return self.n_segments * self._width

    def __contains__(self, name: object) -> bool:
        return name in list(self)


def _order(values: Sequence[str]) -> FloatArray:
    """Return numbers that sort like the values: as numbers if all are, otherwise as texts."""
    try:
        return np.array([float(value) if value else np.nan for value in values])
    except ValueError:
        ranks = {value: rank for rank, value in enumerate(sorted(set(values)))}
        return np.array([float(ranks[value]) for value in values])


@record(eq=False)
class SegmentsResult(Result):
    """The chosen outputs, or the segments of two systems, in their order."""

    request: SegmentsRequest
    scored: ScoredInputs = field(repr=False)
    systems: tuple[str, ...]
    chosen: list[int] = field(repr=False)
    _outputs: _Outputs = field(repr=False)
    annotations: Annotations = field(default_factory=dict, repr=False)
    """Judgments with error spans, by system and segment (from 0)."""

    @property
    def notes(self) -> tuple[str, ...]:  # type: ignore[override]
        return (*self.scored.notes, *list_gaps(self.scored.evaluation))

    def __len__(self) -> int:
        return len(self.chosen)

    @cached_property
    def segments(self) -> tuple[ShownSegment, ...]:
        """The segments with their scores and texts."""
        return tuple(map(self._show, self.chosen))

    def _show(self, i: int) -> ShownSegment:
        row, is_pair = int(self._outputs.segments[i]), self.request.differences
        systems = self.systems if is_pair else (self.systems[self._outputs.system_of(i)],)
        shown = make_shown_segment(self.scored, row, systems, self.annotations)
        if self._faults is None:
            return shown
        faults = {name: found for name in systems if (found := self._faults.find(name, row))}
        return replace(shown, faults=faults)

    @cached_property
    def _faults(self) -> FaultFinder | None:
        """The faults that checks find; None if the texts are not known."""
        corpus = self.scored.corpus
        return None if corpus is None else FaultFinder(self.scored.evaluation, corpus)

    def document(self) -> Document:
        return describe_shown_segments(
            self.segments, self.scored.evaluation.metrics, list(self._list_notes())
        )

    def _list_notes(self) -> Iterator[str]:
        what = "segments" if self.request.differences else "outputs"
        yield f"{len(self.chosen):,} of {len(self._outputs):,} {what}"
        if self.request.differences:
            first, second = self.systems
            yield f"signed numbers: {second} compared with {first}; positive where {second} is better"
        for check in list_checks(self.scored.evaluation):
            yield describe_faulty(check, self.scored.evaluation, self.systems)
        if self.scored.corpus is None:
            yield "the texts are not known: the run was saved without them"


def make_shown_segment(
    scored: ScoredInputs,
    row: int,
    systems: Sequence[str],
    annotations: Annotations | None = None,
) -> ShownSegment:
    """Collect the scores and texts of a segment (from 0) for one system, or for two that are compared."""
    evaluation, corpus = scored.evaluation, scored.corpus
    indices = [evaluation.systems.index(name) for name in systems]
    scores = {label: evaluation.segment_scores(label)[indices, row].tolist() for label in evaluation.labels}
    signs = {metric.label: 1 if metric.metric.higher_is_better else -1 for metric in evaluation.metrics}
    is_pair = len(systems) == 2
    ids = None if corpus is None else corpus.segment_ids
    return ShownSegment(
        number=row + 1,
        identity=None if ids is None else ids[row],
        systems=tuple(systems),
        scores=scores,
        gains={label: signs[label] * (two - one) + 0.0 for label, (one, two) in scores.items()}
        if is_pair
        else {},
        source=None if corpus is None or corpus.sources is None else corpus.sources[row],
        references=list(corpus.references[row]) if corpus is not None else (),
        outputs=[corpus.systems[name][row] for name in systems] if corpus is not None else (),
        columns={name: values[row] for name, values in scored.columns.items()},
        annotations={
            name: given for name in systems if (given := (annotations or {}).get((name, row))) is not None
        },
    )


segments = function_of("segments", SegmentsRequest)
