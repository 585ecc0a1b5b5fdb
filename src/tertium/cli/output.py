"""Where results go: the terminal, standard output, or a file that is written whole; and messages on stderr."""

import re
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from tertium.errors import InputError, OptionError
from tertium.files.writing import check_writable, written_whole
from tertium.report.tables import FORMATS, HUMAN_READABLE, print_document
from tertium.report.tables.model import clean_line

if TYPE_CHECKING:
    from tertium.api.results import Shown

__all__ = [
    "Output",
    "check_output",
    "file_name",
    "format_option",
    "make_folder",
    "output_options",
    "output_options_with",
    "signatures_option",
    "tell",
    "tell_notes",
    "tell_warnings",
    "write_bytes",
    "write_text",
]

_DELIMITED = ("csv", "tsv")

Command = TypeVar("Command", bound=Callable[..., Any])


def _format_option(*forms: str) -> Callable[[Command], Command]:
    return click.option("-f", "--format", "form", type=click.Choice([*FORMATS, *forms]), default="text", show_default=True, help="Output format.")  # fmt: skip


format_option = _format_option()


@dataclass(frozen=True)
class Output:
    """The format, and the file or standard output."""

    form: str
    path: str | None
    signatures: bool = False
    spreadsheet_safe: bool = False

    def check(self) -> None:
        """Say before the work begins if its result could not be written in the end."""
        check_output(self.path)
        if self.spreadsheet_safe and self.form not in _DELIMITED:
            raise OptionError("--spreadsheet-safe goes with -f csv or -f tsv")

    def check_full(self, *, full: bool) -> None:
        """Raise if full records were asked for where a format has none."""
        if full and self.is_for_people:
            raise OptionError("--full goes with -f csv, -f tsv or -f json")

    @property
    def is_for_people(self) -> bool:
        """Whether the format shows tables with marks and notes, rather than records or data."""
        return self.form in HUMAN_READABLE

    @property
    def is_terminal(self) -> bool:
        """Whether a person reads along: then tables have colours and fit the window."""
        return self.form == "text" and self.path is None and sys.stdout is not None and sys.stdout.isatty()

    def write(self, result: "Shown") -> None:
        """Write a result in the chosen format."""
        if self.is_terminal:
            print_document(result.document(), signatures=self.signatures)
        else:
            write_text(result.render(self.form, spreadsheet_safe=self.spreadsheet_safe), self.path)


# For commands whose tables have signatures; it reaches them as a part of their `output`.
signatures_option = click.option("--signatures", is_flag=True, help="Show what others need to get the same numbers, also in a terminal.")  # fmt: skip


def output_options_with(*forms: str) -> Callable[[Command], Command]:
    """Add `-f`, with further formats, `-o` and `--spreadsheet-safe` as one `output`, checked before the command runs."""

    def add(command: Command) -> Command:
        @wraps(command)
        def gathered(
            *, form: str, path: str | None, spreadsheet_safe: bool, signatures: bool = False, **given: Any
        ) -> Any:
            output = Output(form, path, signatures, spreadsheet_safe)
            output.check()
            return command(**given, output=output)

        click.option("--spreadsheet-safe", is_flag=True, help="In CSV and TSV, mark texts that a spreadsheet would take for formulas with an apostrophe.")(gathered)  # fmt: skip
        click.option("-o", "--output", "path", metavar="FILE", help="Write to a file, whole or not at all.")(gathered)  # fmt: skip
        _format_option(*forms)(gathered)
        return gathered  # type: ignore[return-value]

    return add


output_options = output_options_with()


def check_output(path: str | None) -> None:
    """Say before the work begins if its result could not be written in the end."""
    if path is None or path == "-":
        if sys.stdout is None:
            raise InputError("standard output is closed; write to a file with -o FILE")
        return
    if Path(path).is_dir():
        raise InputError(f"cannot write {path}: it is a directory")
    if not Path(path).parent.is_dir():
        raise InputError(f"cannot write {path}: there is no folder {Path(path).parent}")
    check_writable(path)


def write_text(text: str, path: str | None) -> None:
    """Write to the file, all or nothing, or to standard output."""
    if path is None or path == "-":
        click.echo(text, nl=False)
        return
    write_bytes(text.encode(), path)


def write_bytes(data: bytes, path: str) -> None:
    """Write a file, all or nothing."""
    check_output(path)
    with written_whole(Path(path), InputError) as temporary:
        temporary.write_bytes(data)


def make_folder(path: str) -> Path:
    """Make a folder for output files if it is not there."""
    folder = Path(path)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot make the folder {path}: {error.strerror or error}") from error
    return folder


def file_name(label: str) -> str:
    """Make a label safe as a part of a file name."""
    return re.sub(r"[^\w.+@=-]+", "_", label)


def tell(line: str) -> None:
    """Print one line to stderr; the only place that does, so no name can bring a terminal's commands there."""
    click.echo(f"tertium: {' '.join(clean_line(line).split())}", err=True)


def tell_notes(notes: Iterable[str], *, quiet: bool) -> None:
    """Print what a user may like to know."""
    if not quiet:
        for note in notes:
            tell(f"note: {note}")


def tell_warnings(warnings: Iterable[str]) -> None:
    """Print what is missing from the results or makes them doubtful, also for those who want no notes."""
    for warning in warnings:
        tell(f"warning: {warning}")
