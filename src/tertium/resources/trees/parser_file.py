"""Our own file of a tagger and parser: a few tables of integers behind a header.

Layout: the magic `TERTIUMP`, the header's length (uint32), the header (JSON: version, name, tags, relations,
lemmas, each table's name, type and shape, and a SHA-256), then the tables one behind the other. Numbers are little-endian.
The checksum is over the header without it and all tables.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from tertium.errors import ResourceError

__all__ = ["ParserFile", "read_parser_file", "write_parser_file"]

MAGIC = b"TERTIUMP"
VERSION = 1

Tables = Mapping[str, npt.NDArray[Any]]


@dataclass(frozen=True, eq=False)
class ParserFile:
    """What a parser's file holds."""

    name: str
    tags: Sequence[str]
    relations: Sequence[str]
    lemmas: Mapping[str, Mapping[str, str]]
    """By part of speech, base forms that the rules of lemmas do not give."""
    tables: Tables


def write_parser_file(path: Path, parser: ParserFile) -> None:
    """Write the file; the same content gives the same bytes."""
    body = b"".join(_little(table).tobytes() for table in parser.tables.values())
    facts = {
        "version": VERSION,
        "name": parser.name,
        "tags": list(parser.tags),
        "relations": list(parser.relations),
        "lemmas": parser.lemmas,
        "tables": [[name, _little(table).dtype.str, table.shape] for name, table in parser.tables.items()],
    }
    header = json.dumps(facts | {"sha256": _digest(facts, body)}, ensure_ascii=False).encode()
    path.write_bytes(MAGIC + len(header).to_bytes(4, "little") + header + body)


def read_parser_file(path: Path) -> tuple[ParserFile, str]:
    """Read the file and its checksum.

    Raises
    ------
    ResourceError
        If it is no such file, of another version, or damaged.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ResourceError(f"the parser {path} cannot be read: {error.strerror or error}") from error
    if not data.startswith(MAGIC):
        raise ResourceError(f"{path} is not a parser of tertium: it does not begin with {MAGIC.decode()}")
    facts, body = _read_header(path, data)
    checksum = facts.pop("sha256", None)
    if checksum != _digest(facts, body):
        raise _damaged(path, "its content does not fit its checksum")
    tables = _cut_tables(path, facts["tables"], body)
    parser = ParserFile(facts["name"], facts["tags"], facts["relations"], facts["lemmas"], tables)
    return parser, checksum


def _read_header(path: Path, data: bytes) -> tuple[dict[str, Any], bytes]:
    begin = len(MAGIC) + 4
    end = begin + int.from_bytes(data[len(MAGIC) : begin], "little")
    try:
        facts = json.loads(data[begin:end])
        version = facts["version"]
    except (ValueError, TypeError, KeyError) as error:
        raise _damaged(path, "its header cannot be read") from error
    if version != VERSION:
        raise ResourceError(
            f"{path}: a parser of version {version}, but this tertium reads version {VERSION}; install both anew"
        )
    return facts, data[end:]


def _cut_tables(path: Path, described: Sequence[tuple[str, str, Sequence[int]]], body: bytes) -> Tables:
    tables: dict[str, npt.NDArray[Any]] = {}
    at = 0
    for name, kind, shape in described:
        table = np.frombuffer(body, np.dtype(kind), int(np.prod(shape)), at).reshape(shape)
        tables[name] = table.astype(table.dtype.newbyteorder("="))
        at += table.nbytes
    if at != len(body):
        raise _damaged(path, f"{len(body) - at:,} bytes follow its last table")
    return tables


def _digest(facts: Mapping[str, Any], body: bytes) -> str:
    return hashlib.sha256(json.dumps(facts, sort_keys=True).encode() + body).hexdigest()


def _little(table: npt.NDArray[Any]) -> npt.NDArray[Any]:
    return np.ascontiguousarray(table, table.dtype.newbyteorder("<"))


def _damaged(path: Path, why: str) -> ResourceError:
    return ResourceError(f"{path}: this parser is damaged: {why}; install tertium anew")
