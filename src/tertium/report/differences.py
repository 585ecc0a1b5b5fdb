"""The comparison of two systems as a document: the answer first, then where it comes from."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from tertium.evaluation.differences import Difference
from tertium.report.marked_words import mark_words
from tertium.report.tables.model import Cell, Column, Document, Note, Records, Row, Table, Value

if TYPE_CHECKING:
    from tertium.api.compare import CompareResult

__all__ = ["describe_differences", "say_winner"]


def describe_differences(result: "CompareResult") -> Document:
    """Describe how two systems differ: scores, deciding segments, n-grams, words and kinds of segments."""
    tables = [_scores(result), *_segments(result), *_ngrams(result), *_words(result), *_buckets(result)]
    tables += _disagreements(result)
    return Document("comparison", tables, _records(result), _data(result))


def say_winner(result: "CompareResult") -> str:
    """Say in a sentence which system is better, and under how many metrics that is sure."""
    alpha, n = result.request.alpha, len(result.differences)
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
    return f"{result.first} and {result.second} cannot be told apart"


def _scores(result: "CompareResult") -> Table:
    columns = [
        Column("metric", "metric", is_key=True),
        Column("first", result.first, is_number=True),
        Column("second", result.second, is_number=True),
        Column("difference", "difference", is_number=True),
        Column("interval", f"{100 * (1 - result.request.alpha):g} % interval", is_number=True),
        Column("p_value", "p", is_number=True),
        Column("verdict", "verdict"),
    ]
    notes = [Note(say_winner(result)), *map(Note, _decisive_notes(result)), *map(Note, result.scored.notes)]
    return Table(columns, [_score_row(result, each) for each in result.differences], notes=notes)


def _score_row(result: "CompareResult", each: Difference) -> Row:
    sign = 1 if each.higher_is_better else -1
    low, high = sorted(sign * bound for bound in each.interval)
    winner = result.second if each.gain > 0 else result.first
    verdict = f"{winner} is better" if each.is_significant(result.request.alpha) else "cannot be told apart"
    arrow = "↑" if each.higher_is_better else "↓"
    return [
        Cell(f"{each.label} {arrow}", each.label),
        *(Cell(f"{score:.2f}", score) for score in each.scores),
        Cell(f"{each.difference:+.2f}", each.difference),
        Cell(f"{low:+.2f} to {high:+.2f}", None),
        Cell(f"{each.p_value:.4f}", each.p_value),
        Cell(verdict, verdict),
    ]


def _decisive_notes(result: "CompareResult") -> Iterator[str]:
    for each in result.differences:
        found = each.decisive
        if found is None or not len(found.segments):
            continue
        word = "gain" if each.gain > 0 else "loss"
        yield (
            f"{each.label}: {len(found.segments):,} of {found.n_segments:,} segments make up half of the {word}"
        )


def _segments(result: "CompareResult") -> Iterator[Table]:
    first = result.differences[0]
    order = np.argsort(-first.influence, kind="stable")
    n = min(result.request.n, len(order))
    wins = [int(i) for i in order[:n] if first.influence[i] > 0]
    losses = [int(i) for i in order[::-1][:n] if first.influence[i] < 0]
    for rows, who in ((wins, result.second), (losses, result.first)):
        if rows:
            yield _segment_table(result, first, rows, f"{first.label}: segments that speak most for {who}")


def _segment_table(result: "CompareResult", each: Difference, rows: list[int], title: str) -> Table:
    columns = [
        Column("segment", "segment", is_number=True, is_key=True),
        Column("influence", f"influence on {each.label}", is_number=True),
        Column("who", "text of"),
        Column("text", "text ([-not in the reference-] {+missing+})"),
    ]
    table: list[Row] = []
    for i in rows:
        texts = list(_texts(result, i)) or [("", "")]
        for number, (who, text) in enumerate(texts):
            head = (
                [Cell(str(i + 1), i + 1), Cell(f"{each.influence[i]:+.4f}", float(each.influence[i]))]
                if number == 0
                else [Cell(""), Cell("")]
            )
            table.append([*head, Cell(who, who), Cell(text, text)])
    return Table(columns, table, title=title)


def _texts(result: "CompareResult", i: int) -> Iterator[tuple[str, str]]:
    corpus = result.corpus
    if corpus is None:
        return
    if corpus.sources is not None:
        yield "source", corpus.sources[i]
    yield "reference", corpus.references[i][0]
    for name in (result.first, result.second):
        yield name, mark_words(corpus.systems[name][i], corpus.references[i][0])


def _ngrams(result: "CompareResult") -> Iterator[Table]:
    for gains, who in zip(result.ngrams, (result.second, result.first), strict=True):
        if gains:
            columns = [
                Column("ngram", "n-gram", is_key=True),
                Column("first", result.first, is_number=True),
                Column("second", result.second, is_number=True),
            ]
            rows = [
                [Cell(" ".join(each.words)), *(Cell(str(count), count) for count in each.matches)]
                for each in gains
            ]
            yield Table(columns, rows, title=f"n-grams that {who} gets right more often (matches)")


def _words(result: "CompareResult") -> Iterator[Table]:
    if not result.words:
        return
    columns = [
        Column("frequency", "word stands in the references", is_key=True),
        Column("words", "words", is_number=True),
        Column("first", result.first, is_number=True),
        Column("second", result.second, is_number=True),
    ]
    rows = [
        [
            Cell(row.name),
            Cell(f"{row.n_words:,}", row.n_words),
            *(Cell(f"{100 * recall:.1f} %", recall) for recall in row.recalls),
        ]
        for row in result.words
    ]
    yield Table(columns, rows, title="words of the references that the systems have, by frequency")


def _buckets(result: "CompareResult") -> Iterator[Table]:
    for label, buckets in result.buckets.items():
        columns = [
            Column("kind", "by", is_key=True),
            Column("value", "segments", is_key=True),
            Column("n_segments", "number", is_number=True),
            Column("first", result.first, is_number=True),
            Column("second", result.second, is_number=True),
            Column("p_adjusted", "p (Holm)", is_number=True),
        ]
        rows = [
            [
                Cell(each.kind),
                Cell(each.name),
                Cell(f"{each.n_segments:,}", each.n_segments),
                *(Cell(f"{score:.2f}", score) for score in each.scores),
                Cell("–" if each.p_adjusted is None else f"{each.p_adjusted:.4f}", each.p_adjusted),
            ]
            for each in buckets
        ]
        if rows:
            yield Table(columns, rows, title=f"{label} by kind of segment")


def _disagreements(result: "CompareResult") -> Iterator[Table]:
    if len(result.differences) < 2:
        return
    order = np.argsort(-result.disagreements, kind="stable")[: result.request.n]
    rows: list[Row] = []
    for i in (int(each) for each in order if result.disagreements[each] > 0):
        cells = [Cell(str(i + 1), i + 1)]
        for each in result.differences:
            before, after = (
                float(scores[i])
                for scores in (
                    result.evaluation.segment_scores(each.label)[result.evaluation.systems.index(name)]
                    for name in (result.first, result.second)
                )
            )
            cells.append(Cell(f"{after - before:+.2f}", after - before))
        rows.append(cells)
    if rows:
        columns = [Column("segment", "segment", is_number=True, is_key=True)]
        columns += [Column(each.label, each.label, is_number=True) for each in result.differences]
        yield Table(
            columns, rows, title="segments on which metrics disagree most (difference of segment scores)"
        )


def _records(result: "CompareResult") -> Records:
    columns: dict[str, type] = {
        "metric": str, "first": float, "second": float, "difference": float, "gain": float, "gain_low": float,
        "gain_high": float, "p_value": float,
    }  # fmt: skip
    rows: list[list[Value]] = [
        [each.label, *each.scores, each.difference, each.gain, *each.interval, each.p_value]
        for each in result.differences
    ]
    return Records(columns, rows)


def _data(result: "CompareResult") -> dict[str, Any]:
    return {
        "schema_version": 1,
        "systems": [result.first, result.second],
        "segments": result.evaluation.n_segments,
        "answer": say_winner(result),
        "metrics": [
            {
                "label": each.label,
                "signature": result.evaluation.signature(each.label),
                "scores": list(each.scores),
                "difference": each.difference,
                "gain": each.gain,
                "gain_interval": list(each.interval),
                "p_value": each.p_value,
                "decisive_segments": []
                if each.decisive is None
                else [int(i) + 1 for i in each.decisive.segments],
                "influence": each.influence.tolist(),
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
    }
