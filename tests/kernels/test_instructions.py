"""Wide registers change no digit: what is computed with them is computed without them, and compared."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

DATA = Path(__file__).parents[2] / "examples" / "data"
SYSTEMS = [f"systems/{name}.txt" for name in ("aurora", "boreas", "cirrus", "delta", "ember", "fathom")]
RUN = [sys.executable, "-c", "from tertium.cli.main import main; main()"]
METRICS = "bleu,chrf,ter,wer,std,was,bleu_modif,red"


def _output(arguments: list[str], environment: dict[str, str]) -> bytes:
    command = [*RUN, *arguments, "-r", "reference.en.txt", "-i", *SYSTEMS]
    given = {**os.environ, "TERTIUM_CACHE": "off", **environment}
    return subprocess.run(command, cwd=DATA, env=given, check=True, capture_output=True).stdout


@pytest.mark.parametrize(
    "arguments",
    [
        ["score", "-m", METRICS, "-f", "json", "--segments"],
        ["score", "-m", "std:units=types,mass=nsim,orders=1/2/3", "-f", "json", "--segments"],
        ["score", "-m", "bleu,chrf", "-f", "json", "--ci", "--paired", "bootstrap"],
        ["score", "-m", "bleu,chrf", "-f", "json", "--paired", "randomization"],
        ["meta", "-m", "bleu,chrf,ter", "-f", "json", "--human", "human.tsv", "--test", "perm-both"],
    ],
    ids=["segments", "travel", "bootstrap", "randomization", "permutation"],
)
def test_every_processor_gives_the_same_bytes(arguments: list[str]) -> None:
    wide, plain = _output(arguments, {}), _output(arguments, {"TERTIUM_BASELINE": "1"})
    assert len(wide) > 500
    assert wide == plain


# Problems of up to 150 sinks, which is past the 64 that are searched at once, and with many equal costs.
TRANSPORTS = """
import hashlib, numpy as np
from tertium.kernels.transport import solve_transports
rng = np.random.default_rng(5)
sides = [(m, n) for m in (1, 3, 30, 90) for n in (1, 2, 3, 4, 5, 7, 8, 31, 63, 64, 65, 66, 67, 68, 129, 150)]
supplies = [rng.dirichlet(np.ones(m)) for m, _ in sides for _ in range(3)]
demands = [rng.dirichlet(np.ones(n)) for _, n in sides for _ in range(3)]
costs = [rng.integers(0, most, side) / most for side in sides for most in (2, 9, 10**9)]
totals, flows = solve_transports(supplies, demands, costs)
print(hashlib.sha256(totals.tobytes() + b"".join(map(bytes, flows))).hexdigest())
"""


def test_transports_are_the_same_bytes_on_every_processor() -> None:
    runs = [
        subprocess.run(
            [sys.executable, "-c", TRANSPORTS], env={**os.environ, **given}, check=True, capture_output=True
        ).stdout
        for given in ({}, {"TERTIUM_BASELINE": "1"})
    ]
    assert len(runs[0]) == 65
    assert runs[0] == runs[1]
