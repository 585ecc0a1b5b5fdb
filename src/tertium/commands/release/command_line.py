"""`tertium show`, `rerun`, `history` and `gate`: one run, a run that is computed again, and many runs."""

import os
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import click

from tertium.commands.base.command_line import CHART, SignedTableCommand, TableCommand
from tertium.commands.base.output import check_output, write_text
from tertium.commands.release.gate import GateRequest, GateResult
from tertium.commands.release.history import HistoryRequest, HistoryResult
from tertium.commands.release.plan import PlanRequest, PlanResult
from tertium.commands.release.rerun import RerunRequest
from tertium.commands.release.show import ShowRequest
from tertium.declarations import Opt
from tertium.presentation.charts.model import check_picture
from tertium.records import record


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
class ChartCommand(TableCommand):
    """A result that may also be drawn."""

    chart: Annotated[str | None, CHART] = None

    def check(self) -> None:
        super().check()
        if self.chart is not None:
            check_picture(self.chart)
            check_output(self.chart)

    def write(self, result: HistoryResult | PlanResult) -> None:  # type: ignore[override]
        if self.chart is not None:
            result.plot().write(self.chart)
        super().write(result)


@record(kw_only=True)
class HistoryCommand(ChartCommand):
    """The scores of a system over releases."""

    request = HistoryRequest
    examples = (
        "tertium history releases/ -m bleu,chrf",
        "tertium history v1.run v2.run v3.run --system ours --chart history.svg",
    )


@record(kw_only=True)
class PlanCommand(ChartCommand):
    """The size of a test set, and a chart of its power."""

    request = PlanRequest
    examples = (
        "tertium plan -m bleu --difference 0.5",
        "tertium plan pilot.run --systems old new -m chrf --difference 0.5 --cost 0.20",
        "tertium plan -m bleu,chrf -n 1000",
    )

    chart: Annotated[
        str | None,
        replace(CHART, help="Draw the power by the number of segments, as .svg or .png."),
    ] = None


@record(kw_only=True)
class GateCommand(TableCommand):
    """The verdict of a gate."""

    request = GateRequest
    forms = (*TableCommand.forms, "junit", "github")
    examples = (
        "tertium gate new.run --against release.run -m bleu --not-worse 0.3",
        "tertium gate new.txt -r ref.txt -m bleu --at-least 40",
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
