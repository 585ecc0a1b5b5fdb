"""Documents that compare two systems: differences, buckets, edits, n-grams and word diffs."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any

import numpy as np

from tertium.evaluation.differences import Bucket, Difference
from tertium.evaluation.text_differences import EditCounts, FrequencyRow, NgramGain
from tertium.reporting.tables.model import (
    Cell,
    Column,
    Document,
    Note,
    Records,
    Row,
    Span,
    Table,
    Tone,
    Value,
    type_of_values,
)
from tertium.reporting.tables.text import mark_spans
from tertium.stats.analysis import Analysis
from tertium.text.lengths import split_units
from tertium.types import Corpus, FloatArray


@dataclass(frozen=True, eq=False, kw_only=True)
class SystemComparison:
    """Two systems, and all that was found about them.

    Attributes
    ----------
    n
        How many segments of each kind are shown.
    corpus
        The texts, if they are known; `ngrams`, `words` and `edits` are empty without them.
    buckets, signatures, segment_gains
        By the metric's label. A gain is positive where the second system is better.
    edits
        By the system's name, the first one first.
    disagreements
        For each segment, how far metrics disagree about the winner.
    """

    first: str
    second: str
    analysis: Analysis
    n: int
    n_segments: int
    notes: Sequence[str]
    corpus: Corpus | None
    differences: Sequence[Difference]
    signatures: Mapping[str, str]
    segment_gains: Mapping[str, FloatArray]
    buckets: Mapping[str, Sequence[Bucket]]
    ngrams: tuple[Sequence[NgramGain], Sequence[NgramGain]]
    words: Sequence[FrequencyRow]
    edits: Mapping[str, EditCounts]
    disagreements: FloatArray


@dataclass(frozen=True)
class _Piece:
    """Neighbouring words of one kind, and whether no space stands before them."""

    tone: Tone
    text: str
    is_glued: bool


def mark_words(hypothesis: str, reference: str) -> list[Span]:
    """Compare a hypothesis with a reference word by word; scripts without spaces are compared by characters.

    >>> write_marks(mark_words("the cat sat on mat", "the cat sat on the mat"))
    'the cat sat on {+the+} mat'
    """
    spans: list[Span] = []
    for piece in _compare(split_units(hypothesis), split_units(reference)):
        if spans and not piece.is_glued:
            spans.append(Span(" "))
        spans.append(Span(piece.text, piece.tone))
    return spans


def write_marks(spans: Sequence[Span]) -> str:
    """Write marked words for formats without colours."""
    return "".join(span.text for span in mark_spans(spans))


def _compare(ours: Sequence[tuple[str, bool]], theirs: Sequence[tuple[str, bool]]) -> Iterator[_Piece]:
    words, others = [word for word, _ in ours], [word for word, _ in theirs]
    for kind, i, j, k, m in SequenceMatcher(None, words, others, autojunk=False).get_opcodes():
        if i < j:
            yield _join(ours[i:j], Tone.PLAIN if kind == "equal" else Tone.SURPLUS)
        if kind != "equal" and k < m:
            yield _join(theirs[k:m], Tone.MISSING)


def _join(units: Sequence[tuple[str, bool]], tone: Tone) -> _Piece:
    (first, is_glued), *rest = units
    return _Piece(tone, first + "".join(word if glued else f" {word}" for word, glued in rest), is_glued)


def make_tables(result: SystemComparison, name: str) -> list[Table]:
    """Lay out the tables of one of TABLES; what is empty is left out."""
    return list(_LAYOUTS[name](result))


def choose_segments(result: SystemComparison, each: Difference) -> tuple[list[int], list[int]]:
    """Choose the segments that speak most for the second system, and those that speak most for the first."""
    order = np.argsort(-each.influence, kind="stable")
    n = min(result.n, len(order))
    wins = [int(i) for i in order[:n] if each.influence[i] > 0]
    return wins, [int(i) for i in order[::-1][:n] if each.influence[i] < 0]


def choose_disagreements(result: SystemComparison) -> list[int]:
    """Choose the segments on which metrics disagree most about the winner."""
    if len(result.differences) < 2:
        return []
    order = np.argsort(-result.disagreements, kind="stable")[: result.n]
    return [int(i) for i in order if result.disagreements[i] > 0]


def _segments(result: SystemComparison) -> Iterator[Table]:
    first = result.differences[0]
    wins, losses = choose_segments(result, first)
    for rows, who in ((wins, result.second), (losses, result.first)):
        if rows:
            yield _segment_table(result, first, rows, f"{first.label}: segments that speak most for {who}")


def _segment_table(result: SystemComparison, each: Difference, rows: list[int], title: str) -> Table:
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


def _texts(result: SystemComparison, i: int) -> Iterator[tuple[str, Sequence[Span]]]:
    corpus = result.corpus
    if corpus is None:
        return
    if corpus.sources is not None:
        yield "source", [Span(corpus.sources[i])]
    yield "reference", [Span(corpus.references[i][0])]
    for name in (result.first, result.second):
        yield name, mark_words(corpus.systems[name][i], corpus.references[i][0])


def _ngrams(result: SystemComparison) -> Iterator[Table]:
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


def _words(result: SystemComparison) -> Iterator[Table]:
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


def _buckets(result: SystemComparison) -> Iterator[Table]:
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


def _edits(result: SystemComparison) -> Iterator[Table]:
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


def _edit_cells(needs: EditCounts, kind: str) -> list[Cell]:
    count = needs.counts()[kind]
    rate = 100 * needs.rate(count)
    return [Cell(f"{count:,}", count), Cell(f"{rate:.1f}", rate)]


def _disagreements(result: SystemComparison) -> Iterator[Table]:
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


_LAYOUTS: Mapping[str, Callable[[SystemComparison], Iterator[Table]]] = {
    "segments": _segments,
    "ngrams": _ngrams,
    "words": _words,
    "edits": _edits,
    "kinds": _buckets,
    "disagreements": _disagreements,
}

TABLES = tuple(_LAYOUTS)
"""Where the difference of two systems may come from."""


SCORES = "scores"
"""The table that says which system is better."""


def describe_differences(result: SystemComparison) -> Document:
    """Describe how two systems differ: scores, deciding segments, words, edits and kinds of segments."""
    tables = [_scores(result), *(table for name in TABLES for table in make_tables(result, name))]
    return Document("comparison", tables, _records(result), _data(result))


def describe_table(result: SystemComparison, name: str) -> Document:
    """Describe one of the tables alone; programs get a record per row, with the table's title.

    A table of which there is nothing to show, such as edits where texts are unknown, says so.
    """
    if name == SCORES:
        return Document("comparison", [_scores(result)], _records(result), _data(result))
    tables = make_tables(result, name)
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


def describe_winner(result: SystemComparison) -> str:
    """Say in a sentence which system is better, and under how many metrics that is sure."""
    alpha, n = result.analysis.alpha, len(result.differences)
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


def _scores(result: SystemComparison) -> Table:
    columns = [
        Column("metric", "metric", is_key=True),
        Column("first", result.first, is_number=True),
        Column("second", result.second, is_number=True),
        Column("difference", "difference", is_number=True),
        Column("interval", f"{result.analysis.level} interval", is_number=True),
        Column("p_value", "p", is_number=True),
        Column("verdict", "verdict"),
    ]
    notes = [Note(describe_winner(result)), *map(Note, _decisive_notes(result)), *map(Note, result.notes)]
    return Table(columns, [_score_row(result, each) for each in result.differences], notes=notes)


def _score_row(result: SystemComparison, each: Difference) -> Row:
    sign = 1 if each.higher_is_better else -1
    low, high = sorted(sign * bound for bound in each.interval)
    winner = result.second if each.gain > 0 else result.first
    verdict = f"{winner} is better" if each.is_significant(result.analysis.alpha) else "cannot be told apart"
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


def _decisive_notes(result: SystemComparison) -> Iterator[str]:
    for each in result.differences:
        found = each.decisive
        if found is None or not len(found.segments):
            continue
        word = "gain" if each.gain > 0 else "loss"
        make = "makes" if len(found.segments) == 1 else "make"
        yield (
            f"{each.label}: {len(found.segments):,} of {found.n_segments:,} segments {make} up half of the {word}"
        )


def _records(result: SystemComparison) -> Records:
    columns: dict[str, type] = {
        "metric": str, "first": float, "second": float, "difference": float, "gain": float, "gain_low": float,
        "gain_high": float, "p_value": float,
    }  # fmt: skip
    rows: list[list[Value]] = [
        [each.label, *each.scores, each.difference, each.gain, *each.interval, each.p_value]
        for each in result.differences
    ]
    return Records(columns, rows)


def _data(result: SystemComparison) -> dict[str, Any]:
    return {
        "schema_version": 1,
        "systems": [result.first, result.second],
        "segments": result.n_segments,
        "answer": describe_winner(result),
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


def _list_segments(
    result: SystemComparison, each: Difference, segments: Sequence[int]
) -> list[dict[str, object]]:
    return [
        {"segment": i + 1, "influence": float(each.influence[i]), **_list_texts(result, i)} for i in segments
    ]


def _list_texts(result: SystemComparison, i: int) -> dict[str, object]:
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
