"""Find problems in text files that silently ruin scores, with line numbers and a remedy."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, field, replace
from typing import Annotated

from tertium.commands.base.request import FilePath, Request, Strings, function_of
from tertium.commands.base.results import Result
from tertium.commands.base.text_options import HYPOTHESES, REFERENCES, SOURCE, InputFormatOptions
from tertium.corpus.texts.formats import use_input_format
from tertium.declarations import Opt
from tertium.diagnosis.examination import Roles, assign_roles, examine
from tertium.diagnosis.finding import Finding
from tertium.presentation.tables.fields import JSON, RECORDS, Field, make_object, make_records, make_table
from tertium.presentation.tables.model import Document, Line, Note, Span, Tone
from tertium.records import record

SCHEMA_VERSION = 1

# The most severe first: the order of the output.
_TONES = {"error": Tone.ERROR, "warning": Tone.WARNING, "note": Tone.NOTE}


@record
class UnitNames:
    """The noun for a segment of a file, and the names of its segments; without names, they are counted."""

    noun: str = "line"
    names: Sequence[str] = ()


LINES = UnitNames()


def describe_findings(
    findings: Sequence[Finding],
    n_lines: Mapping[str, int],
    *,
    guesses: Sequence[str] = (),
    units: Mapping[str, UnitNames] | None = None,
) -> Document:
    """Describe findings file by file, the most severe first.

    Parameters
    ----------
    n_lines
        The number of lines of each checked file, also of files without findings.
    guesses
        Facts that were guessed from the names of the files, in words.
    units
        The names of the segments of each file; lines by default.
    """
    units = units or {}
    fields = _fields(n_lines, units)
    by_file = {file: _sort(findings, file) for file in n_lines}
    nouns = {units.get(file, LINES).noun for file in n_lines}
    noun = nouns.pop() if len(nouns) == 1 else "segment"
    scope = f"{_count(len(n_lines), 'file')} ({_count(sum(n_lines.values()), noun)})"
    summary = f"{_summarise(findings)} in {scope}"

    def prose() -> list[Line]:
        lines: list[Line] = [(Span(guess, Tone.DIM),) for guess in guesses]
        for file, found in by_file.items():
            lines += _describe_file(file, n_lines[file], found, units.get(file, LINES))
        return [*lines, (Span(summary, Tone.STRONG if findings else Tone.GOOD),)]

    return Document(
        "findings",
        lambda: [
            make_table(
                fields,
                [finding for found in by_file.values() for finding in found],
                notes=[Note(line) for line in (*guesses, summary)],
            )
        ],
        lambda: make_records(fields, findings),
        lambda: {
            "schema_version": SCHEMA_VERSION,
            "findings": [make_object(fields, finding) for finding in findings],
        },
        make_prose=prose,
    )


def _fields(n_lines: Mapping[str, int], units: Mapping[str, UnitNames]) -> list[Field[Finding]]:
    def name(finding: Finding) -> list[str]:
        return _name_lines(finding, units.get(finding.file, LINES))

    has_names = any(unit.names for unit in units.values())
    return [
        Field("severity"),
        Field("code", outputs=RECORDS | JSON),
        Field("file", is_key=True),
        Field("lines", list, outputs=JSON),
        Field("lines", str, lambda finding: " ".join(map(str, finding.lines)), outputs=RECORDS),
        Field("n_lines", int, outputs=RECORDS | JSON),
        *([Field("ids", list, name, outputs=JSON)] if has_names else []),
        *([Field("ids", str, lambda finding: " ".join(name(finding)), outputs=RECORDS)] if has_names else []),
        Field(
            "problem",
            text=lambda finding: (
                f"{_describe_place(finding, n_lines[finding.file], units.get(finding.file, LINES))}{finding.problem}"
            ),
        ),
        Field("remedy"),
    ]


def _sort(findings: Sequence[Finding], file: str) -> list[Finding]:
    order = list(_TONES)
    found = [finding for finding in findings if finding.file == file]
    return sorted(found, key=lambda finding: order.index(finding.severity))


def _describe_file(file: str, n_lines: int, findings: Sequence[Finding], units: UnitNames) -> Iterator[Line]:
    if findings:
        yield (Span(file, Tone.STRONG),)
    for finding in findings:
        severity = Span(f"  {finding.severity:<9}", _TONES[finding.severity])
        yield severity, Span(f"{_describe_place(finding, n_lines, units)}{finding.problem}")
        yield (Span(f"           → {finding.remedy}", Tone.DIM),)


def _name_lines(finding: Finding, units: UnitNames) -> list[str]:
    """Return the names of the affected segments, or their numbers."""
    return [units.names[i - 1] if i <= len(units.names) else str(i) for i in finding.lines]


def _describe_place(finding: Finding, n_lines: int, units: UnitNames) -> str:
    """Name the lines: `line 3: `, `lines 3, 17, 25 and 42 more: `, or nothing for a whole file."""
    if not finding.n_lines or finding.n_lines == n_lines > len(finding.lines):
        return ""
    shown = ", ".join(_name_lines(finding, units))
    hidden = finding.n_lines - len(finding.lines)
    more = f" and {hidden:,} more" if hidden > 0 else ""
    return f"{units.noun}{'s' if finding.n_lines > 1 else ''} {shown}{more}: "


def _summarise(findings: Sequence[Finding]) -> str:
    severities = [finding.severity for finding in findings]
    counts = [_count(severities.count(name), name) for name in _TONES if name in severities]
    return ", ".join(counts) or "no problems found"


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


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
        units = {
            file: UnitNames(inspection.noun, inspection.names) for file, inspection in inspections.items()
        }
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
