"""`tertium compare`, `gate` and `report`: systems compared, judged by rules, and shown on a page."""

import os
from pathlib import Path
from typing import Annotated, Any

import click

from tertium.api.command import Opt
from tertium.api.compare import CompareRequest
from tertium.api.gate import GateRequest, GateResult
from tertium.api.plan import PlanRequest, PlanResult
from tertium.api.report import Report, ReportRequest, SetsReport
from tertium.api.segments import SegmentsRequest
from tertium.cli.commands import CommandBase, TableCommand, typed_command
from tertium.cli.output import check_output, print_message, print_warnings, write_text
from tertium.errors import OptionError, argument
from tertium.records import record
from tertium.reporting.charts.model import check_picture


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
class PlanCommand(TableCommand):
    """The size of a test set, and a chart of its power."""

    request = PlanRequest
    examples = (
        "tertium plan -m bleu --difference 0.5",
        "tertium plan pilot.run --systems old new -m chrf --difference 0.5 --cost 0.20",
        "tertium plan -m bleu,chrf -n 1000",
        "tertium plan --human judgments.tsv --difference 2 --n-systems 5 --comparisons 10",
    )

    chart: Annotated[
        str | None,
        Opt("Draw the power by the number of segments, as .svg or .png.", "Output", metavar="FILE"),
    ] = None

    def check(self) -> None:
        super().check()
        if self.chart is not None:
            check_picture(self.chart)
            check_output(self.chart)

    def write(self, result: PlanResult) -> None:  # type: ignore[override]
        if self.chart is not None:
            if result.human is not None:
                raise OptionError(f"{argument('chart')} has no chart of a human evaluation")
            result.plot().write(self.chart)
        super().write(result)


@record(kw_only=True)
class GateCommand(TableCommand):
    """The verdict of a gate."""

    request = GateRequest
    forms = (*TableCommand.forms, "junit", "github")
    examples = (
        "tertium gate new.run --against release.run --metric bleu --not-worse 0.3",
        "tertium gate new.txt --against old.txt -r ref.txt --metric ter --at-most 45",
        "tertium gate new.run --against release.run --rules gate.toml --where domain=news",
        "tertium gate new.run --against release.run --rules gate.toml --junit gate.xml --summary gate.md --github",
    )

    junit: Annotated[
        str | None,
        Opt(
            "Also write the verdict as JUnit XML, for build servers.",
            "Output",
            metavar="FILE",
            is_stream=True,
        ),
    ] = None
    summary: Annotated[
        str | None,
        Opt(
            "Also write the verdict as Markdown.",
            "Output",
            metavar="FILE",
            default="in GitHub Actions, the summary of the step",
            is_stream=True,
        ),
    ] = None
    github: Annotated[bool, Opt("Also print annotations for GitHub Actions.", "Output")] = False

    @classmethod
    def translate(cls, arguments: list[str]) -> list[str]:
        """Leave out the deprecated options `--samples` and `--seed`: the test draws no samples."""
        kept, rest = list[str](), iter(arguments)
        for each in rest:
            flag, has_value, _ = each.partition("=")
            if flag not in ("--samples", "--seed"):
                kept.append(each)
                continue
            print_warnings([f"{flag} is deprecated; leave it out"])
            if not has_value:
                next(rest, None)
        return kept

    def check(self) -> None:
        super().check()
        for path in filter(None, (self.junit, self.summary)):
            check_output(path)

    def write(self, result: GateResult) -> None:  # type: ignore[override]
        if self.junit is not None:
            write_text(result.render("junit"), self.junit)
        if self.summary is not None:
            write_text(result.render("md"), self.summary)
        elif self.form != "md" and (step := os.environ.get("GITHUB_STEP_SUMMARY")):
            with Path(step).open("a", encoding="utf-8") as file:
                file.write(result.render("md"))
        super().write(result)
        if self.github:
            click.echo(result.render("github"), nl=False)


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
        Opt(
            "The page, written completely or not at all.",
            "Output",
            flags=("-o", "--output"),
            metavar="FILE.html",
            is_stream=True,
        ),
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
