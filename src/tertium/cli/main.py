"""The command `tertium` and its table of subcommands, each imported only when it is used."""

import atexit
import io
import os
import sys
from functools import cache
from importlib import import_module

import click

from tertium.commands import CommandEntry, find_families, load_place
from tertium.errors import TertiumError, suggest


@cache
def find_commands() -> dict[str, tuple[str, CommandEntry]]:
    """Map the name of each command, such as `vectors train`, to its family and its declaration."""
    return {
        command.name: (key, command) for key, family in find_families().items() for command in family.commands
    }


@cache
def find_groups() -> dict[str, str]:
    """Map commands that have commands of their own to their summaries."""
    return {name: summary for family in find_families().values() for name, summary in family.groups.items()}


def build_command(name: str) -> click.Command:
    """Import a command and build it for click."""
    from tertium.cli.click_builder import DeclaredCommand
    from tertium.commands.base.command_line import PlainCommand, TableCommand

    family, declared = find_commands()[name]
    if declared.line:
        kind = load_place(family, declared.line)
    else:
        base = TableCommand if declared.result == "table" else PlainCommand
        request = load_place(family, declared.request)
        kind = type(f"{request.__name__}Command", (base,), {"request": request})
    return DeclaredCommand(name.rpartition(" ")[2], kind)


COMPLETION = "_TERTIUM_COMPLETE"
"""Environment variable set by click's shell completion."""


