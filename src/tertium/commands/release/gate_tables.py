"""A gate's verdict as a document, as JUnit XML, and as annotations of a GitHub job."""

from collections.abc import Iterator, Sequence
from xml.sax.saxutils import escape, quoteattr

from tertium.evaluation.gating import RuleResult
from tertium.presentation.tables.fields import JSON, RECORDS, Field, make_object, make_records, make_table
from tertium.presentation.tables.model import Document, Note, clean_line

_WORDS = {"pass": "pass", "fail": "FAIL", "undecided": "undecided"}


_FIELDS: list[Field[RuleResult]] = [
    Field("verdict", is_key=True, text=lambda finding: _WORDS[finding.verdict]),
    Field("metric", get=lambda finding: finding.rule.metric, is_key=True),
    Field("rule", get=lambda finding: finding.what),
    Field("subset", outputs=RECORDS | JSON),
    Field(
        "base",
        float,
        lambda finding: finding.scores[0] if finding.scores and len(finding.scores) > 1 else None,
        outputs=RECORDS | JSON,
    ),
    Field(
        "new",
        float,
        lambda finding: finding.scores[-1] if finding.scores else None,
        outputs=RECORDS | JSON,
    ),
    Field("gain", float, outputs=RECORDS | JSON),
    Field("low", float, outputs=RECORDS | JSON),
    Field("segments", int, lambda finding: finding.n_segments, outputs=RECORDS | JSON),
    Field("units", get=lambda finding: finding.units or None, outputs=RECORDS | JSON),
    Field("n_units", int, outputs=RECORDS | JSON),
    Field("segments_needed", int, outputs=RECORDS | JSON),
    Field(
        "costliest_segments", list, lambda finding: [number for number, _ in finding.costliest], outputs=JSON
    ),
    Field("message", heading="finding"),
]


def describe_gate(
    findings: Sequence[RuleResult], *, base: str | None, new: str, passes: bool, next_command: str = ""
) -> Document:
    """Describe the result of every rule, below the verdict; a gate that fails names the next command."""
    title = f"{'PASS' if passes else 'FAIL'}: {new}" + ("" if base is None else f" against {base}")
    meanings = dict.fromkeys(finding.rule.undecided for finding in findings if finding.verdict == "undecided")
    notes = [Note(f"undecided counts as {' or '.join(meanings)}, as the rule states")] if meanings else []
    notes += [Note(text) for text in _write_units(findings)]
    notes += [Note(text) for finding in findings if (text := _write_costliest(finding))]
    if not passes and next_command:
        notes.append(Note(f"see: {next_command}"))
    return Document(
        "gate",
        lambda: [make_table(_FIELDS, findings, title=title, notes=notes)],
        lambda: make_records(_FIELDS, findings),
        lambda: {
            "schema_version": 1,
            "passes": passes,
            "new": new,
            "base": base,
            "findings": [make_object(_FIELDS, finding) for finding in findings],
        },
    )


def _write_units(findings: Sequence[RuleResult]) -> Iterator[str]:
    """Say what the tests take as independent; one line for all tests with the same units."""
    numbers: dict[str, list[int]] = {}
    for finding in findings:
        if finding.n_units is not None:
            numbers.setdefault(finding.units, []).append(finding.n_units)
    for units, found in numbers.items():
        low, high = min(found), max(found)
        count = f"{low:,}" if low == high else f"{low:,} to {high:,}"
        yield f"one-sided tests over {count} {units}"


def _write_costliest(finding: RuleResult) -> str:
    """Name the segments that lower the gain most, for a rule that does not pass."""
    if not finding.costliest:
        return ""
    where = f" ({finding.subset})" if finding.subset else ""
    listed = [f"{number:,} ({cost:+.2f})".replace("-", "−") for number, cost in finding.costliest]
    return f"{finding.rule.metric}{where}: segments that cost most: {', '.join(listed)}"


def _advise(finding: RuleResult, next_command: str) -> str:
    """Write the message of a rule, with what to look at if it does not pass."""
    if finding.passes:
        return finding.message
    advice = [_write_costliest(finding), f"see: {next_command}" if next_command else ""]
    return ". ".join([finding.message, *filter(None, advice)])


def render_junit(findings: Sequence[RuleResult], next_command: str = "") -> str:
    """Write one test case per finding, so that a build server shows them like tests."""
    failures = sum(not finding.passes for finding in findings)
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<testsuite name="tertium gate" tests="{len(findings)}" failures="{failures}">',
    ]
    for finding in findings:
        name = quoteattr(_clean_xml(f"{finding.rule.metric} {finding.what} {finding.subset}".strip()))
        message = _clean_xml(_advise(finding, next_command))
        if finding.passes:
            lines.append(f'<testcase classname="tertium.gate" name={name}><system-out>{escape(message)}</system-out></testcase>')  # fmt: skip
        else:
            lines.append(f'<testcase classname="tertium.gate" name={name}><failure message={quoteattr(message)}/></testcase>')  # fmt: skip
    return "\n".join([*lines, "</testsuite>"]) + "\n"


def render_github(findings: Sequence[RuleResult], next_command: str = "") -> str:
    """Write an annotation per finding: an error, a warning or a notice."""
    lines = []
    for finding in findings:
        level = "notice" if finding.verdict == "pass" else "warning" if finding.passes else "error"
        lines.append(
            f"::{level} title={_property(f'tertium gate: {finding.rule.metric}')}::{_data(_advise(finding, next_command))}"
        )
    return "\n".join(lines) + "\n"


def _clean_xml(text: str) -> str:
    """Replace characters that XML 1.0 does not allow, not even escaped."""
    return clean_line(text).translate({0xFFFE: 0xFFFD, 0xFFFF: 0xFFFD})


def _data(text: str) -> str:
    return clean_line(text).replace(
        "%", "%25"
    )  # clean_line removed the line breaks, which GitHub wants escaped too


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
