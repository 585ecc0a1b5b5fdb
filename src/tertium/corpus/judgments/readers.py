"""Human judgments as values, and the reader of their tables: segment scores, system scores, rankings, judged texts.

Tables are TSV (a header row, no quoting), CSV or JSONL. Columns have the names listed below; columns with other names are ignored.
"""

import csv
import json
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from tertium.corpus.judgments.score_files import ScoreFile
from tertium.corpus.judgments.spans import ErrorSpan, check_spans, parse_indices, parse_spans
from tertium.corpus.texts.tables import TextTable
from tertium.decimals import LARGEST_SCORE, describe_score, parse_score
from tertium.errors import InputError
from tertium.records import record
from tertium.values import DOCUMENT_COLUMNS, FloatArray

# The accepted names of each column; the first one that exists is used.
PAIR = ("lp", "language_pair", "langpair", "langs")
SYSTEM = ("system", "system_id", "sys")
SEGMENT = ("segment", "seg_id", "segment_id", "seg")
SCORE = ("score", "human", "human_gt", "overall", "esa_score", "human_score")
RATER = ("rater", "judge", "annotator", "user", "user_id")
REFERENCE = ("ref", "reference")
HYPOTHESIS = ("hyp", "hypothesis", "mt")
TARGET = (*HYPOTHESIS, "target", "tgt", "translation", "output", "hypothesis_segment")
SOURCE = ("src", "source", "source_segment")
SPANS = ("error_spans", "spans", "errors", "start_indices")
INDICES = (
    "start_indices",
    "end_indices",
    "error_types",
)  # WMT25: lists of numbers and severities, separated by spaces
SECONDS = ("seconds", "duration")

_MAX_SHOWN = 60  # characters of a wrong value
_PLAIN = frozenset("0123456789+-.eE")
_MAX_NAMES = 3  # names of a column that a message lists


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


Spans = tuple[ErrorSpan, ...]

WeighSpans = Callable[[Spans, str], float]
"""Scores the error spans of an output; the text is the place for an error message."""


@record(kw_only=True)
class Judgment:
    """One judgment of one output by one rater.

    Attributes
    ----------
    line
        The line of the file.
    system, segment
        The judged output: its system and the label of its segment, in WMT's files a number from 1.
    score
        Higher is better.
    pair, document, rater
        "" if the file does not name them.
    spans
        The errors that were marked; None if the protocol has no error spans.
    seconds
        How long the judgment took.
    target, source
        The judged output and its source.
    check
        The kind of an item that checks the rater's attention ("bad", "ref", "tutorial" …) instead of judging a system.
    """

    line: int
    system: str
    segment: str
    score: float
    pair: str = ""
    document: str = ""
    rater: str = ""
    spans: Spans | None = None
    seconds: float | None = None
    target: str | None = None
    source: str | None = None
    check: str = ""


@record(eq=False)
class SegmentJudgments(Judgments):
    """Judgments of single segments as columns; a column that the file lacks is None. See `Judgment`."""

    systems: Sequence[str]
    segments: Sequence[str]
    scores: FloatArray
    raters: Sequence[str] | None = None
    documents: Sequence[str] | None = None
    spans: Sequence[Spans] | None = None
    seconds: FloatArray | None = None
    """NaN where the time is unknown."""
    targets: Sequence[str] | None = None
    sources: Sequence[str] | None = None
    checks: Sequence[str] | None = None
    notes: Sequence[str] = ()
    """Facts about the file for the user, such as rows that are not judgments of segments."""

    def select(self, rows: Sequence[int]) -> "SegmentJudgments":
        """Return some of the judgments, in this order."""
        columns = {name: getattr(self, name) for name in _COLUMNS}
        chosen: dict[str, Any] = {
            name: column[list(rows)] if isinstance(column, np.ndarray) else [column[i] for i in rows]
            for name, column in columns.items()
            if column is not None
        }
        return replace(self, **chosen)

    def of_systems(self) -> "SegmentJudgments":
        """Return the judgments without those that check a rater's attention."""
        if self.checks is None or not any(self.checks):
            return self
        return self.select([i for i, check in enumerate(self.checks) if not check])


_COLUMNS = ("lines", "pairs", "systems", "segments", "scores", "raters", "documents", "spans", "seconds",
            "targets", "sources", "checks")  # fmt: skip


def collect_judgments(path: str, rows: Iterable[Judgment], *, notes: Sequence[str] = ()) -> SegmentJudgments:
    """Turn judgments into columns; raise if there are none, or if a span is outside its text."""
    judged = list(rows)
    if not judged:
        raise InputError(f"{path} has no judgments of segments; check that the annotation has begun")
    for judgment in judged:
        if judgment.spans and judgment.target is not None:
            check_spans(judgment.spans, judgment.target, f"{path}: line {judgment.line:,}")
    has_spans = any(judgment.spans is not None for judgment in judged)
    return SegmentJudgments(
        path,
        [judgment.line for judgment in judged],
        [judgment.pair for judgment in judged],
        [judgment.system for judgment in judged],
        [judgment.segment for judgment in judged],
        np.array([judgment.score for judgment in judged], dtype=np.float64),
        _texts([judgment.rater for judgment in judged]),
        _texts([judgment.document for judgment in judged]),
        [judgment.spans or () for judgment in judged] if has_spans else None,
        _times([judgment.seconds for judgment in judged]),
        _texts([judgment.target or "" for judgment in judged]),
        _texts([judgment.source or "" for judgment in judged]),
        _texts([judgment.check for judgment in judged]),
        notes,
    )


