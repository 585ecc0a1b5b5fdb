"""Run every property test with fresh examples, again and again, and kill runs at random moments.

    python tools/run_fuzzers.py --minutes 10

A round takes each test of Hypothesis in tests/ with another seed and, for those that do not fix their number, ten times as
many examples as an ordinary run. Readers, tokenizers and kernels with their slow twins are all among them. What fails is
kept in .hypothesis/ and comes first from then on. Stops at the first failure.
"""

import argparse
import os
import secrets
import subprocess
import sys
import time

N_KILLS = 50
ROOMS = ("tests/fuzz", "tests/kernels", "tests/text", "tests/metrics", "tests/files", "tests/corpus", "tests/resources", "tests/stats")  # fmt: skip


def main() -> int:
    """Go round until the time is over; the exit code is that of the first test run that fails."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--kills", type=int, default=N_KILLS)
    parser.add_argument("rooms", nargs="*", default=ROOMS)
    arguments = parser.parse_args()
    end = time.monotonic() + 60 * arguments.minutes
    if arguments.kills and (failed := run_kills(arguments.kills)):
        return failed
    while (left := end - time.monotonic()) > 0:
        for room in arguments.rooms:
            if failed := run_round(room, min(left, end - time.monotonic())):
                return failed
    return 0


def run_kills(times: int) -> int:
    """Kill runs of several commands so many times in all."""
    environment = os.environ | {"TERTIUM_KILLS": str(times)}
    return _pytest("tests/hostile/test_kills.py", environment=environment)


def run_round(room: str, seconds: float) -> int:
    """Run a room's property tests once; time that is over ends them without a failure."""
    seed = secrets.randbelow(2**31)
    try:
        return _pytest(
            room, "-m", "hypothesis", "--hypothesis-profile=fuzz", f"--hypothesis-seed={seed}", timeout=max(seconds, 1)
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return 0


def _pytest(*arguments: str, environment: dict[str, str] | None = None, timeout: float | None = None) -> int:
    print("pytest", *arguments, flush=True)
    command = [sys.executable, "-m", "pytest", "-q", "-x", *arguments]
    return subprocess.run(command, env=environment, timeout=timeout, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
