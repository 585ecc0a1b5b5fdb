"""Writers for the scores of very many segments, part by part: CSV, TSV, JSON lines and Parquet."""

import json
import shutil
import tempfile
from abc import ABC, abstractmethod
from collections.abc import Sequence
from contextlib import closing
from math import isfinite
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TextIO

from tertium.errors import InputError
from tertium.files.parquet import ParquetFile, import_arrow, import_parquet
from tertium.files.writing import write_atomically
from tertium.presentation.tables.data_formats import quote_field
from tertium.presentation.tables.model import clean_line

SEGMENT_FORMATS = ("csv", "tsv", "jsonl", "parquet")
"""The formats in which segment scores can be written part by part."""

_COLUMNS = ("system", "segment", "metric", "score")
_BLOCK = 1 << 20


class SegmentWriter(ABC):
    """Writes a row for each system, segment and metric; in the finished file the rows of a system follow each other.

    Use it in a `with` statement: without `finish`, no file is written.
    """

    def __init__(self, systems: Sequence[str], labels: Sequence[str], folder: Path | None) -> None:
        self.systems, self.labels = list(systems), list(labels)
        self._folder = tempfile.TemporaryDirectory(prefix=".tertium-", dir=folder)
        self._paths = [Path(self._folder.name) / str(i) for i in range(len(systems))]

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
        self._folder.cleanup()

    @abstractmethod
    def add(self, first: int, scores: Sequence[Sequence[Sequence[float]]]) -> None:
        """Write the scores of some segments by metric and by system; the first segment has this number (from 0)."""

    @abstractmethod
    def close(self) -> None:
        """Close all files."""

    @abstractmethod
    def join(self, systems: Sequence[str], target: Path) -> None:
        """Write the rows of all systems, in this order, into one file."""

    def finish(self, systems: Sequence[str], path: Path) -> None:
        """Write the rows of all systems, in this order, to a file, atomically."""
        self.close()
        with write_atomically(path, InputError) as temporary:
            self.join(systems, temporary)

    def _in_order(self, systems: Sequence[str]) -> list[Path]:
        return [self._paths[self.systems.index(system)] for system in systems]


def make_writer(
    form: str, systems: Sequence[str], labels: Sequence[str], folder: Path | None = None
) -> SegmentWriter:
    """Make the writer of one of `SEGMENT_FORMATS`; it keeps its parts in a hidden folder inside `folder`."""
    kinds: dict[str, type[SegmentWriter]] = {
        "csv": _CSVWriter, "tsv": _TSVWriter, "jsonl": _JSONWriter, "parquet": _ParquetWriter,
    }  # fmt: skip
    try:
        return kinds[form](systems, labels, folder)
    except OSError as error:
        raise InputError(f"cannot write into {folder}: {error.strerror or error}") from None


class _TextWriter(SegmentWriter):
    """Rows as lines of text."""

    header = ""

    def __init__(self, systems: Sequence[str], labels: Sequence[str], folder: Path | None) -> None:
        super().__init__(systems, labels, folder)
        self._files: list[TextIO] = [path.open("w", encoding="utf-8", newline="") for path in self._paths]

    @abstractmethod
    def frame(self, system: str, label: str) -> tuple[str, str, str]:
        """Return the texts before a segment's number, between the number and the score, and after the score."""

    def add(self, first: int, scores: Sequence[Sequence[Sequence[float]]]) -> None:
        for i, (system, file) in enumerate(zip(self.systems, self._files, strict=True)):
            frames = [self.frame(system, label) for label in self.labels]
            rows = zip(*(by_system[i] for by_system in scores), strict=True)
            file.writelines(
                f"{before}{number}{between}{self.format_score(score)}{behind}\n"
                for number, row in enumerate(rows, start=first + 1)
                for (before, between, behind), score in zip(frames, row, strict=True)
            )

    def format_score(self, score: float) -> str:
        return float.__repr__(score)

    def close(self) -> None:
        for file in self._files:
            file.close()

    def join(self, systems: Sequence[str], target: Path) -> None:
        with target.open("wb") as joined:
            joined.write(self.header.encode())
            for path in self._in_order(systems):
                with path.open("rb") as part:
                    shutil.copyfileobj(part, joined, _BLOCK)
                path.unlink()


class _CSVWriter(_TextWriter):
    header = ",".join(_COLUMNS) + "\n"

    def frame(self, system: str, label: str) -> tuple[str, str, str]:
        return f"{quote_field(system)},", f",{quote_field(label)},", ""


class _TSVWriter(_TextWriter):
    header = "\t".join(_COLUMNS) + "\n"

    def frame(self, system: str, label: str) -> tuple[str, str, str]:
        return f"{clean_line(system)}\t", f"\t{clean_line(label)}\t", ""


class _JSONWriter(_TextWriter):
    def frame(self, system: str, label: str) -> tuple[str, str, str]:
        return (
            f'{{"system": {json.dumps(system)}, "segment": ',
            f', "metric": {json.dumps(label)}, "score": ',
            "}",
        )

    def format_score(self, score: float) -> str:
        return float.__repr__(score) if isfinite(score) else "null"


class _ParquetWriter(SegmentWriter):
    """Rows in row groups: one for each system of each part."""

    def __init__(self, systems: Sequence[str], labels: Sequence[str], folder: Path | None) -> None:
        self._arrow: Any = import_arrow("the output", "written")
        self._parquet: Any = import_parquet("the output", "written")
        super().__init__(systems, labels, folder)
        names, arrow = ("string", "int64", "string", "float64"), self._arrow
        self._schema = arrow.schema(
            [(name, getattr(arrow, kind)()) for name, kind in zip(_COLUMNS, names, strict=True)]
        )
        self._files = [self._parquet.ParquetWriter(str(path), self._schema) for path in self._paths]

    def add(self, first: int, scores: Sequence[Sequence[Sequence[float]]]) -> None:
        import numpy as np  # noqa: PLC0415 - the command line starts without it

        for i, (system, file) in enumerate(zip(self.systems, self._files, strict=True)):
            rows = np.array([by_system[i] for by_system in scores], np.float64).T
            n_rows = rows.size
            columns = [
                self._arrow.array([system] * n_rows),
                self._arrow.array(np.repeat(np.arange(first + 1, first + 1 + len(rows)), len(self.labels))),
                self._arrow.array(self.labels * len(rows)),
                self._arrow.array(np.ascontiguousarray(rows).ravel()),
            ]
            file.write_table(self._arrow.table(columns, schema=self._schema))

    def close(self) -> None:
        for file in self._files:
            file.close()

    def join(self, systems: Sequence[str], target: Path) -> None:
        with self._parquet.ParquetWriter(str(target), self._schema) as joined:
            for path in self._in_order(systems):
                with closing(ParquetFile(str(path), str(path))) as file:
                    for group in file.groups():
                        joined.write_table(group)
