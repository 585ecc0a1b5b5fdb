"""Run files: archives of a JSON manifest and tables, which other tools can read."""

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from itertools import islice
from pathlib import Path, PurePath
from typing import Any

import numpy as np

from tertium.errors import InputError, UnknownNameError, suggest
from tertium.evaluation.evaluation import Evaluation, LazyTables
from tertium.evaluation.runs.manifest import (
    SYSTEM,
    Manifest,
    Origin,
    check_recordable,
    find_coded,
    join_manifests,
    make_manifest,
    read_manifests,
)
from tertium.evaluation.runs.tables import RunTables, write_array, write_segments
from tertium.files.archive import Archive, write_archive
from tertium.files.writing import check_writable
from tertium.kernels.sums import sum_rows
from tertium.records import record
from tertium.text.codes import add_codes, codes_of, parse_code
from tertium.values import Corpus, FloatArray, ReferenceStreams, count_references

# Prefixes of column names, so that systems and columns never have the same name.
COLUMN, CODES = "column:", "codes:"
_LINES_AT_ONCE = 10_000


def checksum(text: str) -> str:
    """Compute a 64-bit checksum of a text as 16 hexadecimal digits.

    >>> checksum("")
    'e4a6a0577479b2b4'
    """
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def checksum_references(references: Iterable[Sequence[str]]) -> list[tuple[str, ...]]:
    """Compute the checksums of all references of all segments."""
    return [tuple(map(checksum, group)) for group in references]


def checksum_test_set(corpus: Corpus) -> list[tuple[str, ...]]:
    """Compute the checksums of the texts that identify a test set: references, or else the source."""
    if corpus.has_references or corpus.sources is None:
        return checksum_references(corpus.references)
    return [(checksum(text),) for text in corpus.sources]


def join_checksums(references: Iterable[Sequence[str]]) -> str:
    """Compute the checksum that identifies a test set from the checksums of its texts."""
    digest = hashlib.sha256()
    lines = map(" ".join, references)
    while batch := list(islice(lines, _LINES_AT_ONCE)):
        digest.update(("\n".join(batch) + "\n").encode())
    return digest.hexdigest()


def make_segment_columns(
    corpus: Corpus, *, with_texts: bool
) -> dict[str, Sequence[str] | Sequence[Sequence[str]]]:
    """Arrange the texts and columns of the segments as columns of a table."""
    columns: dict[str, Sequence[str] | Sequence[Sequence[str]]] = {}
    if corpus.segment_ids is not None:
        columns["id"] = list(corpus.segment_ids)
    if corpus.document_ids is not None:
        columns["document"] = list(corpus.document_ids)
    columns |= {f"{COLUMN}{name}": list(values) for name, values in corpus.columns.items()}
    if corpus.sources is not None:
        columns["source"] = _texts(corpus.sources, with_texts=with_texts)
    if corpus.has_references:
        groups = corpus.references
        columns["references"] = list(map(list, groups)) if with_texts else checksum_references(groups)
    for name, texts in corpus.systems.items():
        columns[f"{SYSTEM}{name}"] = _texts(texts, with_texts=with_texts)
    for name, texts in find_coded(corpus).items() if with_texts else ():
        columns[f"{CODES}{name}"] = [[code.format() for code in codes_of(text)] for text in texts]
    return columns


def _add_codes(path: str, texts: Sequence[str], lines: Sequence[Sequence[str]]) -> list[str]:
    """Add the recorded inline codes to texts."""
    try:
        return [
            add_codes(text, list(map(parse_code, codes))) for text, codes in zip(texts, lines, strict=True)
        ]
    except ValueError as error:
        raise InputError(f"{path} is damaged (inline codes: {error}); make or fetch it again") from None


def _texts(texts: Sequence[str], *, with_texts: bool) -> list[str]:
    return list(texts) if with_texts else list(map(checksum, texts))


CHECKED_AT_ONCE = 32 * 2**20
"""Runs of at most this size in bytes are checked completely when they are opened; in larger runs, each member is
checked when it is read."""


@record(eq=False)
class RunContents:
    """The statistics, texts and origin that a run saves."""

    evaluation: Evaluation
    corpus: Corpus
    origin: Origin


