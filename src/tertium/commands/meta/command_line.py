"""`tertium meta` and `tune`: metrics and human judgments."""

from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Literal

from tertium.commands.base.command_line import (
    CHART,
    FORMAT,
    OUTPUT,
    CommandBase,
    SignedTableCommand,
    TableCommand,
)
from tertium.commands.base.output import check_output, file_name, make_folder, print_warnings, write_text
from tertium.commands.meta.meta import MetaRequest, MetaResult
from tertium.commands.meta.tune import TuneRequest, TuneResult
from tertium.corpus.judgments.score_files import LAYOUTS
from tertium.declarations import Opt, options_of
from tertium.errors import OptionError, argument
from tertium.presentation.charts.model import check_picture
from tertium.presentation.tables import FORMATS
from tertium.records import record

_TABLE_OPTIONS = ("statistics", "ci", "ceiling", "sort", "absolute", "task")
"""Options that only change the tables of agreement; `test="none"` also saves time."""


@record(kw_only=True)
class MetaCommand(SignedTableCommand):
    """Tables of agreement, a calibration table, score files and charts."""

    request = MetaRequest

    write_scores: Annotated[
        str | None,
        Opt("Write METRIC.seg.score and METRIC.sys.score to this folder.", "Output", metavar="FOLDER"),
    ] = None
    layout: Annotated[
        str,
        Opt(
            "Columns of these files: 2016, 2017, 2020, 2021, 2022 (to 2024), mtme.",
            "Output",
            metavar="NAME",
            requires=("write_scores",),
        ),
    ] = "2022"
    test_set: Annotated[
        str | None,
        Opt(
            "Name of the test set in files that are written.",
            "Output",
            metavar="NAME",
            default="testset; for --calibrate the name of the folder",
            requires=("write_scores", "calibrate"),
        ),
    ] = None
    calibrate: Annotated[
        bool,
        Opt(
            "Fit the probability of human agreement as a function of the score difference; -o FILE saves it for"
            " 'tertium score --calibration'.",
            "Analysis",
        ),
    ] = False
    charts: Annotated[
        str | None,
        Opt(
            "Draw metrics against human scores, and rankings of systems, into this folder.",
            "Output",
            metavar="FOLDER",
        ),
    ] = None
    chart_format: Annotated[
        Literal["svg", "png", "both"], Opt("Format of the charts.", "Output", requires=("charts",))
    ] = "svg"

    def __post_init__(self) -> None:
        if self.calibrate and not self.form:
            object.__setattr__(self, "form", "text")  # the output file gets the calibration, not the table
        super().__post_init__()

    def check(self) -> None:
        super().check()
        if self.layout not in LAYOUTS:
            raise OptionError(f"unknown layout {self.layout!r}; choose from {', '.join(LAYOUTS)}")
        if self.write_scores is not None:
            make_folder(self.write_scores)
        if self.charts is not None:
            for suffix in self._suffixes:
                check_picture(f"{self.charts}/*{suffix}")
            make_folder(self.charts)

    def make_request(self, **values: Any) -> MetaRequest:
        request = MetaRequest(**values)
        for option in options_of(MetaRequest) if self.calibrate else ():
            if option.name in _TABLE_OPTIONS and not option.is_default(getattr(request, option.name)):
                shown = f"{argument('calibrate')} shows no tables of agreement"
                raise OptionError(f"{shown}; leave out {argument(option.name)}").about(option.name)
        return request

    @property
    def _suffixes(self) -> tuple[str, ...]:
        return (".svg", ".png") if self.chart_format == "both" else (f".{self.chart_format}",)

    def write(self, result: MetaResult) -> None:  # type: ignore[override]
        if self.calibrate:
            self._write_calibration(result)
        else:
            super().write(result)
        if self.write_scores:
            folder = make_folder(self.write_scores)
            test_set = self.test_set or "testset"
            for name, text in result.score_files(layout=self.layout, test_set=test_set, file_name=file_name):
                make_folder(str((folder / name).parent))
                write_text(text, str(folder / name))
        if self.charts:
            for parts, chart in result.charts():
                for suffix in self._suffixes:
                    chart.write(f"{self.charts}/{'.'.join(map(file_name, parts))}{suffix}")

    def _write_calibration(self, result: MetaResult) -> None:
        """Print the table, and save it for programs if a file is named."""
        collection = self.test_set or Path(result.request.judged.folder or "testset").resolve().name
        calibration = result.calibrate(collection)
        TableCommand.write(replace(self, output=None), calibration)
        if self.output is not None:
            write_text(calibration.to_file(), self.output)


@record(kw_only=True)
class TuneCommand(CommandBase):
    """The best options, printed and saved as a preset, or a curve over one option."""

    request = TuneRequest
    work = "tuning"
    forms = FORMATS

    form: Annotated[str, FORMAT] = "text"
    output: Annotated[
        str | None,
        replace(OUTPUT, help="Write a preset for -m METRIC@FILE."),
    ] = None
    chart: Annotated[
        str | None,
        replace(CHART, help="Draw the curves over an option, as .svg or .png."),
    ] = None

    def check(self) -> None:
        check_output(self.output)
        if self.chart:
            check_picture(self.chart)
            check_output(self.chart)

    def make_request(self, **values: Any) -> TuneRequest:
        check_output(values["journal"])
        request = TuneRequest(**values)
        if self.chart:
            request.check_curve()
        return request

    def print_messages(self, result: TuneResult) -> None:
        """Print nothing yet: the warnings follow the table."""

    def write(self, result: TuneResult) -> None:
        if self.output:
            write_text(result.render_preset(), self.output)
        if self.chart:
            result.chart().write(self.chart)
        TableCommand(form=self.form).write(result)
        print_warnings(result.warnings)
