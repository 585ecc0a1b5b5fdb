"""Fixtures for every room: a private cache, files in a folder of the test's own, a standard input, the command line."""

import gc
import io
import os
import signal
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.database import DirectoryBasedExampleDatabase

from tertium.cli.main import main

# `make test` tries the same examples on every machine. `make fuzz` looks for others, and tries those that failed before
# first. A busy machine is no failure, so no test has a deadline.
settings.register_profile(
    "reproducible",
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile(
    "fuzz",
    max_examples=int(os.environ.get("TERTIUM_EXAMPLES", "1000")),
    deadline=None,
    derandomize=False,
    database=DirectoryBasedExampleDatabase(Path(__file__).parents[1] / ".hypothesis" / "examples"),
    suppress_health_check=list(HealthCheck),
)
settings.load_profile("reproducible")

# A shell that starts a job in the background lets it ignore Ctrl-C, and its children too; tests send it to theirs.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

TESTS = Path(__file__).parent
HOSTILE = (TESTS / "hostile", TESTS / "fuzz")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests that `make quick` leaves out because of their fixture or folder."""
    for item in items:
        if "browser" in getattr(item, "fixturenames", ()):
            item.add_marker("browser")
        if any(folder in item.path.parents for folder in HOSTILE):
            item.add_marker("hostile")


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip a test whose `needs` names a module that is not installed."""
    for marker in item.iter_markers("needs"):
        pytest.importorskip(*marker.args)


Write = Callable[[str, str | bytes], str]


@pytest.fixture(scope="session", autouse=True)
def private_cache() -> Iterator[None]:
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setitem(os.environ, "TERTIUM_CACHE", folder)
        yield


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Write:
    """Write a file into the working directory of the test and return its bare name."""
    monkeypatch.chdir(tmp_path)

    def write_file(name: str, content: str | bytes) -> str:
        Path(name).write_bytes(content.encode() if isinstance(content, str) else content)
        return name

    return write_file


@pytest.fixture
def set_stdin(monkeypatch: pytest.MonkeyPatch) -> Callable[[bytes], None]:
    def replace(content: bytes) -> None:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(content), encoding="utf-8"))

    return replace


@dataclass(frozen=True)
class Run:
    code: int
    out: str
    err: str


@pytest.fixture
def tertium(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Run]:
    """Run the command line as a user would, in this process."""

    def run(*arguments: str | Path) -> Run:
        monkeypatch.setattr(sys, "argv", ["tertium", *map(str, arguments)])
        with pytest.raises(SystemExit) as stop:
            main()
        captured = capsys.readouterr()
        return Run(int(stop.value.code or 0), captured.out, captured.err)

    return run


@pytest.fixture(scope="session")
def browser() -> Iterator[object]:
    """One browser for all tests of a process: it cannot be started twice."""
    from browser.chromium import start_browser  # noqa: PLC0415 - few tests need it

    with start_browser() as started:
        yield started


def pytest_sessionfinish() -> None:
    """Collect reference cycles before the interpreter ends.

    Tracebacks of expected errors form cycles with the frames that hold texts. nanobind counts its objects before
    Python's last collection, and would report those texts as leaked.
    """
    gc.collect()
