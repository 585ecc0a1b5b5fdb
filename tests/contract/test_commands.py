"""Every command is declared once: the command line, the Python function and the documentation agree."""

import importlib.util
import inspect
import re
from typing import Any

import click
import pytest

import tertium
from tertium.cli.click_builder import DeclaredCommand
from tertium.cli.main import build_command, find_commands
from tertium.declarations import GROUPS, options_of

LOADED = {
    name: loaded for name in find_commands() if isinstance(loaded := build_command(name), DeclaredCommand)
}


def function_of_command(name: str) -> Any:
    value: Any = tertium
    for part in (find_commands()[name][1].python_name or name).split():
        value = getattr(value, part)
    return value


@pytest.fixture(params=find_commands())
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def command(name: str) -> DeclaredCommand:
    return LOADED[name]


def test_click_has_exactly_the_declared_options(command: DeclaredCommand) -> None:
    declared = [*options_of(command.kind.request), *options_of(command.kind)]
    expected = list(dict.fromkeys(option.name for option in declared if option.opt.in_command))
    left_out = {"programs", "config", "quiet"} - command.options.keys()
    assert [parameter.name for parameter in command.params] == [
        name for name in expected if name not in left_out
    ]


def test_a_command_has_programs_where_it_may_run_one() -> None:
    lacking = {name for name, command in LOADED.items() if "programs" not in command.options}
    assert lacking == {
        *("align", "data", "doctor", "human", "languages", "metrics"),
        *("paraphrases convert", "vectors convert", "vectors info"),
    }


def test_a_command_without_options_of_its_own_reads_no_project_file() -> None:
    lacking = {name for name, command in LOADED.items() if "config" not in command.options}
    assert lacking == {"data", "languages", "metrics", "vectors info"}


def test_a_new_option_is_a_decision() -> None:
    """The sum of the options over all commands: raise it only for an option that names its user."""
    assert sum(len(command.options) for command in LOADED.values()) <= 539


def test_the_function_has_exactly_the_declared_options(name: str, command: DeclaredCommand) -> None:
    parameters = inspect.signature(function_of_command(name)).parameters
    assert sorted(parameters) == sorted(option.name for option in options_of(command.kind.request))
    for option in options_of(command.kind.request):
        expected = inspect.Parameter.empty if option.is_required else option.default
        assert parameters[option.name].default == expected


# Parameters whose flag has another name, with the reason.
OTHER_FLAGS: dict[object, str] = {
    **dict.fromkeys(("references", "hypotheses", "hypothesis", "source"), "the field's short words"),
    "parts_of_speech": "--pos is the field's short word",
    "target": "-o and --output write the result in every command",
    ("compare", "n"): "-n and --show: how many segments are shown",
    ("segments", "n"): "-n and --show: how many segments are shown",
    ("plan", "n"): "-n and --segments: the number of segments",
    ("tune", "options"): "--option is repeated, once per option",
    ("tune", "n_trials"): "n_* is a count in Python",
}


def test_the_flag_of_a_parameter_has_its_name(name: str, command: DeclaredCommand) -> None:
    for option in options_of(command.kind.request):
        if (
            option.flags
            and option.opt.in_command
            and f"--{option.name.replace('_', '-')}" not in option.flags
        ):
            assert OTHER_FLAGS.keys() & {option.name, (name, option.name)}, option.flags


def test_metrics_are_named_by_the_same_flags_in_every_command(name: str, command: DeclaredCommand) -> None:
    option = command.options.get("metrics") or command.options.get("metric")
    if option is not None and option.flags:
        assert set(option.flags) >= {"-m", "--metrics", "--metric"}
        assert option.write("bleu") == "--metrics bleu"


def test_the_function_documents_every_option(name: str, command: DeclaredCommand) -> None:
    documentation = inspect.getdoc(function_of_command(name)) or ""
    for option in options_of(command.kind.request):
        assert f"\n{option.name}\n    {option.opt.help}" in documentation


def test_every_option_has_a_sentence_and_a_group(command: DeclaredCommand) -> None:
    for option in command.options.values():
        assert option.opt.help[0].isupper() or option.opt.help.startswith(("spaCy", "LEVEL")), option.name
        assert option.opt.help.rstrip().endswith((".", "…")), option.name
        assert option.opt.group in GROUPS


def test_the_help_shows_every_flag_below_the_heading_of_its_group(
    name: str, command: DeclaredCommand
) -> None:
    text = command.get_help(click.Context(command, info_name=name, terminal_width=100))
    sections = {group: text.partition(f"\n{group}:\n")[2].partition("\n\n")[0] for group in GROUPS}
    for option in command.options.values():
        for flag in option.flags:
            assert flag in sections[option.opt.group], (flag, option.opt.group)


def test_the_help_shows_only_bounds_that_a_user_may_meet(name: str, command: DeclaredCommand) -> None:
    text = command.get_help(click.Context(command, info_name=name, terminal_width=100))
    ranges = re.findall(r"\[([^\[\]]*\bx[<>]=?[^\[\]]*|[^\[\]]*<=?x)\]", text)
    assert not [bounds for bounds in ranges if "None" in bounds or re.search(r"\d{10}", bounds)]
    bounded = [option for option in command.options.values() if option.flags and option.opt.above is not None]
    assert all(f"x>{option.opt.above:g}" in text or f"{option.opt.above:g}<x" in text for option in bounded)


def test_no_flag_is_used_twice(command: DeclaredCommand) -> None:
    flags = [flag for option in command.options.values() for flag in option.flags]
    assert len(flags) == len(set(flags))


def test_no_package_hides_the_function(name: str) -> None:
    public = find_commands()[name][1].python_name or name.partition(" ")[0]
    assert importlib.util.find_spec(f"tertium.{public}") is None


def test_an_option_without_its_value_is_a_usage_error(name: str, command: DeclaredCommand) -> None:
    for option in command.options.values():
        if option.flags and not option.is_flag:
            with pytest.raises(click.UsageError, match="requires an argument"):
                command.make_context(name, [option.flags[0]])
