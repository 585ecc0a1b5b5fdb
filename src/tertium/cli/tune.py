"""`tertium tune`: searches a metric's options for agreement with people, and writes a preset."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tertium.cli.arguments import ListCommand, check_output, write_document, write_output
from tertium.cli.judged_input import read_folder, read_sets, takes_judged_data, tell_notes
from tertium.cli.judged_metrics import Build, TunedMetric
from tertium.report.tables import FORMATS

if TYPE_CHECKING:
    from tertium.meta import JudgedSet
    from tertium.tuning.outcome import Outcome
    from tertium.tuning.space import Dimension, Point
    from tertium.tuning.trials import Trial, Trials
    from tertium.tuning.validation import Validation

__all__ = ["command"]


@click.command("tune", cls=ListCommand)
@takes_judged_data
@click.option("-m", "--metric", required=True, metavar="METRIC", help="The metric, with options that stay: chrf:word_order=2.")  # fmt: skip
@click.option("--option", "options", multiple=True, metavar="NAME[=VALUES]", help="What to search: beta=1,2,3, alpha=0:1:0.1, alpha=0:1 (random search), or a name whose grid the metric declares.  [default: all of those]")  # fmt: skip
@click.option("--search", type=click.Choice(["grid", "alternating", "random", "coordinate"]), default="grid", show_default=True, help="How to search.")  # fmt: skip
@click.option("--subset", metavar="NAMES", help="alternating: the options of the first subset.  [default: the first half]")  # fmt: skip
@click.option("--iterations", type=click.IntRange(min=1), default=10, show_default=True, help="alternating, coordinate: rounds at most.")  # fmt: skip
@click.option("--trials", "n_trials", type=click.IntRange(min=1), default=100, show_default=True, help="random: points.")  # fmt: skip
@click.option("--objective", metavar="STATISTICS", help="Statistics that are added up.  [default: system:spearman+segment:wmt12, as far as people judged]")  # fmt: skip
@click.option("--held-out", metavar="FOLDER", help="Judged data to test on.  [default: language pairs left out in turn, or half of the segments if there is one pair]")  # fmt: skip
@click.option("--journal", metavar="FILE", help="Keep all trials there; the same command goes on where it was interrupted.")  # fmt: skip
@click.option("-o", "--output", metavar="FILE", help="Write a preset for -m METRIC@FILE.")
@click.option("-f", "--format", "form", type=click.Choice(FORMATS), default="text", show_default=True, help="Output format of the summary.")  # fmt: skip
@click.option("--seed", type=click.IntRange(min=0), default=12345, show_default=True, help="Seed of random search and of splits.")  # fmt: skip
@click.option("-j", "--threads", type=click.IntRange(min=1), metavar="N", help="Threads.  [default: every core]")  # fmt: skip
@click.option("-q", "--quiet", is_flag=True, help="No notes, no progress.")
def command(**given: Any) -> None:
    """Search a metric's options for the best agreement with people.

    FOLDER and the other files are as for 'tertium meta'. The score on data that was not tuned on stands beside the
    training score, with a warning when they part.
    """
    from tertium.tuning.outcome import Outcome
    from tertium.tuning.space import parse_dimensions
    from tertium.tuning.trials import Trials, default_statistics, parse_objective

    tuned = TunedMetric.read(given)
    metric = tuned.metric
    # options of the formula vary fastest: nothing is counted again for them
    dimensions = sorted(
        parse_dimensions(type(metric), given["options"]), key=lambda each: each.name in metric.formula_options
    )
    _check(dimensions, given)
    start = {each.name: getattr(metric, each.name) for each in dimensions}
    training, held_out, builds = _read(tuned, given)
    statistics = parse_objective(given["objective"]) if given["objective"] else default_statistics(training)
    trials = Trials(builds, training, statistics, threads=given["threads"])
    task = _describe_task(training, statistics, given)
    best = _search(trials, dimensions, start, task, given)
    _refuse_nothing(trials, best)
    validation = _validate(trials, start, best, held_out, builds=builds, statistics=statistics)
    outcome = Outcome(
        metric.name,
        {name: value for name, value in tuned.fixed.items() if name not in start},
        trials.run(best),
        task["objective"],
        given["search"],
        len(trials.known),
        validation,
    )
    _report(outcome, given)


def _describe_task(training: "list[JudgedSet]", statistics: Any, given: dict[str, Any]) -> dict[str, Any]:
    """What a journal's trials depend on."""
    pairs = sorted({judged.pair for judged in training})
    return {
        "metric": given["metric"], "objective": "+".join(map(str, statistics)), "data": _data_of(given),
        "language": given["language"], "pairs": pairs, "seed": given["seed"] if len(training) == 1 else None,
    }  # fmt: skip


def _check(dimensions: "list[Dimension]", given: dict[str, Any]) -> None:
    """Find mistakes before the work begins."""
    from tertium.tuning.search import check_grid

    check_output(given["output"])
    check_output(given["journal"])
    if given["search"] == "grid":
        check_grid(dimensions)
    if given["search"] == "alternating":
        for subset in _subsets(dimensions, given["subset"]):
            check_grid(subset)


def _data_of(given: dict[str, Any]) -> list[str]:
    files = [*given["references"], *given["hypotheses"], *given["human"]]
    return [given["folder"]] if given["folder"] else files


