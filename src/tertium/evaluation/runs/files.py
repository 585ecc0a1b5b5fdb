"""Run files: archives of a JSON manifest and Parquet tables, which other tools can read."""

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path, PurePath
from typing import Any

import numpy as np

from tertium.catalog.finding import suggest
from tertium.errors import InputError, UnknownNameError
from tertium.evaluation.runs.manifest import Manifest, Origin, make_manifest, read_manifest
from tertium.evaluation.statistics import Evaluation, LazyTables
from tertium.files.archive import Archive, write_archive
from tertium.files.parquet import ParquetFile, import_arrow, import_parquet
from tertium.files.writing import check_writable
from tertium.kernels.sums import sum_rows
from tertium.records import record
from tertium.types import Corpus, FloatArray

# Prefixes of column names, so that systems and columns never have the same name.
SYSTEM, COLUMN = "system:", "column:"


def checksum(text: str) -> str:
    """Compute a 64-bit checksum of a text as 16 hexadecimal digits.

    >>> checksum("")
    'e4a6a0577479b2b4'
    """
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def checksum_references(references: Iterable[Sequence[str]]) -> list[list[str]]:
    """Compute the checksums of all references of all segments."""
    return [[checksum(text) for text in group] for group in references]


def join_checksums(references: Iterable[Sequence[str]]) -> str:
    """Compute the checksum that identifies a test set from the checksums of its references."""
    digest = hashlib.sha256()
    for group in references:
        digest.update((" ".join(group) + "\n").encode())
    return digest.hexdigest()


def make_segment_columns(
    corpus: Corpus, checksums: list[list[str]], *, with_texts: bool
) -> dict[str, list[str] | list[list[str]]]:
    """Arrange the texts and columns of the segments as columns of a table."""
    columns: dict[str, list[str] | list[list[str]]] = {}
    if corpus.segment_ids is not None:
        columns["id"] = list(corpus.segment_ids)
    if corpus.document_ids is not None:
        columns["document"] = list(corpus.document_ids)
    columns |= {f"{COLUMN}{name}": list(values) for name, values in corpus.columns.items()}
    if corpus.sources is not None:
        columns["source"] = _texts(corpus.sources, with_texts=with_texts)
    columns["references"] = [list(group) for group in corpus.references] if with_texts else checksums
    for name, texts in corpus.systems.items():
        columns[f"{SYSTEM}{name}"] = _texts(texts, with_texts=with_texts)
    return columns


def _texts(texts: Sequence[str], *, with_texts: bool) -> list[str]:
    return list(texts) if with_texts else list(map(checksum, texts))


def check_parquet(path: str) -> None:
    """Raise if pyarrow is missing, which runs need."""
    import_parquet(path, "written")


def write_table(path: str, systems: Sequence[str], table: FloatArray) -> bytes:
    """Write statistics (systems, segments, k): a column for every statistic of every system."""
    columns = {
        name: table[i, :, j] for i, system in enumerate(systems) for j, name in _names(system, table.shape[2])
    }
    return write_columns(path, columns)


def write_scores(path: str, systems: Sequence[str], scores: FloatArray) -> bytes:
    """Write segment scores (systems, segments): a column for every system."""
    return write_columns(path, dict(zip(systems, scores, strict=True)))


def write_columns(path: str, columns: Mapping[str, Any]) -> bytes:
    """Write columns of equal length."""
    arrow, parquet = import_arrow(path, "written"), import_parquet(path, "written")
    sink = arrow.BufferOutputStream()
    arrays = [_make_array(arrow, path, name, values) for name, values in columns.items()]
    parquet.write_table(arrow.Table.from_arrays(arrays, names=list(columns)), sink)
    data: bytes = sink.getvalue().to_pybytes()
    return data


