"""A run is a file: an archive of a manifest in JSON and tables in Parquet, which other tools read too."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePath
from typing import Any

import numpy as np

from tertium.catalog.finding import suggest
from tertium.errors import InputError, UnknownNameError
from tertium.evaluation.lazy_tables import LazyTables
from tertium.evaluation.runs.manifest import Manifest, Origin, make_manifest, read_manifest
from tertium.evaluation.runs.parquet_members import (
    check_parquet,
    read_columns,
    read_table,
    write_columns,
    write_scores,
    write_table,
)
from tertium.evaluation.runs.segments import (
    COLUMN,
    SYSTEM,
    checksum_references,
    join_checksums,
    lay_out_segments,
)
from tertium.evaluation.statistics import Evaluation
from tertium.files.archive import Archive, write_archive
from tertium.files.writing import check_writable
from tertium.kernels.sums import sum_rows
from tertium.types import Corpus, FloatArray

__all__ = ["Run", "check_run_path", "open_run", "save_run"]

SEGMENTS = "segments.parquet"

CHECKED_AT_ONCE = 32 * 2**20
"""Runs of at most so many bytes are checked as a whole when they are opened; in others, what is read is checked."""


def check_run_path(path: str) -> None:
    """Raise before the work begins if its run could not be saved in the end."""
    check_parquet(path)
    check_writable(path)


def save_run(
    path: str,
    evaluation: Evaluation,
    corpus: Corpus,
    *,
    origin: Origin | None = None,
    with_texts: bool = True,
) -> None:
    """Write a run whole or not at all (needs the extra `parquet`).

    Parameters
    ----------
    with_texts
        Whether texts are kept, or only a checksum of each.
    """
    check_run_path(path)
    checksums = checksum_references(corpus.references)
    manifest = make_manifest(
        evaluation, corpus, origin or Origin(), test_set=join_checksums(checksums), with_texts=with_texts
    )
    segments = lay_out_segments(corpus, checksums, with_texts=with_texts)
    members = {SEGMENTS: write_columns(path, segments)}
    for number, each in enumerate(evaluation.metrics, start=1):
        table, scores = evaluation.tables[each.label], evaluation.segment_scores(each.label)
        members[_statistics(number)] = write_table(path, evaluation.systems, table)
        members[f"scores/{number}.parquet"] = write_scores(path, evaluation.systems, scores)
    write_archive(path, manifest, members)


@dataclass(frozen=True, eq=False)
class Run:
    """A run that was opened: its tables and texts are read when somebody asks for them."""

    archive: Archive
    manifest: Manifest

    @property
    def path(self) -> str:
        return self.archive.path

    @property
    def name(self) -> str:
        """The file's name without its suffix."""
        return PurePath(self.path).name.removesuffix(".run")

    @cached_property
    def evaluation(self) -> Evaluation:
        """The systems' statistics under metrics that need no resources any more."""
        facts = self.manifest
        tables = LazyTables(facts.n_segments, facts.totals, self._load_table)
        return Evaluation(facts.systems, facts.metrics, tables, facts.n_references)

    @cached_property
    def corpus(self) -> Corpus | None:
        """The texts; None if the run has only their checksums."""
        if not self.manifest.has_texts:
            return None
        facts = self.manifest
        systems = [f"{SYSTEM}{name}" for name in facts.systems]
        outputs = dict(zip(facts.systems, self._read(*systems), strict=True))
        return Corpus(
            self.references,
            outputs,
            sources=self._read("source")[0] if facts.has_sources else None,
            segment_ids=self.segment_ids,
            document_ids=self.document_ids,
            columns=self.columns,
        )

    @cached_property
    def segment_ids(self) -> list[str] | None:
        return self._read("id")[0] if self.manifest.has_ids else None

    @cached_property
    def document_ids(self) -> list[str] | None:
        return self._read("document")[0] if self.manifest.has_documents else None

    @cached_property
    def columns(self) -> Mapping[str, Sequence[str]]:
        """What is known about segments besides their texts."""
        names = self.manifest.columns
        return dict(zip(names, self._read(*(f"{COLUMN}{name}" for name in names)), strict=True))

    @cached_property
    def references(self) -> list[list[str]]:
        """Each segment's references, or their checksums in a run without texts."""
        (groups,) = self._read("references")
        if not all(isinstance(group, list) and group for group in groups):
            raise InputError(f"{self.path} is damaged (a segment has no reference); make or fetch it again")
        return groups

    @cached_property
    def reference_checksums(self) -> list[list[str]]:
        """Each segment's references' checksums, by which test sets are told apart."""
        return checksum_references(self.references) if self.manifest.has_texts else self.references

    def outputs(self, system: str) -> list[str]:
        """A system's texts, or their checksums in a run without texts."""
        if system not in self.manifest.systems:
            raise UnknownNameError(
                f"{self.path} has no system {system!r}; {suggest(system, self.manifest.systems)}"
            )
        return self._read(f"{SYSTEM}{system}")[0]

    def _load_table(self, label: str) -> FloatArray:
        """Read a metric's statistics, and raise if they are not those that the manifest sums up."""
        facts = self.manifest
        number = [each.label for each in facts.metrics].index(label) + 1
        totals = facts.totals[label]
        shape = facts.n_segments, totals.shape[1]
        table = read_table(self.archive, _statistics(number), facts.systems, *shape)
        if not np.array_equal(sum_rows(table), totals, equal_nan=True):
            raise InputError(
                f"{self.path} is damaged (the statistics of {label} do not sum to its totals); make or fetch it again"
            )
        return table

    def _read(self, *names: str) -> list[list[Any]]:
        return read_columns(self.archive, SEGMENTS, names, self.manifest.n_segments) if names else []


def open_run(path: str) -> Run:
    """Open a run; tables and texts are read when somebody asks for them.

    Raises
    ------
    InputError
        If the file is missing, damaged, no run, or of a newer format.
    """
    archive, manifest = read_manifest(path)
    if Path(path).stat().st_size <= CHECKED_AT_ONCE:
        archive.check()
    return Run(archive, manifest)


def _statistics(number: int) -> str:
    return f"statistics/{number}.parquet"
