"""The example of an engine on Ray, where Ray is installed."""

import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLE = Path(__file__).parents[2] / "examples" / "ray_engine.py"
SCORE = [sys.executable, "-c", "from tertium.cli.main import main; main()", "score"]


def test_ray_gives_the_digits_of_this_process(corpus_files: dict[str, str]) -> None:
    pytest.importorskip("ray")
    files = corpus_files["ref"], corpus_files["a"]
    on_ray = run([sys.executable, str(EXAMPLE), *files, "bleu,nist"])
    here = run([*SCORE, "-r", files[0], "-i", files[1], "-m", "bleu,nist", "--score-only", "-q"])
    assert [line.split("\t")[1] for line in on_ray.splitlines()] == here.strip().split("\t")


def run(command: list[str]) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True, timeout=120).stdout
