"""Documents about word vectors: the facts of a file, and the neighbours of a word."""

from collections.abc import Sequence
from dataclasses import replace
from operator import itemgetter

from tertium.presentation.tables.fields import Field, describe_listing, make_table
from tertium.presentation.tables.model import (
    Document,
    Records,
    Value,
    format_value,
    prose_lines,
    type_of_values,
)
from tertium.resources.vectors.store import Store
from tertium.resources.vectors.table import WordTable

_FACT_FIELDS: list[Field[tuple[str, Value]]] = [
    Field("fact", get=itemgetter(0), is_key=True),
    Field("value", get=itemgetter(1)),
]


def describe_vectors(table: WordTable) -> Document:
    """Describe a file of word vectors; tables have a row per fact, records a column."""
    facts = _gather(table)
    types = {name: type_of_values([value]) for name, value in facts.items()}
    return Document(
        "vectors",
        lambda: [make_table(_FACT_FIELDS, list(facts.items()))],
        lambda: Records(types, [list(facts.values())]),
        lambda: facts,
        make_prose=lambda: prose_lines(f"{name:12} {format_value(value)}" for name, value in facts.items()),
    )


def describe_neighbours(neighbours: Sequence[tuple[str, float]]) -> Document:
    """Describe the words nearest to a word, each with its cosine."""
    listed = describe_listing("neighbours", [{"word": word, "cosine": cosine} for word, cosine in neighbours])
    return replace(
        listed, make_prose=lambda: prose_lines(f"{cosine:.4f}  {word}" for word, cosine in neighbours)
    )


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
        unknown = "composed from pieces" if source.header.has_pieces else "no vector"
        facts |= {"precision": source.header.precision, "unknown": unknown}
    return facts
