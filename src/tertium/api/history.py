"""The history of a system: its scores in the runs of many releases, and the changes that are significant."""

from collections.abc import Sequence
from dataclasses import KW_ONLY
from functools import cached_property
from itertools import pairwise
from os import PathLike, fspath
from pathlib import Path
from typing import Annotated

import numpy as np

from tertium.api.command import FilePath, Opt, Request, function_of
from tertium.api.inputs import ScoredInputOptions, ScoredInputs
from tertium.api.results import Result
from tertium.errors import InputError, OptionError, UnknownNameError, argument
from tertium.evaluation.comparison import Comparison, compare
from tertium.evaluation.differences import Difference, compare_two
from tertium.files.paths import is_folder, show_path
from tertium.records import record
from tertium.reporting.charts.forest import ForestPanel, draw_forest
from tertium.reporting.charts.model import Chart
from tertium.reporting.history import Release, describe_history
from tertium.reporting.tables.model import Document
from tertium.stats.significance import holm


@record
class HistoryRequest(ScoredInputOptions, Request["HistoryResult"]):
    """Show the scores of a system over releases, and which changes are significant.

    The runs are those that `tertium score --save` wrote on the same test set, oldest first. Runs of different versions of
    a test set are rejected: their checksums differ.
    """

    runs: Annotated[
        FilePath | Sequence[FilePath],
        Opt(
            "Runs, oldest first, or a folder whose runs are sorted by name.",
            "Input",
            is_argument=True,
            metavar="RUN",
            is_many=True,
            access="read",
        ),
    ]
    _: KW_ONLY
    system: Annotated[
        str | None,
        Opt(
            "The system.",
            "Input",
            metavar="NAME",
            default="the only system of each run",
            completes="systems",
        ),
    ] = None

    def run(self) -> "HistoryResult":
        paths = list(_list_runs(self.runs))
        if len(paths) < 2:
            raise OptionError(f"a history needs at least two runs, not {len(paths)}")
        scored = self.load([f"{path}#{self.system}" if self.system else path for path in paths])
        names = []
        for path, systems in zip(paths, scored.names, strict=True):
            if len(systems) != 1:
                raise UnknownNameError(
                    f"{show_path(path)} has the systems {', '.join(systems)}; choose one with {argument('system', 'NAME')}"
                )
            names.append(systems[0])
        return HistoryResult(self, scored, tuple(_name_releases(paths)), tuple(names))


@record(eq=False)
class HistoryResult(Result):
    """The releases in their order."""

    request: HistoryRequest
    scored: ScoredInputs
    labels: tuple[str, ...]
    """The names of the releases."""
    systems: tuple[str, ...]
    """The name of each release's system in `scored.evaluation`."""

    @cached_property
    def comparison(self) -> Comparison:
        """The intervals of all releases."""
        return compare(self.scored.evaluation, self.request.analysis)

    @cached_property
    def changes(self) -> list[list[Difference]]:
        """The comparison of each release with the one before it, by metric."""
        return [
            compare_two(self.scored.evaluation, before, after, self.request.analysis)
            for before, after in pairwise(self.systems)
        ]

    @cached_property
    def releases(self) -> list[Release]:
        """A row for each metric and release; p-values are Holm-adjusted over the changes of a metric."""
        evaluation, rows = self.scored.evaluation, []
        places = [evaluation.systems.index(system) for system in self.systems]
        for number, metric in enumerate(evaluation.metrics):
            compared = self.comparison.metrics[metric.label]
            differences = [each[number] for each in self.changes]
            known = np.array([1.0 if each.p_value is None else each.p_value for each in differences])
            adjusted = [None, *holm(known).tolist()]
            for k, (label, at) in enumerate(zip(self.labels, places, strict=True)):
                p_value = adjusted[k]
                rows.append(
                    Release(
                        metric=metric.label,
                        title=metric.metric.write_title(metric.label),
                        release=label,
                        score=float(compared.scores[at]),
                        interval=(float(compared.intervals.low[at]), float(compared.intervals.high[at])),
                        change=None if k == 0 else differences[k - 1].difference,
                        gain=None if k == 0 else differences[k - 1].gain,
                        p_value=p_value,
                        is_significant=p_value is not None and p_value < self.request.analysis.alpha,
                    )
                )
        return rows

    def document(self) -> Document:
        return describe_history(self.releases, self.scored.evaluation.n_segments, self.request.analysis)

    def plot(self) -> Chart:
        """Draw the scores of all releases with their intervals."""
        panels = []
        for metric in self.scored.evaluation.metrics:
            rows = [row for row in self.releases if row.metric == metric.label]
            panels.append(
                ForestPanel(
                    metric.label,
                    [row.score for row in rows],
                    [row.interval[0] for row in rows],
                    [row.interval[1] for row in rows],
                    lower_is_better=not metric.metric.higher_is_better,
                )
            )
        return draw_forest(self.labels, panels, title="Scores over releases")


def _list_runs(given: FilePath | Sequence[FilePath]) -> Sequence[str]:
    listed = [given] if isinstance(given, str | PathLike) else given
    paths: list[str] = []
    for each in [fspath(path) for path in listed]:
        if not is_folder(each):
            paths.append(each)
            continue
        found = sorted(str(path) for path in Path(each).glob("*.run"))
        if not found:
            raise InputError(f"{show_path(each)} has no .run files")
        paths += found
    return paths


def _name_releases(paths: Sequence[str]) -> Sequence[str]:
    """Name releases by their files; by their paths if two files have the same name."""
    stems = [Path(path).stem for path in paths]
    return stems if len(set(stems)) == len(stems) else list(paths)


history = function_of("history", HistoryRequest)
