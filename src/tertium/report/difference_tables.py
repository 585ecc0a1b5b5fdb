"""Where the difference of two systems comes from, table by table."""

from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np

from tertium.evaluation.differences import Difference
from tertium.evaluation.edit_needs import EditNeeds
from tertium.report.compared import Compared
from tertium.report.marked_words import mark_words, write_marks
from tertium.report.tables.model import Cell, Column, Row, Span, Table

__all__ = ["TABLES", "choose_disagreements", "choose_segments", "lay_out_tables"]


def lay_out_tables(result: Compared, name: str) -> list[Table]:
    """Lay out the tables of one of TABLES; what is empty is left out."""
    return list(_LAYOUTS[name](result))


def choose_segments(result: Compared, each: Difference) -> tuple[list[int], list[int]]:
    """Choose the segments that speak most for the second system, and those that speak most for the first."""
    order = np.argsort(-each.influence, kind="stable")
    n = min(result.n, len(order))
    wins = [int(i) for i in order[:n] if each.influence[i] > 0]
    return wins, [int(i) for i in order[::-1][:n] if each.influence[i] < 0]


def choose_disagreements(result: Compared) -> list[int]:
    """Choose the segments on which metrics disagree most about the winner."""
    if len(result.differences) < 2:
        return []
    order = np.argsort(-result.disagreements, kind="stable")[: result.n]
    return [int(i) for i in order if result.disagreements[i] > 0]


def _segments(result: Compared) -> Iterator[Table]:
    first = result.differences[0]
    wins, losses = choose_segments(result, first)
    for rows, who in ((wins, result.second), (losses, result.first)):
        if rows:
            yield _segment_table(result, first, rows, f"{first.label}: segments that speak most for {who}")


def _segment_table(result: Compared, each: Difference, rows: list[int], title: str) -> Table:
    columns = [
        Column("segment", "segment", is_number=True, is_key=True),
        Column("influence", f"influence on {each.label}", is_number=True),
        Column("who", "text of"),
        Column("text", "text ([-not in the reference-] {+missing+})", wraps=True),
    ]
    table: list[Row] = []
    for i in rows:
        influence = float(each.influence[i])
        for number, (who, spans) in enumerate(list(_texts(result, i)) or [("", ())]):
            shown = (str(i + 1), f"{influence:+.4f}") if number == 0 else ("", "")
            text = write_marks(spans)
            cells = [Cell(shown[0], i + 1), Cell(shown[1], influence), Cell(who, who)]
            table.append([*cells, Cell(text, text, spans=spans)])
    return Table(columns, table, title=title)


def _texts(result: Compared, i: int) -> Iterator[tuple[str, Sequence[Span]]]:
    corpus = result.corpus
    if corpus is None:
        return
    if corpus.sources is not None:
        yield "source", [Span(corpus.sources[i])]
    yield "reference", [Span(corpus.references[i][0])]
    for name in (result.first, result.second):
        yield name, mark_words(corpus.systems[name][i], corpus.references[i][0])


def _ngrams(result: Compared) -> Iterator[Table]:
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


def _words(result: Compared) -> Iterator[Table]:
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


def _buckets(result: Compared) -> Iterator[Table]:
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


def _edits(result: Compared) -> Iterator[Table]:
    if not result.edits:
        return
    columns = [Column("edits", "edits", is_key=True)]
    for name, heading in (("first", result.first), ("second", result.second)):
        columns += [
            Column(name, heading, is_number=True),
            Column(f"{name}_rate", "per 100 words", is_number=True),
        ]
    counts = [needs.counts() for needs in result.edits.values()]
    rows: list[Row] = [
        [Cell(kind), *(cell for needs in result.edits.values() for cell in _edit_cells(needs, kind))]
        for kind in counts[0]
    ]
    yield Table(columns, rows, title=f"edits that turn outputs into references ({_counted_as(counts[0])})")


def _counted_as(counts: Mapping[str, int]) -> str:
    return "as TER counts them" + "; inversions as invwer does" * ("inversions" in counts)


def _edit_cells(needs: EditNeeds, kind: str) -> list[Cell]:
    count = needs.counts()[kind]
    rate = 100 * needs.rate(count)
    return [Cell(f"{count:,}", count), Cell(f"{rate:.1f}", rate)]


def _disagreements(result: Compared) -> Iterator[Table]:
    chosen = choose_disagreements(result)
    if not chosen:
        return
    gains = [result.segment_gains[each.label] for each in result.differences]
    rows: list[Row] = [
        [Cell(str(i + 1), i + 1), *(Cell(f"{gain[i]:+.2f}", float(gain[i])) for gain in gains)]
        for i in chosen
    ]
    columns = [Column("segment", "segment", is_number=True, is_key=True)]
    columns += [Column(each.label, each.label, is_number=True) for each in result.differences]
    title = f"segments on which metrics disagree most (positive: {result.second} is better)"
    yield Table(columns, rows, title=title)


_LAYOUTS: Mapping[str, Callable[[Compared], Iterator[Table]]] = {
    "segments": _segments,
    "ngrams": _ngrams,
    "words": _words,
    "edits": _edits,
    "kinds": _buckets,
    "disagreements": _disagreements,
}

TABLES = tuple(_LAYOUTS)
"""Where the difference of two systems may come from."""
