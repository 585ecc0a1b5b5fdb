"""`tertium gate`: a new system against a base, for continuous integration."""

from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from tertium.cli.arguments import ListCommand, other_resource_options, seed_option, threads_option
from tertium.cli.output import Output, check_output, write_text
from tertium.report.tables import FORMATS

if TYPE_CHECKING:
    from tertium.catalog import ResourceChoice
    from tertium.evaluation.gating import Rule

__all__ = ["command"]

FAILED = 3


@click.command("gate", cls=ListCommand)
@click.argument("new", metavar="NEW")
@click.option("--against", "base", required=True, metavar="BASE", help="What is in use today: a run, FILE.run#SYSTEM, or an output.")  # fmt: skip
@click.option("-r", "--ref", "references", multiple=True, metavar="FILE", help="Reference file(s), if NEW and BASE are outputs.")  # fmt: skip
@click.option("--columns", metavar="FILE", help="More about each segment, for --by: TSV with a header, or JSONL.")  # fmt: skip
@click.option("--rules", metavar="FILE.toml", help="Rules: tables [[rule]] with metric, not_worse, not_significantly_worse, at_least, by, undecided, alpha.")  # fmt: skip
@click.option("--metric", "metrics", multiple=True, metavar="LIST", help="Metrics that must all keep one rule, instead of a file.")  # fmt: skip
@click.option("--not-worse", type=click.FloatRange(min=0), metavar="MARGIN", help="It must be shown to be worse by less than this.")  # fmt: skip
@click.option("--at-least", type=float, metavar="SCORE", help="It must reach this score.")
@click.option("--by", metavar="COLUMN", help="The rule must hold on each value of this column.")
@click.option("--undecided", type=click.Choice(["fail", "pass"]), default="fail", show_default=True, help="What it means when the test set is too small to decide.")  # fmt: skip
@click.option("--alpha", type=click.FloatRange(0, 1, min_open=True, max_open=True), default=0.05, show_default=True, help="Level of the test.")  # fmt: skip
@click.option("--samples", type=click.IntRange(min=1), metavar="N", help="Resamples.  [default: 1000]")
@seed_option("the resampling")
@other_resource_options
@threads_option
@click.option("-o", "--output", "path", metavar="FILE", help="Write to a file, whole or not at all.")
@click.option("-f", "--format", "form", type=click.Choice([*FORMATS, "junit", "github"]), default="text", show_default=True, help="Output format.")  # fmt: skip
@click.option("-q", "--quiet", is_flag=True, help="No progress bar.")
@click.pass_context
def command(
    context: click.Context,
    *,
    new: str,
    base: str,
    references: tuple[str, ...],
    columns: str | None,
    rules: str | None,
    metrics: tuple[str, ...],
    not_worse: float | None,
    at_least: float | None,
    by: str | None,
    undecided: str,
    alpha: float,
    samples: int | None,
    seed: int,
    resources: "ResourceChoice | None",
    threads: int | None,
    path: str | None,
    form: str,
    quiet: bool,
) -> None:
    """Check whether NEW may take the place of BASE; exit code 0 if so, 3 if not.

    \b
    tertium gate new.run --against release.run --metric bleu --not-worse 0.3
    tertium gate new.txt --against old.txt -r ref.txt --rules gate.toml -f md
    """  # noqa: D301 - click reads the backspace
    from tertium.api.gate import GateRequest
    from tertium.cli.progress import progress_bar

    check_output(path)
    request = GateRequest(
        new=new,
        base=base,
        rules=_take_rules(context, rules, metrics, not_worse, at_least, by, undecided, alpha),
        references=references,
        columns=columns,
        samples=samples,
        seed=seed,
        resources=resources,
        threads=threads,
    )
    with progress_bar("scoring", quiet=quiet) as progress:
        result = request.run(progress)
    if form in FORMATS:
        Output(form, path).write(result)
    else:
        write_text(result.render(form), path)
    context.exit(0 if result.passes else FAILED)


def _take_rules(
    context: click.Context,
    path: str | None,
    metrics: tuple[str, ...],
    not_worse: float | None,
    at_least: float | None,
    by: str | None,
    undecided: str,
    alpha: float,
) -> "tuple[Rule, ...]":
    from tertium.api.gate import read_rules
    from tertium.catalog import split_labels
    from tertium.evaluation.gating import Rule

    if path is not None:
        _refuse_options(context)
        return read_rules(path)
    no_proof = not_worse is None and at_least is None
    return tuple(
        Rule(
            metric=label,
            not_worse=not_worse,
            not_significantly_worse=no_proof,
            at_least=at_least,
            by=by,
            undecided="pass" if undecided == "pass" else "fail",
            alpha=alpha,
        )
        for label in split_labels(metrics)
    )


def _refuse_options(context: click.Context) -> None:
    """Refuse options of a single rule beside a file of rules, which would not heed them."""
    for name in ("metrics", "not_worse", "at_least", "by", "undecided", "alpha"):
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            option = name.replace("_", "-").replace("metrics", "metric")
            raise click.UsageError(f"give --rules FILE.toml or --metric with its options, not both; --{option} belongs into the file")  # fmt: skip
