"""MQM: weights of errors, and the reader of error lists in Google's format, where a row is an error.

Freitag et al. (2021), Experts, Errors, and Context. The marked words stand between `<v>` and `</v>`, in the target or,
for omissions, in the source.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from tertium.corpus.judgments.readers import (
    Judgment,
    SegmentJudgments,
    Spans,
    WeighSpans,
    collect_judgments,
    name_column,
    optional_column,
    pair_column,
    text_column,
)
from tertium.corpus.judgments.spans import NOWHERE, ErrorSpan
from tertium.corpus.texts.tables import TextTable
from tertium.decimals import LARGEST_SCORE, parse_score
from tertium.errors import InputError
from tertium.files.reading import read_lines

Weights = Mapping[str, float]
"""Weights by severity, severity/category or severity/category/subcategory, in lower case; the most specific is used."""

GOOGLE_WEIGHTS: Weights = {
    "critical": 10.0,  # Google has no such severity; the weight is XCOMET's (Guerreiro et al., 2024)
    "major": 5.0,
    "minor": 1.0,
    "neutral": 0.0,
    "no-error": 0.0,
    "major/non-translation!": 25.0,
    "minor/fluency/punctuation": 0.1,
}

_COLUMNS = ("system", "rater", "category", "severity")
_NO_ERROR = ("no-error", "no_error", "no error")
_OPEN, _CLOSE = "<v>", "</v>"


def read_weights(path: str) -> Weights:
    """Read weights from lines of an error and a number, separated by a tab: `major/accuracy`, `5`.

    Raises
    ------
    InputError
        If a line has another form, or repeats an error.
    """
    weights: dict[str, float] = {}
    for number, line in enumerate(read_lines(path), start=1):
        error, tab, weight = line.partition("\t")
        name = error.strip().lower()
        value = parse_score(weight)
        if not tab or not name or value is None or value < 0:
            raise InputError(
                f"{path}: line {number:,} is {line!r}; write an error such as major or minor/fluency, a tab and its"
                f" weight, a number from 0 to {LARGEST_SCORE:g}"
            )
        if name in weights:
            raise InputError(f"{path}: line {number:,} gives {name} a weight again; keep one of the lines")
        weights[name] = value
    if not weights:
        raise InputError(f"{path} has no weights; write a line for each severity: major, a tab and 5")
    return weights


def error_weight(severity: str, category: str, weights: Weights) -> float | None:
    """Return the weight of an error: the weight of the longest known prefix of severity/category/subcategory.

    Examples
    --------
    >>> error_weight("Minor", "Fluency/Punctuation", GOOGLE_WEIGHTS)
    0.1
    """
    parts = [severity, *category.split("/")]
    names = ("/".join(parts[:n]).lower() for n in range(len(parts), 0, -1))
    return next((weights[name] for name in names if name in weights), None)


def weigh_with(weights: Weights) -> WeighSpans:
    """Make the function that scores error spans: the negated sum of their weights.

    >>> weigh_with(GOOGLE_WEIGHTS)((ErrorSpan(0, 3, "major"), ErrorSpan(5, 6, "minor")), "line 1")
    -6.0
    """

    def weigh(spans: Spans, place: str) -> float:
        return 0.0 - sum(_weigh(span.severity, span.category, weights, place) for span in spans)  # not -0.0

    return weigh


def is_mqm(names: Sequence[str]) -> bool:
    """Whether a table with these columns lists MQM errors."""
    return all(name in names for name in _COLUMNS)


def parse_mqm(table: TextTable, *, weights: Weights = GOOGLE_WEIGHTS, pair: str = "") -> SegmentJudgments:
    """Sum a table of MQM errors to one score per system, segment and rater: the negated sum of the weights.

    The columns are system, rater, category and severity, and seg_id, global_seg_id or doc and doc_id. A segment
    without errors has a row too, so that its score is 0. `pair` is the language pair of a table without such a
    column.

    Raises
    ------
    InputError
        If a column is missing, a severity has no weight, or the marks of a span do not match.
    """
    system = name_column(table, _COLUMNS[:1])
    rater, category, severity = (text_column(table, name) for name in _COLUMNS[1:])
    pairs = [named or pair for named in pair_column(table, len(system))]
    documents = optional_column(table, ("doc", "document")) or [""] * len(system)
    targets, sources = (optional_column(table, (name,)) for name in ("target", "source"))
    outputs: dict[tuple[str, str, str, str], _Output] = {}
    unclosed = [
        table.number(row)
        for row, texts in enumerate(zip(sources or (), targets or (), strict=False))
        if any(_OPEN in text and _CLOSE not in text for text in texts)
    ]
    for row, key in enumerate(zip(pairs, system, _segments(table), rater, strict=True)):
        place = f"{table.path}: {table.place(row)}"
        source, target = (None if texts is None else texts[row] for texts in (sources, targets))
        output = outputs.setdefault(
            key, _Output.begin(table.number(row), documents[row], source, target, place)
        )
        output.weights.append(_weigh(severity[row], category[row], weights, place))
        if severity[row].lower() not in _NO_ERROR:
            output.spans.append(_find_span(severity[row], category[row], source, target, place))
    judged = (output.judgment(*key, has_texts=targets is not None) for key, output in outputs.items())
    return collect_judgments(table.path, judged, notes=_note_unclosed(table.path, unclosed))


def _note_unclosed(path: str, lines: Sequence[int]) -> list[str]:
    if not lines:
        return []
    listed = ", ".join(f"{line:,}" for line in lines[:3]) + (", …" if len(lines) > 3 else "")
    return [f"{path}: {_OPEN} without {_CLOSE} marks the rest of the text (line {listed})"]


class _Output(NamedTuple):
    """The errors of one output that one rater marked."""

    line: int
    document: str
    source: str | None
    target: str | None
    weights: list[float]
    spans: list[ErrorSpan]

    @classmethod
    def begin(cls, line: int, document: str, source: str | None, target: str | None, place: str) -> "_Output":
        source, target = (None if text is None else _split_marks(text, place)[0] for text in (source, target))
        return cls(line, document, source, target, [], [])

    def judgment(self, pair: str, system: str, segment: str, rater: str, *, has_texts: bool) -> Judgment:
        return Judgment(
            line=self.line,
            system=system,
            segment=segment,
            score=0.0 - sum(self.weights),  # not -0.0
            pair=pair,
            document=self.document,
            rater=rater,
            spans=tuple(self.spans) if has_texts else None,
            target=self.target,
            source=self.source,
        )


def _weigh(severity: str, category: str, weights: Weights, place: str) -> float:
    weight = error_weight(severity, category, weights)
    if weight is None:
        raise InputError(
            f"{place} has the severity {severity!r}, which has no weight;"
            f" known severities: {', '.join(name for name in weights if '/' not in name)}"
        )
    return weight


def _find_span(severity: str, category: str, source: str | None, target: str | None, place: str) -> ErrorSpan:
    """Find the marked words; an error without marks has no position."""
    for text, in_source in ((target, False), (source, True)):
        _, start, end = _split_marks(text or "", place)
        if start != NOWHERE:
            return ErrorSpan(start, end, severity.lower(), category.lower(), in_source)
    return ErrorSpan(NOWHERE, NOWHERE, severity.lower(), category.lower())


def _split_marks(text: str, place: str) -> tuple[str, int, int]:
    """Return a text without its marks, and the start and end of the marked words; -1 if there are none.

    Words without the closing mark, as in published files, reach to the end of the text.
    """
    if _OPEN not in text and _CLOSE not in text:
        return text, NOWHERE, NOWHERE
    before, opened, rest = text.partition(_OPEN)
    marked, _, after = rest.partition(_CLOSE)
    if not opened or _OPEN in rest or _CLOSE in after:
        raise InputError(
            f"{place} has marks that do not match; write {_OPEN} and {_CLOSE} once each around the words"
        )
    if not marked:
        return text.replace(_OPEN, "").replace(_CLOSE, ""), NOWHERE, NOWHERE
    return before + marked + after, len(before), len(before) + len(marked)


def _segments(table: TextTable) -> list[str]:
    """Return a label for each row's segment: its number in the test set, or its document and number in it."""
    for name in ("global_seg_id", "globalSegId", "seg_id"):
        if name in table.names:
            return name_column(table, (name,))
    if not {"doc", "doc_id"} <= set(table.names):
        raise InputError(
            f"{table.path} has no column global_seg_id or seg_id, nor doc and doc_id;"
            f" it has: {', '.join(table.names)}"
        )
    documents, numbers = text_column(table, "doc"), text_column(table, "doc_id")
    return [f"{document}::{number}" for document, number in zip(documents, numbers, strict=True)]
