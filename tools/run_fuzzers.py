"""Run every property test repeatedly with new examples, and kill runs at random moments.

    python tools/run_fuzzers.py --minutes 10

Each round runs all Hypothesis tests in tests/ with another seed. Tests without a fixed number of examples use the
normal number in the first round, twice as many in the next, and so on up to ten times as many. The remaining time is
divided among the remaining folders of tests, and the files of a folder run in random order, so that a short run covers
a part of everything. Failing examples are stored in .hypothesis/ and are tried first afterwards. The program stops at
the first failure.
"""

import argparse
import os
import random
import secrets
import subprocess
import sys
import time
from itertools import count
from pathlib import Path

N_KILLS = 50
MOST_EXAMPLES = 1000
ROOMS = ("tests/fuzz", "tests/kernels", "tests/text", "tests/metrics", "tests/files", "tests/corpus", "tests/resources", "tests/stats")  # fmt: skip


def main() -> int:
    """Run rounds until the time is over; return the exit code of the first run that fails."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--kills", type=int, default=N_KILLS)
    parser.add_argument("rooms", nargs="*", default=ROOMS)
    arguments = parser.parse_args()
    end = time.monotonic() + 60 * arguments.minutes
    if arguments.kills and (failed := run_kills(arguments.kills)):
        return failed
    for number in count():
        for n_left, room in zip(range(len(arguments.rooms), 0, -1), arguments.rooms, strict=True):
            if (left := end - time.monotonic()) <= 0:
                return 0
            if failed := run_round(room, left / n_left, n_examples=min(100 * 2**number, MOST_EXAMPLES)):
                return failed
    return 0


def run_kills(times: int) -> int:
    """Kill runs of several commands, `times` in total."""
    print(f"killing {times} runs", flush=True)
    environment = os.environ | {"TERTIUM_KILLS": str(times)}
    return _pytest("tests/hostile/test_kills.py", environment=environment)


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
