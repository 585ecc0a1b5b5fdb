"""A disk cache of values that are slow to compute, keyed by content: one SQLite file per resource.

Several processes may share a file. A killed process leaves it valid, because every write is a transaction. Each
value has a checksum; a damaged value counts as missing, so it is computed and stored again.
"""

import os
import re
import sqlite3
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from hashlib import blake2b
from pathlib import Path
from typing import TypeVar

from tertium.errors import ResourceError
from tertium.files.paths import exists, may_write, show_path
from tertium.records import record

VARIABLE = "TERTIUM_CACHE"
OFF = "off"

Found = TypeVar("Found")

_TIMEOUT = 60.0  # seconds to wait while another process writes
_LOOKUPS = 500  # SQLite's oldest limit on parameters of a statement is 999
_SUM_SIZE = 8
# The statements here are valid SQL, so SQLITE_ERROR means that the file has other tables.
_DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR)
_ATTEMPTS = 3
_REMEDY = f"set {VARIABLE} to a writable folder, or to '{OFF}'"


def cache_folder() -> Path | None:
    """Return the cache folder: `TERTIUM_CACHE`, or the platform's default; None if the variable is `off`."""
    chosen = os.environ.get(VARIABLE, "")
    if chosen == OFF:
        return None
    try:
        return Path(chosen).expanduser() if chosen else _platform_folder() / "tertium"
    except RuntimeError as error:  # the user has no home folder, or `~name` is an unknown user
        given = f"{VARIABLE}={chosen!r}" if chosen else "the user has no home folder"
        raise ResourceError(f"there is no folder for the cache: {given} ({error}); {_REMEDY}") from None


def check_cache(name: str | None = None) -> None:
    """Raise now if computed values could not be stored later.

    An existing cache of this name is not checked, because it may already hold all values that are needed.

    Raises
    ------
    ResourceError
        If the cache folder cannot be created or written.
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
    """Return the key of a value that is computed from these texts, which may contain any character."""
    digest = blake2b(digest_size=16)
    for part in parts:
        data = part.encode("utf-8", "surrogatepass")
        digest.update(len(data).to_bytes(8, "little") + data)
    return digest.digest()


def open_cache(name: str) -> "DiskCache | None":
    """Return the cache of this name, which need not exist yet; None if caching is off."""
    folder = cache_folder()
    return None if folder is None else DiskCache(folder / f"{re.sub(r'[^A-Za-z0-9._-]+', '_', name)}.sqlite")


@record
class DiskCache:
    """A table of keys and bytes in one file, which is opened for each call, so it is thread-safe."""

    path: Path

    def get_many(self, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        """Return the values of these keys; missing and damaged values are left out."""
        if not keys or not exists(self.path):
            return {}
        found = self._with_table(lambda table: _look_up(table, keys))
        # a damaged file may return keys that were not requested
        values = {key: found[key][_SUM_SIZE:] for key in keys if key in found}
        return {key: value for key, value in values.items() if found[key] == _seal(key, value)}

    def put_many(self, values: Mapping[bytes, bytes]) -> None:
        """Store these values in one transaction."""
        sealed = [(key, _seal(key, value)) for key, value in values.items()]

        def insert(table: sqlite3.Connection) -> None:
            with table:
                table.executemany("INSERT OR REPLACE INTO entries VALUES (?, ?)", sealed)

        self._with_table(insert)

    def check_writable(self) -> None:
        """Raise now if `put_many` could not write."""

        def touch(table: sqlite3.Connection) -> None:
            table.execute("BEGIN IMMEDIATE")
            table.execute("PRAGMA user_version = 1")  # taking the lock succeeds even if the file is read-only
            table.rollback()

        self._with_table(touch)

    def _with_table(self, use: Callable[[sqlite3.Connection], Found]) -> Found:
        """Call `use` with the table; if the file is not a valid database, rename it and start a new one."""
        for _ in range(_ATTEMPTS):
            try:
                with self._table() as table:
                    return use(table)
            except _DamagedError:
                with suppress(OSError):
                    self.path.replace(f"{self.path}.damaged")
            except _MovedError:
                continue
        with self._table() as table:
            return use(table)

    @contextmanager
    def _table(self) -> Iterator[sqlite3.Connection]:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with closing(sqlite3.connect(self.path, timeout=_TIMEOUT)) as connection:
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
        # If SQLite treats a writable file as read-only, its header is damaged.
        has_bad_header = (
            code & 0xFF == sqlite3.SQLITE_READONLY and may_write(self.path) and may_write(self.path.parent)
        )
        return _DamagedError if has_bad_header or code & 0xFF in _DAMAGED else ResourceError


class _DamagedError(ResourceError):
    """The file is not a valid database."""


class _MovedError(ResourceError):
    """Another process renamed the file while it was in use."""


def _look_up(table: sqlite3.Connection, keys: Sequence[bytes]) -> dict[bytes, bytes]:
    found: dict[bytes, bytes] = {}
    for start in range(0, len(keys), _LOOKUPS):
        part = keys[start : start + _LOOKUPS]
        marks = ",".join("?" * len(part))
        query = f"SELECT key, value FROM entries WHERE key IN ({marks})"  # noqa: S608 - only question marks
        found.update((key, value) for key, value in table.execute(query, part) if isinstance(value, bytes))
    return found


def _seal(key: bytes, value: bytes) -> bytes:
    """Return the value with the checksum of key and value in front."""
    return blake2b(value, digest_size=_SUM_SIZE, key=key[:64]).digest() + value


def _platform_folder() -> Path:
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
