"""Show."""

from dataclasses import fields
from os import fspath
from typing import Annotated, Any

from tertium.commands.base.options import TABLE, AnalysisOptions
from tertium.commands.base.request import FilePath, Request, function_of
from tertium.commands.base.results import Result
from tertium.commands.base.runs import (
    RunResult,
    RunTableName,
    SetsTable,
    open_address,
    open_checked,
    read_options,
    take_run,
)
from tertium.commands.base.scores import SystemScores
from tertium.commands.base.text_options import RUN
from tertium.declarations import options_of
from tertium.errors import OptionError, argument
from tertium.evaluation.runs import Run, RunFile
from tertium.records import record


@record
class ShowRequest(AnalysisOptions, Request[Result]):
    """Show a table of a run that `tertium score --save` wrote.

    The scores come with the intervals and tests that were requested when the run was made, and with those requested
    now.
    """

    path: Annotated[
        FilePath,
        RUN,
    ]
    table: Annotated[RunTableName, TABLE] = "scores"

    def run(self) -> Result:
        self._check_table()
        file, system = open_address(fspath(self.path))
        if file.has_sets:
            return self._show_sets(file)
        run = take_run(file, system)
        return RunResult(run, self._read_options(run)).show(self.table)

    def _check_table(self) -> None:
        """Raise on options of scores for a table that has none."""
        of_scores = () if self.table in ("scores", "segments") else options_of(AnalysisOptions)
        given = [option.name for option in of_scores if not option.is_default(getattr(self, option.name))]
        if self.by is not None and self.table == "segments":
            given.append("by")
        for name in given:
            raise OptionError(f"{argument(name)} shows scores, not the table {self.table}").about(name)

    def _read_options(self, run: Run, **more: Any) -> AnalysisOptions:
        """Read the options of a run; those of the request take precedence."""
        names = [field.name for field in fields(AnalysisOptions)]
        changes = {name: value for name in names if (value := getattr(self, name)) not in (None, False, ())}
        options = read_options(
            run.path, run.manifest.origin.settings, {**changes, "tests_pairs": self.tests_pairs, **more}
        )
        options.check_systems(run.manifest.systems)
        return options

    def _show_sets(self, file: RunFile) -> Result:
        if self.table not in ("scores", "segments"):
            return SetsTable(file, self.table)
        for name in ("by", "paired", "baseline", "group", "sort"):
            if getattr(self, name):
                raise OptionError(
                    f"{argument(name)} shows one test set; choose it: {file.path}#{file.names[0]}"
                )
        if self.table == "segments":
            raise OptionError(
                f"the segments are those of one test set; choose it: {file.path}#{file.names[0]}"
            )
        from tertium.commands.base.scores import ScoreSetsResult  # most runs have one test set

        asked = {
            "ci": True,
            "tests_pairs": True,
            "paired": None,
            "baseline": None,
            "group": (),
        }
        results: dict[str, SystemScores] = {
            str(name): RunResult(run, self._read_options(run, **asked)) for name, run in file.runs.items()
        }
        analysis = next(iter(results.values())).options.analysis
        return ScoreSetsResult(results, analysis, autorank=bool(file.settings.get("autorank")))


show = function_of("show", ShowRequest)


def open_run(path: FilePath) -> RunResult:
    """Open a run that `tertium score --save` or `result.save` wrote.

    Only the manifest is read now. The result has the intervals and tests that were requested when the run was made.
    `FILE.run#SET` opens one of several test sets.
    """
    run = open_checked(path)
    return RunResult(run, read_options(run.path, run.manifest.origin.settings, {}))
