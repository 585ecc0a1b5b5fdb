"""The formats of human judgments, each with a test of a file's content and a reader, and the function that chooses."""

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property

from tertium.corpus.judgments.annotation_tools import PEARMUT_KEYS, is_appraise, parse_appraise, parse_pearmut
from tertium.corpus.judgments.mqm import GOOGLE_WEIGHTS, Weights, is_mqm, parse_mqm, weigh_with
from tertium.corpus.judgments.readers import (
    Judgments,
    SegmentJudgments,
    convert_scores,
    csv_rows,
    parse_judgments,
)
from tertium.corpus.judgments.score_files import read_score_file
from tertium.corpus.judgments.wmt_files import (
    WMT24_ESA_KEYS,
    WMT25_KEYS,
    is_ad_seg_scores,
    is_comet,
    parse_ad_seg_scores,
    parse_comet,
    parse_ratings,
    parse_wmt24_esa,
    parse_wmt25,
)
from tertium.corpus.texts.line_formats import JSONTable, TSVTable, parse_jsonl, parse_tsv
from tertium.corpus.texts.tables import TextTable, check_unique_names
from tertium.errors import InputError
from tertium.files.paths import format_suffix
from tertium.files.reading import read_lines
from tertium.records import record


@record(eq=False)
class JudgmentFile:
    """The content of a file of judgments, parsed as far as a format asks for it.

    Attributes
    ----------
    weights
        Weights of MQM errors, for formats with error spans but without scores.
    score
        The column of scores, if the user named one.
    """

    path: str
    lines: list[str]
    weights: Weights
    score: str | None

    @cached_property
    def objects(self) -> JSONTable | None:
        """The objects of a JSONL file."""
        is_json = self.lines and self.lines[0].lstrip().startswith("{")
        return parse_jsonl(self.path, self.lines) if is_json and self.whole is None else None

    @cached_property
    def whole(self) -> object:
        """The value of a file that is one JSON value over several lines or files, as COMET writes it."""
        if not self.lines or not self.lines[0].lstrip().startswith("{"):
            return None
        try:
            value = json.loads("\n".join(self.lines))
        except (ValueError, RecursionError):
            return None
        return value if is_comet(value) else None

    @property
    def first(self) -> dict[str, object]:
        """The first object of a JSONL file; empty for other files."""
        return {} if self.objects is None else self.objects.records[0]

    @cached_property
    def table(self) -> TextTable:
        """The file as a table with named columns: JSONL, CSV or TSV."""
        if format_suffix(self.path) in (".jsonl", ".ndjson"):
            return self.objects or parse_jsonl(self.path, self.lines)
        if self.objects is not None:
            return self.objects
        is_csv = self.lines and "\t" not in self.lines[0] and "," in self.lines[0]
        return _parse_csv(self.path, self.lines) if is_csv else parse_tsv(self.path, self.lines)


@record
class JudgmentFormat:
    """A format of judgments: its name, the test whether a file has it, and its reader."""

    name: str
    summary: str
    fits: Callable[[JudgmentFile], bool]
    read: Callable[[JudgmentFile], Judgments]


FORMATS: Sequence[JudgmentFormat] = (
    JudgmentFormat(
        "mtme-scores",
        "scores of mt-metrics-eval, NAME.seg.score and NAME.sys.score",
        lambda file: format_suffix(file.path) == ".score",
        lambda file: convert_scores(read_score_file(file.path)),
    ),
    JudgmentFormat(
        "mtme-ratings",
        "MQM ratings of mt-metrics-eval, NAME.seg.rating",
        lambda file: format_suffix(file.path) == ".rating",
        lambda file: parse_ratings(file.path, file.lines, weigh_with(file.weights)),
    ),
    JudgmentFormat(
        "comet",
        "scores and error spans of COMET (the JSON file of comet-score)",
        lambda file: file.whole is not None,
        lambda file: parse_comet(file.path, file.whole),  # type: ignore[arg-type] # is_comet checked it
    ),
    JudgmentFormat(
        "pearmut",
        "Pearmut's log of annotations",
        lambda file: file.first.keys() >= PEARMUT_KEYS,
        lambda file: parse_pearmut(file.path, _records(file, PEARMUT_KEYS), weigh_with(file.weights)),
    ),
    JudgmentFormat(
        "wmt24-esa",
        "WMT24's ESA judgments",
        lambda file: file.first.keys() >= WMT24_ESA_KEYS,
        lambda file: parse_wmt24_esa(file.path, _records(file, WMT24_ESA_KEYS)),
    ),
    JudgmentFormat(
        "wmt25",
        "WMT25's and WMT26's human evaluation",
        lambda file: file.first.keys() >= WMT25_KEYS,
        lambda file: parse_wmt25(file.path, _records(file, WMT25_KEYS), weigh_with(file.weights)),
    ),
    JudgmentFormat(
        "appraise",
        "Appraise's CSV of DA, SQM or ESA",
        lambda file: is_appraise(file.lines),
        lambda file: parse_appraise(file.path, file.lines),
    ),
    JudgmentFormat(
        "ad-seg-scores",
        "WMT's ad-seg-scores of direct assessment",
        lambda file: is_ad_seg_scores(file.lines),
        lambda file: parse_ad_seg_scores(file.path, file.lines, score=file.score),
    ),
    JudgmentFormat(
        "mqm",
        "Google's MQM, a row per error",
        lambda file: is_mqm(file.table.names),
        lambda file: parse_mqm(_filled(file), weights=file.weights),
    ),
    JudgmentFormat(
        "table",
        "a table with the columns system, segment and score (TSV, CSV or JSONL)",
        lambda _: True,
        lambda file: parse_judgments(_filled(file), weigh_with(file.weights), score=file.score),
    ),
)
"""The first format that fits a file reads it."""


