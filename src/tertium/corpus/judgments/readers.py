"""Readers of tables of human judgments: segment scores, system scores, relative rankings, judged texts, MQM errors.

Tables are TSV (a header row, no quoting) or JSONL. Columns have the names listed below; other columns are ignored.
"""

import json
from collections.abc import Container, Mapping, Sequence
from contextlib import suppress

import numpy as np
import numpy.typing as npt

from tertium.corpus.judgments.score_files import ScoreFile
from tertium.corpus.texts.line_formats import read_jsonl, read_tsv
from tertium.corpus.texts.tables import TextTable
from tertium.errors import InputError
from tertium.files.paths import format_suffix
from tertium.numbers import parse_float
from tertium.records import record
from tertium.types import FloatArray

# The accepted names of each column; the first one that exists is used.
PAIR = ("lp", "language_pair", "langpair", "langs")
SYSTEM = ("system", "system_id", "sys")
SEGMENT = ("segment", "seg_id", "segment_id", "seg")
SCORE = ("score", "human", "human_gt")
RATER = ("rater", "judge", "annotator")
REFERENCE = ("ref", "reference")
HYPOTHESIS = ("hyp", "hypothesis", "mt")

_MAX_SHOWN = 60  # characters of a wrong value
_PLAIN = frozenset("0123456789+-.eE")


@record(eq=False)
class Judgments:
    """The fields that all kinds of judgments have: line in the file and language pair of each judgment.

    The language pair is empty if the file has no such column.
    """

    path: str
    lines: Sequence[int]
    pairs: Sequence[str]

    def __len__(self) -> int:
        return len(self.lines)

    def place(self, i: int) -> str:
        """Return the file and line of judgment i (from 0) for messages."""
        return f"{self.path}: line {self.lines[i]:,}"


@record(eq=False)
class SegmentJudgments(Judgments):
    """Scores of single segments; `segments` are labels, in WMT's files numbers from 1."""

    systems: Sequence[str]
    segments: Sequence[str]
    scores: FloatArray
    raters: Sequence[str] | None = None


@record(eq=False)
class SystemJudgments(Judgments):
    """Scores of whole systems."""

    systems: Sequence[str]
    scores: FloatArray


@record(eq=False)
class Rankings(Judgments):
    """Pairwise comparisons of two systems' outputs for a segment by a judge.

    A preference is 1 if the first system is better, -1 if the second is, 0 for a tie.
    """

    segments: Sequence[str]
    judges: Sequence[str]
    first: Sequence[str]
    second: Sequence[str]
    preferences: npt.NDArray[np.int32]


@record(eq=False)
class JudgedTexts(Judgments):
    """Hypotheses and references together with their scores, as direct assessments are often distributed."""

    hypotheses: Sequence[str]
    references: Sequence[str]
    scores: FloatArray


def convert_scores(file: ScoreFile, systems: Container[str] | None = None) -> Judgments:
    """Convert a score file of human judgments; skip missing scores and, if `systems` is given, other systems."""
    rows: list[int] = np.flatnonzero(~np.isnan(file.scores)).tolist()
    rows = [i for i in rows if systems is None or file.systems[i] in systems]
    lines, pairs = [file.lines[i] for i in rows], [file.pairs[i] for i in rows]
    names, scores = [file.systems[i] for i in rows], file.scores[rows]
    if file.level == "system":
        return SystemJudgments(file.path, lines, pairs, names, scores)
    return SegmentJudgments(file.path, lines, pairs, names, [file.segments[i] for i in rows], scores)


def open_judgment_table(path: str) -> TextTable:
    """Open a JSONL file, or otherwise a TSV file; raise if it has no judgments."""
    table = read_jsonl(path) if format_suffix(path) in (".jsonl", ".ndjson") else read_tsv(path)
    if not table.names:
        raise InputError(f"{path}: line 1 has no columns; a judgment has at least a system and a score")
    if not len(table):
        raise InputError(f"{path} contains only a header; add judgments or remove the file")
    return table


def parse_judgments(table: TextTable) -> Judgments:
    """Convert a table to judgments; its columns determine their kind."""
    if "rank1" in table.names:
        return _rankings(table)
    if _find(table, HYPOTHESIS) and _find(table, REFERENCE):
        return _judged_texts(table)
    return _segment_judgments(table) if _find(table, SEGMENT) else _system_judgments(table)


