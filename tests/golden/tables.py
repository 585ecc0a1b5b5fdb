"""Reads the tables of other tools' scores that lie beside this file."""

from dataclasses import dataclass
from pathlib import Path

__all__ = ["Column", "Pairs", "read_columns", "read_pairs"]

FOLDER = Path(__file__).parent / "lexical"


@dataclass(frozen=True)
class Pairs:
    """Segments by id: hypotheses and, for each, its references."""

    ids: list[str]
    hypotheses: list[str]
    references: list[list[str]]


@dataclass(frozen=True)
class Column:
    """One tool's scores under one set of options: by segment, and of the whole."""

    segments: dict[str, float]
    corpus: float


def read_pairs(kind: str) -> Pairs:
    """The segments of `raw` or `tok`; with the prefix `multi_`, those that have two references."""
    several, _, text = kind.rpartition("_")
    rows = [row for row in _rows(f"pairs_{text}.tsv")[1:] if row[3] or not several]
    references = [row[2:4] if several else row[2:3] for row in rows]
    return Pairs([row[0] for row in rows], [row[1] for row in rows], references)


def read_columns(name: str) -> dict[str, Column]:
    """The columns of a table of scores by name."""
    head, *rows = _rows(f"{name}.tsv")
    by_id = {row[0]: [float(cell) for cell in row[1:]] for row in rows}
    corpus = by_id.pop("#corpus")
    return {
        column: Column({name: scores[i] for name, scores in by_id.items()}, corpus[i])
        for i, column in enumerate(head[1:])
    }


def _rows(name: str) -> list[list[str]]:
    comment, *lines = (FOLDER / name).read_text(encoding="utf-8").removesuffix("\n").split("\n")
    if not comment.startswith("# "):
        raise ValueError(f"{name} does not say which tool made it")
    return [line.split("\t") for line in lines]
