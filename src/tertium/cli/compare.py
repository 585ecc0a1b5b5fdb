"""`tertium compare`, `gate` and `report`: systems compared, judged by rules, and shown on a page."""

from typing import Annotated, Any

from tertium.api.command import Opt
from tertium.api.compare import CompareRequest
from tertium.api.gate import GateRequest
from tertium.api.report import Report, ReportRequest
from tertium.api.segments import SegmentsRequest
from tertium.cli.commands import Command, TableCommand, typed_command
from tertium.cli.output import check_output, print_message
from tertium.records import record


@record(kw_only=True)
class CompareCommand(TableCommand):
    """The differences between two systems."""

    request = CompareRequest
    examples = (
        "tertium compare old.txt new.txt -r ref.txt -m bleu,chrf",
        "tertium compare release-1.run release-2.run",
        "tertium compare all.run --systems aurora boreas",
    )


@record(kw_only=True)
class SegmentsCommand(TableCommand):
    """Single segments with their texts."""

    request = SegmentsRequest
    examples = (
        "tertium segments all.run --worst 20 -m chrf",
        "tertium segments -r ref.txt -i new.txt -m chrf,ter --where 'chrf<40,length>20' --sort ter",
        "tertium segments all.run --systems old new --differences --worst 10",
    )


@record(kw_only=True)
class GateCommand(TableCommand):
    """The verdict of a gate."""

    request = GateRequest
    forms = (*TableCommand.forms, "junit", "github")
    examples = (
        "tertium gate new.run --against release.run --metric bleu --not-worse 0.3",
        "tertium gate new.txt --against old.txt -r ref.txt --rules gate.toml -f md",
    )


@record(kw_only=True)
class ReportCommand(Command):
    """The report page."""

    request = ReportRequest
    examples = (
        "tertium report all.run -o report.html",
        "tertium report -r reference.txt -i systems/*.txt -m bleu,chrf -o report.html",
        "tertium report all.run --human judgments.tsv -o report.html",
    )

    output: Annotated[
        str,
        Opt(
            "The page, written completely or not at all.",
            "Output",
            flags=("-o", "--output"),
            metavar="FILE.html",
        ),
    ]

    def check(self) -> None:
        check_output(self.output)

    def make_request(self, **values: Any) -> ReportRequest:
        return ReportRequest(**values, command=typed_command())

    def write(self, result: Report) -> None:
        result.write(self.output)
        if not self.quiet:
            print_message(f"wrote {self.output}: open it in a browser")