def save_run(
    path: str,
    evaluation: Evaluation,
    corpus: Corpus,
    *,
    origin: Origin | None = None,
    with_texts: bool = True,
) -> None:
    """Write a run atomically.

    Parameters
    ----------
    with_texts
        Whether to save the texts, or only their checksums.
    """
    check_writable(path)
    contents = RunContents(evaluation, corpus, origin or Origin())
    write_archive(path, *_pack(path, contents, with_texts=with_texts))


def save_runs(
    path: str,
    runs: Iterable[tuple[str, RunContents]],
    *,
    settings: Mapping[str, Any] | None = None,
    with_texts: bool = True,
) -> None:
    """Write the runs of several test sets, with their names, as one file, atomically.

    Parameters
    ----------
    settings
        Plain data about all of them.
    """
    check_writable(path)
    manifests, members = dict[str, Mapping[str, Any]](), dict[str, bytes]()
    for number, (name, contents) in enumerate(runs, start=1):
        manifests[name], packed = _pack(path, contents, with_texts=with_texts)
        members |= {f"{number}/{member}": data for member, data in packed.items()}
    write_archive(path, join_manifests(manifests, settings or {}), members)


def _pack(path: str, contents: RunContents, *, with_texts: bool) -> tuple[dict[str, Any], dict[str, bytes]]:
    """Return the manifest and the members of a run."""
    evaluation, corpus = contents.evaluation, contents.corpus
    check_recordable(evaluation.labels)
    test_set = join_checksums(checksum_test_set(corpus))
    manifest = make_manifest(evaluation, corpus, contents.origin, test_set=test_set, with_texts=with_texts)
    members = write_segments(path, make_segment_columns(corpus, with_texts=with_texts))
    for number, metric in enumerate(evaluation.metrics, start=1):
        members |= write_array("statistics", number, evaluation.tables[metric.label])
        members |= write_array("scores", number, evaluation.segment_scores(metric.label))
    return manifest, members


@record(eq=False)
class Run:
    """An open run; tables and texts are read on first use."""

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
        """The statistics of the systems, with metrics that need no resources."""
        facts = self.manifest
        tables = LazyTables(facts.n_segments, facts.totals, self._load_table)
        return Evaluation(facts.systems, facts.metrics, tables, facts.n_references)

    @cached_property
    def corpus(self) -> Corpus | None:
        """The texts; None if the run has only their checksums."""
        if not self.manifest.has_texts:
            return None
        facts = self.manifest
        columns = self._read(*(f"{SYSTEM}{name}" for name in facts.systems))
        outputs = {
            name: self._add_codes(f"{SYSTEM}{name}", texts)
            for name, texts in zip(facts.systems, columns, strict=True)
        }
        return Corpus(
            self.references,
            outputs,
            sources=self._add_codes("source", self._read("source")[0]) if facts.has_sources else None,
            segment_ids=self.segment_ids,
            document_ids=self.document_ids,
            columns=self.columns,
        )

    @cached_property
    def segment_ids(self) -> list[str] | None:
        return list(self._read("id")[0]) if self.manifest.has_ids else None

    @cached_property
    def document_ids(self) -> list[str] | None:
        return list(self._read("document")[0]) if self.manifest.has_documents else None

    @cached_property
    def columns(self) -> Mapping[str, Sequence[str]]:
        """The columns of the segments besides their texts."""
        names = self.manifest.columns
        found = self._read(*(f"{COLUMN}{name}" for name in names))
        return {name: list(values) for name, values in zip(names, found, strict=True)}

    @cached_property
    def references(self) -> Sequence[Sequence[str]]:
        """The references of each segment, or their checksums in a run without texts."""
        if self.manifest.n_references == (0, 0):
            return ReferenceStreams([], n_segments=self.manifest.n_segments)
        (groups,) = self._read("references")
        if isinstance(groups, ReferenceStreams):
            return groups  # each segment has the same number of references, at least one
        if not all(isinstance(group, list) and group for group in groups):
            raise InputError(f"{self.path} is damaged (a segment has no reference); make or fetch it again")
        return groups

    @cached_property
    def reference_checksums(self) -> Sequence[tuple[str, ...]]:
        """The checksums of each segment's references."""
        groups = self.references
        if self.manifest.has_texts:
            return checksum_references(groups)
        return groups if isinstance(groups, ReferenceStreams) else list(map(tuple, groups))

    @cached_property
    def source_checksums(self) -> list[str] | None:
        """The checksum of each segment's source; None if the run has no source."""
        if not self.manifest.has_sources:
            return None
        (texts,) = self._read("source")
        return list(map(checksum, texts)) if self.manifest.has_texts else list(texts)

    @cached_property
    def test_set_checksums(self) -> Sequence[tuple[str, ...]]:
        """The checksums of the texts that identify the test set, as `checksum_test_set` computes them."""
        if self.manifest.n_references != (0, 0) or self.source_checksums is None:
            return self.reference_checksums
        return [(checksum,) for checksum in self.source_checksums]

    def outputs(self, system: str) -> Sequence[str]:
        """Return a system's texts, or their checksums in a run without texts."""
        if system not in self.manifest.systems:
            raise UnknownNameError(
                f"{self.path} has no system {system!r}; {suggest(system, self.manifest.systems)}"
            )
        return self._read(f"{SYSTEM}{system}")[0]

    def check_totals(self, label: str, *, keeps_table: bool) -> None:
        """Raise if the statistics of a metric do not sum to its totals in the manifest."""
        _ = self.evaluation.tables[label] if keeps_table else self._load_table(label)

    def check_segments(self) -> None:
        """Raise if the columns of the segments or the references contradict the manifest."""
        for system in self.manifest.systems:
            self.outputs(system)
        _ = self.columns, self.segment_ids, self.document_ids
        is_same = join_checksums(self.test_set_checksums) == self.manifest.test_set
        if not is_same or count_references(self.references) != self.manifest.n_references:
            raise InputError(
                f"{self.path} is damaged (its references are not those of its test set); make or fetch it again"
            )

    def _load_table(self, label: str) -> FloatArray:
        """Read a metric's statistics; raise if their sums differ from the manifest."""
        facts = self.manifest
        number = [metric.label for metric in facts.metrics].index(label) + 1
        totals = facts.totals[label]
        shape = facts.n_segments, totals.shape[1]
        table = self._tables.read_statistics(number, facts.systems, *shape)
        if not np.array_equal(sum_rows(table), totals, equal_nan=True):
            raise InputError(
                f"{self.path} is damaged (the statistics of {label} do not sum to its totals); make or fetch it again"
            )
        return table

    @cached_property
    def _tables(self) -> RunTables:
        return RunTables(self.archive)

    def _add_codes(self, name: str, texts: Sequence[str]) -> Sequence[str]:
        """Add their inline codes to the texts of a column."""
        if name not in self.manifest.coded:
            return texts
        (lines,) = self._read(f"{CODES}{name}")
        return _add_codes(self.path, texts, list(lines))

    def _read(self, *names: str) -> list[Sequence[Any]]:
        return self._tables.read_segments(names, self.manifest.n_segments) if names else []


