"""Reading and writing of metric scores in the formats of the WMT metrics tasks and of mt-metrics-eval.

`NAME.seg.score` and `NAME.sys.score` (each also `.gz`) have a row per score and no header, except that
some files of 2024 have one. The columns before the score changed over the years: see `LAYOUTS`. mt-metrics-eval also has
`NAME.doc.score`, with the documents in the order of the test set, and `NAME.domain.score`.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import PurePath
from typing import Literal

import numpy as np

from tertium.decimals import describe_score, parse_float, parse_score
from tertium.errors import InputError, OptionError
from tertium.files.reading import read_lines
from tertium.records import record
from tertium.values import FloatArray

Level = Literal["segment", "system", "document", "domain"]

LEVELS: Mapping[str, Level] = {"seg": "segment", "sys": "system", "doc": "document", "domain": "domain"}
"""The level by its short name in names of files."""

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
        "document": ("system", "score"),
        "domain": ("domain", "system", "score"),
    },
}
"""Columns by year and level: 2017 is for 2017–2019, 2022 for 2022–2024, mtme for mt-metrics-eval."""

LANGUAGE_PAIR = re.compile(r"[a-z]{2,3}-[a-z]{2,3}(_[A-Za-z]+)?")
_MISSING = ("None", "NaN", "nan")


@record(eq=False)
class ScoreFile:
    """The scores of a file, one row each; columns that its layout lacks are empty strings.

    `segments` are labels; in files of documents and domains, the names of these. If a file numbers
    segments inside documents (2020) or not at all (mt-metrics-eval), the rows of each system are numbered from 1.
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
        """Whether segments or documents are numbered by the order of the rows, because the layout has no number."""
        return self.level in ("segment", "document") and self.layout in ("mtme", "2020")

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
    name, level = split_score_name(path)
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
    columns = dict(zip(names, zip(*rows, strict=True), strict=True))
    return _assemble(path, (name, level), chosen, first, columns)


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


def split_score_name(path: str) -> tuple[str, Level]:
    """Split the name of a score file into the metric and the level.

    >>> split_score_name("en-de/METRIC.seg.s-src.sys.score")  # a name of WMT24
    ('METRIC.seg.s-src', 'system')

    Raises
    ------
    InputError
        If the name does not contain the level.
    """
    parts = PurePath(path).name.split(".")
    for place in range(len(parts) - 1, 0, -1):
        if level := LEVELS.get(parts[place]):
            return ".".join(parts[:place]), level
    raise InputError(f"{path}: the level is unknown; rename the file to NAME.seg.score or NAME.sys.score")


def _columns_of(layout: str, level: Level) -> Sequence[str]:
    if layout not in LAYOUTS:
        raise OptionError(f"unknown layout {layout!r}; choose from {', '.join(LAYOUTS)}")
    if level not in LAYOUTS[layout]:
        raise OptionError(f"layout {layout!r} has no {level} scores; only mt-metrics-eval has them (mtme)")
    return LAYOUTS[layout][level]


def _guess_layout(path: str, row: Sequence[str], level: Level) -> str:
    layouts = {name: columns[level] for name, columns in LAYOUTS.items() if level in columns}
    for name, columns in layouts.items():
        if len(columns) == len(row) and _fits(dict(zip(columns, row, strict=True))):
            return name
    known = sorted(set(map(len, layouts.values())))
    raise InputError(
        f"{path}: a row with {len(row)} fields matches no layout; {level} scores have"
        f" {', '.join(map(str, known))} fields, separated by tabs, with a number in the column of the score"
    )


def _fits(row: Mapping[str, str]) -> bool:
    return _is_score(row["score"]) and not _is_score(row.get("available", "no"))


def _assemble(
    path: str, named: tuple[str, Level], layout: str, first: int, columns: Mapping[str, Sequence[str]]
) -> ScoreFile:
    name, level = named
    n_rows = len(columns["score"])
    empty: Sequence[str] = [""] * n_rows
    metrics, pairs = (
        columns.get("metric", [name] * n_rows),
        columns.get("pair", [pair_in_name(path)] * n_rows),
    )
    references, systems = columns.get("reference", empty), columns["system"]
    segments, domains = empty, columns.get("domain", empty)
    if level == "domain":
        segments, domains = domains, empty
    elif level != "system":
        numbered = ("segment" in columns and "document" not in columns) or layout == "2022"
        keys = list(zip(metrics, pairs, references, systems, strict=True))
        segments = columns["segment"] if numbered else _count_rows(keys)
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
    return next((candidate for candidate in candidates if LANGUAGE_PAIR.fullmatch(candidate)), "")


def _scores(path: str, texts: Sequence[str], first: int) -> FloatArray:
    scores = [np.nan if text in _MISSING else parse_score(text) for text in texts]
    for number, (text, score) in enumerate(zip(texts, scores, strict=True), start=first):
        if score is None:
            raise InputError(
                f"{path}: line {number:,} has the score {text!r}, which is {describe_score(text)}"
            )
    return np.array(scores, dtype=np.float64)


def _is_score(text: str) -> bool:
    return text in _MISSING or parse_float(text) is not None
