"""Wide registers change no digit: what is computed with them is computed without them, and compared."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

DATA = Path(__file__).parents[2] / "examples" / "data"
SYSTEMS = [f"systems/{name}.txt" for name in ("aurora", "boreas", "cirrus", "delta", "ember", "fathom")]
RUN = [sys.executable, "-c", "from tertium.cli.main import main; main()"]
METRICS = "bleu,chrf,ter,wer,meteor,std,was,bleu_modif,red"


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
