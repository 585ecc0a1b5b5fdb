"""The findings of the doctor as a document."""

from collections.abc import Iterator, Mapping, Sequence

from tertium.diagnosis.finding import Finding
from tertium.reporting.tables.fields import JSON, RECORDS, Field, make_object, make_records, make_table
from tertium.reporting.tables.model import Document, Line, Note, Span, Tone

SCHEMA_VERSION = 1

# The most severe first: the order of the output.
_TONES = {"error": Tone.ERROR, "warning": Tone.WARNING, "note": Tone.NOTE}


def describe_findings(
    findings: Sequence[Finding], n_lines: Mapping[str, int], *, guesses: Sequence[str] = ()
) -> Document:
    """Describe findings file by file, the most severe first.

    Parameters
    ----------
    n_lines
        The number of lines of each checked file, also of files without findings.
    guesses
        Facts that were guessed from the names of the files, in words.
    """
    fields = _fields(n_lines)
    by_file = {file: _sort(findings, file) for file in n_lines}
    scope = f"{_count(len(n_lines), 'file')} ({_count(sum(n_lines.values()), 'line')})"
    summary = f"{_summarise(findings)} in {scope}"

    def prose() -> list[Line]:
        lines: list[Line] = [(Span(guess, Tone.DIM),) for guess in guesses]
        for file, found in by_file.items():
            lines += _describe_file(file, n_lines[file], found)
        return [*lines, (Span(summary, Tone.STRONG if findings else Tone.GOOD),)]

    return Document(
        "findings",
        lambda: [
            make_table(
                fields,
                [each for found in by_file.values() for each in found],
                notes=[Note(line) for line in (*guesses, summary)],
            )
        ],
        lambda: make_records(fields, findings),
        lambda: {
            "schema_version": SCHEMA_VERSION,
            "findings": [make_object(fields, finding) for finding in findings],
        },
        make_prose=prose,
        json_indent=2,
    )


def _fields(n_lines: Mapping[str, int]) -> list[Field[Finding]]:
    """Records have the code second and JSON has it last, as in version 0.2."""
    return [
        Field("severity"),
        Field("code", outputs=RECORDS),
        Field("file", is_key=True),
        Field("lines", list, outputs=JSON),
        Field("lines", str, lambda each: " ".join(map(str, each.lines)), outputs=RECORDS),
        Field("n_lines", int, outputs=RECORDS | JSON),
        Field("problem", text=lambda each: f"{_describe_place(each, n_lines[each.file])}{each.problem}"),
        Field("remedy"),
        Field("code", outputs=JSON),
    ]


def _sort(findings: Sequence[Finding], file: str) -> list[Finding]:
    order = list(_TONES)
    found = [finding for finding in findings if finding.file == file]
    return sorted(found, key=lambda finding: order.index(finding.severity))


def _describe_file(file: str, n_lines: int, findings: Sequence[Finding]) -> Iterator[Line]:
    if findings:
        yield (Span(file, Tone.STRONG),)
    for finding in findings:
        severity = Span(f"  {finding.severity:<9}", _TONES[finding.severity])
        yield severity, Span(f"{_describe_place(finding, n_lines)}{finding.problem}")
        yield (Span(f"           → {finding.remedy}", Tone.DIM),)


def _describe_place(finding: Finding, n_lines: int) -> str:
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
