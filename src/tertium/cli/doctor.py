"""`tertium doctor`: find what silently ruins scores, with line numbers and a remedy."""

import click

from tertium.cli.arguments import ListCommand
from tertium.cli.output import Output, output_options

__all__ = ["command"]


@click.command("doctor", cls=ListCommand)
@click.argument("files", nargs=-1)
@click.option("-r", "--ref", "references", multiple=True, metavar="FILE", help="A reference; may be repeated.")  # fmt: skip
@click.option("-i", "--hyp", "hypotheses", multiple=True, metavar="FILE", help="A system's output; may be repeated.")  # fmt: skip
@click.option("-s", "--src", "source", metavar="FILE", help="The source, to find what was not translated.")
@output_options
@click.pass_context
def command(
    context: click.Context,
    *,
    files: tuple[str, ...],
    references: tuple[str, ...],
    hypotheses: tuple[str, ...],
    source: str | None,
    output: Output,
) -> None:
    """Find what silently ruins scores in FILES, with line numbers and a remedy.

    Each file is looked at by itself; hypotheses are also compared with their references and source.
    With -r alone, FILES are the hypotheses; with -i alone, they are the references. With neither, the
    first of several FILES that has "ref" in its name is the reference, one with "src" the source,
    and the others are hypotheses.

    The exit code is 1 if there is an error or a warning, and 0 if there are only notes or nothing.
    """
    from tertium.api.diagnose import DiagnoseRequest

    request = DiagnoseRequest(files=files, references=references, hypotheses=hypotheses, source=source)
    diagnosis = request.run()
    output.write(diagnosis)
    context.exit(int(diagnosis.is_serious))