def _segment_judgments(table: TextTable) -> SegmentJudgments:
    scores = _numbers(table, _require(table, SCORE))
    rater = _find(table, RATER)
    return SegmentJudgments(
        *_frame(table, len(scores)),
        text_column(table, _require(table, SYSTEM)),
        text_column(table, _require(table, SEGMENT)),
        scores,
        text_column(table, rater) if rater else None,
    )


def _system_judgments(table: TextTable) -> SystemJudgments:
    scores = _numbers(table, _require(table, SCORE))
    systems = text_column(table, _require(table, SYSTEM))
    judged = SystemJudgments(*_frame(table, len(scores)), systems, scores)
    rater = _find(table, RATER)
    _check_unique(judged, text_column(table, rater) if rater else [""] * len(scores))
    return judged


def _check_unique(judged: SystemJudgments, raters: Sequence[str]) -> None:
    """Raise if a system has several scores: the table probably holds segment scores without their segments."""
    seen: dict[tuple[str, str, str], int] = {}
    for i, key in enumerate(zip(judged.pairs, judged.systems, raters, strict=True)):
        if key in seen:
            raise InputError(
                f"{judged.place(i)} scores system {key[1]!r} again (first in line {judged.lines[seen[key]]:,});"
                f" scores of segments need a column {' or '.join(SEGMENT)}"
            )
        seen[key] = i


def _judged_texts(table: TextTable) -> JudgedTexts:
    scores = _numbers(table, _require(table, SCORE))
    hypotheses, references = (text_column(table, _require(table, names)) for names in (HYPOTHESIS, REFERENCE))
    return JudgedTexts(*_frame(table, len(scores)), hypotheses, references, scores)


def _rankings(table: TextTable) -> Rankings:
    ranks = [_numbers(table, _require(table, (name,))) for name in ("rank1", "rank2")]
    first, second = (text_column(table, _require(table, (name,))) for name in ("sys1", "sys2"))
    judge = _find(table, RATER)
    for row, (one, other) in enumerate(zip(first, second, strict=True)):
        if one == other:
            raise InputError(f"{table.path}: {table.place(row)} ranks {one!r} against itself; remove the row")
    return Rankings(
        *_frame(table, len(first)),
        text_column(table, _require(table, SEGMENT)),
        text_column(table, judge) if judge else [""] * len(first),
        first,
        second,
        np.sign(ranks[1] - ranks[0]).astype(np.int32),
    )


def _frame(table: TextTable, n_rows: int) -> tuple[str, Sequence[int], Sequence[str]]:
    return table.path, [table.number(row) for row in range(n_rows)], _pair_column(table, n_rows)


def _pair_column(table: TextTable, n_rows: int) -> Sequence[str]:
    """Return the language pairs; empty strings if the table has none."""
    pair = _find(table, PAIR)
    return text_column(table, pair) if pair else [""] * n_rows


def _find(table: TextTable, names: Sequence[str]) -> str | None:
    return next((name for name in names if name in table.names), None)


def _require(table: TextTable, names: Sequence[str]) -> str:
    found = _find(table, names)
    if found is None:
        raise InputError(f"{table.path} has no column {' or '.join(names)}; it has: {', '.join(table.names)}")
    return found


def text_column(table: TextTable, name: str) -> list[str]:
    """Return a column as strings; JSON may write segment numbers without quotes."""
    values = table.values(name)
    if set(map(type, values)) <= {str, int}:
        return list(map(str, values))
    row = next(row for row, value in enumerate(values) if type(value) not in (str, int))
    raise InputError(
        f"{table.path}#{name}: {table.place(row)} holds {_show(values[row])}, not a name or a number"
    )


def _numbers(table: TextTable, name: str) -> FloatArray:
    values = table.values(name)
    if (known := _parse_all(values)) is not None:
        return known
    numbers = [_parse(value) for value in values]
    if None not in numbers:
        return np.array(numbers, dtype=np.float64)
    row = numbers.index(None)
    raise InputError(
        f"{table.path}#{name}: {table.place(row)} holds {_show(values[row])}, not a finite number"
    )