class LazyGroup(click.Group):
    """A group that knows its commands by name and imports one when it is called.

    `prefix` is the name of the group in the declarations, with a space behind it; empty for `tertium` itself.
    """

    prefix = ""

    @property
    def summaries(self) -> dict[str, str]:
        """The names of the commands with their summaries."""
        found: dict[str, str] = {}
        for full, (_, command) in find_commands().items():
            if full.startswith(self.prefix):
                name, _, inner = full.removeprefix(self.prefix).partition(" ")
                found[name] = find_groups()[name] if inner else command.summary
        return found

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return list(self.summaries)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name in find_groups() and not self.prefix:
            group = LazyGroup(cmd_name, help=find_groups()[cmd_name], no_args_is_help=True)
            group.prefix = f"{cmd_name} "
            return group
        if f"{self.prefix}{cmd_name}" not in find_commands():
            if cmd_name.startswith("-"):
                return None  # click reports an unknown option
            known = self.list_commands(ctx)
            hint = suggest(cmd_name, known, otherwise=f"choose from {', '.join(known)}")
            raise click.UsageError(f"no such command {cmd_name!r}; {hint}", ctx)
        command = build_command(f"{self.prefix}{cmd_name}")
        if COMPLETION in os.environ:
            from tertium.cli.completion import add_completion

            return add_completion(command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        summaries = self.summaries
        if self.prefix:
            with formatter.section("Commands"):
                formatter.write_dl(list(summaries.items()))
            return
        widest = max(map(len, summaries))
        for family in find_families().values():
            names = dict.fromkeys(command.name.partition(" ")[0] for command in family.commands)
            with formatter.section(family.title):
                formatter.write_dl([(name.ljust(widest), summaries[name]) for name in names])


@click.group(
    cls=LazyGroup,
    invoke_without_command=True,
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.option("--version", "is_version", is_flag=True, help="Show the version and exit.")
@click.option("--verbose", is_flag=True, help="With --version: also libraries, resources, caches and threads, for bug reports.")  # fmt: skip
@click.pass_context
def cli(context: click.Context, *, is_version: bool, verbose: bool) -> None:
    """Evaluate machine translation: which system is better, by how much, how certain that is, and why.

    \b
    tertium score -r reference.txt -i systems/*.txt -m bleu,wer --ci
    tertium explain -m invwer "we meet at noon" "at noon we meet"
    tertium metrics
    tertium doctor hypothesis.txt reference.txt

    Shell completion: eval "$(_TERTIUM_COMPLETE=bash_source tertium)" (or zsh_source, fish_source).
    """  # noqa: D301 - click reads the backspace
    if is_version:
        _print_version(verbose=verbose)
        context.exit()
    if verbose:
        raise click.UsageError("--verbose requires --version", context)
    if context.invoked_subcommand is None:
        raise click.UsageError("a command is missing; 'tertium --help' lists them", context)


def _print_version(*, verbose: bool) -> None:
    from tertium import __version__

    click.echo(f"tertium {__version__}")
    if verbose:
        from tertium.cli.installation import describe_installation
        from tertium.presentation.tables import render_document

        click.echo(render_document(describe_installation(), "text"), nl=False)


def run() -> None:
    """Run the command line and end the process; this is the script `tertium`.

    Functions registered for the end of Python are called and the output is complete, but Python does not free its
    objects one by one, which took a fifth of a short command's time.
    """
    try:
        main()
    except SystemExit as stop:
        atexit._run_exitfuncs()  # noqa: SLF001 - as mypy's fast exit
        for stream in filter(None, (sys.stdout, sys.stderr)):
            stream.flush()
        os._exit(int(stop.code or 0))


def main() -> None:
    """Run the command line; a user's mistake becomes one line on stderr."""
    _prepare()
    try:
        sys.exit(_run_command())
    except click.exceptions.NoArgsIsHelpError as asked:  # a group without a command shows its help
        click.echo(asked.ctx.get_help() if asked.ctx else "", color=False)
        sys.exit(0)
    except click.exceptions.Exit as stop:
        sys.exit(stop.exit_code)
    except click.ClickException as error:
        _fail(error.format_message(), error.exit_code)
    except TertiumError as error:
        _fail(str(error), error.exit_code)
    except (click.Abort, KeyboardInterrupt):
        _fail("interrupted", 130)
    except BrokenPipeError:  # the reader of our output is gone
        _drop_output()
        sys.exit(1)
    except OSError as error:
        _drop_output()
        _fail(_describe(error), 1)
    except UnicodeEncodeError as error:
        _fail(_describe_encoding(error), 1)
    except MemoryError:
        _fail("out of memory; score fewer systems or segments at a time", 1)


def _run_command() -> int:
    """Run the command and return its exit code; `sys.exit` in the code of a plug-in is an error, shell completion ends so."""
    try:
        return int(cli.main(prog_name="tertium", standalone_mode=False) or 0)
    except SystemExit as stop:
        if COMPLETION in os.environ:
            raise
        raise TertiumError(_describe_exit(stop)) from stop


def _prepare() -> None:
    """Set up threads, completion and streams; on Windows, pipes get UTF-8 and line feeds too."""
    # Starting numpy's threads for large products costs more than they save here.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    if COMPLETION in os.environ:
        import_module("tertium.cli.completion")
    for stream in (sys.stdout, sys.stderr):
        if sys.platform == "win32" and isinstance(stream, io.TextIOWrapper) and not stream.isatty():
            stream.reconfigure(encoding="utf-8", newline="\n")


def _fail(message: str, code: int) -> None:
    from tertium.commands.base.output import print_message

    print_message(str(TertiumError(message)))  # one line, shortened if it quotes a long value
    sys.exit(code)


def _describe_exit(stop: SystemExit) -> str:
    """Name the line that ended Python, which is not Tertium's."""
    import traceback

    frame = traceback.extract_tb(stop.__traceback__)[-1]
    code = "" if stop.code is None else repr(stop.code)
    return (
        f"{frame.filename}, line {frame.lineno}, called sys.exit({code}) instead of raising an error;"
        " fix this metric, or leave it out"
    )


def _describe(error: OSError) -> str:
    """Describe an error of the operating system; input files have messages of their own, so this is mostly output."""
    place = "the output cannot be written" if error.filename is None else f"{error.filename!r} cannot be used"
    return f"{place}: {error.strerror or error}; free some space, or choose another place with -o FILE"


def _describe_encoding(error: UnicodeEncodeError) -> str:
    character = error.object[error.start]
    return (
        f"standard output is {error.encoding} and cannot show {character!a}; "
        "set PYTHONIOENCODING=utf-8, or write to a file with -o FILE"
    )


def _drop_output() -> None:
    """Discard the rest of the buffer; otherwise Python would try to write it again at exit."""
    if sys.stdout is None:
        return
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except OSError:  # no more files can be opened
        sys.stdout = io.StringIO()
