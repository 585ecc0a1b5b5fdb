"""Readers of segment scores computed by other tools: plain lines, tables, mt-metrics-eval's files, COMET's JSON."""

import json
import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import PurePath
from typing import NamedTuple

import numpy as np

from tertium.arguments import describe_value
from tertium.corpus.judgments.score_files import read_score_file
from tertium.corpus.texts.formats import open_table
from tertium.corpus.texts.tables import TextTable, format_count
from tertium.decimals import describe_score, parse_integer, parse_score
from tertium.errors import InputError, argument
from tertium.files.paths import Address, default_name, format_suffix, parse_address, show_path
from tertium.files.reading import read_lines, read_text
from tertium.values import FloatArray

_TABLES = (".tsv", ".csv", ".jsonl", ".ndjson", ".parquet", ".xlsx")
_SCORE = "score"


class _Entry(NamedTuple):
    """The score of one system for one segment (from 0), and its place in the file, such as `line 7`.

    `is_numbered` says that the file names the segment, so that scores of other segments may be missing.
    """

    system: str
    segment: int
    score: object
    place: str
    is_numbered: bool = False


def name_scores(text: str) -> str:
    """Return the default name of scores: the name of their column or file.

    >>> name_scores("metrics/comet.seg.score"), name_scores("comet.json")
    ('comet', 'comet')
    """
    address = parse_address(text)
    if address.column is not None:
        return address.column
    name = PurePath(default_name(address)).name
    return name.partition(".seg.")[0].removesuffix(".json")


def read_external_scores(text: str, systems: Sequence[str], n_segments: int) -> FloatArray:
    """Read the segment scores of all systems (systems, segments) from a file, or from `FILE#COLUMN`.

    A `.json` file is written by `comet-score --to_json`. A table (`.tsv`, `.csv`, `.jsonl`, `.parquet`, `.xlsx`) has the columns
    `system`, `segment` (from 1) and `score`, or a column per system, or a row per segment for a single system.
    `NAME.seg.score` is mt-metrics-eval's format. Any other file has one score per line, of a single system.
    Scores of other systems are ignored.

    Raises
    ------
    A segment may have no score: null, None, NaN or nothing in its place or, in a file that numbers its segments, no row.
    It is NaN in the result.

    Raises
    ------
    InputError
        If a score is given twice or is not a number, if a system has none, or if there are too few rows; the message
        names the file and the line.
    """
    address = parse_address(text)
    return _arrange(address, list(_read(address, systems)), systems, n_segments)


def take_external_scores(
    name: str, given: Mapping[str, Iterable[object]], systems: Sequence[str], n_segments: int
) -> FloatArray:
    """Arrange segment scores by system (systems, segments) that were given in Python; None and NaN mark a missing score.

    Raises
    ------
    InputError
        As for `read_external_scores`; the message names the system and the segment.
    """
    label = f"scores[{name!r}]"
    if not isinstance(given, Mapping):
        raise InputError(
            f"{label} must be a mapping from systems to lists of scores, not {describe_value(given)}"
        )
    if lacking := [system for system in systems if system not in given]:
        raise InputError(
            f"{label} has no scores of system {lacking[0]!r} (it has {', '.join(map(str, given))});"
            " give a list of scores for every system"
        )
    for system, scores in given.items():
        if isinstance(scores, str | Mapping) or not hasattr(scores, "__iter__"):
            raise InputError(f"{label}[{system!r}] must be a list of scores, not {describe_value(scores)}")
    entries = [
        _Entry(system, row, score.item() if isinstance(score, np.generic) else score, f"[{system!r}][{row}]")
        for system, scores in given.items()
        for row, score in enumerate(scores)
    ]
    return _arrange(Address(label), entries, systems, n_segments)


def _read(address: Address, systems: Sequence[str]) -> Iterator[_Entry]:
    suffix = format_suffix(address.path)
    if suffix == ".json":
        return _read_comet(address)
    if suffix in _TABLES:
        return _parse_table(address, open_table(address.path), systems)
    if ".seg." in PurePath(address.path).name:
        return _read_score_file(address)
    return _read_lines(address, systems)


def _read_lines(address: Address, systems: Sequence[str]) -> Iterator[_Entry]:
    _check_single(address, systems)
    for row, line in enumerate(read_lines(address.path)):
        yield _Entry(systems[0], row, line.strip(), f"line {row + 1:,}")


def _read_score_file(address: Address) -> Iterator[_Entry]:
    found = read_score_file(address.path)
    rows = zip(found.systems, found.segments, found.scores.tolist(), found.lines, strict=True)
    for system, segment, score, line in rows:
        place = f"line {line:,}"
        yield _Entry(system, _parse_segment(address, segment, place) - 1, score, place)


def _parse_table(address: Address, table: TextTable, systems: Sequence[str]) -> Iterator[_Entry]:
    if "system" in table.names:
        return _parse_long(address, table)
    if address.column is None and set(systems) <= set(table.names):
        return _parse_wide(table, systems)
    _check_single(address, systems)
    values = table.values(address.column or _find_column(address, table))
    return (_Entry(systems[0], row, value, table.place(row)) for row, value in enumerate(values))


