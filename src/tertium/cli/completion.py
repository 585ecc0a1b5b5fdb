"""Shell completion: files, metrics with their options and values, columns, languages and systems."""

import os
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import BashComplete, CompletionItem, add_completion_class, split_arg_string

from tertium.cli.click_builder import DeclaredCommand
from tertium.declarations import Completion
from tertium.errors import TertiumError

if TYPE_CHECKING:
    _TextType = click.ParamType[Any]
else:  # older versions of click know no such type arguments
    _TextType = click.ParamType

Complete = Callable[[click.Context, str], Iterable[str]]

# Bash ends a word at these, and replaces only the part after the last of them.
_BREAKS = ":="
_CONDITIONS = ("=", "!=", "<=", ">=", "<", ">", "~")


class LineBashComplete(BashComplete):
    """Bash completion that keeps words such as `bleu:tokenizer=`, which bash splits at colons and equals signs."""

    name = "bash"
    source_template = """\
%(complete_func)s() {
    local IFS=$'\\n'
    local response completion type value
    response=$(env COMP_LINE="$COMP_LINE" COMP_POINT="$COMP_POINT" %(complete_var)s=bash_complete $1)
    for completion in $response; do
        IFS=',' read type value <<< "$completion"
        if [[ $type == 'dir' ]]; then
            COMPREPLY=()
            compopt -o dirnames
        elif [[ $type == 'file' ]]; then
            COMPREPLY=()
            compopt -o default
        elif [[ $type == 'plain' ]]; then
            COMPREPLY+=($value)
            if [[ $value == *[=:] ]]; then compopt -o nospace; fi
        fi
    done
    return 0
}
%(complete_func)s_setup() {
    complete -o nosort -F %(complete_func)s %(prog_name)s
}
%(complete_func)s_setup;
"""

    def get_completion_args(self) -> tuple[list[str], str]:
        line = os.environ["COMP_LINE"][: int(os.environ["COMP_POINT"])]
        words = split_arg_string(line)
        incomplete = "" if line.endswith(" ") else words.pop()
        return words[1:], incomplete

    def format_completion(self, item: CompletionItem) -> str:
        _, incomplete = self.get_completion_args()
        begin = max(incomplete.rfind(mark) for mark in _BREAKS) + 1
        value = item.value[begin:] if item.value.startswith(incomplete[:begin]) else item.value
        return f"{item.type},{value}"


add_completion_class(LineBashComplete)


class _CompletedText(_TextType):
    """A text that a shell can complete."""

    name = "text"

    def __init__(self, complete: Complete) -> None:
        self._complete = complete

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        return click.STRING.convert(value, param, ctx)

    def shell_complete(
        self,
        ctx: click.Context,
        param: click.Parameter,  # noqa: ARG002
        incomplete: str,
    ) -> list[CompletionItem]:
        try:
            return [
                CompletionItem(text)
                for text in self._complete(ctx, incomplete)
                if text.startswith(incomplete)
            ]
        except TertiumError:  # an incomplete command often names missing files
            return []


class _FileName(_CompletedText):
    """A file's name, or `FILE#COLUMN`."""

    def __init__(self) -> None:
        super().__init__(lambda _, incomplete: _complete_address(incomplete))

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        if "#" in incomplete:
            return super().shell_complete(ctx, param, incomplete)
        return [CompletionItem(incomplete, type="file")]


def add_completion(command: click.Command) -> click.Command:
    """Let a shell complete the texts that a command takes."""
    if isinstance(command, DeclaredCommand):
        for parameter in command.params:
            option = command.options.get(parameter.name or "")
            if option is None or parameter.type is not click.STRING:
                continue
            if option.opt.completes is not None:
                parameter.type = _CompletedText(_COMPLETERS[option.opt.completes])
            elif option.names_file:
                parameter.type = _FileName()
    return command


