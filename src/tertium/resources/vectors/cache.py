"""Vectors of texts that were encoded before, kept on disk by the hash of their content.

The cache is one SQLite file. Every write is a transaction, so processes may share it and a killed one
leaves it sound. Where it cannot be opened or written (no home, no space), work goes on without it.
"""

import os
import sqlite3
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import numpy as np

from tertium.errors import ResourceError

__all__ = ["VectorCache", "cache_folder"]

SCHEMA = "CREATE TABLE IF NOT EXISTS vectors (key BLOB PRIMARY KEY, width INTEGER, data BLOB) WITHOUT ROWID"
# SQLite takes at least 999 values in one statement.
KEYS_AT_ONCE = 900
# How long one process waits for another to finish its transaction.
PATIENCE_SECONDS = 30.0

Halves = np.ndarray[Any, np.dtype[np.float16]]


class VectorCache:
    """Matrices in half precision by key."""

    def __init__(self, folder: Path | None = None) -> None:
        self.path = (cache_folder() if folder is None else folder) / "contextual.sqlite3"

    def read(self, keys: Sequence[bytes]) -> dict[bytes, Halves]:
        """The matrices that are kept under these keys."""
        found: dict[bytes, Halves] = {}
        with self._database() as database:
            if database is None:
                return found
            for start in range(0, len(keys), KEYS_AT_ONCE):
                some = keys[start : start + KEYS_AT_ONCE]
                marks = ",".join("?" * len(some))
                rows = database.execute(f"SELECT key, width, data FROM vectors WHERE key IN ({marks})", some)  # noqa: S608 - only question marks
                found |= {key: np.frombuffer(data, "<f2").reshape(-1, width) for key, width, data in rows}
        return found

    def write(self, matrices: Mapping[bytes, Halves]) -> None:
        """Keep matrices, all of them or none."""
        rows = [(key, matrix.shape[1], matrix.astype("<f2").tobytes()) for key, matrix in matrices.items()]
        with self._database() as database:
            if database is not None:
                with suppress(sqlite3.OperationalError), database:  # no space: the next run computes again
                    database.executemany("INSERT OR IGNORE INTO vectors VALUES (?, ?, ?)", rows)

    @contextmanager
    def _database(self) -> Iterator[sqlite3.Connection | None]:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            connection = sqlite3.connect(self.path, timeout=PATIENCE_SECONDS)
        except (OSError, sqlite3.OperationalError):
            yield None
            return
        with closing(connection):
            try:
                connection.execute(SCHEMA)
            except sqlite3.OperationalError:
                yield None
                return
            except sqlite3.DatabaseError as error:
                raise ResourceError(
                    f"{self.path}: the cache is damaged ({error}); delete this file"
                ) from error
            yield connection


def cache_folder() -> Path:
    """Where Tertium keeps what it can compute again: TERTIUM_CACHE, or the platform's place for that."""
    if chosen := os.environ.get("TERTIUM_CACHE"):
        return Path(chosen)
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local"
        return Path(base) / "tertium" / "cache"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "tertium"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "tertium"
