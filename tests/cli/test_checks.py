"""Every check finds all planted faults of a made-up corpus, and none in its clean text; gates stop a release by them."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tertium.catalog.glossaries import GlossaryFile
from tertium.interfaces import GlossaryEntry
from tertium.metrics import Language, Length, Markup, Numerals, Repetition, Terms
from tertium.metrics.checks._base import Check

Tertium = Callable[..., "Run"]  # type: ignore[name-defined] # noqa: F821

GLOSSARY = GlossaryFile(
    "made-up", (GlossaryEntry("contract", ("Vertrag",)), GlossaryEntry("bank", ("Bank",)))
)

# 60 segments: number i has the values i + 13 and 1,001 + i, a tag, and one of the terms in every third segment.
SOURCE = [
    f"In {2000 + i} the {'contract' if i % 3 == 0 else 'letter'} of item {i + 13} cost <b>{1001 + i:,}</b> euros at the office."
    for i in range(60)
]
CLEAN = [
    f"Im Jahr {2000 + i} kostete der {'Vertrag' if i % 3 == 0 else 'Brief'} über die Sache {i + 13} im Büro <b>{1001 + i:,}</b> Euro.".replace(
        ",", "."
    )
    for i in range(60)
]


def plant(change: Callable[[str], str], every: int) -> list[str]:
    return [change(text) if i % every == 0 else text for i, text in enumerate(CLEAN)]


CHECKS: dict[str, tuple[Check, Callable[[str], str], int, int]] = {
    # the check, the fault, the distance between faults, the number of faults
    "numerals": (Numerals(), lambda text: text.replace("<b>1", "<b>7"), 4, 30),  # one missing, one added
    "markup": (Markup(), lambda text: text.replace("</b>", ""), 5, 12),
    "length": (Length(), lambda text: text[:10], 6, 10),
    "language": (Language(language="de"), lambda _: "Yesterday the weather in the old town was much better than today.", 10, 6),
    "repetition": (Repetition(), lambda text: f"{text} und dann und dann und dann und dann", 12, 5),
    "terms": (Terms(GLOSSARY, "de", "en"), lambda text: text.replace("Vertrag", "Zettel"), 3, 20),
}  # fmt: skip


@pytest.mark.parametrize("name", CHECKS)
def test_all_planted_faults_are_found_and_no_others(name: str) -> None:
    metric, change, every, n_faults = CHECKS[name]
    clean = metric.corpus_score(CLEAN, source=SOURCE)
    assert (clean.value, clean.details["faults"]) == (100, 0)
    faulty = metric.corpus_score(plant(change, every), source=SOURCE)
    assert faulty.details["faults"] == n_faults
    assert faulty.details["faulty_segments"] == 60 / every


@pytest.mark.parametrize("name", CHECKS)
def test_a_gate_stops_a_release_by_a_check(tertium: Tertium, tmp_path: Path, name: str) -> None:
    _, change, every, _ = CHECKS[name]
    texts = {"source.txt": SOURCE, "old.txt": CLEAN, "new.txt": plant(change, every)}
    for file, lines in texts.items():
        (tmp_path / file).write_text("\n".join(lines) + "\n", encoding="utf-8")
    (tmp_path / "glossary.tsv").write_text("contract\tVertrag\nbank\tBank\n")
    label = f"terms:{tmp_path}/glossary.tsv" if name == "terms" else name
    common = ("-s", tmp_path / "source.txt", "-l", "en-de", "-q", "--metric", label)
    pair = (tmp_path / "new.txt", "--against", tmp_path / "old.txt")
    assert tertium("gate", *pair, *common, "--at-least", "100").code == 3
    assert tertium("gate", *pair, *common, "--not-worse", "0.1").code == 3
    assert (
        tertium(
            "gate", tmp_path / "old.txt", "--against", tmp_path / "new.txt", *common, "--at-least", "100"
        ).code
        == 0
    )
