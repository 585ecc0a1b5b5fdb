"""Builds click commands from the options that requests and commands declare."""

import inspect
from collections.abc import Iterator, Mapping, Sequence
from contextlib import nullcontext
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tertium.cli.project import Defaults, is_typed, load_defaults
from tertium.commands.base.command_line import CommandBase
from tertium.commands.base.output import print_notes
from tertium.consent import allow_code
from tertium.decimals import parse_float, parse_number
from tertium.declarations import GROUPS, LARGEST_WHOLE, CommandOption, options_of
from tertium.errors import TertiumError, argument, use_argument_style


class DeclaredCommand(click.Command):
    """A click command built from declared options.

    Options that may be repeated take lists, so that `-i systems/*.txt` works. A list ends at the next option, or
    at a folder if the command still lacks an argument. The help shows the options by group.
    """

    def __init__(self, name: str, kind: type[CommandBase]) -> None:
        self.options = kind.list_options()
        choices = {"form": getattr(kind, "forms", ())}
        super().__init__(
            name,
            callback=self._run,
            params=[
                _make_parameter(option, choices.get(option.name, ())) for option in self.options.values()
            ],
            help=_write_help(kind),
            context_settings={"help_option_names": ["--help"], "max_content_width": 100},
        )
        self.kind = kind
        self._defaults = Defaults(None, {})

    def _run(self, **values: Any) -> None:
        own = {
            option.name: values.pop(option.name) for option in options_of(self.kind) if option.name in values
        }
        with use_argument_style(self.write_argument):
            try:
                context = click.get_current_context()
                with allow_code() if own.get("programs") else nullcontext():
                    context.exit(self._execute(context, own, values))
            except TertiumError as error:
                raise (_UsageError if error.exit_code == 2 else _CommandError)(str(error)) from error

    def _execute(self, context: click.Context, own: dict[str, Any], values: dict[str, Any]) -> int:
        """Execute the command with the defaults of the project file that hold beside the typed options."""
        if self._defaults.project is None and not self._defaults.ignored:
            return self.kind(**own).execute(**values)
        used = self._defaults.choose(context, self.options)
        for name in self._defaults.values.keys() - used.keys():
            if not is_typed(context, name):
                self._leave_out(name, own, values)
        self._defaults.check_consent(used, self.options)
        print_notes(self._defaults.describe(used), quiet=own["quiet"])
        while True:
            try:
                return self.kind(**own).execute(**values)
            except TertiumError as error:
                if error.unused not in used:
                    raise
                del used[error.unused]
                self._leave_out(error.unused, own, values)
                note = f"{argument(error.unused)} of the project file does not apply here and is left out"
                print_notes([note], quiet=own["quiet"])

    def _leave_out(self, name: str, own: dict[str, Any], values: dict[str, Any]) -> None:
        """Give an option its usual value instead of the one in the project file."""
        (own if name in own else values)[name] = _click_default(self.options[name])

    def write_argument(self, name: str, value: str | None) -> str:
        """Write an option in a message as this command takes it."""
        if name in self.options:
            return self.options[name].write(value)
        flag = f"--{name.replace('_', '-')}"
        return f"{flag} {value}" if value else flag

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if "config" in self.options and not (ctx.resilient_parsing or {"-h", "--help"} & set(args)):
            self._read_project(ctx, args)
        translated = (
            args if ctx.resilient_parsing else self.kind.translate(args)
        )  # a shell completes our own options
        return super().parse_args(ctx, list(self._spread(translated)))

    def _read_project(self, ctx: click.Context, args: list[str]) -> None:
        """Take the defaults of options from the project file."""
        config = next((value for flag, value in pairwise(args) if flag == "--config"), None)
        config = next((arg.partition("=")[2] for arg in args if arg.startswith("--config=")), config)
        with use_argument_style(self.write_argument):
            try:
                self._defaults = load_defaults(config, ctx.command_path.partition(" ")[2], self.options)
            except TertiumError as error:
                raise (_UsageError if error.exit_code == 2 else _CommandError)(str(error)) from error
        ctx.default_map = self._defaults.values

    def _spread(self, args: Sequence[str]) -> Iterator[str]:
        """Repeat a repeatable option before each further value that follows it."""
        takers = {
            name: parameter
            for parameter in self.params
            if isinstance(parameter, click.Option) and not parameter.is_flag
            for name in parameter.opts
        }
        lacking = [parameter.nargs for parameter in self.params if isinstance(parameter, click.Argument)]
        current, values = "", 0
        given: set[str | None] = set()
        for index, arg in enumerate(args):
            if arg == "--":
                yield from args[index:]
                return
            if arg.startswith("-") and arg != "-" and not (current and values == 0):
                name, equals, _ = arg.partition("=")
                current = name if name in takers else ""
                values = 1 if equals else 0
                if current and not takers[current].multiple and takers[current].name in given:
                    raise click.UsageError(f"{current} was given twice, but it takes one value")
                given |= {takers[current].name} if current else set()
                yield arg
                continue
            if current and values >= 1 and not takers[current].multiple:
                current = ""
            if not current or (values >= 1 and lacking and self._ends_list(takers[current], arg)):
                if lacking[:1] == [1]:
                    lacking.pop(0)
            elif values >= 1:
                yield current
            values += 1
            yield arg

    def _ends_list(self, option: click.Option, arg: str) -> bool:
        """Whether a value behind those of a list is a folder that the command itself takes."""
        is_file = self.options[option.name or ""].names_file and not self.kind.folders_end_files
        return not is_file and Path(arg).is_dir()

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        short = click.Option(
            ["-h"], is_flag=True, is_eager=True, expose_value=False, callback=self._print_short_help,
            help="Show a short help.",
        )  # fmt: skip
        return [*super().get_params(ctx), short]

    def _print_short_help(self, ctx: click.Context, _: click.Parameter, is_given: bool) -> None:
        """Print the summary, the examples and the options that have a short flag."""
        if not is_given or ctx.resilient_parsing:
            return
        formatter = ctx.make_formatter()
        self.format_usage(ctx, formatter)
        formatter.write_paragraph()
        formatter.write_text(_write_summary(self.kind))
        if self.kind.examples:
            with formatter.section("Examples"):
                for example in self.kind.examples:
                    formatter.write(f"{'':>{formatter.current_indent}}{example}\n")
        with formatter.section("Main options"):
            formatter.write_dl(
                [record for param in self.get_params(ctx) if (record := self._record_if_short(ctx, param))]
            )
        formatter.write_paragraph()
        formatter.write_text(f"'tertium {ctx.info_name} --help' shows all options.")
        click.echo(formatter.getvalue().rstrip("\n"), color=ctx.color)
        ctx.exit()

    def _record_if_short(self, ctx: click.Context, parameter: click.Parameter) -> tuple[str, str] | None:
        option = self.options.get(parameter.name or "")
        if option is None:
            return None
        if not option.flags:
            return option.write(), option.opt.help
        is_short = any(len(flag) == 2 for flag in option.flags)
        return parameter.get_help_record(ctx) if is_short or option.is_required else None

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        listed: dict[str, list[tuple[str, str]]] = {group: [] for group in (*GROUPS, "Other")}
        for parameter in self.get_params(ctx):
            option, record = self.options.get(parameter.name or ""), parameter.get_help_record(ctx)
            if option is not None and not option.flags:
                record = option.write(), option.opt.help
            if record is not None:
                listed["Other" if option is None else option.opt.group].append(record)
        for group, records in listed.items():
            if records:
                with formatter.section(group):
                    formatter.write_dl(records)


