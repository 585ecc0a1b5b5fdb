"""Gate rules: what they may ask for, and that one declaration reaches the command line, Python and files of rules."""

import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import tertium
from tertium import _core
from tertium.errors import OptionError
from tertium.evaluation.gate_rules import Rule, RuleOptions, check_rules

MARGIN = Rule(metric="sentbleu", not_worse=1.0)
WEAK = Rule(metric="sentbleu", not_significantly_worse=True)


@pytest.mark.parametrize(
    ("facts", "message"),
    [
        ({}, "asks for nothing; give not_worse, at_least, at_most or not_significantly_worse"),
        ({"not_worse": -1}, "not_worse= must be a number, at least 0"),
        ({"not_worse": float("nan")}, "not_worse= must be a number, at least 0"),
        ({"not_worse": float("inf")}, "not_worse= must be a number, at least 0"),
        ({"at_least": float("nan")}, "at_least= must be a number, not nan"),
        ({"not_worse": 1, "not_significantly_worse": True}, "contradict"),
        ({"at_least": 1, "alpha": 0}, "alpha= must be a number, at least 1e-09 and below 1"),
        ({"at_least": 1, "alpha": float("nan")}, "alpha= must be a number, at least 1e-09 and below 1"),
        ({"at_least": 1, "undecided": "maybe"}, "undecided= must be fail or pass, not 'maybe'"),
    ],
)
def test_a_rule_that_means_nothing_is_refused(facts: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        Rule(metric="bleu", **facts)


def test_two_rules_must_not_ask_for_the_same_twice() -> None:
    with pytest.raises(OptionError, match="rules 1 and 2 for sentbleu contradict or repeat"):
        check_rules([MARGIN, WEAK])
    with pytest.raises(OptionError, match="rules 2 and 3"):
        check_rules([WEAK, replace(MARGIN, by="x"), replace(MARGIN, by="x")])
    check_rules([MARGIN, replace(MARGIN, by="domain"), Rule(metric="sentbleu", at_least=3)])


def test_without_a_demand_the_new_system_must_not_be_significantly_worse() -> None:
    assert RuleOptions(alpha=0.01, by="domain").make_rule("ter") == Rule(
        metric="ter", not_significantly_worse=True, alpha=0.01, by="domain"
    )
    assert RuleOptions(not_worse=0.0).make_rule("ter") == Rule(metric="ter", not_worse=0.0)


NEW_FIELD = """
    better_by: Annotated[
        float | None, Opt("The least gain.", "Analysis", metavar="GAIN", least=0), Demand("gain")
    ] = None
"""
COMMANDS = """
import inspect, sys
sys.meta_path[:] = [finder for finder in sys.meta_path if "editable" not in type(finder).__module__]
sys.path.insert(0, sys.argv[1])
import tertium
assert tertium.__file__.startswith(sys.argv[1]), tertium.__file__
print(inspect.signature(tertium.gate).parameters["better_by"])
print(inspect.getdoc(tertium.gate))
from tertium.evaluation.gate_rules import Rule, read_rules
print(read_rules("good.toml")[0])
for make in (lambda: Rule(metric="ter"), lambda: read_rules("bad.toml"), lambda: read_rules("typo.toml")):
    try:
        make()
    except tertium.TertiumError as error:
        print(error)
from tertium.cli.main import main
sys.argv[1:] = ["gate", "--help"]
main()
"""


def test_a_field_added_to_the_declaration_is_known_everywhere(tmp_path: Path) -> None:
    package = Path(tertium.__file__).parent
    copy = tmp_path / "tertium"
    shutil.copytree(package, copy, ignore=shutil.ignore_patterns("__pycache__"))
    if Path(_core.__file__).parent != package:
        shutil.copy(_core.__file__, copy)
    source = copy / "evaluation" / "gate_rules.py"
    text = source.read_text(encoding="utf-8")
    assert text.count("    at_least: Annotated[") == 1
    source.write_text(
        text.replace("    at_least: Annotated[", f"{NEW_FIELD.lstrip(chr(10))}    at_least: Annotated["),
        encoding="utf-8",
    )
    for name, value in (("good", "better_by = 2"), ("bad", "better_by = -1"), ("typo", "beter_by = 1")):
        (tmp_path / f"{name}.toml").write_text(f'[[rule]]\nmetric = "ter"\n{value}\n', encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-c", COMMANDS, str(tmp_path)],
        cwd=tmp_path, capture_output=True, text=True, check=False, encoding="utf-8",
    )  # fmt: skip
    printed = " ".join(done.stdout.split())
    for expected in (
        "better_by: float | None = None",  # Python
        "better_by The least gain.",  # its documentation
        "better_by=2,",  # a file of rules
        "asks for nothing; give not_worse, better_by, at_least",
        "better_by must be a number, at least 0, not -1",
        "unknown key 'beter_by'; did you mean better_by?",
        "--better-by GAIN The least gain. [x>=0]",  # the command line
        "tables [[rule]] with metric, not_significantly_worse, not_worse, better_by,",
    ):
        assert expected in printed, done.stderr
