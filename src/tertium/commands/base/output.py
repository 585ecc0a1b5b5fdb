"""Output of the command line: files that are written completely, messages on stderr, and the progress bar."""

import re
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from tertium.errors import InputError
from tertium.files.writing import check_writable, write_atomically
from tertium.presentation.tables.model import clean_line
from tertium.progress import MessageKind, use_progress

PATIENCE = 1.0  # seconds before a bar appears
LOG_PATIENCE = 15.0  # seconds between two lines where no terminal shows a bar


def check_output(path: str | None) -> None:
    """Raise if the file could not be written later."""
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
    with write_atomically(Path(path), InputError) as temporary:
        temporary.write_bytes(data)


def make_folder(path: str) -> Path:
    """Create a folder for output files if it is missing."""
    folder = Path(path)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot make the folder {path}: {error.strerror or error}") from error
    return folder


def file_name(label: str) -> str:
    """Make a label safe as a part of a file name."""
    return re.sub(r"[^\w.+@=-]+", "_", label)


def print_message(line: str) -> None:
    """Print one line to stderr; nothing else does, so that no name can send control codes to the terminal."""
    click.echo(f"tertium: {' '.join(clean_line(line).split())}", err=True)


def print_notes(notes: Iterable[str], *, quiet: bool) -> None:
    """Print notes to stderr, unless the user wants none."""
    if not quiet:
        for note in notes:
            print_message(f"note: {note}")


def print_warnings(warnings: Iterable[str]) -> None:
    """Print warnings to stderr."""
    for warning in warnings:
        print_message(f"warning: {warning}")


@contextmanager
def progress_bar(title: str, *, quiet: bool) -> Iterator[None]:
    """Show the progress of the work inside this context: as a bar on a terminal, or as a line now and then in a log.

    `title` is shown where the work reports none.
    """
    if quiet or sys.stderr is None or not sys.stderr.isatty():
        printed = (None, _print_warning_only) if quiet else (_LineProgress(title), _print_report)
        with use_progress(*printed):
            yield
        return
    from rich.console import Console
    from rich.progress import Progress

    began = time.monotonic()
    with Progress(console=Console(stderr=True), transient=True, disable=False, auto_refresh=False) as bar:
        task = bar.add_task(title, visible=False)

        def advance(reported: str, done: int, total: int) -> None:
            visible = time.monotonic() - began > PATIENCE
            bar.update(
                task,
                description=reported or title,
                completed=done,
                total=total,
                visible=visible,
                refresh=visible,
            )

        with use_progress(advance, _print_report):
            yield


def _print_report(kind: MessageKind, text: str) -> None:
    print_message(text if kind == "progress" else f"{kind}: {text}")


def _print_warning_only(kind: MessageKind, text: str) -> None:
    if kind == "warning":
        _print_report(kind, text)


class _LineProgress:
    """Prints the progress as a line now and then, for logs."""

    def __init__(self, title: str) -> None:
        self._title, self._last = title, time.monotonic()

    def __call__(self, reported: str, done: int, total: int) -> None:
        if time.monotonic() - self._last < LOG_PATIENCE:
            return
        self._last = time.monotonic()
        print_message(f"{reported or self._title}: {done:,} of {total:,}")
