"""A little shared task: two language pairs, four systems of falling quality, judged in every way."""

from itertools import combinations
from pathlib import Path

import pytest

REFERENCE = [
    "The cat sat on the mat near the door.",
    "It rained all day in Paris and in Rome.",
    "He bought a new red car yesterday evening.",
    "Nobody knows where the meeting will take place.",
]
SYSTEMS = {
    "best": [
        "The cat sat on the mat near a door.",
        "It rained all day in Paris and in Rome.",
        "He bought a new red car yesterday evening.",
        "Nobody knows where the meeting takes place.",
    ],
    "good": [
        "The cat sat on a mat near a door.",
        "It rained the whole day in Paris and in Rome.",
        "He bought a new car yesterday evening.",
        "Nobody knows where meeting takes place.",
    ],
    "poor": [
        "Cat sits on mat at door.",
        "All day was raining in Paris and Rome.",
        "Yesterday he new car bought.",
        "No one knows where meeting be.",
    ],
    "worst": ["A dog ran.", "Weather bad.", "Car.", "Meeting unknown place nobody."],
}
PAIRS = ("cs-en", "de-en")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with rankings, system scores and judged texts."""
    root = tmp_path / "task"
    for pair in PAIRS:
        (root / pair / "systems").mkdir(parents=True)
        (root / pair / "ref.txt").write_text("\n".join(REFERENCE) + "\n", encoding="utf-8")
        for name, lines in SYSTEMS.items():
            (root / pair / "systems" / f"{name}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (root / "rankings.tsv").write_text(make_rankings(), encoding="utf-8")
    (root / "system-scores.tsv").write_text(make_system_scores(), encoding="utf-8")
    return root


def make_rankings() -> str:
    rows = ["lp\tseg_id\tjudge\tranking_id\tsys1\trank1\tsys2\trank2"]
    ranked = combinations(enumerate(SYSTEMS, start=1), 2)
    pairs = [f"{first}\t{i}\t{second}\t{j}" for (i, first), (j, second) in ranked]
    rows += [f"{lp}\t{segment}\tanna\t1\t{pair}" for lp in PAIRS for segment in range(1, 5) for pair in pairs]
    return "\n".join(rows) + "\n"


def make_system_scores() -> str:
    rows = ["lp\tsystem\thuman"]
    rows += [f"{pair}\t{name}\t{1 - i / 3}" for pair in PAIRS for i, name in enumerate(SYSTEMS)]
    return "\n".join(rows) + "\n"
