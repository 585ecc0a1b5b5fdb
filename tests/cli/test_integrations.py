"""The action for GitHub and the hooks for pre-commit: their shell steps, run as those programs run them."""

import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

yaml: Any = pytest.importorskip("yaml", reason="the action and the hooks are YAML files: pip install pyyaml")

ROOT = Path(__file__).parents[2]
DATA = ROOT / "examples" / "data"
PROGRAMS = str(Path(sys.executable).parent)
AURORA, EMBER, REFERENCE = "systems/aurora.txt", "systems/ember.txt", "reference.en.txt"

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the steps are written for bash")


def run_gate_step(**given: str) -> subprocess.CompletedProcess[str]:
    """Run the last step of the action with these inputs, as GitHub does."""
    action = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
    inputs = {name: declared.get("default", "") for name, declared in action["inputs"].items()}
    assert given.keys() <= {name.replace("-", "_") for name in inputs}
    inputs |= {name.replace("_", "-"): value for name, value in given.items()}
    step = action["runs"]["steps"][-1]
    named = {
        variable: inputs[value.removeprefix("${{ inputs.").removesuffix(" }}")]
        for variable, value in step["env"].items()
    }
    environment = {**os.environ, **named, "PATH": f"{PROGRAMS}{os.pathsep}{os.environ['PATH']}"}
    environment.pop("GITHUB_STEP_SUMMARY", None)
    command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]]
    return subprocess.run(command, cwd=DATA, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("given", "code", "shown"),
    [
        ({"output": AURORA, "at_least": "40"}, 0, "PASS: aurora\n"),
        ({"output": AURORA, "at_least": "50"}, 3, "::error title=tertium gate%3A bleu::"),
        ({"output": AURORA, "against": EMBER, "not_worse": "0.5", "metrics": "bleu,chrf"}, 0, "PASS: aurora against ember\n"),
        ({"output": EMBER, "against": AURORA}, 3, "FAIL: ember against aurora\n"),
    ],
)  # fmt: skip
def test_the_action_gates(given: dict[str, str], code: int, shown: str) -> None:
    ended = run_gate_step(references=REFERENCE, **given)
    assert (ended.returncode, ended.stderr) == (code, "")
    assert shown in ended.stdout


@pytest.mark.slow
def test_the_action_takes_rules_from_a_file(tmp_path: Path) -> None:
    rules = tmp_path / "gate.toml"
    rules.write_text('[[rule]]\nmetric = "ter"\nat_most = 50\n', encoding="utf-8")
    ended = run_gate_step(output=AURORA, references=REFERENCE, rules=str(rules))
    assert (ended.returncode, ended.stderr) == (0, "")
    assert "TER 42.15" in ended.stdout


@pytest.mark.slow
@pytest.mark.parametrize("name", ["$(touch created).txt", "-r", "a; touch created"])
def test_an_input_of_the_action_is_never_a_command(name: str) -> None:
    ended = run_gate_step(output=name, references=REFERENCE, at_least="40")
    assert ended.returncode == 1
    assert ended.stderr.count("\n") == 1
    assert not (DATA / "created").exists()


@pytest.mark.slow
def test_the_hooks_find_problems(tmp_path: Path) -> None:
    (tmp_path / "src.txt").write_text("It costs 1,250 euros.\n", encoding="utf-8")
    (tmp_path / "good.txt").write_text("Das kostet 1.250 Euro.\n", encoding="utf-8")
    (tmp_path / "bad.txt").write_text("\ufeffDas kostet 1.520 Euro.\n", encoding="utf-8")
    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    entries = {hook["id"]: shlex.split(hook["entry"]) for hook in hooks}
    checked = ["-s", "src.txt", "-l", "en-de", "-m", "numerals"]
    for name, words in {"tertium-doctor": [], "tertium-checks": checked}.items():
        for file, passes in {"good.txt": True, "bad.txt": False}.items():
            program, *arguments = entries[name]
            ended = subprocess.run(
                [f"{PROGRAMS}/{program}", *arguments, file, *words],
                cwd=tmp_path, capture_output=True, text=True, check=False,
            )  # fmt: skip
            assert (ended.returncode == 0) == passes, ended.stdout + ended.stderr
