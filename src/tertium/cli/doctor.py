"""`tertium doctor`: find what silently ruins scores, with line numbers and a remedy."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tertium.cli.arguments import write_document
from tertium.report.tables import FORMATS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tertium.doctor import Finding
    from tertium.doctor.inspection import Inspection

__all__ = ["command"]


@dataclass(frozen=True)
class Roles:
    """Which file plays which part; `guesses` says in words what was read off the files' names."""

    files: tuple[str, ...]
    hypotheses: tuple[str, ...]
    references: tuple[str, ...]
    source: str | None
    guesses: tuple[str, ...] = ()

    @property
    def all_files(self) -> tuple[str, ...]:
        """Every file once, in the order given."""
        source = (self.source,) if self.source else ()
        return tuple(dict.fromkeys([*self.references, *source, *self.hypotheses, *self.files]))


@click.command(name="doctor")
@click.argument("files", nargs=-1)
@click.option(
    "-r", "--ref", "references", multiple=True, metavar="FILE", help="A reference; may be repeated."
)
@click.option(
    "-i", "--hyp", "hypotheses", multiple=True, metavar="FILE", help="A system's output; may be repeated."
)
@click.option("-s", "--src", "source", metavar="FILE", help="The source, to find what was not translated.")
@click.option(
    "-f", "--format", "output_format", type=click.Choice(FORMATS), default="text", show_default=True
)
@click.pass_context
def command(
    context: click.Context,
    *,
    files: tuple[str, ...],
    references: tuple[str, ...],
    hypotheses: tuple[str, ...],
    source: str | None,
    output_format: str,
) -> None:
    """Find what silently ruins scores in FILES, with line numbers and a remedy.

    Each file is looked at by itself; hypotheses are also compared with their references and source.
    With -r alone, FILES are the hypotheses; with -i alone, they are the references. With neither, the
    first of several FILES that has "ref" in its name is the reference, one with "src" the source,
    and the others are hypotheses.

    The exit code is 1 if there is an error or a warning, and 0 if there are only notes or nothing.
    """
    from tertium.report.findings import describe_findings

    roles = assign_roles(files, references, hypotheses, source)
    inspections, findings = examine(roles)
    n_lines = {file: len(inspection.lines) for file, inspection in inspections.items()}
    write_document(describe_findings(findings, n_lines, guesses=roles.guesses), output_format)
    context.exit(int(any(finding.severity != "note" for finding in findings)))


def assign_roles(
    files: tuple[str, ...], references: tuple[str, ...], hypotheses: tuple[str, ...], source: str | None
) -> Roles:
    """Give each file its part; a part that no option fills is filled by the bare files."""
    from tertium.errors import OptionError

    if not (files or references or hypotheses or source):
        raise OptionError("no file to look at: give FILES, or -i HYPOTHESIS with -r REFERENCE")
    if not (references or hypotheses):
        return _guess_roles(files, source)
    spare = files if references and hypotheses else ()
    return Roles(spare, hypotheses or files, references or files, source)


def _guess_roles(files: tuple[str, ...], source: str | None) -> Roles:
    reference = _first_named(files, "ref") if len(files) > 1 else None
    if reference is None:
        return Roles((), files, (), source) if source else Roles(files, (), (), None)
    guesses = [f"taking {reference} as the reference, by its name"]
    others = tuple(file for file in files if file != reference)
    if source is None and (source := _first_named(others, "src")):
        guesses.append(f"taking {source} as the source, by its name")
    hypotheses = tuple(file for file in others if file != source)
    return Roles((), hypotheses, (reference,), source, tuple(guesses))


def _first_named(files: Sequence[str], part: str) -> str | None:
    return next((file for file in files if part in Path(file).name.lower()), None)


def examine(roles: Roles) -> tuple[dict[str, Inspection], list[Finding]]:
    """Look at every file by itself, then at those that belong together."""
    from tertium.doctor import check_text
    from tertium.doctor.inspection import inspect_file

    inspections = {file: inspect_file(file) for file in roles.all_files}
    findings = []
    for file, inspection in inspections.items():
        findings += [*inspection.findings, *check_text(inspection.lines, file=file)]
    lines = {file: inspection.lines for file, inspection in inspections.items()}
    return inspections, [*findings, *_compare(roles, lines)]


def _compare(roles: Roles, lines: Mapping[str, Sequence[str]]) -> Iterator[Finding]:
    if roles.hypotheses and roles.references:
        yield from _compare_references(roles, lines)
    if roles.hypotheses and roles.source:
        yield from _compare_source(roles, roles.source, lines)
    if not roles.hypotheses:
        yield from _compare_line_counts(roles.all_files, lines)


def _compare_references(roles: Roles, lines: Mapping[str, Sequence[str]]) -> list[Finding]:
    from tertium.doctor import check_layout, check_pair

    columns = [[lines[file] for file in files] for files in (roles.hypotheses, roles.references)]
    transposed = check_layout(*columns, file=roles.references[0])
    return transposed or [
        finding
        for hypothesis in roles.hypotheses
        for reference in roles.references
        for finding in check_pair(
            lines[hypothesis], lines[reference], hypothesis_file=hypothesis, reference_file=reference
        )
    ]


def _compare_source(roles: Roles, source: str, lines: Mapping[str, Sequence[str]]) -> Iterator[Finding]:
    from tertium.doctor import check_source

    wanted = lines[roles.references[0]] if roles.references else ()
    for file in roles.hypotheses:
        yield from check_source(lines[file], lines[source], wanted, hypothesis_file=file, source_file=source)


def _compare_line_counts(files: Sequence[str], lines: Mapping[str, Sequence[str]]) -> Iterator[Finding]:
    """Compare every file with the first."""
    from tertium.doctor.order import check_line_counts
    from tertium.doctor.pair import Pair

    for file in files[1:]:
        yield from check_line_counts(Pair(lines[file], lines[files[0]], file, files[0]))
