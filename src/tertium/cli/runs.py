"""`tertium show`, `rerun`, `history` and `score-sets`: one run, a run that is computed again, and many runs."""

from typing import Annotated, Any

from tertium.api.command import Opt
from tertium.api.history import HistoryRequest, HistoryResult
from tertium.api.runs import RerunRequest, ShowRequest
from tertium.api.score_sets import ScoreSetsRequest, ScoreSetsResult
from tertium.cli.commands import SignedTableCommand, TableCommand
from tertium.cli.output import check_output, print_warnings
from tertium.records import record
from tertium.reporting.charts.model import check_picture


@record(kw_only=True)
class ShowCommand(SignedTableCommand):
    """A table of a run."""

    request = ShowRequest

    def make_request(self, **values: Any) -> ShowRequest:
        self.check_full(is_full=values["full"])
        shows_systems = values["table"] != "segments" and values["by"] is None
        return ShowRequest(**values, tests_pairs=None if self.is_human_readable and shows_systems else False)


@record(kw_only=True)
class RerunCommand(TableCommand):
    """A run, computed again."""

    request = RerunRequest


@record(kw_only=True)
class HistoryCommand(TableCommand):
    """The scores of a system over releases."""

    request = HistoryRequest
    examples = (
        "tertium history releases/ -m bleu,chrf",
        "tertium history v1.run v2.run v3.run --system ours --chart history.svg",
    )

    chart: Annotated[str | None, Opt("Also draw the scores, as .svg or .png.", "Output", metavar="FILE")] = (
        None
    )

    def check(self) -> None:
        super().check()
        if self.chart is not None:
            check_picture(self.chart)
            check_output(self.chart)

    def write(self, result: HistoryResult) -> None:  # type: ignore[override]
        if self.chart is not None:
            result.plot().write(self.chart)
        super().write(result)


@record(kw_only=True)
class ScoreSetsCommand(TableCommand):
    """Scores on many test sets, each of which can be saved as a run."""

    request = ScoreSetsRequest
    examples = (
        "tertium score-sets wmt21/ -m bleu,chrf",
        "tertium score-sets suite.toml -m chrf,comet --autorank",
        "tertium score-sets -t wmt23 -t wmt24 -l en-de,en-ja -i 'outputs/{system}/{set}.{pair}.txt'",
    )

    save: Annotated[
        str | None,
        Opt("Save every test set as a run in this folder.", "Output", metavar="FOLDER", access="update"),
    ] = None

    def print_messages(self, result: ScoreSetsResult) -> None:
        if not self.quiet:
            print_warnings(result.warnings)

    def write(self, result: ScoreSetsResult) -> None:  # type: ignore[override]
        if self.save is not None:
            result.save(self.save)
        super().write(result)
