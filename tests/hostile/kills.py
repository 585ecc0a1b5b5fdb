"""Commands that are killed at random moments: files must be complete, and the next run must give the same bytes."""

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tertium.files.cache import VARIABLE
from tertium.resources.vectors.training import MemoryVectors
from tertium.resources.vectors.writing import write_text

__all__ = ["JOBS", "Job", "kill_often"]

_DATA = Path(__file__).parents[2] / "examples" / "data"
_CALL = [sys.executable, "-c", "from tertium.cli.main import main; main()"]


@dataclass(frozen=True)
class Job:
    """A command, the files it writes, and which of their content may differ between runs."""

    arguments: tuple[str, ...]
    outputs: tuple[str, ...]
    prepare: Callable[[Path], None] = lambda _: None
    compare: Callable[[bytes], object] = bytes


def _systems() -> list[str]:
    return sorted(str(path) for path in (_DATA / "systems").iterdir())


def _make_vectors(folder: Path) -> None:
    rng = np.random.default_rng(1)
    matrix = rng.normal(size=(4_000, 20)).astype(np.float32)
    write_text(folder / "v.txt", MemoryVectors([f"w{i}" for i in range(4_000)], matrix))


def _make_texts(folder: Path) -> None:
    for name, path in (("ref.txt", _DATA / "reference.en.txt"), ("hyp.txt", Path(_systems()[0]))):
        lines = path.read_text(encoding="utf-8").splitlines(keepends=True)[:5]
        (folder / name).write_text("".join(lines), encoding="utf-8")


def _same_lines(data: bytes) -> list[bytes]:
    """Return the sorted lines of a journal: a continued run may try options in another order."""
    return sorted(data.splitlines())


JOBS = {
    "score": Job(
        ("score", "-r", str(_DATA / "reference.en.txt"), "-i", *_systems()[:3], "-m", "bleu,chrf", "--ci",
         "-f", "json", "-o", "scores.json", "--save", "scores.run"),
        ("scores.json", "scores.run"),
    ),
    "tune": Job(
        ("tune", "-r", str(_DATA / "reference.en.txt"), "-i", *_systems(), "--human", str(_DATA / "human.tsv"),
         "-m", "chrf", "--option", "beta=0:5:0.25", "--journal", "journal.jsonl", "-o", "tuned.toml"),
        ("journal.jsonl",),
        compare=_same_lines,
    ),
    "convert": Job(("vectors", "convert", "v.txt", "v.vectors"), ("v.vectors",), prepare=_make_vectors),
    "cache": Job(
        ("score", "-r", "ref.txt", "-i", "hyp.txt", "-m", "std", "--vectors", "contextual",
         "-f", "json", "-o", "scores.json"),
        ("scores.json",),
        prepare=_make_texts,
    ),
}  # fmt: skip


def kill_often(job: Job, folder: Path, *, times: int, rng: random.Random) -> int:
    """Start the command and kill it `times` times, keeping its files; then let it finish.

    Returns how many were killed before their end. Raises AssertionError if a killed run leaves half a file, or if the
    run at the end gives other bytes than one that was never disturbed.
    """
    calm, shaken = folder / "calm", folder / "shaken"
    for place in (calm, shaken):
        place.mkdir()
        job.prepare(place)
    began = time.monotonic()
    _finish(job, calm)
    seconds = time.monotonic() - began
    expected = {name: job.compare((calm / name).read_bytes()) for name in job.outputs}
    killed = 0
    for _ in range(times):
        killed += _kill(job, shaken, rng.random() * seconds)
        _check(job, shaken, expected, whole=False)
        if rng.random() < 0.3:  # sometimes start without files
            _clear(job, shaken)
    _finish(job, shaken)
    _check(job, shaken, expected, whole=True)
    return killed


def _check(job: Job, folder: Path, expected: dict[str, object], *, whole: bool) -> None:
    """Check that a file is complete or missing; only a journal grows line by line."""
    for name in job.outputs:
        path = folder / name
        assert path.exists() or not whole, f"{name} is missing"
        if path.exists() and (whole or job.compare is bytes):
            assert job.compare(path.read_bytes()) == expected[name], f"{name} differs"


def _clear(job: Job, folder: Path) -> None:
    for name in job.outputs:
        (folder / name).unlink(missing_ok=True)
    shutil.rmtree(folder / "cache", ignore_errors=True)


def _start(job: Job, folder: Path) -> "subprocess.Popen[bytes]":
    environment = os.environ | {VARIABLE: str(folder / "cache")}
    return subprocess.Popen(
        [*_CALL, *job.arguments], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
    )  # fmt: skip


def _finish(job: Job, folder: Path) -> None:
    process = _start(job, folder)
    _, errors = process.communicate(timeout=300)
    assert process.returncode == 0, errors.decode(errors="replace")[-2000:]


def _kill(job: Job, folder: Path, seconds: float) -> bool:
    process = _start(job, folder)
    try:
        _, errors = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGKILL)
        process.communicate()
        return True
    assert process.returncode == 0, errors.decode(errors="replace")[-2000:]
    return False
