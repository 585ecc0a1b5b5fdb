"""The command `tertium` and its table of subcommands, each imported only when it is used."""

import atexit
import io
import os
import sys
from importlib import import_module
from typing import Literal

import click

from tertium.errors import TertiumError, suggest
from tertium.records import record


@record
class Entry:
    """A command of the table.

    Attributes
    ----------
    summary
        The line in the help of `tertium`.
    place
        The module and the class of the command; or of its request, if the result is a table or a single line.
    """

    summary: str
    place: str
    result: Literal["own", "table", "line"] = "own"

    def load(self, name: str) -> click.Command:
        """Build the click command."""
        from tertium.cli.commands import DeclaredCommand, PlainCommand, TableCommand

        module, _, class_name = self.place.partition(":")
        found = getattr(import_module(f"tertium.{module}"), class_name)
        if self.result != "own":
            base = TableCommand if self.result == "table" else PlainCommand
            found = type(f"{class_name}Command", (base,), {"request": found})
        return DeclaredCommand(name, found)


COMMANDS = {
    "score": Entry("Score systems against references.", "cli.score:ScoreCommand"),
    "score-sets": Entry(
        "Score systems on many test sets; 'tertium score FOLDER' is short for it.",
        "cli.runs:ScoreSetsCommand",
    ),
    "show": Entry("Show a table of a run that 'score --save' wrote.", "cli.runs:ShowCommand"),
    "rerun": Entry("Compute a run again and report what changed and why.", "cli.runs:RerunCommand"),
    "compare": Entry("Show where two systems differ.", "cli.compare:CompareCommand"),
    "segments": Entry("Show the worst segments, or others, with their texts.", "cli.compare:SegmentsCommand"),
    "report": Entry(
        "Write one page with scores, tests, charts and every segment.", "cli.compare:ReportCommand"
    ),
    "gate": Entry("Check whether a new system may replace the one in use.", "cli.compare:GateCommand"),
    "plan": Entry("Estimate how many segments a difference needs.", "cli.compare:PlanCommand"),
    "history": Entry("Show the scores of a system over releases.", "cli.runs:HistoryCommand"),
    "explain": Entry("Show why a segment gets its score.", "cli.texts:ExplainCommand"),
    "align": Entry(
        "Cut outputs with other line breaks to the segments of the references.", "cli.alignment:AlignCommand"
    ),
    "cite": Entry("Print BibTeX and a methods sentence for metrics.", "api.cite:CiteRequest", "table"),
    "sentences": Entry(
        "Count merged, split, dropped, added and moved sentences.", "cli.alignment:SentencesCommand"
    ),
    "list-metrics": Entry(
        "List metrics, or show one with its options.", "api.lists:MetricListRequest", "table"
    ),
    "list-languages": Entry(
        "List which metrics work for which language.", "api.lists:LanguageListRequest", "table"
    ),
    "list-data": Entry("List the test sets on this machine.", "api.lists:DataListRequest", "table"),
    "parse": Entry("Write the dependency trees of a text as CoNLL-U.", "cli.texts:ParseCommand"),
    "mbr": Entry("Choose the best of many candidate translations.", "cli.texts:MBRCommand"),
    "doctor": Entry("Find problems in text files that ruin scores.", "api.doctor:DoctorRequest", "table"),
    "human": Entry(
        "Rank systems by human judgments, and examine raters and errors.", "api.human:HumanRequest", "table"
    ),
    "select": Entry("Choose segments for human evaluation under a budget.", "cli.human:SelectCommand"),
    "meta": Entry("Measure how well metrics agree with human judgments.", "cli.judged:MetaCommand"),
    "challenge": Entry(
        "Measure how often metrics prefer good translations, by phenomenon.",
        "api.challenge:ChallengeRequest",
        "table",
    ),
    "tune": Entry("Search a metric's options for agreement with human judgments.", "cli.judged:TuneCommand"),
    "sweep": Entry("Show how agreement changes with one option.", "cli.judged:SweepCommand"),
    "vectors convert": Entry("Convert word vectors.", "api.vectors:VectorConversionRequest", "line"),
    "vectors info": Entry("Describe a file of word vectors.", "api.vectors:VectorInfoRequest", "table"),
    "vectors similar": Entry("List the words nearest to a word.", "api.vectors:SimilarWordsRequest", "table"),
    "vectors train": Entry("Train word vectors.", "api.vectors:TrainingRequest", "line"),
    "paraphrases convert": Entry(
        "Compile a paraphrase table.", "api.paraphrases:ParaphraseConversionRequest", "line"
    ),
}

