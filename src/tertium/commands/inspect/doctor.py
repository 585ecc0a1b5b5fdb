"""Find problems in text files that silently ruin scores, with line numbers and a remedy."""

from collections.abc import Iterator, Mapping
from dataclasses import KW_ONLY, field, replace
from typing import Annotated

from tertium.commands.base.request import FilePath, Request, Strings, function_of
from tertium.commands.base.results import Result
from tertium.commands.base.text_options import HYPOTHESES, REFERENCES, SOURCE, InputFormatOptions
from tertium.commands.inspect.finding_tables import UnitNames, describe_findings
from tertium.corpus.texts.formats import use_input_format
from tertium.declarations import Opt
from tertium.diagnosis.examination import Roles, assign_roles, examine
from tertium.diagnosis.finding import Finding
from tertium.presentation.tables.model import Document
from tertium.records import record


@record
class DoctorRequest(InputFormatOptions, Request["Diagnosis"]):
    """Find problems in text files that silently ruin scores, with line numbers and a remedy.

    Files are read as in `score`, so that units of XLIFF, TMX, XLSX and other formats are checked, not lines. Each file is checked by itself; hypotheses are also compared with their references and source. With references
    alone, the other files are the hypotheses; with hypotheses alone, they are the references. With neither, the first of
    several files with "ref" in its name is the reference, one with "src" the source, and the others are hypotheses.

    The exit code is 1 if there is an error or a warning, and 0 if there are only notes or nothing.
    """

    files: Annotated[Strings, Opt("Files to check.", "Input", is_argument=True, metavar="[FILE]...")] = ()
    _: KW_ONLY
    references: Annotated[Strings, REFERENCES] = ()
    hypotheses: Annotated[Strings, replace(HYPOTHESES, metavar="FILE")] = ()
    source: Annotated[
        FilePath | None,
        replace(
            SOURCE,
            help="Source text, to find untranslated lines and, without references, lines that translate other lines (requires the extra sentences).",
        ),
    ] = None

    def run(self) -> "Diagnosis":
        source = None if self.source is None else str(self.source)
        roles = assign_roles(tuple(self.files), tuple(self.references), tuple(self.hypotheses), source)
        with use_input_format(self.input_format):
            inspections, findings = examine(roles)
        n_lines = {file: len(inspection.lines) for file, inspection in inspections.items()}
        units = {file: UnitNames(each.noun, each.names) for file, each in inspections.items()}
        return Diagnosis(roles, n_lines, tuple(findings), units)


@record
class Diagnosis(Result):
    """The findings, and the files that were checked."""

    roles: Roles
    n_lines: Mapping[str, int]
    findings: tuple[Finding, ...]
    units: Mapping[str, UnitNames] = field(default_factory=dict)
    """By file, the names of its segments."""

    def __iter__(self) -> Iterator[Finding]:
        return iter(self.findings)

    def __len__(self) -> int:
        return len(self.findings)

    @property
    def is_serious(self) -> bool:
        """Whether there is an error or a warning, not only notes."""
        return any(finding.severity != "note" for finding in self.findings)

    @property
    def exit_code(self) -> int:
        return int(self.is_serious)

    def document(self) -> Document:
        return describe_findings(self.findings, self.n_lines, guesses=self.roles.guesses, units=self.units)


doctor = function_of("doctor", DoctorRequest)