def read_table(
    archive: Archive, member: str, systems: Sequence[str], n_segments: int, n_statistics: int
) -> FloatArray:
    """Read statistics (systems, segments, k); raise if the shape is wrong."""
    names = [name for system in systems for _, name in _names(system, n_statistics)]
    columns = _read(archive, member, None)
    with _guarded(archive, member):
        _check_shape(columns, names, n_segments)
        table = np.empty((len(systems), n_segments, n_statistics))
        for at, column in enumerate(columns.columns):
            table[at // n_statistics, :, at % n_statistics] = column.to_numpy()
    return table


def read_columns(archive: Archive, member: str, names: Sequence[str], n_segments: int) -> list[list[Any]]:
    """Read some columns as Python values."""
    columns = _read(archive, member, names)
    with _guarded(archive, member):
        _check_shape(columns, names, n_segments)
        return [column.to_pylist() for column in columns.columns]


def read_names(archive: Archive, member: str) -> list[str]:
    """List the columns of a member."""
    data = archive.read(member)
    with _guarded(archive, member):
        return ParquetFile(archive.path, data).names


def _names(system: str, n_statistics: int) -> list[tuple[int, str]]:
    return [(j, f"{system}:{j + 1}") for j in range(n_statistics)]


def _make_array(arrow: Any, path: str, name: str, values: Any) -> Any:
    try:
        return arrow.array(values)
    except UnicodeEncodeError:
        raise InputError(
            f"{path} cannot be written: {name} has an unpaired surrogate, which UTF-8 cannot encode; fix the text"
        ) from None


def _read(archive: Archive, member: str, names: Sequence[str] | None) -> Any:
    data = archive.read(member)
    with _guarded(archive, member):
        table = ParquetFile(archive.path, data).read()
        return table if names is None else table.select(list(names))


def _check_shape(columns: Any, names: Sequence[str], n_segments: int) -> None:
    if list(columns.column_names) != list(names) or columns.num_rows != n_segments:
        raise ValueError("it has other columns or rows than the manifest says")


@contextmanager
def _guarded(archive: Archive, member: str) -> Iterator[None]:
    """Replace errors inside a member by one message about the file."""
    arrow = import_arrow(archive.path)
    try:
        yield
    except (arrow.ArrowException, OSError, ValueError, TypeError, KeyError, IndexError) as error:
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        raise InputError(f"{archive.path} is damaged ({member}: {reason}); make or fetch it again") from None


SEGMENTS = "segments.parquet"

CHECKED_AT_ONCE = 32 * 2**20
"""Runs of at most this size in bytes are checked completely when they are opened; in larger runs, each member is
checked when it is read."""


def check_run_path(path: str) -> None:
    """Raise if a run could not be saved here, before any work starts."""
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
    """Write a run atomically (requires the extra `parquet`).

    Parameters
    ----------
    with_texts
        Whether to save the texts, or only their checksums.
    """
    check_run_path(path)
    checksums = checksum_references(corpus.references)
    manifest = make_manifest(
        evaluation, corpus, origin or Origin(), test_set=join_checksums(checksums), with_texts=with_texts
    )
    segments = make_segment_columns(corpus, checksums, with_texts=with_texts)
    members = {SEGMENTS: write_columns(path, segments)}
    for number, each in enumerate(evaluation.metrics, start=1):
        table, scores = evaluation.tables[each.label], evaluation.segment_scores(each.label)
        members[_statistics(number)] = write_table(path, evaluation.systems, table)
        members[f"scores/{number}.parquet"] = write_scores(path, evaluation.systems, scores)
    write_archive(path, manifest, members)


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
        """The columns of the segments besides their texts."""
        names = self.manifest.columns
        return dict(zip(names, self._read(*(f"{COLUMN}{name}" for name in names)), strict=True))

    @cached_property
    def references(self) -> list[list[str]]:
        """The references of each segment, or their checksums in a run without texts."""
        (groups,) = self._read("references")
        if not all(isinstance(group, list) and group for group in groups):
            raise InputError(f"{self.path} is damaged (a segment has no reference); make or fetch it again")
        return groups

    @cached_property
    def reference_checksums(self) -> list[list[str]]:
        """The checksums of each segment's references, which identify the test set."""
        return checksum_references(self.references) if self.manifest.has_texts else self.references

    def outputs(self, system: str) -> list[str]:
        """Return a system's texts, or their checksums in a run without texts."""
        if system not in self.manifest.systems:
            raise UnknownNameError(
                f"{self.path} has no system {system!r}; {suggest(system, self.manifest.systems)}"
            )
        return self._read(f"{SYSTEM}{system}")[0]

    def _load_table(self, label: str) -> FloatArray:
        """Read a metric's statistics; raise if their sums differ from the manifest."""
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
    """Open a run; tables and texts are read on first use.

    Raises
    ------
    InputError
        If the file is missing, damaged, not a run, or of a newer format.
    """
    archive, manifest = read_manifest(path)
    if Path(path).stat().st_size <= CHECKED_AT_ONCE:
        archive.check()
    return Run(archive, manifest)


def _statistics(number: int) -> str:
    return f"statistics/{number}.parquet"
