"""Diagnose files: what silently ruins scores, with line numbers and a remedy."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from tertium.api.results import Shown
from tertium.doctor.examination import Roles, assign_roles, examine
from tertium.doctor.finding import Finding
from tertium.report.findings import describe_findings
from tertium.report.tables.model import Document

__all__ = ["DiagnoseRequest", "Diagnosis", "diagnose"]


@dataclass(frozen=True, kw_only=True)
class DiagnoseRequest:
    """Everything that `tertium doctor` can be told.

    With references alone, `files` are the hypotheses; with hypotheses alone, they are the references. With
    neither, the first of several files that has "ref" in its name is the reference, one with "src" the source,
    and the others are hypotheses.
    """

    files: tuple[str, ...] = ()
    references: tuple[str, ...] = ()
    hypotheses: tuple[str, ...] = ()
    source: str | None = None

    def run(self) -> "Diagnosis":
        """Look at each file by itself, and at hypotheses beside references and source."""
        roles = assign_roles(self.files, self.references, self.hypotheses, self.source)
        inspections, findings = examine(roles)
        n_lines = {file: len(inspection.lines) for file, inspection in inspections.items()}
        return Diagnosis(roles, n_lines, tuple(findings))


@dataclass(frozen=True)
class Diagnosis(Shown):
    """The findings, and what was looked at."""

    roles: Roles
    n_lines: Mapping[str, int]
    findings: tuple[Finding, ...]

    def __iter__(self) -> Iterator[Finding]:
        return iter(self.findings)

    def __len__(self) -> int:
        return len(self.findings)

    @property
    def is_serious(self) -> bool:
        """Whether there is an error or a warning, not only notes."""
        return any(finding.severity != "note" for finding in self.findings)

    def document(self) -> Document:
        return describe_findings(self.findings, self.n_lines, guesses=self.roles.guesses)


def diagnose(
    *files: str,
    references: Sequence[str] = (),
    hypotheses: Sequence[str] = (),
    source: str | None = None,
) -> Diagnosis:
    """Find what silently ruins scores in these files; the options are those of `tertium doctor`."""
    request = DiagnoseRequest(
        files=files, references=tuple(references), hypotheses=tuple(hypotheses), source=source
    )
    return request.run()
