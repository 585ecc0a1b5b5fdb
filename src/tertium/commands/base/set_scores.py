"""Set scores."""

from collections.abc import Mapping
from functools import cached_property
from os import fspath
from pathlib import Path

from tertium.commands.base.request import FilePath, guard_output
from tertium.commands.base.scores import SetScores, SystemScores
from tertium.commands.base.scoring import ScoreResult
from tertium.errors import OptionError
from tertium.evaluation.many_sets import ManySets, ScoredSet
from tertium.files.paths import is_folder, show_path
from tertium.presentation.sets_tables import describe_sets
from tertium.presentation.tables.model import Document
from tertium.records import record
from tertium.stats.analysis import Analysis


@record(eq=False)
class ScoreSetsResult(SetScores):
    """The results by test set, and their summary."""

    results: Mapping[str, SystemScores]
    analysis: Analysis
    autorank: bool = False
    inputs: tuple[str, ...] = ()
    """Files and folders that must not be overwritten."""

    def __getitem__(self, test_set: str) -> SystemScores:
        """Return the result of one test set."""
        return self.results[test_set]

    @cached_property
    def summary(self) -> ManySets:
        """Averages, ranks and tests over all test sets."""
        sets = [
            ScoredSet(name, result.evaluation, result.comparison)
            for name, result in self.results.items()
            if result.comparison is not None
        ]
        return ManySets(sets, self.analysis.alpha, self.analysis.seed)

    @cached_property
    def warnings(self) -> tuple[str, ...]:  # type: ignore[override]
        return tuple(f"{name}: {line}" for name, each in self.results.items() for line in each.warnings)

    @cached_property
    def notes(self) -> tuple[str, ...]:  # type: ignore[override]
        return tuple(f"{name}: {line}" for name, each in self.results.items() for line in each.notes)

    def document(self) -> Document:
        return describe_sets(self.summary, self.analysis, autorank=self.autorank)

    def save(self, path: FilePath, *, texts: bool = True, command: str | None = None) -> None:
        """Save all test sets as one run, for `show`, `report`, `gate`, `history` and `rerun`.

        Parameters
        ----------
        path
            The file to write.
        texts
            Whether the run contains all texts, or only their checksums.
        command
            The command line, for the record.
        """
        from tertium.evaluation.runs import save_runs

        if is_folder(path):
            raise OptionError(
                f"{show_path(path)} is a folder; give a file such as {show_path(Path(path) / 'all.run')}"
            )
        contents = {}
        for name, result in self.results.items():
            if not isinstance(result, ScoreResult):
                raise OptionError("the result was opened from a run: copy its file")
            contents[name] = result.make_contents(command)
        with guard_output(
            [*self.inputs, *(file.path for one in contents.values() for file in one.origin.files)], path
        ):
            save_runs(fspath(path), contents, settings={"autorank": self.autorank}, with_texts=texts)
