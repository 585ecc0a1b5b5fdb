"""Plain lists of things (languages, data sets, versions) as documents."""

from collections.abc import Mapping, Sequence

from tertium.report.tables.model import Cell, Column, Document, Note, Records, Table, Value, type_of_values

__all__ = ["describe_listing", "spell_value"]


def describe_listing(
    name: str, things: Sequence[Mapping[str, Value]], *, title: str = "", notes: Sequence[str] = ()
) -> Document:
    """Describe things that all have the same fields; the first field names the thing.

    >>> from tertium.report.tables import render_document
    >>> things = [{"code": "zh", "tokenizer": "zh"}, {"code": "de", "tokenizer": None}]
    >>> print(render_document(describe_listing("languages", things), "text"), end="")
    code  tokenizer
    zh    zh
    de
    """
    fields = list(things[0]) if things else []
    types = {field: type_of_values(thing[field] for thing in things) for field in fields}
    columns = [
        Column(field, field.replace("_", " "), is_number=types[field] in (int, float), is_key=i == 0)
        for i, field in enumerate(fields)
    ]
    people = Table(
        columns,
        [[Cell(spell_value(thing[field]), thing[field]) for field in fields] for thing in things],
        title,
        [Note(note) for note in notes],
    )
    records = Records(types, [[thing[field] for field in fields] for thing in things])
    return Document(name, [people], records, [dict(thing) for thing in things])


def spell_value(value: Value) -> str:
    """Write a value for people: whole numbers with commas, yes or no, and nothing for None."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:,}" if isinstance(value, int) else f"{value:.6g}" if isinstance(value, float) else value
