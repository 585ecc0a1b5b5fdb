"""Every result can be pickled: a notebook caches it, another process continues with it."""

import pickle
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

import tertium
from hostile.commands import BASES, DATA, LOADED, write_inputs
from tertium.cli.main import main
from tertium.commands.base.command_line import CommandBase
from tertium.commands.base.results import CommandResult, Result

pytestmark = pytest.mark.slow


def _train() -> Any:
    files = {name: Path(f"{name}.txt") for name in ("aurora", "boreas", "cirrus", "delta")}
    groups = ["first=aurora,boreas", "second=cirrus,delta"]
    return tertium.score(files, Path("whole.txt"), metrics="wer", group=groups).training_runs()


MORE: tuple[Callable[[], CommandResult], ...] = (
    lambda: tertium.open_run("ab.run"),
    lambda: tertium.open_run("ab.run").by_segment(),
    lambda: tertium.score(Path("a.txt"), Path("ref.txt"), metrics="wer", columns="columns.tsv").by("domain"),
    lambda: tertium.show("ab.run", table="systems"),
    lambda: tertium.show("sets.run", table="systems"),
    lambda: tertium.score_sets("sets", metrics="wer"),
    lambda: tertium.rerun("sets.run"),
    lambda: tertium.report("sets.run"),
    lambda: tertium.compare(
        ["aurora.txt", "boreas.txt", "cirrus.txt"], references="whole.txt", metrics="wer"
    ),
    lambda: tertium.meta(
        hypotheses=[str(path) for path in sorted((DATA / "systems").iterdir())],
        references=str(DATA / "reference.en.txt"),
        human=str(DATA / "human.tsv"),
        metrics="wer",
    ).calibrate("here"),
    _train,
)
"""Results that no command above returns."""


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[CommandResult]]:
    """The results of all commands, and of the calls above."""
    with pytest.MonkeyPatch.context() as patch:
        folder = tmp_path_factory.mktemp("results")
        patch.setenv("TERTIUM_CACHE", str(folder / "cache"))
        patch.chdir(folder)
        write_inputs(folder)
        both = {"a": Path("a.txt"), "b": Path("b.txt")}
        for run, systems in {"ab": both, "b": {"b": Path("b.txt")}}.items():
            tertium.score(systems, Path("ref.txt"), metrics="bleu,wer").save(f"{run}.run")
        tertium.score_sets("sets", "wer").save("sets.run")
        found: list[CommandResult] = []
        for kind in {CommandBase, *(command.kind for command in LOADED.values())}:
            patch.setattr(kind, "print_messages", lambda _, result: found.append(result))
        for name, lines in BASES.items():
            for line in lines:
                patch.setattr(sys, "argv", ["tertium", *name.split(), *line])
                with pytest.raises(SystemExit):
                    main()
        yield found + [make() for make in MORE]


def find_kinds(base: type[CommandResult]) -> Iterator[type[CommandResult]]:
    """Find the classes of results that can be made; the classes that others derive from are parts of them."""
    for kind in base.__subclasses__():
        yield from find_kinds(kind)
        if kind.__module__.startswith("tertium.") and not kind.__subclasses__():
            yield kind


def describe(result: Any) -> object:
    """Return the content of a result; pages and trees have no document."""
    if isinstance(result, Result):
        return result.render("json")
    return result.render() if hasattr(result, "render") else result.conllu()


def test_a_pickled_result_shows_the_same(results: Sequence[CommandResult]) -> None:
    for result in results:
        content = pickle.dumps(result)
        assert describe(pickle.loads(content)) == describe(result)
        assert (
            pickle.loads(pickle.dumps(result)) is not result
        )  # what was computed meanwhile can be pickled, too


def test_every_kind_of_result_is_tried(results: Sequence[CommandResult]) -> None:
    assert set(find_kinds(CommandResult)) <= set(map(type, results))
