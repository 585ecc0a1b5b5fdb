"""The comparison of two systems as a document: the answer first, then where it comes from."""

from collections.abc import Iterator, Sequence
from typing import Any

from tertium.evaluation.differences import Difference
from tertium.report.compared import Compared
from tertium.report.difference_tables import TABLES, choose_disagreements, choose_segments, lay_out_tables
from tertium.report.marked_words import mark_words
from tertium.report.tables.model import (
    Cell,
    Column,
    Document,
    Note,
    Records,
    Row,
    Table,
    Value,
    type_of_values,
)

__all__ = ["SCORES", "describe_differences", "describe_table", "say_winner"]

SCORES = "scores"
"""The table that says which system is better."""


def describe_differences(result: Compared) -> Document:
    """Describe how two systems differ: scores, deciding segments, words, edits and kinds of segments."""
    tables = [_scores(result), *(table for name in TABLES for table in lay_out_tables(result, name))]
    return Document("comparison", tables, _records(result), _data(result))


def describe_table(result: Compared, name: str) -> Document:
    """Describe one of the tables alone; programs get a record per row, with the table's title.

    A table of which there is nothing to show, such as edits where texts are unknown, says so.
    """
    if name == SCORES:
        return Document("comparison", [_scores(result)], _records(result), _data(result))
    tables = lay_out_tables(result, name)
    nothing = [] if tables else [Note(f"{name}: nothing to show")]
    return Document(name, tables, _records_of(tables), {name: _list_rows(tables)}, nothing)


def _records_of(tables: Sequence[Table]) -> Records:
    names = dict.fromkeys(column.name for table in tables for column in table.columns)
    rows = [[row.get(name) for name in ("table", *names)] for row in _list_rows(tables)]
    values = zip(*rows, strict=True) if rows else [[] for _ in ("table", *names)]
    columns = {name: type_of_values(each) for name, each in zip(("table", *names), values, strict=True)}
    return Records(columns, rows)


def _list_rows(tables: Sequence[Table]) -> list[dict[str, Value]]:
    return [
        {
            "table": table.title,
            **{
                column.name: cell.text if cell.value is None and not column.is_number else cell.value
                for column, cell in zip(table.columns, row, strict=True)
            },
        }
        for table in tables
        for row in table.rows
    ]


def say_winner(result: Compared) -> str:
    """Say in a sentence which system is better, and under how many metrics that is sure."""
    alpha, n = result.alpha, len(result.differences)
    better = [each for each in result.differences if each.gain > 0 and each.is_significant(alpha)]
    worse = [each for each in result.differences if each.gain < 0 and each.is_significant(alpha)]
    if better and not worse:
        return (
            f"{result.second} is better than {result.first} under {len(better)} of {n} metrics, beyond chance"
        )
    if worse and not better:
        return (
            f"{result.first} is better than {result.second} under {len(worse)} of {n} metrics, beyond chance"
        )
    if better and worse:
        return (
            f"metrics disagree: {result.second} is better under {', '.join(each.label for each in better)},"
            f" {result.first} under {', '.join(each.label for each in worse)}"
        )
    if all(each.p_value is None for each in result.differences):
        return f"{result.n_segments} segments are too few to tell {result.first} and {result.second} apart"
    return f"{result.first} and {result.second} cannot be told apart"


def _scores(result: Compared) -> Table:
    columns = [
        Column("metric", "metric", is_key=True),
        Column("first", result.first, is_number=True),
        Column("second", result.second, is_number=True),
        Column("difference", "difference", is_number=True),
        Column("interval", f"{100 * (1 - result.alpha):g} % interval", is_number=True),
        Column("p_value", "p", is_number=True),
        Column("verdict", "verdict"),
    ]
    notes = [Note(say_winner(result)), *map(Note, _decisive_notes(result)), *map(Note, result.notes)]
    return Table(columns, [_score_row(result, each) for each in result.differences], notes=notes)


