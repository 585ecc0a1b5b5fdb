"""Wide registers change no digit: what is computed with them is computed without them, and compared."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

DATA = Path(__file__).parents[2] / "examples" / "data"
SYSTEMS = [f"systems/{name}.txt" for name in ("aurora", "boreas", "cirrus", "delta", "ember", "fathom")]
RUN = [sys.executable, "-c", "from tertium.cli.main import main; main()"]
METRICS = "bleu,chrf,ter,wer,invwer,meteor,std,was,bleu_modif,red"


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


TOKENS = """
import hashlib, random
from tertium.kernels.strings import CORE_TOKENIZERS
from tertium.text import Texts

draw = random.Random(1)
lines = ["".join(draw.choices("ab12 .,-é”(", k=draw.randrange(300))) for _ in range(3000)]
for name in CORE_TOKENIZERS:
    column = Texts(lines).tokens(name)
    print(name, len(column.ids), hashlib.sha256(column.ids.tobytes() + column.offsets.tobytes()).hexdigest())
"""

RESAMPLES = """
import sys
import numpy as np
from tertium.kernels.resampling import permute_groups
from tertium.kernels.resampling import sum_poisson
from tertium.kernels.resampling import sum_kept, sum_resamples

def write(array):
    sys.stdout.buffer.write(np.ascontiguousarray(array).tobytes())

for seed in range(40):
    rng = np.random.default_rng(seed)
    n_rows, n_columns = rng.integers(1, 1200), rng.integers(1, 110)
    table = rng.integers(-40, 4000, (n_rows, n_columns)) * rng.choice([1, 1, 1, 30, 0.1], n_columns)
    for draw in (sum_resamples, sum_kept):
        write(np.concatenate(list(draw([table], 7, rng))))
    write(np.concatenate(list(sum_poisson([table], 7, seed=seed))))
    # 1,450 cells are the most whose products of ranks fit into 32 bits
    sizes = rng.integers(0, 40, rng.integers(1, 6)) if seed < 36 else np.array([1449 + seed % 4])
    offsets, n_samples = np.concatenate([[0], np.cumsum(sizes)]), rng.integers(1, 270)
    human, scores = (rng.integers(0, 3 ** rng.integers(1, 9), (k, offsets[-1])) / 7 for k in (1, 3))
    scores[1] = np.where(rng.random() < 0.2, scores[0], scores[1])  # which makes the metrics the same
    scores[2] = np.where(rng.random() < 0.2, 0.5, scores[2])
    kept = rng.integers(0, 2, (n_samples, offsets[-1])).astype(bool)
    for coefficient in ("pearson", "spearman", "kendall", "kendall-c"):
        write(permute_groups(coefficient, human[0], scores, offsets, kept))
"""

# Problems of up to 150 sinks, which is past the 64 that are searched at once, and with many equal costs.
TRANSPORTS = """
import hashlib, numpy as np
from tertium.kernels.embedding import solve_transports
rng = np.random.default_rng(5)
sides = [(m, n) for m in (1, 3, 30, 90) for n in (1, 2, 3, 4, 5, 7, 8, 31, 63, 64, 65, 66, 67, 68, 129, 150)]
supplies = [rng.dirichlet(np.ones(m)) for m, _ in sides for _ in range(3)]
demands = [rng.dirichlet(np.ones(n)) for _, n in sides for _ in range(3)]
costs = [rng.integers(0, most, side) / most for side in sides for most in (2, 9, 10**9)]
totals, flows = solve_transports(supplies, demands, costs)
print(hashlib.sha256(totals.tobytes() + b"".join(map(bytes, flows))).hexdigest())
"""


@pytest.mark.parametrize(
    ("program", "size"),
    [(TOKENS, 300), (RESAMPLES, 100_000), (TRANSPORTS, 64)],
    ids=["tokens", "resamples", "transports"],
)
def test_every_processor_computes_the_same_bytes(program: str, size: int) -> None:
    wide, plain = (
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, **environment},
            check=True,
            capture_output=True,
        ).stdout
        for environment in ({}, {"TERTIUM_BASELINE": "1"})
    )
    assert len(wide) > size
    assert wide == plain
