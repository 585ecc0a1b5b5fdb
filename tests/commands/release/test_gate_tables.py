"""A gate's verdict for people, build servers and GitHub."""

from xml.etree import ElementTree as ET

import pytest

from tertium.commands.release.gate_tables import describe_gate, render_github, render_junit
from tertium.evaluation.gate_rules import Rule
from tertium.evaluation.gating import RuleResult, Verdict
from tertium.presentation.tables import FORMATS, render_document

NASTY = [
    "quotes \" and ' & <tags> ]]> -->",
    "50 % of %0A and %25",
    "two\nlines\r\nand\rmore\u2028",
    "\x1b[31mred\x00\x0b\x7f\x9b",
    "\ufffe\uffff\ud800",
    "::error::not mine, title=x",
    "\u202eright to left",
    "中文 🎉",
]


def make(verdict: Verdict = "fail", text: str = "m", undecided: str = "fail") -> RuleResult:
    rule = Rule(metric=text, at_least=3, undecided="pass" if undecided == "pass" else "fail")
    return RuleResult(rule, "not worse", f"domain={text}", verdict, f"message {text}", -1.5, -2.5, 7, 12)


@pytest.mark.parametrize("text", NASTY)
@pytest.mark.parametrize("verdict", ["pass", "fail", "undecided"])
def test_junit_is_xml_whatever_names_hold(text: str, verdict: Verdict) -> None:
    root = ET.fromstring(render_junit([make(verdict, text)]).encode())
    (case,) = root
    assert root.tag == "testsuite"
    assert case.tag == "testcase"
    assert "not worse" in case.attrib["name"]
    assert [child.tag for child in case] == ["system-out" if verdict == "pass" else "failure"]


def test_junit_keeps_what_xml_can_hold() -> None:
    root = ET.fromstring(render_junit([make("fail", NASTY[0])]))
    assert root[0][0].attrib["message"] == f"message {NASTY[0]}"
    root = ET.fromstring(render_junit([make("pass", NASTY[0])]))
    assert root[0][0].text == f"message {NASTY[0]}"


def test_junit_counts_what_closes_the_gate() -> None:
    findings = [make("pass"), make("fail"), make("undecided"), make("undecided", undecided="pass")]
    root = ET.fromstring(render_junit(findings))
    assert (root.attrib["tests"], root.attrib["failures"]) == ("4", "2")
    assert len(root.findall("testcase/failure")) == 2


@pytest.mark.parametrize("text", NASTY)
def test_an_annotation_is_one_line_whatever_names_hold(text: str) -> None:
    out = render_github([make("fail", text)])
    assert out.endswith("\n")
    (line,) = out.splitlines()
    head, _, message = line.removeprefix("::error title=").partition("::")
    assert message.startswith("message ")
    assert ":" not in head
    assert "," not in head
    assert "\x1b" not in line


def test_an_annotation_reads_as_it_was_meant() -> None:
    line = render_github([make("fail", "a: 5 %, b")])
    assert line == "::error title=tertium gate%3A a%3A 5 %25%2C b::message a: 5 %25, b\n"


def test_annotations_are_as_loud_as_the_verdict() -> None:
    findings = [make("pass"), make("fail"), make("undecided"), make("undecided", undecided="pass")]
    levels = [line.split()[0] for line in render_github(findings).splitlines()]
    assert levels == ["::notice", "::error", "::error", "::warning"]


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("text", NASTY[:4])
def test_every_format_takes_it(form: str, text: str) -> None:
    document = describe_gate([make("fail", text)], base="old", new="new", passes=False)
    assert render_document(document, form)


def test_the_verdict_goes_first_and_undecided_is_explained() -> None:
    findings = [make("undecided"), make("undecided", undecided="pass")]
    out = render_document(describe_gate(findings, base="old", new="new", passes=False), "text")
    assert out.startswith("FAIL: new against old\n")
    assert "undecided counts as fail or pass" in out
    passed = render_document(describe_gate([make("pass")], base="old", new="new", passes=True), "text")
    assert passed.startswith("PASS: new against old\n")
    assert "counts as" not in passed
