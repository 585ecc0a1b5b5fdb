"""What a table of word vectors holds, and the neighbours of a word, as documents."""

from collections.abc import Sequence
from dataclasses import replace

from tertium.reporting.tables.model import (
    Cell,
    Column,
    Document,
    Records,
    Table,
    Value,
    describe_listing,
    format_value,
    prose_lines,
    type_of_values,
)
from tertium.resources.vectors.store import Store
from tertium.resources.vectors.table import WordTable


def describe_vectors(table: WordTable) -> Document:
    """Describe a file of word vectors."""
    facts = _gather(table)
    people = Table(
        [Column("fact", "fact", is_key=True), Column("value", "value")],
        [[Cell(name), Cell(format_value(value), value)] for name, value in facts.items()],
    )
    types = {name: type_of_values([value]) for name, value in facts.items()}
    prose = prose_lines(f"{name:12} {format_value(value)}" for name, value in facts.items())
    return Document("vectors", [people], Records(types, [list(facts.values())]), facts, prose=prose)


def describe_neighbours(neighbours: Sequence[tuple[str, float]]) -> Document:
    """Describe the words nearest to a word, each with its cosine."""
    listed = describe_listing("neighbours", [{"word": word, "cosine": cosine} for word, cosine in neighbours])
    return replace(listed, prose=prose_lines(f"{cosine:.4f}  {word}" for word, cosine in neighbours))


def _gather(table: WordTable) -> dict[str, Value]:
    source = table.source
    facts: dict[str, Value] = {
        "file": str(source.path),
        "format": source.format,
        "words": len(source),
        "dimensions": source.dimension,
        "identity": table.identity,
        "sha256": source.checksum,
    }
    if isinstance(source, Store):
        unknown = "put together from pieces" if source.header.has_pieces else "no vector"
        facts |= {"precision": source.header.precision, "unknown": unknown}
    return facts