GROUPS = {
    "vectors": "Convert, inspect and train word vectors.",
    "paraphrases": "Compile paraphrase tables.",
}
"""Commands that have commands of their own."""

ALIASES = {"metrics": "list-metrics", "languages": "list-languages", "data": "list-data"}
"""Short names."""


COMPLETION = "_TERTIUM_COMPLETE"
"""Environment variable set by click's shell completion."""


class LazyGroup(click.Group):
    """A group that knows its commands by name and imports one when it is called.

    `prefix` is the name of the group in `COMMANDS`, with a space behind it; empty for `tertium` itself.
    """

    prefix = ""

    @property
    def summaries(self) -> dict[str, str]:
        """The names of the commands with their summaries."""
        found: dict[str, str] = {}
        for full, entry in COMMANDS.items():
            if full.startswith(self.prefix):
                name, _, inner = full.removeprefix(self.prefix).partition(" ")
                found[name] = GROUPS[name] if inner else entry.summary
        return found

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return list(self.summaries)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        name = ALIASES.get(cmd_name, cmd_name) if not self.prefix else cmd_name
        if name in GROUPS and not self.prefix:
            group = LazyGroup(name, help=GROUPS[name], no_args_is_help=True)
            group.prefix = f"{name} "
            return group
        if f"{self.prefix}{name}" not in COMMANDS:
            return None
        command = COMMANDS[f"{self.prefix}{name}"].load(name)
        if COMPLETION in os.environ:
            from tertium.cli.completion import add_completion

            return add_completion(command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args[:1] == ["score"] and _names_many_sets(args[1:]):
            args = ["score-sets", *args[1:]]
        known = [*self.summaries, *(ALIASES if not self.prefix else ())]
        if args and args[0] not in known and not args[0].startswith("-"):
            hint = suggest(args[0], known, otherwise=f"choose from {', '.join(self.summaries)}")
            raise click.UsageError(f"no such command {args[0]!r}; {hint}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        with formatter.section("Commands"):
            formatter.write_dl(list(self.summaries.items()))


def _names_many_sets(args: list[str]) -> bool:
    """Whether the arguments of `score` name folders, manifests, several test sets or several language pairs."""
    first = args[0] if args else ""
    if first.endswith((".toml", ".tsv")):
        return True
    flag, values = "", dict[str, list[str]]()
    for arg in args:
        if arg.startswith("-") and arg != "-":
            long, _, value = arg.partition("=")
            flag, value = (long, value) if arg.startswith("--") else (arg[:2], arg[2:])
        else:
            value = arg
        values.setdefault(flag, []).extend([value] if value else [])
    sets, pairs = (
        [*values.get(short, ()), *values.get(long, ())]
        for short, long in (("-t", "--test-set"), ("-l", "--language"))
    )
    return len(sets) > 1 or any("," in pair for pair in pairs) or _has_folder(args)


def _has_folder(args: list[str]) -> bool:
    """Whether there is a folder that is not the value of an option."""
    if not any(map(os.path.isdir, args)):
        return False
    from tertium.cli.commands import DeclaredCommand

    command = COMMANDS["score"].load("score")
    assert isinstance(command, DeclaredCommand)  # noqa: S101 - all commands are
    takers = {
        flag: option for option in command.options.values() for flag in option.flags if not option.is_flag
    }
    flag, n_values = "", 0
    for arg in args:
        if arg.startswith("-") and arg != "-":
            flag, n_values = arg.partition("=")[0], int("=" in arg)
            continue
        taker = takers.get(flag)
        takes_value = taker is not None and (n_values == 0 or (taker.is_list and taker.names_file))
        if not takes_value and os.path.isdir(arg):  # noqa: PTH112
            return True
        n_values += 1
    return False


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
        from tertium.api.lists import describe_installation

        click.echo(describe_installation().render(), nl=False)


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
    from tertium.cli.output import print_message

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
    if sys.stdout is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