def read_judgments(path: str, *, weights: Weights | None = None, score: str | None = None) -> Judgments:
    """Read a file of human judgments of any format; its content determines the format.

    Parameters
    ----------
    weights
        Weights of MQM errors.
    score
        The column of scores in a table, or `raw` in WMT's ad-seg-scores.

    Raises
    ------
    InputError
        If the file is empty, or does not match its format; the message names the line.
    """
    is_score_file = format_suffix(path) == ".score"
    file = JudgmentFile(path, [] if is_score_file else read_lines(path), weights or GOOGLE_WEIGHTS, score)
    if not is_score_file and not file.lines:
        raise InputError(f"{path} is empty; a judgment has at least a system and a score")
    judged = next(form for form in FORMATS if form.fits(file)).read(file)
    if not isinstance(judged, SegmentJudgments):
        return judged
    return replace(judged, notes=[*judged.notes, *_describe_odd_scores(judged)])


# If this share of the scores is from 0 to 100, the others are probably mistakes.
_MIN_USUAL = 0.95


def _describe_odd_scores(judged: SegmentJudgments) -> list[str]:
    """Describe scores below 0 or above 100 in language pairs that were scored from 0 to 100."""
    notes = []
    for pair in dict.fromkeys(judged.pairs):
        rows = [i for i, name in enumerate(judged.pairs) if name == pair]
        scores = judged.scores[rows]
        is_usual = (scores >= 0) & (scores <= 100)
        if scores.max() > 1 and _MIN_USUAL <= is_usual.mean() < 1:  # MQM is never above 0
            first = rows[int(is_usual.argmin())]
            notes.append(
                f"{judged.place(first)} has the score {judged.scores[first]:g}, but most scores are from 0 to 100;"
                f" {int((~is_usual).sum()):,} such scores are used as they are"
            )
    return notes


def _records(file: JudgmentFile, keys: frozenset[str]) -> Sequence[dict[str, object]]:
    """Return the objects of a JSONL file; raise if one lacks a key by which the first one was recognised."""
    found = () if file.objects is None else file.objects.records
    for number, entry in enumerate(found, start=1):
        for key in sorted(keys - entry.keys()):
            raise InputError(f"{file.path}: line {number:,} has no {key}, which line 1 has")
    return found


def _filled(file: JudgmentFile) -> TextTable:
    """Return the table; raise if it has no judgments."""
    if not file.table.names:
        raise InputError(f"{file.path}: line 1 has no columns; a judgment has at least a system and a score")
    if not len(file.table):
        raise InputError(f"{file.path} contains only a header; add judgments or remove the file")
    return file.table


class _CSVTable(TSVTable):
    """The rows of a CSV file, whose quoted fields may span several lines."""

    def __init__(self, path: str, header: list[str], rows: list[list[str]], numbers: Sequence[int]) -> None:
        super().__init__(path, header, rows)
        self._numbers = numbers

    def number(self, row: int) -> int:
        return self._numbers[row]


def _parse_csv(path: str, lines: Sequence[str]) -> TSVTable:
    (_, header), *rows = csv_rows(path, lines)
    check_unique_names(f"{path}: line 1", header)
    for number, fields in rows:
        if len(fields) != len(header):
            raise InputError(
                f"{path}: line {number:,} has {len(fields):,} fields but the header has {len(header):,}"
            )
    return _CSVTable(path, header, [fields for _, fields in rows], [number for number, _ in rows])
