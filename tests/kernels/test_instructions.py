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
        ["score", "-m", "bleu,chrf", "-f", "json", "--ci", "--paired", "bootstrap"],
        ["score", "-m", "bleu,chrf", "-f", "json", "--paired", "randomization"],
        ["meta", "-m", "bleu,chrf,ter", "-f", "json", "--human", "human.tsv", "--test", "perm-both"],
    ],
    ids=["segments", "bootstrap", "randomization", "permutation"],
)
def test_every_processor_gives_the_same_bytes(arguments: list[str]) -> None:
    wide, plain = _output(arguments, {}), _output(arguments, {"TERTIUM_BASELINE": "1"})
    assert len(wide) > 500
    assert wide == plain


KERNELS = """
import sys
import numpy as np
from tertium.kernels.permutation import permute_groups
from tertium.kernels.poisson import sum_poisson
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


def test_every_processor_resamples_to_the_same_bytes() -> None:
    wide, plain = (
        subprocess.run(
            [sys.executable, "-c", KERNELS],
            env={**os.environ, **environment},
            check=True,
            capture_output=True,
        ).stdout
        for environment in ({}, {"TERTIUM_BASELINE": "1"})
    )
    assert len(wide) > 100_000
    assert wide == plain
