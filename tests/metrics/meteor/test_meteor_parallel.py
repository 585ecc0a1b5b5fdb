"""METEOR beside the original, where Java and the jar of pycocoevalcap are at hand."""

import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tertium.catalog import build_metric
from tertium.resources.word_lists import find_in_package
from tertium.text import References, Texts
from tertium.values import FloatArray

JAR = find_in_package("meteor-1.5.jar")
DATA = Path(__file__).parents[3] / "examples" / "data"

pytestmark = pytest.mark.skipif(JAR is None or shutil.which("java") is None, reason="no Java or no jar")


def run_jar(hypotheses: Path, references: Path, *options: str) -> list[float]:
    command = ["java", "-Xmx2G", "-Dfile.encoding=UTF-8", "-jar", str(JAR), str(hypotheses), str(references)]
    run = subprocess.run([*command, *options], capture_output=True, text=True, check=True)
    lines = run.stdout.splitlines()
    return [float(line.rpartition("\t")[2]) for line in lines if line.startswith("Segment ")]


def run_ours(hypotheses: list[str], references: list[str], **options: Any) -> FloatArray:
    column = References([[line] for line in references])
    metric = build_metric("meteor", options).fit(column)
    return metric.segment_scores(metric.statistics(Texts(hypotheses, column.vocabulary), column)) / 100


@pytest.mark.parametrize("modules", [("exact", "stem", "synonym"), None], ids=["synonyms", "paraphrases"])
def test_every_segment_scores_the_same(modules: tuple[str, ...] | None) -> None:
    hypotheses, references = DATA / "systems" / "aurora.txt", DATA / "reference.en.txt"
    expected = run_jar(
        hypotheses, references, "-l", "en", "-norm", *(["-m", " ".join(modules)] if modules else [])
    )
    texts = [path.read_text(encoding="utf-8").splitlines() for path in (hypotheses, references)]
    np.testing.assert_allclose(run_ours(*texts, modules=modules), expected, rtol=1e-12)


# Texts on which METEOR differs from what one expects: equal hashes (n' and le, l' and je), and stems that
# today's Snowball does not give.
ODD = {
    "de": [("Die Ergebnisse kamen zurück .", "Das Ergebnis lag vor ."), ("ein großer Baß", "großen Bass")],
    "fi": [("sellaisiin arvioiden 2000", "sellainen arvio 200"), ("altaaseen", "altaan kolme")],
    "fr": [("Je n' ai pas l' avion", "Le chat que je vois"), ("les égoïstes", "l' égo n' est pas là")],
    "hu": [("a nőtlen zsűri", "a nő zsűrik"), ("tőle", "től")],
    "pt": [("as circunvoluções", "a circunvolução"), ("alocução", "alocuções novas")],
    "ru": [("звёзды и договорённость", "звезды и договоренности"), ("её", "ее дом")],
}


@pytest.mark.parametrize("language", ODD)
def test_odd_words_of_other_languages_score_the_same(language: str, tmp_path: Path) -> None:
    hypotheses, references = ([pair[side] for pair in ODD[language]] for side in (0, 1))
    for name, lines in (("hyp", hypotheses), ("ref", references)):
        (tmp_path / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    expected = run_jar(tmp_path / "hyp", tmp_path / "ref", "-l", language, "-lower", "-m", "exact stem")
    ours = run_ours(hypotheses, references, language=language, modules=("exact", "stem"), normalize=False)
    np.testing.assert_allclose(ours, expected, rtol=1e-12)