class _CommandError(click.ClickException):
    """A user's mistake that can only be seen in the values."""

    exit_code = 1


class _UsageError(_CommandError):
    """A mistake in the options."""

    exit_code = 2


def _write_help(kind: type[CommandBase]) -> str:
    text = _write_summary(kind)
    return f"{text}\n\n\b\n" + "\n".join(kind.examples) if kind.examples else text


def _write_summary(kind: type[CommandBase]) -> str:
    text = inspect.cleandoc(kind.request.__doc__ or "").partition("\nExamples\n")[0]
    return text.replace("`", "'").rstrip()


def _make_parameter(option: CommandOption, choices: Sequence[str]) -> click.Parameter:
    kind = _click_type(option, choices)
    if not option.flags:
        n_values = -1 if option.is_list else 1
        return click.Argument(
            [option.name],
            type=kind,
            nargs=n_values,
            required=option.is_required,
            metavar=option.opt.metavar,
        )
    shown = option.opt.default or _write_default(option.default)
    help_text = f"{option.opt.help}  [default: {shown}]" if shown else option.opt.help
    given = {} if option.is_required else {"default": _click_default(option)}
    return click.Option(
        [*option.flags, option.name],
        type=None if option.is_flag else kind,
        is_flag=option.is_flag or None,  # False would let click 8.5 take a required option without its value
        multiple=option.is_list,
        required=option.is_required,
        metavar=option.opt.metavar,
        help=help_text,
        **given,
    )