def complete_metrics(incomplete: str) -> list[str]:
    """Complete the last part of a list of metrics: a name, an option of the metric before it, or a value."""
    from tertium.catalog import metric_names
    from tertium.resources.presets import named_presets

    before, comma, last = incomplete.rpartition(",")
    item, equals, _ = last.rpartition("=")
    if equals:
        name, key = _current(before, item)
        return [f"{before}{comma}{item}={value}" for value in _values(name, key)]
    if ":" in last:
        name = last.partition(":")[0]
        return [f"{before}{comma}{name}:{option}=" for option in _options(name)]
    if "@" in last:
        return [f"{before}{comma}{label}" for label in named_presets()]
    current, _ = _current(before, "")
    further = _options(current) if ":" in before else []
    return [f"{before}{comma}{name}" for name in metric_names()] + [
        f"{before}{comma}{option}=" for option in further
    ]


def _current(before: str, item: str) -> tuple[str, str]:
    """Return the metric that an option belongs to: the one right before it, or an earlier one in the list."""
    name, colon, key = item.partition(":")
    if colon:
        return name, key
    named = [label.partition(":")[0] for label in before.split(",") if ":" in label or "=" not in label]
    return (named[-1] if named else ""), item


def _options(name: str) -> list[str]:
    from tertium.catalog import find_metric
    from tertium.metrics.options import is_resource_type

    return [
        option.name
        for option in find_metric(name.partition("@")[0]).options()
        if not is_resource_type(option.type)
    ]


def _values(name: str, key: str) -> list[str]:
    from tertium.catalog import find_metric
    from tertium.text.tokenizers import TOKENIZERS

    if key == "tokenizer":
        return list(TOKENIZERS)
    for option in find_metric(name.partition("@")[0]).options():
        if option.name == key:
            return [
                *option.choices,
                *(["yes", "no"] if "yes or no" in option.describe() else []),
                *map(option.write, option.grid),
            ]
    return []


def _complete_columns(context: click.Context, _: str) -> list[str]:
    """List the columns of segments: those of a file, and those of every test set."""
    given = context.params.get("columns")
    return [*(_columns_of(given) if given else ()), "document", "length"]


def _complete_conditions(context: click.Context, incomplete: str) -> list[str]:
    before, comma, _ = incomplete.rpartition(",")
    names = _complete_columns(context, incomplete)
    return [f"{before}{comma}{name}{relation}" for name in names for relation in _CONDITIONS]


def _complete_address(incomplete: str) -> list[str]:
    from tertium.files.paths import split_name

    path, _, _ = incomplete.rpartition("#")
    return [f"{path}#{column}" for column in _columns_of(split_name(path).path)]


def _columns_of(path: str) -> list[str]:
    from tertium.corpus.texts.formats import open_rows

    rows = open_rows(path)
    try:
        return list(getattr(rows.read(1), "names", ()))
    finally:
        rows.close()


def _complete_languages(_: click.Context, __: str) -> list[str]:
    from tertium.text.languages import LANGUAGES

    return list(LANGUAGES)


def _complete_tokenizers(_: click.Context, __: str) -> list[str]:
    from tertium.text.tokenizers import TOKENIZERS

    return list(TOKENIZERS)


def _complete_labels(context: click.Context, _: str) -> list[str]:
    """List the metrics on the command line."""
    from tertium.catalog import split_labels

    return split_labels(list(context.params.get("metrics") or ()))


def _complete_systems(context: click.Context, _: str) -> list[str]:
    from tertium.files.paths import default_name, parse_address, split_name

    given = [split_name(text) for text in context.params.get("hypotheses") or ()]
    return [name or default_name(parse_address(path)) for name, path in given]


def _complete_test_sets(_: click.Context, __: str) -> list[str]:
    from tertium.corpus.test_sets import list_test_sets

    return [test_set.name for test_set in list_test_sets()]


def _complete_metric_names(_: click.Context, __: str) -> list[str]:
    from tertium.catalog import metric_names

    return metric_names()


_COMPLETERS: dict[Completion, Complete] = {
    "metrics": lambda _, incomplete: complete_metrics(incomplete),
    "names": _complete_metric_names,
    "languages": _complete_languages,
    "test sets": _complete_test_sets,
    "tokenizers": _complete_tokenizers,
    "columns": _complete_columns,
    "conditions": _complete_conditions,
    "labels": _complete_labels,
    "systems": _complete_systems,
}
