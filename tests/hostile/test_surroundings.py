"""Surroundings that Python programs rarely meet: sub-interpreters and limits on addresses."""

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from hostile.processes import command

SUBINTERPRETER = """
try:
    import _interpreters as interpreters
except ImportError:
    import _xxsubinterpreters as interpreters
inner = interpreters.create()
code = '''
try:
    import tertium
except ImportError as error:
    print(error, flush=True)
'''
failed = interpreters.run_string(inner, code)
print("ended", failed)
"""


@pytest.mark.skipif(
    find_spec("_interpreters") is None and find_spec("_xxsubinterpreters") is None,
    reason="this Python has no module of sub-interpreters",
)
def test_a_subinterpreter_is_refused_in_one_line() -> None:
    done = subprocess.run(
        [sys.executable, "-c", SUBINTERPRETER], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout.splitlines() == [
        "tertium does not work in a sub-interpreter; import it in the main interpreter, or use a process of its own",
        "ended None",
    ]


@pytest.mark.needs("vl_convert")
@pytest.mark.skipif(os.name != "posix", reason="other systems have no such limit")
@pytest.mark.parametrize("picture", ["--picture", "--heatmap"])
def test_a_limit_on_addresses_is_one_line_before_the_work(tmp_path: Path, picture: str) -> None:
    import resource  # noqa: PLC0415 - Unix only

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (16 << 30, 16 << 30))

    target = tmp_path / "x.svg"
    arguments = ("explain", "-m", "wer", "a b", "a c", picture, str(target))
    done = command(*arguments, preexec_fn=limit)
    assert (done.returncode, done.stderr.count(b"\n")) == (1, 1), done.stderr
    assert b"with only 16.0 GB of address space" in done.stderr
    assert b"ulimit -v unlimited" in done.stderr
    assert not target.exists()


@pytest.mark.needs("jinja2")
@pytest.mark.skipif(os.name != "posix", reason="other systems have no such limit")
def test_a_report_needs_no_such_addresses(tmp_path: Path) -> None:
    import resource  # noqa: PLC0415 - Unix only

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (16 << 30, 16 << 30))

    (tmp_path / "a.txt").write_text("a b\nc d\n")
    (tmp_path / "r.txt").write_text("a b\nc e\n")
    given = ("report", str(tmp_path / "a.txt"), "-r", str(tmp_path / "r.txt"), "-o", str(tmp_path / "p.html"))
    done = command(*given, preexec_fn=limit)
    assert done.returncode == 0, done.stderr
