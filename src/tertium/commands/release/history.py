"""The history of a system: its scores in the runs of many releases, and the changes that are significant."""

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, replace
from functools import cached_property
from pathlib import Path
from typing import Annotated

from tertium.commands.base.request import FilePath, Request, function_of
from tertium.commands.base.results import Result
from tertium.commands.base.scored_inputs import OpenedRunOptions, ScoredInput, check_runs, split_sets
from tertium.commands.base.text_options import SYSTEM
from tertium.commands.release.history_tables import describe_history, draw_releases
from tertium.declarations import Opt, check_list
from tertium.errors import InputError, OptionError, UnknownNameError, argument
from tertium.evaluation import Evaluation
from tertium.evaluation.gaps import describe_gaps
from tertium.evaluation.history import Release, measure_history
from tertium.evaluation.selection import select_systems
from tertium.evaluation.units import Tested
from tertium.files.paths import is_folder, show_path
from tertium.presentation.charts.model import Chart
from tertium.presentation.tables.model import Document
from tertium.records import record
from tertium.stats.analysis import Analysis


@record
class HistoryRequest(OpenedRunOptions, Request["HistoryResult"]):
    """Show the scores of a system over releases, and which changes are significant.

    The runs are those that `tertium score --save` wrote on the same test sets, oldest first. Runs of different versions
    of a test set are rejected: their checksums differ.
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
        SYSTEM,
    ] = None

    def run(self) -> "HistoryResult":
        paths = list(list_runs(self.runs))
        check_runs(paths)
        if len(paths) < 2:
            raise OptionError(f"a history needs at least two runs, not {len(paths)}")
        inputs = [f"{path}#{self.system}" if self.system else path for path in paths]
        return load_history(self, inputs, tuple(name_releases(paths)), self.analysis)


def load_history(
    options: OpenedRunOptions, inputs: Sequence[ScoredInput], labels: Sequence[str], analysis: Analysis
) -> "HistoryResult":
    """Open the runs of the releases, each with one system per test set."""
    sets = split_sets(inputs)
    found: dict[str, Evaluation] = {}
    notes: list[str] = []
    for name, chosen in sets.inputs.items():
        try:
            scored = options.load(chosen)
            systems = [_take_only(names, given) for names, given in zip(scored.names, chosen, strict=True)]
        except InputError as error:
            if not name:
                raise
            raise error.at(name) from error
        found[name or ""] = replace(select_systems(scored.evaluation, systems), systems=tuple(labels))
        found_notes = (*scored.notes, *describe_gaps(found[name or ""]))
        notes += [f"{name}: {note}" if name else note for note in found_notes]
    if sets.left_out:
        notes.append(f"left out, because not all runs have them: {', '.join(sets.left_out)}")
    return HistoryResult(found, analysis, tuple(notes))


def _take_only(systems: Sequence[str], given: ScoredInput) -> str:
    if len(systems) != 1:
        raise UnknownNameError(
            f"{show_path(str(given))} has the systems {', '.join(systems)}; choose one with {argument('system', 'NAME')}"
        )
    return systems[0]


@record(eq=False)
class HistoryResult(Result):
    """The releases in their order.

    Attributes
    ----------
    sets
        The statistics of the releases, as systems, by test set; the key is "" if there is only one.
    """

    sets: Mapping[str, Evaluation]
    analysis: Analysis
    notes: tuple[str, ...] = ()

    @property
    def labels(self) -> tuple[str, ...]:
        """The names of the releases."""
        return tuple(next(iter(self.sets.values())).systems)

    @cached_property
    def releases(self) -> list[Release]:
        """A row for each metric, test set and release; the average over several test sets comes first."""
        return measure_history(self.sets, self.analysis)

    def document(self) -> Document:
        n_segments = sum(evaluation.n_segments for evaluation in self.sets.values())
        return describe_history(self.releases, n_segments, self._tested, test_sets=[*filter(None, self.sets)])

    @property
    def _tested(self) -> list[Tested]:
        """The tests of two neighbouring releases, and the number of units of each test set."""
        return [
            (evaluation.units.complete(self.analysis, 2), evaluation.units.count(evaluation.n_segments))
            for evaluation in self.sets.values()
        ]

    def plot(self) -> Chart:
        """Draw the scores of all releases with their intervals; of several test sets, their average."""
        return draw_releases([row for row in self.releases if row.test_set is None])


def list_runs(given: FilePath | Sequence[FilePath]) -> Sequence[str]:
    """List runs, and the runs in folders by name."""
    paths: list[str] = []
    for path in check_list(given, "runs"):
        if not is_folder(path):
            paths.append(path)
            continue
        found = sorted(map(str, Path(path).glob("*.run")))
        if not found:
            raise InputError(f"{show_path(path)} has no .run files")
        paths += found
    return paths


def name_releases(paths: Sequence[str]) -> Sequence[str]:
    """Name releases by their files; by their paths if two files have the same name.

    Raises
    ------
    InputError
        If a run is given twice.
    """
    if repeated := [path for path in paths if paths.count(path) > 1]:
        raise InputError(f"{show_path(repeated[0])} is given twice, but each release has its own run")
    stems = [Path(path).stem for path in paths]
    return stems if len(set(stems)) == len(stems) else list(paths)


history = function_of("history", HistoryRequest)
