"""The documentation is made from the code and stays so; what it shows of a terminal is what a terminal shows."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
GAP = "…"  # stands for any lines
LONG_NUMBER = re.compile(r"\d+\.\d{7,}")


def test_the_metrics_page_is_up_to_date() -> None:
    code = "import sys; sys.path.insert(0, 'tools'); import make_metric_docs as m; print(m.render_page(), end='')"
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    page = (ROOT / "docs" / "metrics.md").read_text(encoding="utf-8")
    assert page == run.stdout, "docs/metrics.md is old: run 'make docs'"


def read_sessions(page: str) -> Iterator[tuple[str, list[str]]]:
    """Read the commands of console blocks, each with the lines that are shown below it."""
    for block in re.findall(r"^```console\n(.*?)^```", page, flags=re.MULTILINE | re.DOTALL):
        for session in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, *lines = session.splitlines()
            while lines and lines[0].startswith(">"):
                command += "\n" + lines.pop(0)[2:]
            yield command, lines


def matches(shown: list[str], printed: list[str]) -> bool:
    pattern = "".join(r"(?:.*\n)*" if line == GAP else re.escape(f"{line}\n") for line in shown)
    return re.fullmatch(pattern, "".join(f"{line}\n" for line in printed)) is not None


def shorten(lines: list[str]) -> list[str]:
    """Round long numbers: their last digits may differ between machines."""
    return [LONG_NUMBER.sub(lambda found: f"{float(found.group()):.5f}", line) for line in lines]


def test_a_gap_stands_for_any_lines_and_nothing_else_does() -> None:
    assert matches(["a", GAP, "d"], ["a", "b", "c", "d"])
    assert not matches(["a", "d"], ["a", "b", "d"])
    assert not matches(["a.c"], ["abc"])


@pytest.mark.parametrize("name", ["runs.md"])
def test_commands_of_a_page_print_what_it_shows(name: str, tmp_path: Path) -> None:
    for module in ("pyarrow", "vl_convert", "jinja2"):
        pytest.importorskip(module)
    if shutil.which("bash") is None:
        pytest.skip("the commands are for bash")
    shutil.copytree(ROOT / "examples" / "data", tmp_path / "data")
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "NO_COLOR": "1", "PYTHONIOENCODING": "utf-8", "COLUMNS": "80"}
    page = (ROOT / "docs" / name).read_text(encoding="utf-8")
    for command, shown in read_sessions(page):
        run = subprocess.run(
            ["bash", "-c", command], cwd=tmp_path / "data", env=environment, check=False,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, encoding="utf-8",
        )  # fmt: skip
        printed = run.stdout.splitlines()
        assert matches(shorten(shown), shorten(printed)), f"$ {command}\n{run.stdout}"
