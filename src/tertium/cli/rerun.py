"""`tertium rerun`: a run is computed again, and what moved is named."""

import click

from tertium.cli.arguments import threads_option
from tertium.cli.output import Output, output_options

__all__ = ["command"]

MOVED = 3
"""The exit code if a number is not what it was."""


@click.command("rerun")
@click.argument("run", metavar="RUN")
@click.argument("files", nargs=-1, metavar="[FILE]...")
@output_options
@threads_option
@click.option("-q", "--quiet", is_flag=True, help="No progress bar.")
def command(*, run: str, files: tuple[str, ...], output: Output, threads: int | None, quiet: bool) -> int:
    """Compute a run again from its files, and say "identical" (exit code 0) or what moved and why (3).

    Files are looked for where they were; each FILE that is given takes the place of the one of its name.
    """
    from tertium.api.rerun import RerunRequest
    from tertium.cli.progress import progress_bar

    with progress_bar("scoring", quiet=quiet) as progress:
        result = RerunRequest(path=run, files=files, threads=threads).run(progress)
    output.write(result)
    return 0 if result.is_identical else MOVED