def _score_row(result: Compared, each: Difference) -> Row:
    sign = 1 if each.higher_is_better else -1
    low, high = sorted(sign * bound for bound in each.interval)
    winner = result.second if each.gain > 0 else result.first
    verdict = f"{winner} is better" if each.is_significant(result.alpha) else "cannot be told apart"
    if each.p_value is None:
        verdict = "too few segments"
    arrow = "↑" if each.higher_is_better else "↓"
    return [
        Cell(f"{each.label} {arrow}", each.label),
        *(Cell(f"{score:.2f}", score) for score in each.scores),
        Cell(f"{each.difference:+.2f}", each.difference),
        Cell(f"{low:+.2f} to {high:+.2f}", None),
        Cell("–" if each.p_value is None else f"{each.p_value:.4f}", each.p_value),
        Cell(verdict, verdict),
    ]


def _decisive_notes(result: Compared) -> Iterator[str]:
    for each in result.differences:
        found = each.decisive
        if found is None or not len(found.segments):
            continue
        word = "gain" if each.gain > 0 else "loss"
        make = "makes" if len(found.segments) == 1 else "make"
        yield (
            f"{each.label}: {len(found.segments):,} of {found.n_segments:,} segments {make} up half of the {word}"
        )


def _records(result: Compared) -> Records:
    columns: dict[str, type] = {
        "metric": str, "first": float, "second": float, "difference": float, "gain": float, "gain_low": float,
        "gain_high": float, "p_value": float,
    }  # fmt: skip
    rows: list[list[Value]] = [
        [each.label, *each.scores, each.difference, each.gain, *each.interval, each.p_value]
        for each in result.differences
    ]
    return Records(columns, rows)


def _data(result: Compared) -> dict[str, Any]:
    return {
        "schema_version": 1,
        "systems": [result.first, result.second],
        "segments": result.n_segments,
        "answer": say_winner(result),
        "metrics": [
            {
                "label": each.label,
                "signature": result.signatures[each.label],
                "scores": list(each.scores),
                "difference": each.difference,
                "gain": each.gain,
                "gain_interval": list(each.interval),
                "p_value": each.p_value,
                "decisive_segments": []
                if each.decisive is None
                else [int(i) + 1 for i in each.decisive.segments],
                "influence": each.influence.tolist(),
                "segment_gains": result.segment_gains[each.label].tolist(),
                "wins": _list_segments(result, each, choose_segments(result, each)[0]),
                "losses": _list_segments(result, each, choose_segments(result, each)[1]),
                "buckets": [vars(bucket) for bucket in result.buckets[each.label]],
            }
            for each in result.differences
        ],
        "ngrams": [
            {"ngram": list(each.words), "matches": list(each.matches)}
            for gains in result.ngrams
            for each in gains
        ],
        "recall_by_frequency": [vars(row) for row in result.words],
        "edits": [{"system": name, **vars(needs)} for name, needs in result.edits.items()],
        "disagreements": [
            {
                "segment": i + 1,
                "gains": {label: float(gains[i]) for label, gains in result.segment_gains.items()},
            }
            for i in choose_disagreements(result)
        ],
    }


def _list_segments(result: Compared, each: Difference, segments: Sequence[int]) -> list[dict[str, object]]:
    return [
        {"segment": i + 1, "influence": float(each.influence[i]), **_list_texts(result, i)} for i in segments
    ]


def _list_texts(result: Compared, i: int) -> dict[str, object]:
    """Give the texts of a segment, and the outputs in pieces: what both have, what is surplus, what is missing."""
    corpus = result.corpus
    if corpus is None:
        return {}
    outputs = {name: corpus.systems[name][i] for name in (result.first, result.second)}
    marked = {
        name: [[span.tone.name.lower(), span.text] for span in mark_words(output, corpus.references[i][0])]
        for name, output in outputs.items()
    }
    source = {} if corpus.sources is None else {"source": corpus.sources[i]}
    return {**source, "references": list(corpus.references[i]), "outputs": outputs, "marked": marked}
