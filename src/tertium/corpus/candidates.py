"""Lists of candidate translations (n-best lists): one group of texts per source."""

import json
from collections.abc import Callable, Iterator
from itertools import groupby, islice

from tertium.errors import InputError, argument
from tertium.files.paths import show_path
from tertium.files.reading import decode_file, open_bytes

_KEYS = ("candidates", "hypotheses", "translations")
_MARK = " ||| "  # between the fields of Moses' n-best lists

Group = tuple[str, ...]


def read_candidates(path: str, *, per_source: int | None = None) -> Iterator[Group]:
    """Read the candidates of one source after the other, without holding the whole file in memory.

    Parameters
    ----------
    path
        JSON lines (a list of texts per line, or an object whose key `candidates` has the list), TSV (a line per
        source, a column per candidate), Moses' n-best format (`number ||| text ||| …`), or plain text.
    per_source
        Number of lines per source in plain text.

    Raises
    ------
    InputError
        If a line cannot be parsed, a source has no candidate, or plain text has a partial last group.
    """
    lines = _number_lines(path)
    first = next(lines, None)
    if first is None:
        raise InputError(f"{show_path(path)} is empty; it needs at least one candidate")
    return _choose_parser(path, first[1], per_source)(path, _chain(first, lines))


_Lines = Iterator[tuple[int, str]]


def _choose_parser(path: str, first: str, per_source: int | None) -> Callable[[str, _Lines], Iterator[Group]]:
    name = path.removesuffix(".gz").removesuffix(".xz")
    if name.endswith((".jsonl", ".json", ".ndjson")):
        return _parse_json_lines
    if name.endswith(".tsv"):
        return _parse_tsv
    if per_source is not None:
        return lambda path, lines: _parse_blocks(path, lines, per_source)
    if _MARK in first:
        return _parse_nbest
    raise InputError(
        f"{show_path(path)} is plain text; give the number of lines per source with {argument('per_source', 'N')}"
    )


def _number_lines(path: str) -> _Lines:
    with open_bytes(path) as stream:
        for number, line in enumerate(stream, start=1):
            yield number, decode_file(path, line.removesuffix(b"\n").removesuffix(b"\r"))


def _chain(first: tuple[int, str], rest: _Lines) -> _Lines:
    yield first
    yield from rest


def _parse_json_lines(path: str, lines: _Lines) -> Iterator[Group]:
    for number, line in lines:
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            raise InputError(f"{show_path(path)}, line {number:,}: this is not JSON") from None
        if isinstance(value, dict):
            value = next((value[key] for key in _KEYS if key in value), None)
        if not isinstance(value, list) or not all(isinstance(text, str) for text in value):
            raise InputError(
                f"{show_path(path)}, line {number:,}: expected a list of texts, or an object with the key "
                '"candidates" and such a list'
            )
        yield _check_group(path, number, tuple(value))


def _parse_tsv(path: str, lines: _Lines) -> Iterator[Group]:
    for number, line in lines:
        yield _check_group(path, number, tuple(line.split("\t")) if line else ())


def _parse_nbest(path: str, lines: _Lines) -> Iterator[Group]:
    seen = set[str]()
    parsed = ((number, *_split_nbest(path, number, line)) for number, line in lines)
    for source, rows in groupby(parsed, lambda row: row[1]):
        group = list(rows)
        if source in seen:
            raise InputError(
                f"{show_path(path)}, line {group[0][0]:,}: source {source} occurred before; sort the list by source"
            )
        seen.add(source)
        yield tuple(text for _, _, text in group)


def _split_nbest(path: str, number: int, line: str) -> tuple[str, str]:
    source, mark, rest = line.partition(_MARK)
    if not mark:
        raise InputError(f"{show_path(path)}, line {number:,}: expected 'source ||| text ||| ...'")
    return source.strip(), rest.partition(_MARK)[0]


def _parse_blocks(path: str, lines: _Lines, per_source: int) -> Iterator[Group]:
    texts = (line for _, line in lines)
    n_lines = 0
    while group := tuple(islice(texts, per_source)):
        n_lines += len(group)
        if len(group) < per_source:
            raise InputError(
                f"{show_path(path)} has {n_lines:,} lines, which is not a multiple of the {per_source:,} lines per source"
            )
        yield group


def _check_group(path: str, number: int, group: Group) -> Group:
    if not group:
        raise InputError(f"{show_path(path)}, line {number:,}: a source needs at least one candidate")
    return group
