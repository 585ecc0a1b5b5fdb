"""`tertium show`, `rerun`, `history` and `score-sets`: one run, a run that is computed again, and many runs."""

from typing import Annotated, Any

from tertium.api.command import Opt
from tertium.api.history import HistoryRequest, HistoryResult
from tertium.api.runs import RerunRequest, ShowRequest
from tertium.api.score_sets import ScoreSetsRequest, ScoreSetsResult
from tertium.catalog import split_labels
from tertium.cli.commands import SignedTableCommand, TableCommand, typed_command
from tertium.cli.output import check_output, print_notes, print_warnings
from tertium.errors import OptionError, argument
from tertium.evaluation.runs import check_recordable
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
    """Scores on many test sets, which can be saved as one run."""

    request = ScoreSetsRequest
    examples = (
        "tertium score-sets wmt21/ -m bleu,chrf --save wmt21.run",
        "tertium score-sets suite.toml -m chrf,comet --autorank",
        "tertium score-sets -t wmt23 -t wmt24 -l en-de,en-ja -i 'outputs/{system}/{set}.{pair}.txt'",
    )

    save: Annotated[
        str | None,
        Opt(
            "Save all test sets as one run, for show, report, gate, history and rerun.",
            "Output",
            metavar="FILE.run",
        ),
    ] = None
    no_texts: Annotated[bool, Opt("Save checksums instead of texts.", "Output")] = False

    def check(self) -> None:
        super().check()
        if self.save is not None:
            check_output(self.save)
        elif self.no_texts:
            raise OptionError(f"{argument('no_texts')} requires {argument('save', 'FILE.run')}")

    def make_request(self, **values: Any) -> ScoreSetsRequest:
        if self.save is not None:
            check_recordable(split_labels(values["metrics"]))
        return ScoreSetsRequest(**values)

    def compute(self, request: Any) -> ScoreSetsResult:
        result: ScoreSetsResult = request.run({argument("save"): ""} if self.save else {})
        return result

    def print_messages(self, result: ScoreSetsResult) -> None:
        if not self.quiet:
            print_warnings(result.warnings)
        print_notes(result.notes, quiet=self.quiet)

    def write(self, result: ScoreSetsResult) -> None:  # type: ignore[override]
        if self.save is not None:
            result.save(self.save, texts=not self.no_texts, command=typed_command())
        super().write(result)
