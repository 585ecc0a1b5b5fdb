"""Real processes that are really killed: the work goes on, and gives the same bytes."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tertium.catalog import parse_metrics
from tertium.corpus.texts.streaming import plan_texts
from tertium.engines.dask import DaskEngine, delayed_interrupt
from tertium.engines.pipeline import compute_scores, plan_files
from tertium.errors import ResourceError
from tertium.evaluation.evaluation import Evaluation
from tertium.progress import use_progress

pytestmark = pytest.mark.hostile

PATIENCE = 600
RUN = [sys.executable, "-c", "from tertium.cli.main import main; main()"]

needs_signals = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")


@pytest.fixture
def long_files(tmp_path: Path, corpus_files: dict[str, str]) -> dict[str, str]:
    """Write 4,000 segments: many parts, of which each takes a moment."""
    for path in corpus_files.values():
        Path(path).write_text(Path(path).read_text(encoding="utf-8") * 100, encoding="utf-8")
    return corpus_files


def command(files: dict[str, str], *more: str) -> list[str]:
    given = ["-r", files["ref"], "-i", files["a"], files["b"], "-m", "bleu,ter,nist"]
    return [*RUN, "score", *given, "--ci", "--samples", "20", "-f", "json", "-q", *more]


def run(arguments: Sequence[str]) -> bytes:
    return subprocess.run(arguments, check=True, capture_output=True, timeout=PATIENCE).stdout


@needs_signals
def test_a_killed_run_goes_on_where_it_stopped(long_files: dict[str, str], tmp_path: Path) -> None:
    expected = run(command(long_files))
    folder = tmp_path / "resume"
    resumed = command(long_files, "--resume", str(folder), "--batch-size", "50")
    process = subprocess.Popen(resumed, stdout=subprocess.DEVNULL)
    deadline = time.monotonic() + PATIENCE
    while len(finished := list(folder.glob("*.part"))) < 5:
        assert process.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.002)
    process.kill()
    process.wait()
    finished = list(folder.glob("*.part"))
    assert len(finished) < 80, "it was killed half-way"
    times = {path: path.stat().st_mtime_ns for path in finished}
    assert run(resumed) == expected
    assert {path: path.stat().st_mtime_ns for path in times} == times, "finished parts are not computed again"
    assert len(list(folder.glob("*.part"))) == 80


@needs_signals
def test_a_full_disk_ends_a_run_in_one_line_and_leaves_no_half_part(
    long_files: dict[str, str], tmp_path: Path
) -> None:
    folder = tmp_path / "resume"
    arguments = command(long_files, "--resume", str(folder), "--batch-size", "400")
    # A process that may not write files larger than this meets what a full disk gives.
    limit = "import resource, signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN); "
    limit += "resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096)); "
    broken = [*arguments[:2], limit + arguments[2], *arguments[3:]]
    failed = subprocess.run(broken, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert failed.returncode == 1
    assert failed.stderr.count("\n") == 1
    assert "cannot write" in failed.stderr
    assert list(folder.iterdir()) == []
    assert run(arguments) == run(command(long_files))


@needs_signals
def test_a_killed_worker_is_replaced(long_files: dict[str, str], dask_engine: "DaskEngine") -> None:
    metrics = parse_metrics(["bleu,ter"])
    texts = plan_texts([long_files["ref"]], [(None, long_files["a"])])
    killed: list[int] = []

    def kill_once(title: str, done: int, total: int) -> None:
        if title == "scoring" and not killed and done < total:
            killed.append(dask_engine.processes[0])
            os.kill(killed[0], signal.SIGKILL)

    plan = plan_files(dask_engine, texts, part_size=100)
    with use_progress(kill_once):
        found, _ = compute_scores(dask_engine, plan, metrics)
    assert killed[0] not in dask_engine.processes
    assert isinstance(found, Evaluation)
    whole = json.loads(
        run([*RUN, "score", "-r", long_files["ref"], "-i", long_files["a"], "-m", "bleu,ter", "-f", "json"])
    )
    scores = {label: cell["score"] for label, cell in whole["systems"][0]["scores"].items()}
    assert {label: float(found.system_scores(label)[0]) for label in found.labels} == scores


def die(item: int) -> int:
    os.kill(os.getpid(), signal.SIGKILL)
    return item


@needs_signals
def test_a_part_that_kills_every_worker_ends_in_one_clear_line(dask_engine: "DaskEngine") -> None:
    with pytest.raises(ResourceError, match=r"died .* memory.*batch_size="):
        list(dask_engine.map(die, [1]))


@needs_signals
def test_an_interrupt_ends_the_workers_too(long_files: dict[str, str], tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    folder = tmp_path / "resume"
    arguments = command(
        long_files, "--resume", str(folder), "--batch-size", "20", "--engine", "dask", "--workers", "1"
    )
    process = subprocess.Popen(
        arguments, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True
    )
    deadline = time.monotonic() + PATIENCE
    while not list(folder.glob("*.part")):
        assert process.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.01)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does: the workers get it as well
    _, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert b"Traceback" not in errors
    while _is_alive(process.pid):
        assert time.monotonic() < deadline
        time.sleep(0.05)


@needs_signals
def test_an_interrupt_waits_until_an_item_is_sent() -> None:
    sent: list[str] = []

    def send() -> None:
        with delayed_interrupt():
            signal.raise_signal(signal.SIGINT)
            sent.append("item")

    with pytest.raises(KeyboardInterrupt):
        send()
    assert sent == ["item"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


@needs_signals
def test_a_killed_scheduler_ends_in_one_line_and_the_same_command_continues(
    long_files: dict[str, str], tmp_path: Path
) -> None:
    folder = tmp_path / "resume"
    deadline = time.monotonic() + PATIENCE
    with start_cluster(tmp_path) as (address, scheduler):
        resumed = command(long_files, "--resume", str(folder), "--batch-size", "20")
        process = subprocess.Popen(
            [*resumed, "--engine", "dask", "--scheduler", address],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )
        while not list(folder.glob("*.part")):
            assert process.poll() is None, process.stderr
            assert time.monotonic() < deadline
            time.sleep(0.01)
        scheduler.kill()
        _, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 1, errors.decode()
    assert errors.count(b"\n") == 1, errors.decode()
    assert f"the scheduler at {address} is gone" in errors.decode()
    assert f"finished parts are in {folder}; run the same command again" in errors.decode()
    assert run(resumed) == run(command(long_files))


def test_a_worker_of_another_version_is_rejected_in_one_line(
    corpus_files: dict[str, str], tmp_path: Path
) -> None:
    facts = tmp_path / "other" / "tertium-0.0.1.dist-info"  # found before the installed version
    facts.mkdir(parents=True)
    (facts / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: tertium\nVersion: 0.0.1\n", encoding="utf-8"
    )
    path = os.pathsep.join([str(facts.parent), os.environ.get("PYTHONPATH", "")])
    with start_cluster(tmp_path, {"PYTHONPATH": path}) as (address, _):
        arguments = command(corpus_files, "--engine", "dask", "--scheduler", address)
        failed = subprocess.run(arguments, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert failed.returncode == 1
    assert failed.stderr.count("\n") == 1
    assert "has Tertium 0.0.1, but this is" in failed.stderr
    assert "install the same version everywhere" in failed.stderr


@contextmanager
def start_cluster(
    folder: Path, environment: dict[str, str] | None = None
) -> "Iterator[tuple[str, subprocess.Popen[bytes]]]":
    """Start a scheduler and a worker as separate processes; give the scheduler's address and its process."""
    pytest.importorskip("distributed")
    file = folder / "scheduler.json"
    run = [sys.executable, "-m"]
    scheduler = [*run, "distributed.cli.dask_scheduler", "--scheduler-file", str(file), "--port", "0"]
    worker = [*run, "distributed.cli.dask_worker", "--scheduler-file", str(file), "--nthreads", "1"]
    quiet: dict[str, Any] = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    running = [subprocess.Popen([*scheduler, "--no-dashboard"], **quiet)]
    deadline = time.monotonic() + PATIENCE
    try:
        while not (file.exists() and file.read_text(encoding="utf-8").rstrip().endswith("}")):
            assert time.monotonic() < deadline
            time.sleep(0.05)
        surroundings = {**os.environ, **(environment or {})}
        running.append(subprocess.Popen([*worker, "--no-dashboard"], env=surroundings, **quiet))
        yield json.loads(file.read_text(encoding="utf-8"))["address"], running[0]
    finally:
        for process in running:
            process.kill()
            process.wait()


def _is_alive(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True
