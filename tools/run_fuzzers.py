"""Run every property test repeatedly with new examples, try hostile commands, and kill runs at random moments.

    python tools/run_fuzzers.py --minutes 10

Each round runs all Hypothesis tests in tests/ with another seed. Tests without a fixed number of examples use the
normal number in the first round, twice as many in the next, and so on up to ten times as many. The remaining time is
divided among the remaining folders of tests, and the files of a folder run in random order, so that a short run covers
a part of everything. Failing examples are stored in .hypothesis/ and are tried first afterwards. The program stops at
the first failure, and prints at the end how long each folder was tested.
"""

import argparse
import os
import random
import secrets
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Sequence
from itertools import count
from pathlib import Path

N_KILLS = 50
N_COMMANDS = 1000  # hostile commands, and as many calls of functions
MOST_EXAMPLES = 1000
ROOMS = ("tests/fuzz", "tests/kernels", "tests/text", "tests/metrics", "tests/files", "tests/corpus", "tests/resources", "tests/stats", "tests/contract")  # fmt: skip


def main() -> int:
    """Run rounds until the time is over; return the exit code of the first run that fails."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--kills", type=int, default=N_KILLS)
    parser.add_argument("--commands", type=int, default=N_COMMANDS)
    parser.add_argument("rooms", nargs="*", default=ROOMS)
    arguments = parser.parse_args()
    end = time.monotonic() + 60 * arguments.minutes
    if arguments.kills and (failed := run_hostile("kills", arguments.kills)):
        return failed
    for kind in ("commands", "combinations"):
        if arguments.commands and (failed := run_hostile(kind, arguments.commands)):
            return failed
    spent = Counter[str]()
    try:
        return run_rounds(arguments.rooms, end, spent)
    finally:
        for room, seconds in spent.items():
            print(f"{room}: {seconds / 60:.1f} minutes", flush=True)


def run_rounds(rooms: Sequence[str], end: float, spent: Counter[str]) -> int:
    """Run rounds over all folders until the time is over or a test fails; add up the seconds that each folder took."""
    for number in count():
        for n_left, room in zip(range(len(rooms), 0, -1), rooms, strict=True):
            began = time.monotonic()
            if began >= end:
                return 0
            failed = run_round(room, (end - began) / n_left, n_examples=min(100 * 2**number, MOST_EXAMPLES))
            spent[room] += round(time.monotonic() - began)
            if failed:
                return failed
    return 0


def run_hostile(kind: str, times: int) -> int:
    """Kill runs, or try hostile commands or unusual combinations, `times` in total."""
    print(f"{times} hostile {kind}", flush=True)
    environment = os.environ | {"TERTIUM_KILLS" if kind == "kills" else "TERTIUM_COMMANDS": str(times)}
    return _pytest(f"tests/hostile/test_{kind}.py", environment=environment)


def run_round(room: str, seconds: float, *, n_examples: int) -> int:
    """Run the property tests of a folder once; reaching the time limit is not a failure."""
    # Collecting all other tests would take longer than a short run.
    files = [str(path) for path in Path(room).rglob("test_*.py") if "hypothesis" in path.read_text("utf-8")]
    random.shuffle(files)
    seed = secrets.randbelow(2**31)
    print(f"{room}: {n_examples} examples, {seconds:.0f} seconds at most", flush=True)
    environment = os.environ | {"TERTIUM_EXAMPLES": str(n_examples)}
    options = ("-m", "hypothesis", "--hypothesis-profile=fuzz", f"--hypothesis-seed={seed}")
    try:
        return _pytest(*files, *options, environment=environment, timeout=max(seconds, 1))
    except subprocess.TimeoutExpired:
        return 0


def _pytest(*arguments: str, environment: dict[str, str] | None = None, timeout: float | None = None) -> int:
    command = [sys.executable, "-m", "pytest", "-q", "-x", *arguments]
    return subprocess.run(command, env=environment, timeout=timeout, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
