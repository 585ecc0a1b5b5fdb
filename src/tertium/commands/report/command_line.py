"""Command line."""

from dataclasses import replace
from typing import Annotated, Any

from tertium.commands.base.command_line import OUTPUT, CommandBase, typed_command
from tertium.commands.base.output import check_output, print_message, write_text
from tertium.commands.report.report import Report, ReportRequest, SetsReport
from tertium.records import record


@record(kw_only=True)
class ReportCommand(CommandBase):
    """The report page."""

    request = ReportRequest
    examples = (
        "tertium report all.run -o report.html",
        "tertium report -r reference.txt -i systems/*.txt -m bleu,chrf -o report.html",
        "tertium report all.run --human judgments.tsv -o report.html",
        "tertium report v3.run --history v1.run v2.run --system ours -o report.html",
    )

    output: Annotated[
        str,
        replace(OUTPUT, help="The page, written completely or not at all.", metavar="FILE.html"),
    ]

    def check(self) -> None:
        check_output(self.output)

    def make_request(self, **values: Any) -> ReportRequest:
        return ReportRequest(**values, command=typed_command())

    def write(self, result: Report | SetsReport) -> None:
        if self.output == "-":
            write_text(result.render(), self.output)
            return
        result.write(self.output)
        if not self.quiet:
            print_message(f"wrote {self.output}: open it in a browser")
