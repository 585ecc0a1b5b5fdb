"""Word vectors as documents."""

import csv
import io
import json

from tertium.commands.inspect.vector_tables import describe_neighbours, describe_vectors
from tertium.presentation.tables import render_document
from tertium.resources.vectors import load_vectors
from tertium.resources.vectors.table import WordTable


def test_facts_about_a_file_are_one_record() -> None:
    table = load_vectors("default")
    assert isinstance(table, WordTable)
    document = describe_vectors(table)
    (row,) = csv.DictReader(io.StringIO(render_document(document, "csv")))
    facts = json.loads(render_document(document, "json"))
    assert row["words"] == str(facts["words"]) == str(len(table.source))
    assert f"words        {facts['words']:,}\n" in render_document(document, "text")
    assert f"| words | {facts['words']:,} |" in render_document(document, "md")


def test_neighbours_are_told_with_their_cosine() -> None:
    document = describe_neighbours([("vacation", 0.87654), ("=cmd()", 0.5)])
    assert render_document(document, "text") == "0.8765  vacation\n0.5000  =cmd()\n"
    assert json.loads(render_document(document, "json"))[0] == {"word": "vacation", "cosine": 0.87654}
    assert render_document(document, "csv") == "word,cosine\nvacation,0.87654\n=cmd(),0.5\n"
    assert render_document(document, "csv", spreadsheet_safe=True).endswith("'=cmd(),0.5\n")


def test_no_neighbours_are_no_error() -> None:
    document = describe_neighbours([])
    for form in ("text", "csv", "md", "html"):
        render_document(document, form)
