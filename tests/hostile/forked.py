"""Runs calls in forked children of this process: isolated as separate processes are, without the time to start one."""

import os
import resource
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, NoReturn

__all__ = ["Finished", "run_command", "run_forked", "start_forked", "wait_for"]

_MEMORY = 3 << 30
# A child is stopped by the processor time that it used, so that a loaded machine never fails a test. A child that waits
# for nothing uses none: after this many times its limit on the clock it is stopped too.
_PATIENCE = 20


@dataclass(frozen=True)
class Finished:
    """The end of a child: its exit code and what it printed.

    The code is negative for a signal (SIGXCPU if it used up its processor time) and None if it waited for too long.
    """

    code: int | None
    stdout: bytes
    stderr: bytes


def run_command(arguments: Sequence[str], folder: Path, *, seconds: float = 60) -> Finished:
    """Run the command line in a folder, with an empty standard input and a limit of processor time."""

    def call() -> None:
        from tertium.cli.main import main  # noqa: PLC0415 - the child's, whatever the parent has loaded

        sys.argv = ["tertium", *arguments]
        main()

    return run_forked(call, folder, seconds=seconds)


def run_forked(call: Callable[[], None], folder: Path, *, seconds: float = 60) -> Finished:
    """Call a function in a child, in a folder, with limited memory and processor time."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        code = wait_for(start_forked(call, folder, out, err, seconds=seconds), _PATIENCE * seconds)
        return Finished(code, _read(out), _read(err))


def start_forked(
    call: Callable[[], None], folder: Path, out: BinaryIO, err: BinaryIO, *, seconds: float = 60
) -> int:
    """Start a child with these files as its output and a limit of processor time; return its process id."""
    sys.stdout.flush()
    sys.stderr.flush()
    child = os.fork()
    if child == 0:
        _be_child(call, folder, out, err, seconds)
    return child


def _be_child(
    call: Callable[[], None], folder: Path, out: BinaryIO, err: BinaryIO, seconds: float
) -> NoReturn:
    code = 70
    try:
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(out.fileno(), 1)
        os.dup2(err.fileno(), 2)
        sys.stdin, sys.stdout, sys.stderr = (
            os.fdopen(0, "r", closefd=False),
            os.fdopen(1, "w", closefd=False, encoding="utf-8"),
            os.fdopen(2, "w", closefd=False, encoding="utf-8", errors="backslashreplace"),
        )
        signal.signal(signal.SIGINT, signal.default_int_handler)
        resource.setrlimit(resource.RLIMIT_DATA, (_MEMORY, _MEMORY))
        used = sum(resource.getrusage(resource.RUSAGE_SELF)[:2])
        resource.setrlimit(resource.RLIMIT_CPU, (int(used + seconds) + 1, int(used + seconds) + 5))
        os.chdir(folder)
        call()
        code = 0
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:  # noqa: BLE001 - the parent sees it in what was printed
        traceback.print_exc()
    finally:
        for stream in (sys.stdout, sys.stderr):
            try:
                stream.flush()
            except OSError:
                code = code or 1
        os._exit(code)


def wait_for(child: int, seconds: float) -> int | None:
    """Wait for a child; kill it and return None if it has not ended after `seconds` on the clock."""
    end, pause = time.monotonic() + seconds, 0.001
    while time.monotonic() < end:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(status)
        time.sleep(pause)
        pause = min(2 * pause, 0.05)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return None


def _read(file: BinaryIO) -> bytes:
    file.seek(0)
    return file.read()
