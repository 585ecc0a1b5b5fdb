"""The tutorial's plug-in: installed as a package, it is a metric like any other."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parent.parent
DATA = ROOT / "examples" / "data"


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Install the plug-in into a folder of its own; returns the environment in which it is seen."""
    pytest.importorskip("setuptools", "75", reason="the example's package is built with setuptools")
    folder = tmp_path_factory.mktemp("site")
    source = tmp_path_factory.mktemp("plugin")
    for path in (ROOT / "examples" / "plugin").rglob("*"):
        if path.is_file() and "build" not in path.parts and "egg-info" not in str(path):
            target = source / path.relative_to(ROOT / "examples" / "plugin")
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(path.read_bytes())
    command = [
        "pip",
        "install",
        "--quiet",
        "--no-deps",
        "--no-build-isolation",
        "--target",
        str(folder),
        str(source),
    ]
    subprocess.run([sys.executable, "-m", *command], check=True, capture_output=True)
    return os.environ | {"PYTHONPATH": str(folder)}


def run(environment: dict[str, str], *arguments: str) -> str:
    command = [sys.executable, "-c", "from tertium.cli.main import main; main()", *arguments]
    return subprocess.run(
        command, env=environment, cwd=DATA, capture_output=True, text=True, check=True
    ).stdout


def test_the_command_line_scores_with_it_and_signs_its_version(installed: dict[str, str]) -> None:
    systems = [str(path) for path in sorted((DATA / "systems").glob("*.txt"))]
    shown = run(
        installed,
        "score",
        "-r",
        "reference.en.txt",
        "-i",
        *systems,
        "-m",
        "numbers,numbers:separators=no",
        "--ci",
        "--signatures",
    )
    assert "aurora" in shown
    assert "numbers|nrefs:1" in shown
    assert "1.0.0" in shown


def test_it_is_listed_with_its_options(installed: dict[str, str]) -> None:
    assert "separators" in run(installed, "metrics", "numbers")


def test_numbers_are_counted_as_the_page_says(installed: dict[str, str]) -> None:
    code = (
        "from tertium_numbers import Numbers\n"
        "print(Numbers().sentence_score('pay 2,000 by 5 May', ['pay 2,000 by 6 May']).value)\n"
        "print(Numbers(separators=False).sentence_score('2000', ['2,000']).value)\n"
        "print(Numbers().sentence_score('none', ['nothing']).value)\n"
    )
    out = subprocess.run(
        [sys.executable, "-c", code], env=installed, capture_output=True, text=True, check=True
    ).stdout
    assert out.split() == ["50.0", "100.0", "100.0"]