def _texts(values: list[str]) -> list[str] | None:
    return values if any(values) else None


def _times(values: Sequence[float | None]) -> FloatArray | None:
    known = np.array([np.nan if value is None else value for value in values], dtype=np.float64)
    return None if np.all(np.isnan(known)) else known


@record(eq=False)
class SystemJudgments(Judgments):
    """Scores of whole systems."""

    systems: Sequence[str]
    scores: FloatArray

    def select(self, rows: Sequence[int]) -> "SystemJudgments":
        """Return some of the judgments, in this order."""
        return SystemJudgments(
            self.path,
            [self.lines[i] for i in rows],
            [self.pairs[i] for i in rows],
            [self.systems[i] for i in rows],
            self.scores[list(rows)],
        )


def without_systems(file: Judgments, names: Container[str]) -> Judgments:
    """Leave out the scores of some systems; rankings stay as they are."""
    if not isinstance(file, SegmentJudgments | SystemJudgments):
        return file
    kept = [i for i, system in enumerate(file.systems) if system not in names]
    return file if len(kept) == len(file.systems) else file.select(kept)


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


def convert_scores(
    file: ScoreFile, systems: Container[str] | None = None
) -> "SystemJudgments | SegmentJudgments":
    """Convert a score file of human judgments; skip missing scores and, if `systems` is given, other systems."""
    rows: list[int] = np.flatnonzero(~np.isnan(file.scores)).tolist()
    rows = [i for i in rows if systems is None or file.systems[i] in systems]
    lines, pairs = [file.lines[i] for i in rows], [file.pairs[i] for i in rows]
    names, scores = [file.systems[i] for i in rows], file.scores[rows]
    if file.level == "system":
        return SystemJudgments(file.path, lines, pairs, names, scores)
    return SegmentJudgments(file.path, lines, pairs, names, [file.segments[i] for i in rows], scores)


def csv_rows(path: str, lines: Iterable[str]) -> Iterator[tuple[int, list[str]]]:
    """Parse CSV; yield the number of the last line and the fields of each row that is not blank."""
    reader = csv.reader((f"{line}\n" for line in lines), strict=True)
    try:
        for fields in reader:
            if fields:
                yield reader.line_num, fields
    except csv.Error as error:
        raise InputError(f"{path}: line {reader.line_num:,} is not CSV: {error}") from None


def parse_judgments(table: TextTable, weigh: WeighSpans, *, score: str | None = None) -> Judgments:
    """Convert a table to judgments; its columns determine their kind.

    Parameters
    ----------
    weigh
        Scores the error spans of a row, for tables with spans but without scores.
    score
        The column of scores; by default the first known name.
    """
    if "rank1" in table.names:
        return _rankings(table)
    names = SCORE if score is None else (score,)
    has_spans = find_column(table, SPANS) is not None
    if find_column(table, HYPOTHESIS) and find_column(table, REFERENCE) and not has_spans:
        return _judged_texts(table, names)
    if find_column(table, SEGMENT) is None:
        return _system_judgments(table, names)
    return _segment_judgments(table, names, weigh)


def _segment_judgments(table: TextTable, score: Sequence[str], weigh: WeighSpans) -> SegmentJudgments:
    """Read one judgment per row; a table with error spans may lack scores."""
    spans = _span_column(table)
    if spans is not None and find_column(table, score) is None:
        scores = np.array(
            [weigh(row_spans, f"{table.path}: {table.place(row)}") for row, row_spans in enumerate(spans)]
        )
    else:
        scores = number_column(table, require_column(table, score))
    return SegmentJudgments(
        *_frame(table, len(scores)),
        name_column(table, SYSTEM),
        name_column(table, SEGMENT),
        scores,
        optional_column(table, RATER),
        optional_column(table, DOCUMENT_COLUMNS),
        spans,
        _optional_numbers(table, SECONDS),
        optional_column(table, TARGET),
        optional_column(table, SOURCE),
    )


def _span_column(table: TextTable) -> list[Spans] | None:
    """Parse the error spans of each row, lists of objects or their JSON, and check them against the output."""
    name = find_column(table, SPANS)
    if name is None:
        return None
    targets: Sequence[str | None] = optional_column(table, TARGET) or [None] * len(table)
    values = list(zip(*map(table.values, INDICES), strict=True)) if name == INDICES[0] else table.values(name)
    found = []
    for row, (value, target) in enumerate(zip(values, targets, strict=True)):
        place = f"{table.path}#{name}: {table.place(row)}"
        spans = parse_indices(value, place) if isinstance(value, tuple) else parse_spans(value, place, target)
        if target is not None:
            check_spans(spans, target, place)
        found.append(spans)
    return found


