"""The classes of commands on the command line: options of their own, and the output of a result."""

import shlex
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import Annotated, Any, ClassVar

import click

from tertium.commands.base.options import PROGRAMS
from tertium.commands.base.output import check_output, print_notes, print_warnings, progress_bar, write_text
from tertium.commands.base.request import Request, guard_files
from tertium.commands.base.results import Result
from tertium.declarations import CommandOption, Opt, check_requirements, options_of
from tertium.errors import OptionError, argument
from tertium.presentation.tables import (
    FILE_FORMATS,
    FORMATS,
    HUMAN_READABLE,
    format_of_file,
    print_document,
    write_document,
)
from tertium.presentation.tables.model import clean_line
from tertium.presentation.tables.xlsx import check_xlsx
from tertium.records import record


@record(kw_only=True, repr=False, eq=False)
class CommandBase:
    """A command: the request that it makes, options that only the command line has, and what becomes of the result.

    Attributes
    ----------
    examples
        Command lines for the help.
    work
        The title of the progress bar.
    folders_end_files
        Whether a folder behind the first value of a list of files is an argument of the command; it is one of the files otherwise.
    """

    request: ClassVar[type[Request[Any]]]
    examples: ClassVar[Sequence[str]] = ()
    work: ClassVar[str] = "scoring"
    folders_end_files: ClassVar[bool] = True

    quiet: Annotated[bool, Opt("No notes and no progress bar.", "Output", flags=("-q", "--quiet"))] = False
    config: Annotated[
        str | None,
        Opt(
            "Project file with defaults of options; 'none' for no file.",
            "Execution",
            metavar="FILE",
            default="tertium.toml or [tool.tertium] of pyproject.toml in this folder or above",
        ),
    ] = None

    programs: Annotated[
        bool,
        PROGRAMS,
    ] = False

    @classmethod
    def list_options(cls) -> dict[str, CommandOption]:
        """List the options by name.

        `programs` is one where an option or a run can name a program. A command without options of its own needs no defaults
        from a project file, and has no notes to suppress.
        """
        options = [option for option in (*options_of(cls.request), *options_of(cls)) if option.opt.in_command]
        left_out = set[str]()
        if not any(option.code or "RUN" in (option.opt.metavar or "") for option in options):
            left_out.add("programs")
        if all(option.opt.is_argument for option in options_of(cls.request)):
            left_out |= {"config", "quiet"}
        return {option.name: option for option in options if option.name not in left_out}

    @classmethod
    def translate(cls, arguments: list[str]) -> list[str]:
        """Translate arguments of other tools to those of this command."""
        return arguments

    def check(self) -> None:
        """Raise if the result could not be written, before any work starts."""

    def make_request(self, **values: Any) -> Request[Any]:
        """Make the request from the values of its options."""
        return self.request(**values)

    def execute(self, **values: Any) -> int:
        """Carry out the command; return the exit code."""
        options = (*options_of(self.request), *options_of(type(self)))
        with guard_files(options, {**values, **vars(self)}):
            check_requirements(options_of(type(self)), {**values, **vars(self)})
            self.check()
            request = self.make_request(**values)
            with progress_bar(self.work, quiet=self.quiet):
                result = self.compute(request)
            self.print_messages(result)
            self.write(result)
        code: int = result.exit_code
        return code

    def compute(self, request: Request[Any]) -> Any:
        """Run the request while the progress bar is shown."""
        return request.run()

    def print_messages(self, result: Any) -> None:
        """Print the notes and warnings of the result."""
        print_notes(result.notes, quiet=self.quiet)
        print_warnings(result.warnings)

    def write(self, result: Any) -> None:
        """Write the result."""
        raise NotImplementedError


FORMAT = Opt(
    "Output format; safe-csv puts an apostrophe before texts that a spreadsheet would read as formulas.",
    "Output",
    flags=("-f", "--format"),
    default="by the suffix of the output file, otherwise text",
)
OUTPUT = Opt(
    "Write to a file, completely or not at all.",
    "Output",
    flags=("-o", "--output"),
    metavar="FILE",
    is_stream=True,
)
CHART = Opt("Also draw the scores, as .svg or .png.", "Output", metavar="FILE")


@record(kw_only=True, repr=False, eq=False)
class TableCommand(CommandBase):
    """A command whose result is printed as tables."""

    forms: ClassVar[tuple[str, ...]] = (*FORMATS, *FILE_FORMATS)

    form: Annotated[str, FORMAT] = ""
    output: Annotated[str | None, OUTPUT] = None

    def __post_init__(self) -> None:
        if not self.form:
            with suppress(OptionError):  # raised by check
                object.__setattr__(self, "form", format_of_file(self.output, self.forms))

    def check(self) -> None:
        if not self.form:
            format_of_file(self.output, self.forms)  # raises
        check_output(self.output)
        if self.form == "xlsx":
            if self.output in (None, "-"):
                raise OptionError(f"{argument('form', 'xlsx')} requires {argument('output', 'FILE')}")
            check_xlsx(str(self.output))

    def check_full(self, *, is_full: bool) -> None:
        """Raise if full records are requested in a format without records."""
        if is_full and self.is_human_readable:
            raise OptionError(f"{argument('full')} requires {argument('form', 'csv')}, tsv or json")

    @property
    def shows_signatures(self) -> bool:
        """Whether text has the metrics' signatures; the other formats always have them."""
        return False

    @property
    def is_human_readable(self) -> bool:
        """Whether the format shows tables with marks and notes, not records or data."""
        return self.form in HUMAN_READABLE

    @property
    def is_terminal(self) -> bool:
        """Whether the output goes to a terminal: tables then have colours and fit its width."""
        return self.form == "text" and self.output is None and sys.stdout is not None and sys.stdout.isatty()

    def write(self, result: Result) -> None:
        if self.is_terminal:
            print_document(result.document(), signatures=self.shows_signatures)
        elif self.form == "xlsx":
            write_document(result.document(), str(self.output), self.form)
        else:
            write_text(result.render(self.form, signatures=self.shows_signatures), self.output)


@record(kw_only=True, repr=False, eq=False)
class SignedTableCommand(TableCommand):
    """A command whose tables have signatures."""

    signatures: Annotated[
        bool, Opt("Show the metrics' signatures, which others need to reproduce the scores.", "Output")
    ] = False

    @property
    def shows_signatures(self) -> bool:
        return self.signatures


@record(kw_only=True, repr=False, eq=False)
class PlainCommand(CommandBase):
    """A command whose result is one line."""

    def write(self, result: Any) -> None:
        click.echo(clean_line(str(result)))


def typed_command() -> str:
    """Return the command line as it was typed."""
    return shlex.join(["tertium", *sys.argv[1:]])