def _parse_long(address: Address, table: TextTable) -> Iterator[_Entry]:
    scores = table.values(address.column or _find_column(address, table))
    numbers: Iterable[object] = table.values("segment") if "segment" in table.names else ()
    segments = list(numbers)
    n_seen: dict[str, int] = {}
    for row, (system, score) in enumerate(zip(table.plain_values("system"), scores, strict=True)):
        at = n_seen[system] = n_seen.get(system, 0) + 1
        place = table.place(row)
        number = _parse_segment(address, segments[row], place) if segments else at
        yield _Entry(system, number - 1, score, place, is_numbered=bool(segments))


def _parse_wide(table: TextTable, systems: Sequence[str]) -> Iterator[_Entry]:
    for system in systems:
        for row, value in enumerate(table.values(system)):
            yield _Entry(system, row, value, table.place(row))


def _find_column(address: Address, table: TextTable) -> str:
    if _SCORE in table.names:
        return _SCORE
    path = show_path(address.path)
    raise InputError(
        f"{path} has no column {_SCORE!r}; it has {', '.join(table.names)}: choose one with {path}#COLUMN"
    )


def _read_comet(address: Address) -> Iterator[_Entry]:
    try:
        found = json.loads(read_text(address.path))
    except (ValueError, RecursionError) as error:
        raise InputError(f"{show_path(address.path)} is not JSON: {error}; create it again") from None
    if not isinstance(found, dict) or not all(isinstance(rows, list) for rows in found.values()):
        raise InputError(
            f"{show_path(address.path)} is not in COMET's JSON format: a list of segments per system"
        )
    for path, rows in found.items():
        name = default_name(Address(path))
        for row, segment in enumerate(rows):
            place = f"{path}, segment {row + 1:,}"
            yield _Entry(name, row, _comet_score(address, segment, place), place)


def _comet_score(address: Address, segment: object, place: str) -> object:
    names = [address.column] if address.column is not None else ["COMET", "score"]
    if isinstance(segment, Mapping):
        for name in names:
            if name in segment:
                return segment[name]
    raise InputError(f"{show_path(address.path)}: {place} has no {names[0]!r}; choose a key with FILE#KEY")


def _check_single(address: Address, systems: Sequence[str]) -> None:
    if len(systems) > 1:
        raise InputError(
            f"{address.label} does not name the system of its scores, but there are {len(systems)} systems;"
            " give a table with columns system, segment and score"
        )


def _parse_segment(address: Address, value: object, place: str) -> int:
    number = parse_integer(str(value))
    if number is None or number < 1:
        raise InputError(
            f"{address.label}: {place} has the segment {value!r}; segments are numbered 1, 2, 3, …"
        )
    return number


def _arrange(
    address: Address, entries: Sequence[_Entry], systems: Sequence[str], n_segments: int
) -> FloatArray:
    scores = np.full((len(systems), n_segments), np.nan)
    indices = {system: i for i, system in enumerate(systems)}
    seen = set[tuple[int, int]]()
    for entry in entries:
        if entry.system not in indices:
            continue
        if entry.segment >= n_segments:
            raise InputError(
                f"{address.label}: {entry.place} is a score of segment {entry.segment + 1:,}, but there are"
                f" {format_count(n_segments, 'segment')}; give each segment one score"
            )
        cell = indices[entry.system], entry.segment
        if cell in seen:
            raise InputError(
                f"{address.label}: {entry.place} gives system {entry.system!r}, segment {entry.segment + 1:,}"
                " a second score; remove one of them"
            )
        seen.add(cell)
        scores[cell] = _parse_score(address, entry)
    _check_gaps(address, entries, seen, systems, n_segments)
    return scores


_NO_SCORE = ("", "none", "null", "nan", "na", "n/a")


def _parse_score(address: Address, entry: _Entry) -> float:
    """Return the score; NaN if the file marks it as missing."""
    if entry.score is None or str(entry.score).strip().lower() in _NO_SCORE:
        return math.nan
    score = parse_score(entry.score)
    if score is None:
        raise InputError(
            f"{address.label}: {entry.place} holds {entry.score!r}, {describe_score(entry.score)};"
            " score the segment again, or write None if there is no score"
        )
    return score


def _check_gaps(
    address: Address,
    entries: Sequence[_Entry],
    seen: Collection[tuple[int, int]],
    systems: Sequence[str],
    n_segments: int,
) -> None:
    """Raise if a system has no scores, or too few in a file that does not number its segments."""
    known = dict.fromkeys(entry.system for entry in entries)
    is_numbered = all(entry.is_numbered for entry in entries)
    for number, system in enumerate(systems):
        if system not in known:
            names = ", ".join(known) or "none"
            raise InputError(
                f"{address.label} has no scores of system {system!r} (it has {names});"
                f" rename the system with {argument('hypotheses', 'NAME=FILE')}"
            )
        missing = next((i for i in range(n_segments) if (number, i) not in seen), None)
        if missing is not None and not is_numbered:
            raise InputError(
                f"{address.label} lacks the score of system {system!r}, segment {missing + 1:,};"
                " give each segment one score, or None"
            )