def _optional_numbers(table: TextTable, names: Sequence[str]) -> FloatArray | None:
    """Return a column of numbers; None if it does not exist or holds other values, such as dates."""
    name = find_column(table, names)
    if name is None or None in map(parse_score, table.values(name)):
        return None
    return number_column(table, name)


def _system_judgments(table: TextTable, score: Sequence[str]) -> SystemJudgments:
    scores = number_column(table, require_column(table, score))
    systems = name_column(table, SYSTEM)
    judged = SystemJudgments(*_frame(table, len(scores)), systems, scores)
    rater = find_column(table, RATER)
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


def _judged_texts(table: TextTable, score: Sequence[str]) -> JudgedTexts:
    scores = number_column(table, require_column(table, score))
    hypotheses, references = (
        text_column(table, require_column(table, names)) for names in (HYPOTHESIS, REFERENCE)
    )
    return JudgedTexts(*_frame(table, len(scores)), hypotheses, references, scores)


def _rankings(table: TextTable) -> Rankings:
    ranks = [number_column(table, require_column(table, (name,))) for name in ("rank1", "rank2")]
    first, second = (name_column(table, (name,)) for name in ("sys1", "sys2"))
    judge = find_column(table, RATER)
    for row, (one, other) in enumerate(zip(first, second, strict=True)):
        if one == other:
            raise InputError(f"{table.path}: {table.place(row)} ranks {one!r} against itself; remove the row")
    return Rankings(
        *_frame(table, len(first)),
        name_column(table, SEGMENT),
        text_column(table, judge) if judge else [""] * len(first),
        first,
        second,
        np.sign(ranks[1] - ranks[0]).astype(np.int32),
    )


def _frame(table: TextTable, n_rows: int) -> tuple[str, Sequence[int], Sequence[str]]:
    return table.path, [table.number(row) for row in range(n_rows)], pair_column(table, n_rows)


def pair_column(table: TextTable, n_rows: int) -> Sequence[str]:
    """Return the language pairs; empty strings if the table has none."""
    languages = ("source_lang", "target_lang")  # WMT25's names
    if set(languages) <= set(table.names):
        return [
            "-".join(both) for both in zip(*(text_column(table, name) for name in languages), strict=True)
        ]
    return optional_column(table, PAIR) or [""] * n_rows


def find_column(table: TextTable, names: Sequence[str]) -> str | None:
    """Return the first of these names that is a column of the table."""
    return next((name for name in names if name in table.names), None)


def require_column(table: TextTable, names: Sequence[str]) -> str:
    """Return the first of these names that is a column of the table; raise if there is none."""
    found = find_column(table, names)
    if found is None:
        known = " or ".join(names[:_MAX_NAMES])
        raise InputError(f"{table.path} has no column {known}; it has: {', '.join(table.names)}")
    return found


def optional_column(table: TextTable, names: Sequence[str]) -> list[str] | None:
    """Return the first of these columns that exists as strings, or None."""
    name = find_column(table, names)
    return None if name is None else text_column(table, name)


def name_column(table: TextTable, names: Sequence[str]) -> list[str]:
    """Return the first of these columns that exists, the names of systems or segments; raise if one is empty."""
    column = require_column(table, names)
    found = text_column(table, column)
    for row, name in enumerate(found):
        if not name.strip():
            raise InputError(
                f"{table.path}#{column}: {table.place(row)} is empty; every judgment needs a {names[0]}"
            )
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


def number_column(table: TextTable, name: str) -> FloatArray:
    """Return a column of scores."""
    values = table.values(name)
    if (known := _parse_all(values)) is not None:
        return known
    numbers = [parse_score(value) for value in values]
    if None not in numbers:
        return np.array(numbers, dtype=np.float64)
    row = numbers.index(None)
    raise InputError(
        f"{table.path}#{name}: {table.place(row)} holds {_show(values[row])}, {describe_score(values[row])}"
    )


def _parse_all(values: Sequence[object]) -> FloatArray | None:
    """Parse texts that have only the characters of numbers at once; None if some other way is needed."""
    if set(map(type, values)) <= {str} and set("".join(map(str, values))) <= _PLAIN:
        with suppress(ValueError):
            numbers = np.array(values).astype(np.float64)
            return numbers if (np.abs(numbers) <= LARGEST_SCORE).all() else None
    return None


def _show(value: object) -> str:
    shown = repr(value) if isinstance(value, str) else json.dumps(value)
    return shown if len(shown) <= _MAX_SHOWN else f"{shown[:_MAX_SHOWN]}…"


def require_score(value: object, place: str) -> float:
    """Return a score, given as a text or as a value of JSON; raise if it is none."""
    score = parse_score(value)
    if score is None:
        raise InputError(f"{place} has the score {value!r}, which is {describe_score(value)}")
    return score
