"""How much of the package a plain `tertium score` runs, so that a maintainer can follow it."""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]
DATA = Path("examples/data")
MOST_FUNCTIONS, MOST_FILES = 775, 97


def test_a_plain_score_stays_within_so_many_functions_and_files() -> None:
    systems = sorted(path.relative_to(ROOT) for path in (ROOT / DATA / "systems").glob("*.txt"))
    texts = ["-r", str(DATA / "reference.en.txt"), "-i", *map(str, systems)]
    command = [sys.executable, "tools/trace_command.py", "score", *texts, "-m", "bleu,std", "--ci"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, encoding="utf-8", check=True)
    counted = re.search(r"(\d+) functions in (\d+) files", done.stderr)
    assert counted is not None, done.stderr
    assert int(counted[1]) <= MOST_FUNCTIONS
    assert int(counted[2]) <= MOST_FILES
