"""A gate's verdict as a document, as JUnit XML, and as annotations of a GitHub job."""

from collections.abc import Sequence
from xml.sax.saxutils import escape, quoteattr

from tertium.evaluation.gating import RuleResult
from tertium.reporting.tables.model import (
    Cell,
    Column,
    Document,
    Note,
    Records,
    Row,
    Table,
    Value,
    clean_line,
)

_WORDS = {"pass": "pass", "fail": "FAIL", "undecided": "undecided"}


def describe_gate(findings: Sequence[RuleResult], *, base: str, new: str, passes: bool) -> Document:
    """Describe what became of every rule, the verdict first."""
    columns = [
        Column("verdict", "verdict", is_key=True),
        Column("metric", "metric", is_key=True),
        Column("rule", "rule"),
        Column("message", "what was found"),
    ]
    rows: list[Row] = [
        [Cell(_WORDS[each.verdict]), Cell(each.rule.metric), Cell(each.what), Cell(each.message)]
        for each in findings
    ]
    head = f"{'PASS' if passes else 'FAIL'}: {new} against {base}"
    meanings = dict.fromkeys(each.rule.undecided for each in findings if each.verdict == "undecided")
    notes = [Note(f"undecided counts as {' or '.join(meanings)}, as the rule says")] if meanings else []
    records = Records(
        {"verdict": str, "metric": str, "rule": str, "subset": str, "gain": float, "low": float, "segments": int,
         "segments_needed": int, "message": str},
        [_record(each) for each in findings],
    )  # fmt: skip
    data = {
        "schema_version": 1,
        "passes": passes,
        "new": new,
        "base": base,
        "findings": [dict(zip(records.columns, _record(each), strict=True)) for each in findings],
    }
    return Document("gate", [Table(columns, rows, title=head, notes=notes)], records, data)


def render_junit(findings: Sequence[RuleResult]) -> str:
    """Write one test case per finding, so that a build server shows them like tests."""
    failures = sum(not each.passes for each in findings)
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<testsuite name="tertium gate" tests="{len(findings)}" failures="{failures}">',
    ]
    for each in findings:
        name = quoteattr(_clean_xml(f"{each.rule.metric} {each.what} {each.subset}".strip()))
        message = _clean_xml(each.message)
        if each.passes:
            lines.append(f'<testcase classname="tertium.gate" name={name}><system-out>{escape(message)}</system-out></testcase>')  # fmt: skip
        else:
            lines.append(f'<testcase classname="tertium.gate" name={name}><failure message={quoteattr(message)}/></testcase>')  # fmt: skip
    return "\n".join([*lines, "</testsuite>"]) + "\n"


def render_github(findings: Sequence[RuleResult]) -> str:
    """Write an annotation per finding: an error, a warning or a notice."""
    lines = []
    for each in findings:
        level = "notice" if each.verdict == "pass" else "warning" if each.passes else "error"
        lines.append(
            f"::{level} title={_property(f'tertium gate: {each.rule.metric}')}::{_data(each.message)}"
        )
    return "\n".join(lines) + "\n"


def _record(each: RuleResult) -> list[Value]:
    return [
        each.verdict, each.rule.metric, each.what, each.subset, each.gain, each.low, each.n_segments,
        each.segments_needed, each.message,
    ]  # fmt: skip


def _clean_xml(text: str) -> str:
    """Replace what XML 1.0 cannot hold, not even escaped."""
    return clean_line(text).translate({0xFFFE: 0xFFFD, 0xFFFF: 0xFFFD})


def _data(text: str) -> str:
    return clean_line(text).replace("%", "%25")  # of what GitHub wants escaped, lines and returns are gone


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
