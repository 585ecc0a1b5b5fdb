"""Judged data as `tertium meta`, `tune` and `sweep` take them: a folder, or files."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from tertium.cli.arguments import expand_paths, split_system
from tertium.cli.resources import resource_options

if TYPE_CHECKING:
    from tertium.meta import JudgedSet

__all__ = ["read_folder", "read_sets", "takes_judged_data", "tell_failures", "tell_notes"]

Command = TypeVar("Command", bound=Callable[..., Any])

_OPTIONS = (
    click.argument("folder", required=False, metavar="[FOLDER]"),
    click.option("-r", "--ref", "references", multiple=True, metavar="FILE", help="Reference file(s), instead of a folder."),
    click.option("-i", "--hyp", "hypotheses", multiple=True, metavar="[NAME=]FILE", help="Systems' outputs, instead of a folder."),
    click.option("--human", multiple=True, metavar="FILE", help="Judgments: TSV or JSONL of segment scores, system scores, rankings, MQM errors or judged texts; mt-metrics-eval's .seg.score, .sys.score."),
    click.option("-p", "--pairs", multiple=True, metavar="LIST", help="Language pairs.  [default: all]"),
    click.option("--normalise-raters", is_flag=True, help="Bring each rater to mean 0 and variance 1."),
    click.option("--at-least", type=click.IntRange(min=1), default=1, show_default=True, help="Judgments that a segment needs."),
    click.option("--by-length", is_flag=True, help="Weigh segments by length where system scores are made of segment scores."),
    click.option("--ratio", type=click.Choice(["human_gt", "human_ge", "expected_wins"]), default="human_gt", show_default=True, help="How rankings become system scores."),
    click.option("--skip-unknown", is_flag=True, help="Leave out judgments of systems and segments that do not exist."),
)  # fmt: skip


def takes_judged_data(command: Command) -> Command:
    """Give a command the arguments that say where outputs, references and judgments are."""
    command = resource_options(command)
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def read_sets(given: dict[str, Any]) -> "tuple[list[JudgedSet], list[str]]":
    """Read what the arguments name; notes say what was left out."""
    from tertium.corpus.judgments.folders import read_judged_folder, read_judgments
    from tertium.meta import HumanOptions, lay_judgments

    pairs = [pair for text in given["pairs"] for pair in text.split(",") if pair]
    judgments = [read_judgments(path) for path in expand_paths(given["human"])]
    corpora, notes = {}, []
    if given["folder"]:
        folder = read_judged_folder(given["folder"], pairs=pairs)
        corpora, notes, judgments = dict(folder.corpora), list(folder.notes), [*judgments, *folder.judgments]
    else:
        corpora = _corpora_from_files(given, judgments, pairs)
    names = ("normalise_raters", "at_least", "by_length", "ratio", "skip_unknown")
    options = HumanOptions(**{name: given[name] for name in names})
    sets, more = lay_judgments(corpora, judgments, options, pairs=pairs)
    _check_pairs(pairs, sets, judgments, notes + more)
    return sets, notes + more


def _check_pairs(pairs: list[str], sets: "list[JudgedSet]", judgments: list[Any], notes: list[str]) -> None:
    """Refuse language pairs that were asked for and are not there, and data of which nothing is left."""
    from tertium.errors import InputError

    there = {judged.pair for judged in sets}
    for pair in pairs:
        if pair not in there:
            known = sorted({each for file in judgments for each in file.pairs} - {""})
            why = [note for note in notes if pair in note] or [f"judged are {', '.join(known)}"]
            raise InputError(f"-p {pair}: nothing to compare people with; {'; '.join(why)}")
    if not sets:
        raise InputError("; ".join(notes) or "no language pair was judged")


def _corpora_from_files(given: dict[str, Any], judgments: list[Any], pairs: list[str]) -> dict[str, Any]:
    from tertium.corpus import read_corpus
    from tertium.corpus.judgments.readers import JudgedTexts
    from tertium.meta.scoring import textless_corpora

    if not judgments:
        raise click.UsageError("give a FOLDER, or judgments with --human FILE")
    if given["references"] and given["hypotheses"]:
        systems = [split_system(path) for path in expand_paths(given["hypotheses"])]
        corpus = read_corpus(expand_paths(given["references"]), systems)
        named = {pair for file in judgments for pair in file.pairs if pair}
        if len(pairs) > 1 or (not pairs and len(named) > 1):
            raise click.UsageError("the judgments are of several language pairs; choose one with -p")
        return {(pairs or sorted(named) or [""])[0]: corpus}
    if given["references"] or given["hypotheses"]:
        raise click.UsageError("-r and -i go together")
    without_texts = [file for file in judgments if not isinstance(file, JudgedTexts)]
    if without_texts and not given.get("scores"):
        raise click.UsageError(
            "give the outputs with -r and -i, or, to tertium meta, their scores with --scores"
        )
    if without_texts:
        _refuse_without_texts(given)
    return textless_corpora(without_texts)


def _refuse_without_texts(given: dict[str, Any]) -> None:
    """Refuse what needs texts where there are only scores and judgments."""
    wishes = {"-m": given.get("metrics"), "--by-length": given["by_length"],
              "--system-score length": given.get("system_score") == "length"}  # fmt: skip
    for wish, is_given in wishes.items():
        if is_given:
            raise click.UsageError(f"{wish} needs the texts: give a FOLDER, or -r and -i")


def read_folder(folder: str) -> "tuple[list[JudgedSet], list[str]]":
    """Read another folder of judged data, all of it."""
    nothing: dict[str, Any] = {
        "references": (), "hypotheses": (), "human": (), "pairs": (), "normalise_raters": False, "at_least": 1,
        "by_length": False, "ratio": "human_gt", "skip_unknown": False,
    }  # fmt: skip
    return read_sets({"folder": folder, **nothing})


def tell_notes(notes: list[str], *, quiet: bool) -> None:
    """Print notes to stderr."""
    if not quiet:
        for note in notes:
            click.echo(f"tertium: note: {note}", err=True)


def tell_failures(failures: list[str]) -> None:
    """Print to stderr what is missing from the results, also for those who want no notes."""
    for failure in failures:
        click.echo(f"tertium: warning: {' '.join(failure.split())}", err=True)