def _parse_all(values: Sequence[object]) -> FloatArray | None:
    """Parse texts that have only the characters of numbers at once; None if some other way is needed."""
    if set(map(type, values)) <= {str} and set("".join(map(str, values))) <= _PLAIN:
        with suppress(ValueError):
            numbers = np.array(values).astype(np.float64)
            return numbers if np.isfinite(numbers).all() else None
    return None


def _show(value: object) -> str:
    shown = repr(value) if isinstance(value, str) else json.dumps(value)
    return shown if len(shown) <= _MAX_SHOWN else f"{shown[:_MAX_SHOWN]}…"


def _parse(value: object) -> float | None:
    """Return a number of JSON or a text that is one; None for other values."""
    return parse_float(str(value)) if type(value) in (str, int, float) else None


# MQM error lists in Google's format: a row per error. The weights are those of Freitag et al. (2021), Experts,
# Errors, and Context, by severity, severity/category or severity/category/subcategory; the most specific is used.
GOOGLE_WEIGHTS: Mapping[str, float] = {
    "major": 5.0,
    "minor": 1.0,
    "neutral": 0.0,
    "no-error": 0.0,
    "major/non-translation!": 25.0,
    "minor/fluency/punctuation": 0.1,
}

_COLUMNS = ("system", "rater", "category", "severity")


def is_mqm(table: TextTable) -> bool:
    """Whether a table lists MQM errors."""
    return all(name in table.names for name in _COLUMNS)


def parse_mqm(
    table: TextTable, *, weights: Mapping[str, float] = GOOGLE_WEIGHTS, pair: str = ""
) -> SegmentJudgments:
    """Sum a table of MQM errors to one score per system, segment and rater: the negated sum of the weights.

    The columns are system, rater, category and severity, and seg_id, global_seg_id or doc and doc_id. A segment
    without errors has a row too, so that its score is 0. `pair` is the language pair of a table without such a
    column.

    Raises
    ------
    InputError
        If a column is missing or a severity has no weight.
    """
    system, rater, category, severity = (text_column(table, name) for name in _COLUMNS)
    pairs = [each or pair for each in _pair_column(table, len(system))]
    totals: dict[tuple[str, str, str, str], float] = {}
    lines: dict[tuple[str, str, str, str], int] = {}
    for row, key in enumerate(zip(pairs, system, _segments(table), rater, strict=True)):
        weight = error_weight(severity[row], category[row], weights)
        if weight is None:
            raise InputError(
                f"{table.path}: {table.place(row)} has the severity {severity[row]!r}, which has no weight;"
                f" known severities: {', '.join(name for name in weights if '/' not in name)}"
            )
        totals[key] = totals.get(key, 0.0) + weight
        lines.setdefault(key, table.number(row))
    pairs, systems, segments, raters = (list(side) for side in zip(*totals, strict=True))
    scores = 0.0 - np.array(list(totals.values()))  # not -0.0
    return SegmentJudgments(table.path, list(lines.values()), pairs, systems, segments, scores, raters)


def error_weight(severity: str, category: str, weights: Mapping[str, float]) -> float | None:
    """Return the weight of an error: that of the longest known prefix of severity/category/subcategory.

    Examples
    --------
    >>> error_weight("Minor", "Fluency/Punctuation", GOOGLE_WEIGHTS)
    0.1
    """
    parts = [severity, *category.split("/")]
    names = ("/".join(parts[:n]).lower() for n in range(len(parts), 0, -1))
    return next((weights[name] for name in names if name in weights), None)


def _segments(table: TextTable) -> list[str]:
    """Return a label for each row's segment: its number in the test set, or its document and number in it."""
    for name in ("global_seg_id", "globalSegId", "seg_id"):
        if name in table.names:
            return text_column(table, name)
    if not {"doc", "doc_id"} <= set(table.names):
        raise InputError(
            f"{table.path} has no column global_seg_id or seg_id, nor doc and doc_id;"
            f" it has: {', '.join(table.names)}"
        )
    documents, numbers = text_column(table, "doc"), text_column(table, "doc_id")
    return [f"{document}::{number}" for document, number in zip(documents, numbers, strict=True)]
