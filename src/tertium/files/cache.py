"""What was costly to compute, kept on disk by content: one SQLite file per resource.

Processes may share a file, and a killed one leaves it valid: every write is a transaction.
"""

import os
import re
import sqlite3
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

from tertium.errors import ResourceError

__all__ = ["VARIABLE", "DiskCache", "cache_folder", "content_key", "open_cache"]

VARIABLE = "TERTIUM_CACHE"
OFF = "off"

_PATIENCE = 60.0  # seconds to wait for another process that writes
_LOOKUPS = 500  # SQLite's oldest limit on parameters of a statement is 999


def cache_folder() -> Path | None:
    """The folder of all caches: `TERTIUM_CACHE`, else the platform's place; None where it is `off`."""
    chosen = os.environ.get(VARIABLE, "")
    if chosen == OFF:
        return None
    return Path(chosen).expanduser() if chosen else _platform_folder() / "tertium"


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
        """The values of those keys that have one."""
        if not keys or not self.path.exists():
            return {}
        found: dict[bytes, bytes] = {}
        with self._table() as table:
            for start in range(0, len(keys), _LOOKUPS):
                part = keys[start : start + _LOOKUPS]
                marks = ",".join("?" * len(part))
                query = f"SELECT key, value FROM entries WHERE key IN ({marks})"  # noqa: S608 - only question marks
                found.update(table.execute(query, part).fetchall())
        return found

    def put_many(self, values: Mapping[bytes, bytes]) -> None:
        """Keep these values, all of them or, if the process dies, none."""
        with self._table() as table, table:
            table.executemany("INSERT OR IGNORE INTO entries VALUES (?, ?)", values.items())

    @contextmanager
    def _table(self) -> Iterator[sqlite3.Connection]:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with closing(sqlite3.connect(self.path, timeout=_PATIENCE)) as connection:
                connection.execute(
                    "CREATE TABLE IF NOT EXISTS entries (key BLOB PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID"
                )
                yield connection
        except (OSError, sqlite3.Error) as error:
            raise ResourceError(
                f"the cache {self.path} cannot be used: {error}; remove the file, or set {VARIABLE} "
                f"to another folder or to '{OFF}'"
            ) from error


def _platform_folder() -> Path:
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
