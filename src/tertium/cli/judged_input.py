"""Judged data as `tertium tune` and `tertium sweep` take them: a folder, or several."""

from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from collections.abc import Callable

    from tertium.metaevaluation import JudgedSet
    from tertium.metrics.base import Metric
    from tertium.tuning.space import Point

__all__ = ["metric_builder", "read_sets", "tell_notes"]


def read_sets(folder: str, pairs: tuple[str, ...]) -> "tuple[list[JudgedSet], list[str]]":
    """Read a folder of judged outputs."""
    from tertium.corpus.judged_folders import read_judged_folder
    from tertium.metaevaluation import lay_judgments

    wanted = [pair for text in pairs for pair in text.split(",") if pair]
    read = read_judged_folder(folder, pairs=wanted)
    sets, notes = lay_judgments(read.corpora, read.judgments, pairs=wanted)
    if not sets:
        raise click.UsageError(f"{folder}: no language pair was judged")
    return sets, [*read.notes, *notes]


def metric_builder(label: str) -> "tuple[type[Metric], dict[str, Any], Callable[[Point], Metric]]":
    """Return the metric's class, the options that the user fixed, and how to build it with others beside them."""
    from tertium.catalog import build_metric, find_metric, parse_label

    named = parse_label(label)
    fixed = dict(named.options)
    return find_metric(named.name), fixed, lambda point: build_metric(named.name, fixed | dict(point))


def tell_notes(notes: list[str], *, quiet: bool) -> None:
    """Print notes to stderr."""
    if not quiet:
        for note in notes:
            click.echo(f"tertium: note: {note}", err=True)