def _click_default(option: CommandOption) -> Any:
    if option.default == "":
        return () if option.is_list else None
    if option.is_list:
        return option.default if isinstance(option.default, tuple) else ()
    return ",".join(option.default) if isinstance(option.default, tuple) else option.default


def _write_default(value: Any) -> str:
    if isinstance(value, bool) or value is None or not isinstance(value, str | int | float | tuple):
        return ""
    return ",".join(value) if isinstance(value, tuple) else str(value)


def _click_type(option: CommandOption, choices: Sequence[str]) -> Any:
    if choices:
        return click.Choice(choices)
    if option.choices:
        return _DeclaredChoice({str(value): value for value in option.choices})
    opt, parts = option.opt, option.alternatives
    if float in parts or int in parts:
        low = opt.least if opt.least is not None else opt.above
        if float in parts:
            high = option.most if opt.below is None else opt.below
            return _PlainFloat(
                low, high, min_open=opt.least is None and low is not None, max_open=opt.below is not None
            )
        return _PlainInt(None if low is None else int(low), None if option.most is None else int(option.most))
    return click.STRING


class _PlainFloat(click.FloatRange):
    """A number in plain decimal notation."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if isinstance(value, str) and parse_float(value) is None:
            self.fail(f"{value!r} is not a number.", param, ctx)
        if self.max is not None and _is_unlimited(self) and float(value) > self.max:
            self.fail(f"{value} is more than {self.max:g}.", param, ctx)
        return super().convert(value, param, ctx)

    def _describe_range(self) -> str:
        return _describe_minimum(self) if _is_unlimited(self) else super()._describe_range()


class _PlainInt(click.IntRange):
    """A whole number in plain decimal notation."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if isinstance(value, str) and not isinstance(parse_number(value), int):
            self.fail(f"{value!r} is not a whole number.", param, ctx)
        if self.max is not None and _is_unlimited(self) and int(value) > self.max:
            self.fail(f"{value} is more than {self.max:,}.", param, ctx)
        return super().convert(value, param, ctx)

    def _describe_range(self) -> str:
        return _describe_minimum(self) if _is_unlimited(self) else super()._describe_range()


def _is_unlimited(kind: click.FloatRange | click.IntRange) -> bool:
    """Whether the maximum is none, or so large that it only rejects mistyped numbers: the help leaves it out."""
    return kind.max is None or kind.max >= LARGEST_WHOLE


def _describe_minimum(kind: click.FloatRange | click.IntRange) -> str:
    return "" if kind.min is None else f"x{'>' if kind.min_open else '>='}{kind.min}"


if TYPE_CHECKING:
    _TextChoice = click.Choice[str]
else:  # older versions of click have no type arguments
    _TextChoice = click.Choice


class _DeclaredChoice(_TextChoice):
    """A closed choice whose values need not be texts."""

    def __init__(self, values: Mapping[str, Any]) -> None:
        super().__init__(list(values))
        self._values = values

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if value in self._values.values():
            return value
        return self._values[super().convert(value, param, ctx)]