@record(eq=False)
class RunFile:
    """The runs of a file by test set, and what was recorded about all of them.

    The key of the only run of a file without names is None.
    """

    path: str
    runs: Mapping[str | None, Run]
    settings: Mapping[str, Any]

    @property
    def has_sets(self) -> bool:
        """Whether the file holds the runs of several test sets."""
        return None not in self.runs

    @property
    def names(self) -> list[str]:
        """The names of the test sets."""
        return [name for name in self.runs if name is not None]

    def take_only(self) -> Run:
        """Return the only run; raise if the file holds several test sets and none is chosen."""
        if self.has_sets:
            first = f"{self.path}#{self.names[0]}"
            raise InputError(f"{self.path} holds the test sets {', '.join(self.names)}; choose one: {first}")
        return self.runs[None]


def open_run(path: str) -> Run:
    """Open the only run of a file.

    Raises
    ------
    InputError
        If the file is missing, damaged, not a run, of a newer format, or holds several test sets.
    """
    return open_runs(path).take_only()


def open_runs(path: str, only: Callable[[str], bool] | None = None) -> RunFile:
    """Open the runs of a file and check that their statistics sum to their totals; texts are read on first use.

    Parameters
    ----------
    only
        Whether the run of a test set is needed; others are not opened. All are opened if none is needed.
    """
    manifests, settings = read_manifests(path, only)
    is_small = Path(path).stat().st_size <= CHECKED_AT_ONCE
    runs = {name: _open(*manifest, is_small=is_small) for name, manifest in manifests.items()}
    return RunFile(path, runs, settings)


def _open(archive: Archive, manifest: Manifest, *, is_small: bool) -> Run:
    run = Run(archive, manifest)
    if is_small:
        archive.check()
        run.check_segments()
    for label in manifest.totals:
        run.check_totals(label, keeps_table=is_small)
    return run
