"""The command `tertium` and its table of subcommands, each imported only when it is used."""

import difflib
import io
import os
import sys
from importlib import import_module

import click

from tertium.errors import TertiumError

__all__ = ["COMMANDS", "cli", "main"]

# A module of this package each, and the line that the help shows for it.
COMMANDS = {
    "score": "Score systems against references.",
    "show": "Show any table of a run that score --save made.",
    "rerun": "Compute a run again, and say what moved and why.",
    "compare": "Show where two systems differ.",
    "report": "Write one page with scores, tests, charts and every segment.",
    "gate": "Check whether a new system may replace the one in use.",
    "explain": "Show why a segment gets its score.",
    "metrics": "List metrics, or show one with its options.",
    "languages": "List what works for which language.",
    "parse": "Write the dependency trees of a text as CoNLL-U.",
    "doctor": "Find what silently ruins scores in text files.",
    "data": "List the test sets that are on this machine.",
    "meta": "Find out how well metrics agree with people.",
    "tune": "Search a metric's options for agreement with people.",
    "sweep": "Show how agreement changes with one option.",
    "vectors": "Convert, inspect and train word vectors.",
    "paraphrases": "Compile tables of paraphrases.",
}


COMPLETION = "_TERTIUM_COMPLETE"
"""By this variable a shell asks what a half-typed command may go on with."""


class LazyGroup(click.Group):
    """A group that knows its commands by name and imports one when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"tertium.cli.{cmd_name}").command
        if COMPLETION in os.environ:
            from tertium.cli.completion import teach_completion

            return teach_completion(command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            near = difflib.get_close_matches(args[0], COMMANDS, n=1)
            hint = f"did you mean {near[0]}?" if near else f"choose from {', '.join(COMMANDS)}"
            raise click.UsageError(f"no such command {args[0]!r}; {hint}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(
    cls=LazyGroup,
    invoke_without_command=True,
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.option("--version", "is_version", is_flag=True, help="Show the version and exit.")
@click.option("--verbose", is_flag=True, help="With --version: libraries, resources, caches and threads too, for bug reports.")  # fmt: skip
@click.pass_context
def cli(context: click.Context, *, is_version: bool, verbose: bool) -> None:
    """Which translation system is better, by how much, how sure is that, and why.

    \b
    tertium score -r reference.txt -i systems/*.txt -m bleu,wer --ci
    tertium explain -m invwer "we meet at noon" "at noon we meet"
    tertium metrics
    tertium doctor hypothesis.txt reference.txt

    Shell completion: eval "$(_TERTIUM_COMPLETE=bash_source tertium)" (or zsh_source, fish_source).
    """  # noqa: D301 - click reads the backspace
    if is_version:
        _tell_version(verbose=verbose)
        context.exit()
    if verbose:
        raise click.UsageError("--verbose goes with --version", context)
    if context.invoked_subcommand is None:
        raise click.UsageError("a command is missing; 'tertium --help' lists them", context)


def _tell_version(*, verbose: bool) -> None:
    from tertium import __version__

    click.echo(f"tertium {__version__}")
    if verbose:
        from tertium.api.installation import describe_installation

        click.echo(describe_installation().render(), nl=False)


def main() -> None:
    """Run the command line; a user's mistake is one line on stderr."""
    _prepare()
    try:
        sys.exit(cli.main(prog_name="tertium", standalone_mode=False) or 0)
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
    except BrokenPipeError:  # the reader of our output has gone; nothing is left to say
        _drop_output()
        sys.exit(1)
    except OSError as error:
        _drop_output()
        _fail(_describe(error), 1)
    except UnicodeEncodeError as error:
        _fail(_describe_encoding(error), 1)
    except MemoryError:
        _fail("out of memory; score fewer systems or segments at a time", 1)


def _prepare() -> None:
    """Set up what the process needs before any work: its threads, completion, and streams.

    UTF-8 and line feeds are written into files and pipes, as Windows would not.
    """
    # The threads that numpy would start for large products cost more than anything here gains by them.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    if COMPLETION in os.environ:
        import_module("tertium.cli.completion")
    for stream in (sys.stdout, sys.stderr):
        if sys.platform == "win32" and isinstance(stream, io.TextIOWrapper) and not stream.isatty():
            stream.reconfigure(encoding="utf-8", newline="\n")


def _fail(message: str, code: int) -> None:
    from tertium.cli.output import tell

    tell(message)
    sys.exit(code)


def _describe(error: OSError) -> str:
    """Say what the system refused: files are opened by code that explains itself, so this is mostly the output."""
    place = "the output cannot be written" if error.filename is None else f"{error.filename!r} cannot be used"
    return f"{place}: {error.strerror or error}; make room there, or choose another place with -o FILE"


def _describe_encoding(error: UnicodeEncodeError) -> str:
    character = error.object[error.start]
    return (
        f"standard output is {error.encoding} and cannot show {character!a}; "
        "set PYTHONIOENCODING=utf-8, or write to a file with -o FILE"
    )


def _drop_output() -> None:
    """Let what is left in the buffer go nowhere, or Python would try again at its end."""
    if sys.stdout is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
