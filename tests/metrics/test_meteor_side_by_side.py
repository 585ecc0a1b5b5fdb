"""METEOR beside the original, where Java and the jar of pycocoevalcap are at hand."""

import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

from tertium.catalog import build_metric
from tertium.resources.meteor_package import find_in_package
from tertium.text import References, Texts

JAR = find_in_package("meteor-1.5.jar")
DATA = Path(__file__).parent.parent.parent / "examples" / "data"

pytestmark = pytest.mark.skipif(JAR is None or shutil.which("java") is None, reason="no Java or no jar")


def run_jar(hypotheses: Path, references: Path, *options: str) -> list[float]:
    command = [
        "java",
        "-Xmx2G",
        "-jar",
        str(JAR),
        str(hypotheses),
        str(references),
        "-l",
        "en",
        "-norm",
        *options,
    ]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    return [float(line.rpartition("\t")[2]) for line in lines if line.startswith("Segment ")]


@pytest.mark.parametrize("modules", [("exact", "stem", "synonym"), None], ids=["synonyms", "paraphrases"])
def test_every_segment_scores_the_same(modules: tuple[str, ...] | None) -> None:
    hypotheses, references = DATA / "systems" / "aurora.txt", DATA / "reference.en.txt"
    expected = run_jar(hypotheses, references, *(["-m", " ".join(modules)] if modules else []))
    column = References([[line] for line in references.read_text(encoding="utf-8").splitlines()])
    metric = build_metric("meteor", {"modules": modules}).fit(column)
    texts = Texts(hypotheses.read_text(encoding="utf-8").splitlines(), column.vocabulary)
    scores = metric.segment_scores(metric.statistics(texts, column))
    np.testing.assert_allclose(scores / 100, expected, rtol=1e-12)
