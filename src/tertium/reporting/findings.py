"""What the doctor found, as a document."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict

from tertium.diagnosis.finding import Finding
from tertium.reporting.tables.model import (
    Cell,
    Column,
    Document,
    Line,
    Note,
    Records,
    Row,
    Span,
    Table,
    Tone,
    Value,
)

SCHEMA_VERSION = 1

# From bad to harmless: the order of the output.
_TONES = {"error": Tone.ERROR, "warning": Tone.WARNING, "note": Tone.NOTE}

_RECORD: Mapping[str, type] = {
    "severity": str, "code": str, "file": str, "lines": str, "n_lines": int, "problem": str, "remedy": str,
}  # fmt: skip


def describe_findings(
    findings: Sequence[Finding], n_lines: Mapping[str, int], *, guesses: Sequence[str] = ()
) -> Document:
    """Describe findings file by file, the worst first.

    Parameters
    ----------
    n_lines
        How many lines each file has that was looked at, also where nothing was found.
    guesses
        What was read off the files' names, in words.
    """
    by_file = {file: _sort(findings, file) for file in n_lines}
    scope = f"{_count(len(n_lines), 'file')} ({_count(sum(n_lines.values()), 'line')})"
    summary = f"{_summarise(findings)} in {scope}"
    people = Table(
        [
            Column("file", "file", is_key=True),
            *(Column(each, each) for each in ("severity", "problem", "remedy")),
        ],
        [_row(each, n_lines[file]) for file, found in by_file.items() for each in found],
        notes=[Note(line) for line in (*guesses, summary)],
    )
    prose: list[Line] = [(Span(guess, Tone.DIM),) for guess in guesses]
    for file, found in by_file.items():
        prose += _tell_file(file, n_lines[file], found)
    prose.append((Span(summary, Tone.STRONG if findings else Tone.GOOD),))
    data = {"schema_version": SCHEMA_VERSION, "findings": [asdict(finding) for finding in findings]}
    return Document("findings", [people], _records(findings), data, prose=prose, json_indent=2)


def _sort(findings: Sequence[Finding], file: str) -> list[Finding]:
    order = list(_TONES)
    found = [finding for finding in findings if finding.file == file]
    return sorted(found, key=lambda finding: order.index(finding.severity))


def _row(finding: Finding, n_lines: int) -> Row:
    problem = f"{_tell_place(finding, n_lines)}{finding.problem}"
    return [Cell(finding.file), Cell(finding.severity), Cell(problem), Cell(finding.remedy)]


def _records(findings: Sequence[Finding]) -> Records:
    rows: list[list[Value]] = [
        [each.severity, each.code, each.file, " ".join(map(str, each.lines)), each.n_lines, each.problem, each.remedy]
        for each in findings
    ]  # fmt: skip
    return Records(_RECORD, rows)


def _tell_file(file: str, n_lines: int, findings: Sequence[Finding]) -> Iterator[Line]:
    if findings:
        yield (Span(file, Tone.STRONG),)
    for finding in findings:
        severity = Span(f"  {finding.severity:<9}", _TONES[finding.severity])
        yield severity, Span(f"{_tell_place(finding, n_lines)}{finding.problem}")
        yield (Span(f"           → {finding.remedy}", Tone.DIM),)


def _tell_place(finding: Finding, n_lines: int) -> str:
    """Name the lines: `line 3: `, `lines 3, 17, 25 and 42 more: `, or nothing for a whole file."""
    if not finding.n_lines or finding.n_lines == n_lines > len(finding.lines):
        return ""
    shown = ", ".join(map(str, finding.lines))
    hidden = finding.n_lines - len(finding.lines)
    more = f" and {hidden:,} more" if hidden > 0 else ""
    return f"line{'s' if finding.n_lines > 1 else ''} {shown}{more}: "


def _summarise(findings: Sequence[Finding]) -> str:
    severities = [finding.severity for finding in findings]
    counts = [_count(severities.count(name), name) for name in _TONES if name in severities]
    return ", ".join(counts) or "no problems found"


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
