"""What was costly to compute, kept on disk by content: one SQLite file per resource.

Processes may share a file, and a killed one leaves it valid: every write is a transaction. Each value
carries a checksum: a damaged one counts as absent, and so is computed and kept anew.
"""

import os
import re
import sqlite3
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import TypeVar

from tertium.errors import ResourceError
from tertium.files.paths import exists, may_write, show_path

VARIABLE = "TERTIUM_CACHE"
OFF = "off"

Found = TypeVar("Found")

_PATIENCE = 60.0  # seconds to wait for another process that writes
_LOOKUPS = 500  # SQLite's oldest limit on parameters of a statement is 999
_SUM_SIZE = 8
# Our statements have no errors of their own: SQLITE_ERROR means that the tables are not ours.
_DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR)
_ATTEMPTS = 3
_REMEDY = f"set {VARIABLE} to a folder that may be written, or to '{OFF}'"


def cache_folder() -> Path | None:
    """The folder of all caches: `TERTIUM_CACHE`, else the platform's place; None where it is `off`."""
    chosen = os.environ.get(VARIABLE, "")
    if chosen == OFF:
        return None
    try:
        return Path(chosen).expanduser() if chosen else _platform_folder() / "tertium"
    except RuntimeError as error:  # no HOME and no entry for the user, or `~name` of nobody
        given = f"{VARIABLE}={chosen!r}" if chosen else "the user has no home folder"
        raise ResourceError(f"there is no folder for the cache: {given} ({error}); {_REMEDY}") from None


def check_cache(name: str | None = None) -> None:
    """Raise now if what is computed could not be kept later.

    A cache of this name that is there already may hold all that is needed, so it need not be writable yet.

    Raises
    ------
    ResourceError
        If the folder of all caches cannot be made or written; the message says what would help.
    """
    folder = cache_folder()
    kept = open_cache(name) if name else None
    if folder is None or (kept is not None and exists(kept.path)):
        return
    probe = folder / f".tertium-{os.urandom(8).hex()}.tmp"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe.touch(exist_ok=False)
        probe.unlink()
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise ResourceError(f"the cache {show_path(folder)} cannot be written: {why}; {_REMEDY}") from None


def content_key(*parts: str) -> bytes:
    """The key of what is made from these texts, which may hold any character."""
    digest = blake2b(digest_size=16)
    for part in parts:
        data = part.encode("utf-8", "surrogatepass")
        digest.update(len(data).to_bytes(8, "little") + data)
    return digest.digest()


def open_cache(name: str) -> "DiskCache | None":
    """The cache of this name, which need not exist yet; None if caches are off."""
    folder = cache_folder()
    return None if folder is None else DiskCache(folder / f"{re.sub(r'[^A-Za-z0-9._-]+', '_', name)}.sqlite")


@dataclass(frozen=True)
class DiskCache:
    """A table from keys to bytes in one file; it is opened anew for each call, so threads may share it."""

    path: Path

    def get_many(self, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        """The sound values of those keys that have one."""
        if not keys or not exists(self.path):
            return {}
        found = self._with_table(lambda table: _look_up(table, keys))
        values = {key: found[key][_SUM_SIZE:] for key in keys if key in found}  # damage may find other keys
        return {key: value for key, value in values.items() if found[key] == _seal(key, value)}

    def put_many(self, values: Mapping[bytes, bytes]) -> None:
        """Keep these values, all of them or, if the process dies, none."""
        sealed = [(key, _seal(key, value)) for key, value in values.items()]

        def insert(table: sqlite3.Connection) -> None:
            with table:
                table.executemany("INSERT OR REPLACE INTO entries VALUES (?, ?)", sealed)

        self._with_table(insert)

    def check_writable(self) -> None:
        """Raise now if `put_many` could not write."""

        def touch(table: sqlite3.Connection) -> None:
            table.execute("BEGIN IMMEDIATE")
            table.execute("PRAGMA user_version = 1")  # a lock alone does not tell a file that is read-only
            table.rollback()

        self._with_table(touch)

    def _with_table(self, use: Callable[[sqlite3.Connection], Found]) -> Found:
        """Use the file; if it is damaged as a whole, put it aside and use a new one."""
        for _ in range(_ATTEMPTS):
            try:
                with self._table() as table:
                    return use(table)
            except _DamagedError:
                self._put_aside()
            except _MovedError:
                continue
        with self._table() as table:
            return use(table)

    def _put_aside(self) -> None:
        with suppress(OSError):
            self.path.replace(f"{self.path}.damaged")

    @contextmanager
    def _table(self) -> Iterator[sqlite3.Connection]:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with closing(sqlite3.connect(self.path, timeout=_PATIENCE)) as connection:
                connection.text_factory = bytes  # damage may turn bytes into text
                connection.execute(
                    "CREATE TABLE IF NOT EXISTS entries (key BLOB PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID"
                )
                yield connection
        except (OSError, sqlite3.Error) as error:
            raise self._kind_of(error)(
                f"the cache {show_path(self.path)} cannot be used: {error}; remove the file, or {_REMEDY}"
            ) from error

    def _kind_of(self, error: Exception) -> type[ResourceError]:
        code = getattr(error, "sqlite_errorcode", 0)
        if code == sqlite3.SQLITE_READONLY_DBMOVED or code & 0xFF == sqlite3.SQLITE_IOERR:
            return _MovedError
        # A file that may be written, but which SQLite takes for read-only, has a damaged header.
        is_odd = (
            code & 0xFF == sqlite3.SQLITE_READONLY and may_write(self.path) and may_write(self.path.parent)
        )
        return _DamagedError if is_odd or code & 0xFF in _DAMAGED else ResourceError


class _DamagedError(ResourceError):
    """The file is no sound database."""


class _MovedError(ResourceError):
    """Another process put the file aside while it was in use."""


def _look_up(table: sqlite3.Connection, keys: Sequence[bytes]) -> dict[bytes, bytes]:
    found: dict[bytes, bytes] = {}
    for start in range(0, len(keys), _LOOKUPS):
        part = keys[start : start + _LOOKUPS]
        marks = ",".join("?" * len(part))
        query = f"SELECT key, value FROM entries WHERE key IN ({marks})"  # noqa: S608 - only question marks
        found.update((key, value) for key, value in table.execute(query, part) if isinstance(value, bytes))
    return found


def _seal(key: bytes, value: bytes) -> bytes:
    """Put a checksum of key and value before the value."""
    return blake2b(value, digest_size=_SUM_SIZE, key=key[:64]).digest() + value


def _platform_folder() -> Path:
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
