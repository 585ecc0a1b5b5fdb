"""Reads the golden tables of tests/golden/lexical: one tool's scores by segment, and of the whole."""

from dataclasses import dataclass

from reference.golden import golden_pairs, golden_table

__all__ = ["Column", "Pairs", "read_columns", "read_pairs"]


@dataclass(frozen=True)
class Pairs:
    """Segments by id: hypotheses and, for each, its references."""

    ids: list[str]
    hypotheses: list[str]
    references: list[list[str]]


@dataclass(frozen=True)
class Column:
    """One tool's scores under one set of options."""

    segments: dict[str, float]
    corpus: float


def read_pairs(kind: str) -> Pairs:
    """The segments of `raw` or `tok`; with the prefix `multi_`, those that have two references."""
    several, _, text = kind.rpartition("_")
    pairs = golden_pairs(tokenized=text == "tok")
    chosen = {name: pair for name, pair in pairs.items() if pair[2] or not several}
    references = [list(pair[1:] if several else pair[1:2]) for pair in chosen.values()]
    return Pairs(list(chosen), [pair[0] for pair in chosen.values()], references)


def read_columns(name: str) -> dict[str, Column]:
    """The columns of a table of scores by name."""
    rows = {key: dict(list(row.items())[1:]) for key, row in golden_table(f"lexical/{name}").items()}
    corpus = rows.pop("#corpus")
    return {
        column: Column({key: float(row[column]) for key, row in rows.items()}, float(corpus[column]))
        for column in corpus
    }
