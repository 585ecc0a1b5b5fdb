"""Reads the golden tables: a row per sentence pair, by its id."""

import csv
from pathlib import Path

__all__ = ["golden_pairs", "golden_table"]

FOLDER = Path(__file__).parent.parent / "golden"


def golden_table(name: str) -> dict[str, dict[str, str]]:
    """The rows of tests/golden/NAME.tsv by their first column; lines that begin with # are notes."""
    lines = (FOLDER / f"{name}.tsv").read_text(encoding="utf-8").split("\n")
    rows = csv.DictReader(
        (line for line in lines if line and not line.startswith("# ")),
        delimiter="\t",
        quoting=csv.QUOTE_NONE,
    )
    return {row["id"]: row for row in rows}


def golden_pairs(*, tokenized: bool = False) -> dict[str, tuple[str, str, str]]:
    """Hypothesis, reference and second reference (often empty) of the 56 pairs."""
    table = golden_table("pairs_tokenized" if tokenized else "pairs")
    return {key: (row["hypothesis"], row["reference"], row["second_reference"]) for key, row in table.items()}
