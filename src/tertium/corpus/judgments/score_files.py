"""Reading and writing of metric scores in the formats of the WMT metrics tasks and of mt-metrics-eval.

`NAME.seg.score` and `NAME.sys.score` (each also `.gz`) have a row per score and no header, except that
some files of 2024 have one. The columns before the score changed over the years: see `LAYOUTS`.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import PurePath
from typing import Literal

import numpy as np

from tertium.errors import InputError, OptionError
from tertium.files.reading import read_lines
from tertium.numbers import parse_float
from tertium.records import record
from tertium.types import FloatArray

Level = Literal["segment", "system"]

_UP_TO_2016 = ("metric", "pair", "test_set", "system")
_SINCE_2022 = ("metric", "pair", "test_set", "domain")

LAYOUTS: Mapping[str, Mapping[Level, Sequence[str]]] = {
    "2016": {
        "system": (*_UP_TO_2016, "score"),
        "segment": (*_UP_TO_2016, "segment", "score"),
    },
    "2017": {
        "system": (*_UP_TO_2016, "score", "ensemble", "available"),
        "segment": (*_UP_TO_2016, "segment", "score", "ensemble", "available"),
    },
    "2020": {
        "system": ("metric", "pair", "test_set", "reference", "system", "score"),
        "segment": ("metric", "pair", "test_set", "reference", "system", "document", "segment", "score"),
    },
    "2021": {
        "system": ("metric", "pair", "test_set", "reference", "system", "score"),
        "segment": ("metric", "pair", "test_set", "reference", "system", "segment", "score"),
    },
    "2022": {
        "system": (*_SINCE_2022, "reference", "system", "score"),
        "segment": (*_SINCE_2022, "document", "reference", "system", "segment", "score"),
    },
    "mtme": {
        "system": ("system", "score"),
        "segment": ("system", "score"),
    },
}
"""Columns by year and level: 2017 is for 2017–2019, 2022 for 2022–2024, mtme for mt-metrics-eval."""

LANGUAGE_PAIR = re.compile(r"[a-z]{2,3}-[a-z]{2,3}(_[A-Za-z]+)?")
_MISSING = ("None", "NaN", "nan")


@record(eq=False)
class ScoreFile:
    """The scores of a file, one row each; columns that its layout lacks are empty strings.

    `segments` are labels. If a file numbers segments inside documents (2020) or not at all (mt-metrics-eval),
    the rows of each system are numbered from 1.
    """

    path: str
    level: Level
    layout: str
    lines: Sequence[int]
    metrics: Sequence[str]
    pairs: Sequence[str]
    references: Sequence[str]
    domains: Sequence[str]
    systems: Sequence[str]
    segments: Sequence[str]
    scores: FloatArray
    """A score that is `None` in the file is NaN."""

    @property
    def counts_rows(self) -> bool:
        """Whether segments are numbered by the order of the rows, because the layout has no segment number."""
        return self.level == "segment" and self.layout in ("mtme", "2020")

    def place(self, i: int) -> str:
        """Return the file and line of score i (from 0) for messages."""
        return f"{self.path}: line {self.lines[i]:,}"


def read_score_file(path: str, *, layout: str | None = None) -> ScoreFile:
    """Read a file of metric scores; the layout is inferred from its columns, the level from its name.

    Raises
    ------
    InputError
        If the name has neither `.seg.` nor `.sys.`, or the columns match no layout.
    """
    level = _level_of(path)
    rows = [line.split("\t") if "\t" in line else line.split() for line in read_lines(path)]
    first = 2 if rows and "".join(rows[0][-1:]).upper().endswith("SCORE") else 1  # below a header
    rows = rows[first - 1 :]
    if not rows:
        raise InputError(f"{path} has no scores: it is empty")
    chosen = layout or _guess_layout(path, rows[0], level)
    names = _columns_of(chosen, level)
    for number, row in enumerate(rows, start=first):
        if len(row) != len(names):
            raise InputError(
                f"{path}: line {number:,} has {len(row)} fields, but layout {chosen} has {len(names)}:"
                f" {', '.join(names)}"
            )
    return _assemble(path, level, chosen, first, dict(zip(names, zip(*rows, strict=True), strict=True)))


def render_score_file(
    metric: str,
    pair: str,
    scores: Mapping[str, Sequence[float]],
    *,
    level: Level,
    layout: str = "2022",
    test_set: str = "testset",
    reference: str = "refA",
) -> str:
    """Format scores by system (one each, or one per segment) in the layout of a year.

    The domain is `all`, the document `-`. The 2017 columns for ensemble metrics and availability are
    `non-ensemble` and `no`.
    """
    names = _columns_of(layout, level)
    fixed = {
        "metric": metric, "pair": pair, "test_set": test_set, "reference": reference, "domain": "all",
        "document": "-", "ensemble": "non-ensemble", "available": "no",
    }  # fmt: skip
    lines = []
    for system, values in scores.items():
        for number, value in enumerate(values, start=1):
            row = {**fixed, "system": system, "segment": str(number), "score": repr(float(value))}
            lines.append("\t".join(row[name].replace("\t", " ") for name in names))
    return "\n".join(lines) + "\n"


def _level_of(path: str) -> Level:
    parts = PurePath(path).name.split(".")
    if "seg" in parts:
        return "segment"
    if "sys" in parts:
        return "system"
    raise InputError(f"{path}: the level is unknown; rename the file to NAME.seg.score or NAME.sys.score")


def _columns_of(layout: str, level: Level) -> Sequence[str]:
    if layout not in LAYOUTS:
        raise OptionError(f"unknown layout {layout!r}; choose from {', '.join(LAYOUTS)}")
    return LAYOUTS[layout][level]


def _guess_layout(path: str, row: Sequence[str], level: Level) -> str:
    for name, columns in LAYOUTS.items():
        if len(columns[level]) == len(row) and _fits(dict(zip(columns[level], row, strict=True))):
            return name
    known = sorted({len(columns[level]) for columns in LAYOUTS.values()})
    raise InputError(
        f"{path}: a row with {len(row)} fields matches no layout; {level} scores have"
        f" {', '.join(map(str, known))} fields, separated by tabs, with a number in the column of the score"
    )


def _fits(row: Mapping[str, str]) -> bool:
    return _is_score(row["score"]) and not _is_score(row.get("available", "no"))


def _assemble(
    path: str, level: Level, layout: str, first: int, columns: Mapping[str, Sequence[str]]
) -> ScoreFile:
    n_rows = len(columns["score"])
    empty = [""] * n_rows
    stem = PurePath(path).name.partition(".seg.")[0].partition(".sys.")[0]
    metrics, pairs = (
        columns.get("metric", [stem] * n_rows),
        columns.get("pair", [pair_in_name(path)] * n_rows),
    )
    references, systems = columns.get("reference", empty), columns["system"]
    segments: Sequence[str] = empty
    if level == "segment":
        numbered = ("segment" in columns and "document" not in columns) or layout == "2022"
        keys = list(zip(metrics, pairs, references, systems, strict=True))
        segments = columns["segment"] if numbered else _count_rows(keys)
    domains = columns.get("domain", empty)
    return ScoreFile(
        path, level, layout, range(first, first + n_rows), metrics, pairs, references, domains, systems, segments,
        _scores(path, columns["score"], first),
    )  # fmt: skip


def _count_rows(keys: Sequence[tuple[str, ...]]) -> list[str]:
    seen: Counter[tuple[str, ...]] = Counter()
    labels = []
    for key in keys:
        seen[key] += 1
        labels.append(str(seen[key]))
    return labels


def pair_in_name(path: str) -> str:
    """Return the language pair in the name of a file (`en-de.mqm.seg.score`) or of its folder, or ""."""
    named = PurePath(path)
    candidates = (named.name.partition(".")[0], named.parent.name)
    return next((each for each in candidates if LANGUAGE_PAIR.fullmatch(each)), "")


def _scores(path: str, texts: Sequence[str], first: int) -> FloatArray:
    for number, text in enumerate(texts, start=first):
        if not _is_score(text):
            raise InputError(f"{path}: line {number:,} has the score {text!r}, which is not a number")
    return np.array([np.nan if text in _MISSING else float(text) for text in texts])


def _is_score(text: str) -> bool:
    return text in _MISSING or parse_float(text) is not None