def _read(
    tuned: TunedMetric, given: dict[str, Any]
) -> "tuple[list[JudgedSet], list[JudgedSet], dict[str, Build]]":
    """Read training and held-out data: another folder, half of the segments of a single pair, or nothing yet."""
    import numpy as np

    from tertium.tuning.validation import split_segments

    sets, notes = read_sets(given)
    tell_notes(notes, quiet=given["quiet"])
    sets, builds = tuned.choose(sets)
    if given["held_out"]:
        held_out, notes = read_folder(given["held_out"])
        tell_notes(notes, quiet=given["quiet"])
        held_out, more = tuned.choose(held_out)
        return sets, held_out, builds | more
    if len({judged.pair for judged in sets}) > 1:
        return sets, [], builds
    halves = [split_segments(judged, np.random.default_rng(given["seed"])) for judged in sets]
    return [half for half, _ in halves], [half for _, half in halves], builds


def _search(
    trials: "Trials",
    dimensions: "list[Dimension]",
    start: "Point",
    task: dict[str, Any],
    given: dict[str, Any],
) -> "Point":
    import numpy as np

    from tertium.tuning.search import alternating_grid, coordinate_search, full_grid, random_search

    objective = _Watched(trials, task, given)
    iterations = given["iterations"]
    try:
        objective(start)
        if given["search"] == "random":
            rng = np.random.default_rng(given["seed"])
            return random_search(objective, dimensions, start, n_trials=given["n_trials"], rng=rng)
        if given["search"] == "coordinate":
            return coordinate_search(objective, dimensions, start, n_iterations=iterations)
        if given["search"] == "alternating":
            first, second = _subsets(dimensions, given["subset"])
            return alternating_grid(objective, first, second, start, n_iterations=iterations)
        return full_grid(objective, dimensions, start)
    except KeyboardInterrupt:
        again = (
            f"the same command with --journal {given['journal']} goes on"
            if given["journal"]
            else "use --journal to keep trials"
        )
        click.echo(f"tertium: stopped after {len(trials.known):,} trials; {again}", err=True)
        raise


def _refuse_nothing(trials: "Trials", best: "Point") -> None:
    """Call no point the best where none has a value."""
    from tertium.errors import InputError
    from tertium.tuning.trials import total

    if total(trials.run(best).values) > float("-inf"):
        return
    reasons = trials.why_undefined(best)
    more = f" (and {len(reasons) - 3:,} more)" if len(reasons) > 3 else ""
    raise InputError(f"no trial has a value of the objective: {'; '.join(reasons[:3])}{more}")


class _Watched:
    """The objective: runs a trial, writes it to the journal, tells of the best so far."""

    def __init__(self, trials: "Trials", task: dict[str, Any], given: dict[str, Any]) -> None:
        from tertium.tuning.journal import write_head
        from tertium.tuning.space import point_key

        self._trials, self._quiet, self._best = trials, given["quiet"], float("-inf")
        self._asked: set[str] = set()
        self._journal = Path(given["journal"]) if given["journal"] else None
        if self._journal is None:
            return
        known = _read_journal(self._journal, task)
        trials.known |= {point_key(trial.point): trial for trial in known}
        if known:
            tell_notes([f"{self._journal} has {len(known):,} trials already"], quiet=self._quiet)
        if not self._journal.exists():
            write_output(write_head(task), str(self._journal))

    def __call__(self, point: "Point") -> float:
        from tertium.tuning.journal import write_trial
        from tertium.tuning.space import describe_point, point_key
        from tertium.tuning.trials import total

        self._asked.add(point_key(point))  # counted as if nothing were in the journal
        n_before = len(self._trials.known)
        trial = self._trials.run(point)
        if self._journal is not None and len(self._trials.known) > n_before:
            with self._journal.open("a", encoding="utf-8") as file:
                file.write(write_trial(trial))
        score = total(trial.values)
        if score > self._best:
            self._best = score
            if not self._quiet:
                click.echo(
                    f"tertium: trial {len(self._asked):,}: {score:.4f} {describe_point(point)}",
                    err=True,
                )
        return score


def _read_journal(path: Path, task: dict[str, Any]) -> "list[Trial]":
    from tertium.corpus import read_lines
    from tertium.tuning.journal import read_journal_lines, write_head, write_trial

    if not path.exists():
        return []
    trials = read_journal_lines(read_lines(path), task, str(path))
    # written anew, so that a line that an interruption cut off does not stay in the middle
    write_output(write_head(task) + "".join(map(write_trial, trials)), str(path))
    return trials


def _subsets(dimensions: "list[Dimension]", text: str | None) -> "tuple[list[Dimension], list[Dimension]]":
    names = [each.name for each in dimensions]
    first = text.split(",") if text else names[: -(-len(names) // 2)]
    for name in first:
        if name not in names:
            raise click.UsageError(
                f"--subset names {name!r}, which is not searched; searched are {', '.join(names)}"
            )
    return [each for each in dimensions if each.name in first], [
        each for each in dimensions if each.name not in first
    ]


def _validate(
    trials: "Trials",
    start: "Point",
    best: "Point",
    held_out: "list[JudgedSet]",
    *,
    builds: dict[str, Build],
    statistics: Any,
) -> "Validation | None":
    from tertium.tuning.trials import Trials, total
    from tertium.tuning.validation import Validation, cross_validate

    first, last = trials.run(start), trials.run(best)
    if not held_out:
        return cross_validate(trials.known.values(), first, last)
    others = Trials(builds, held_out, statistics)
    tested = [total(others.run(point).values) for point in (best, start)]
    return Validation("on held-out data", total(last.values), total(first.values), *tested)


def _report(outcome: "Outcome", given: dict[str, Any]) -> None:
    from tertium.report.tuning import describe_outcome
    from tertium.resources.presets import Preset, render_preset

    preset = Preset(outcome.metric, outcome.options)
    if given["output"]:
        write_output(render_preset(preset, outcome.facts), given["output"])
    write_document(describe_outcome(outcome, digest=preset.digest), given["form"])
    for warning in [] if outcome.validation is None else outcome.validation.warnings():
        click.echo(f"tertium: warning: {warning}", err=True)
