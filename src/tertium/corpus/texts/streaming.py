"""Corpora of any size, read in batches of segments, so that memory does not grow with the corpus."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import replace
from typing import cast

from tertium.corpus.texts.assembly import (
    File,
    Systems,
    add_system,
    check_inputs,
    check_length,
    check_not_empty,
    describe_segments,
    join_references,
    read_corpus,
)
from tertium.corpus.texts.formats import (
    check_is_table,
    check_row_count,
    is_streamed,
    open_rows,
    parse_columns,
)
from tertium.corpus.texts.tables import BEGINNING, Group, RowBatch, RowStream, SegmentColumn, Start, TextTable
from tertium.errors import OptionError
from tertium.files.paths import Shards, find_shards, match_shards, single_file
from tertium.records import record
from tertium.values import Corpus, TextKind, available_texts

# Rows that are read at a time to skip or count them.
_SKIPPED_ROWS = 50_000


class ShardRows:
    """Reads the rows of several files in order; `n_part` counts the rows read from the open file, `n_total` all rows."""

    def __init__(self, shards: Shards) -> None:
        self.is_sharded = shards.is_sharded
        self.n_part = self.n_total = 0
        self._paths = shards.paths
        self._part = -1
        self._stream: RowStream | None = None

    @property
    def path(self) -> str:
        """The path of the open file."""
        return self._paths[max(self._part, 0)]

    def open_next(self) -> None:
        """Close the open file and open the next one."""
        self._open(self._part + 1, BEGINNING)

    def move_to(self, part: int, row: int, start: Start) -> None:
        """Move to a row of a file: from `start`, or from the current position if that is closer."""
        if self._stream is None or part != self._part or not start.row <= self.n_part <= row:
            self._open(part, start)
        while self.n_part < row and len(self.read(min(_SKIPPED_ROWS, row - self.n_part))):
            pass

    def _open(self, part: int, start: Start) -> None:
        self.close()
        self._part = part
        self._stream = open_rows(self.path, start)
        self.n_part = start.row

    def read(self, n_rows: int) -> RowBatch:
        """Return the next rows of the open file."""
        if self._stream is None:
            self.open_next()
        assert self._stream is not None  # noqa: S101 - for mypy
        batch = self._stream.read(n_rows)
        self.n_part += len(batch)
        self.n_total += len(batch)
        return batch

    def count_part(self) -> int:
        """Read the open file to its end and return its number of rows."""
        while len(self.read(_SKIPPED_ROWS)):
            pass
        return self.n_part

    def count_total(self) -> int:
        """Read all files to their end and return their total number of rows."""
        self.count_part()
        while self._part + 1 < len(self._paths):
            self.open_next()
            self.count_part()
        return self.n_total

    def close(self) -> None:
        """Close the open file."""
        if self._stream is not None:
            self._stream.close()
            self._stream = None


@record
class Plan:
    """The texts of a corpus: addresses as given by the user, systems with their names, and each address's files."""

    references: Sequence[str]
    systems: Sequence[tuple[str, str]]
    source: str | None
    columns: str | None
    shards: Mapping[str, Shards]
    takes_columns: bool = True
    """Whether batches include the tables' other columns, which are properties of segments."""

    @property
    def available(self) -> frozenset[TextKind]:
        """The kinds of texts that metrics can read here."""
        return available_texts(references=bool(self.references), source=self.source is not None)

    @property
    def described(self) -> list[str]:
        """The addresses whose files may hold properties of segments: references and source."""
        return [*self.references, *([] if self.source is None else [self.source])]

    @property
    def texts(self) -> list[str]:
        """All addresses, in the order in which their columns are checked."""
        return [*self.described, *(text for _, text in self.systems)]


@record
class _Texts:
    """The columns of one batch."""

    references: list[SegmentColumn[Group]]
    source: SegmentColumn[str] | None
    systems: Systems

    @property
    def all(self) -> list[SegmentColumn[object]]:
        """All columns, in the plan's order."""
        return [*self.references, *([] if self.source is None else [self.source]), *self.systems.values()]


@record
class BatchReader:
    """Reads all files in step: `rows` by path, and `described`, the file with properties of segments.

    If some addresses are sharded, a batch ends where their shards end, and files without shards are read accordingly.
    """

    plan: Plan
    rows: Mapping[str, ShardRows]
    described: ShardRows | None

    def batches(self, size: int) -> Iterator[Corpus]:
        """Yield all batches in order."""
        n_before = 0
        for _ in range(max(len(shard.paths) for shard in self.plan.shards.values())):
            for rows in self._leaders.values():
                rows.open_next()
            while corpus := self.read(size, n_before):
                yield corpus
                n_before += len(corpus)
        self._check_ends(n_before)

    @property
    def _leaders(self) -> dict[str, ShardRows]:
        sharded = {path: rows for path, rows in self.rows.items() if rows.is_sharded}
        return sharded or dict(self.rows)

    @property
    def _followers(self) -> dict[str, ShardRows]:
        return {path: rows for path, rows in self.rows.items() if path not in self._leaders}

    def read(self, size: int, n_before: int) -> Corpus | None:
        """Read the batch that follows the first `n_before` segments; None at the end of the open shards."""
        batches = {path: rows.read(size) for path, rows in self._leaders.items()}
        n_rows = max(map(len, batches.values()))
        if not n_rows:
            return None
        are_equal = set(map(len, batches.values())) == {n_rows}
        batches |= {path: rows.read(n_rows) for path, rows in self._followers.items()}
        files = self._files(batches)
        texts = self._texts(files)
        if set(map(len, texts.all)) != {n_rows}:
            self._check_lengths(texts, of_parts=not are_equal)
        columns = self._columns(n_rows)
        described = describe_segments(self.plan.described, files) if self.plan.takes_columns else {}
        return Corpus(
            join_references(texts.references, n_rows, first=n_before + 1),
            {name: column.values for name, column in texts.systems.items()},
            None if texts.source is None else texts.source.values,
            columns={**columns, **{n: v for n, v in described.items() if n not in columns}},
        )

    def _check_ends(self, n_segments: int) -> None:
        """Raise if a file has more rows than there are segments, or there are no segments."""
        texts = self._texts(self._files({path: rows.read(1) for path, rows in self.rows.items()}))
        if not n_segments or any(map(len, texts.all)):
            self._check_lengths(texts, of_parts=False)
        if self.described is not None and len(batch := self.described.read(1)):
            check_row_count(cast("TextTable", batch), self.described.count_total(), n_segments)

    def _files(self, batches: Mapping[str, RowBatch]) -> dict[str, File]:
        addresses = {text: self.plan.shards[text].address for text in self.plan.texts}
        return {
            text: (replace(address, path=self.rows[address.path].path), batches[address.path])
            for text, address in addresses.items()
        }

    def _texts(self, files: Mapping[str, File]) -> _Texts:
        references = [files[text][1].references(files[text][0]) for text in self.plan.references]
        systems: Systems = {}
        for name, text in self.plan.systems:
            address, document = files[text]
            ((_, column),) = document.systems(address)
            add_system(systems, name, column)
        source = self.plan.source
        return _Texts(
            references, None if source is None else files[source][1].source(files[source][0]), systems
        )

    def _columns(self, n_rows: int) -> dict[str, list[str]]:
        if self.described is None:
            return {}
        table = cast("TextTable", self.described.read(n_rows))
        if len(table) < n_rows:
            n_segments = next(iter(self._leaders.values())).count_total()
            check_row_count(table, self.described.n_total, n_segments)
        return parse_columns(table)

    def _check_lengths(self, texts: _Texts, *, of_parts: bool) -> None:
        """Count the rows of the open shards, or of all files, and raise if the numbers differ."""
        counted = []
        for text, column in zip(self.plan.texts, texts.all, strict=True):
            address = self.plan.shards[text].address
            rows = self.rows[address.path]
            if not of_parts:
                label = address.label if rows.is_sharded else column.label
                counted.append(replace(column, label=label, values=range(rows.count_total())))
            elif address.path in self._leaders:
                counted.append(replace(column, values=range(rows.count_part())))
        for column in counted:
            check_not_empty(column)
        for column in counted:
            check_length(column, counted[0])


def stream_corpus(
    references: Sequence[str],
    systems: Sequence[tuple[str | None, str]],
    source: str | None = None,
    *,
    columns: str | None = None,
    batch_size: int = 50_000,
) -> Iterator[Corpus]:
    """Read a corpus in batches of at most `batch_size` segments; each batch is a `Corpus`.

    The arguments, checks and errors of `read_corpus` apply. An address may also name several files, the
    shards of a text: `FOLDER`, or a pattern with `*`, `?` or `[`, each also with `#COLUMN`. The shards of
    all such addresses must have the same names and lengths, and a batch ends where a shard ends. Files of
    different lengths are detected only at the end, after the batches before were returned.

    If a column of a table holds a list or an object in some batch, that batch does not have the column. SGML and
    XML files are read as a whole.

    Raises
    ------
    InputError
        If a file cannot be read or the files do not match, now or while the batches are read.
    """
    if batch_size < 1:
        raise OptionError(f"batch_size must be at least 1, not {batch_size}")
    plan = plan_texts(references, systems, source, columns=columns)
    if must_be_whole(plan):
        return _cut(read_corpus(references, systems, source, columns=columns), batch_size)
    return _read_batches(plan, batch_size)


def plan_texts(
    references: Sequence[str],
    systems: Sequence[tuple[str | None, str]],
    source: str | None = None,
    *,
    columns: str | None = None,
) -> Plan:
    """Find the files of a corpus and the names of its systems, without reading any text."""
    found = {text: find_shards(text) for text in check_inputs(references, systems, source)}
    if columns is not None:
        check_is_table(columns)
    names = [(found[text].name if name is None else name, text) for name, text in systems]
    return Plan(list(references), names, source, columns, _match(found))


def must_be_whole(plan: Plan) -> bool:
    """Whether a file can only be read as a whole, such as SGML and XML."""
    parts = plan.shards.values()
    is_sharded = any(part.is_sharded for part in parts)
    return not is_sharded and not all(is_streamed(part.address.path) for part in parts)


def _match(found: Mapping[str, Shards]) -> dict[str, Shards]:
    sharded = {text: shards for text, shards in found.items() if shards.is_sharded}
    return {**found, **dict(zip(sharded, match_shards(list(sharded.values())), strict=True))}


def _read_batches(plan: Plan, batch_size: int) -> Iterator[Corpus]:
    with ExitStack() as stack:
        rows = {shard.address.path: ShardRows(shard) for shard in plan.shards.values()}
        described = None if plan.columns is None else ShardRows(single_file(plan.columns))
        for reader in [*rows.values(), *([] if described is None else [described])]:
            stack.enter_context(closing(reader))
        yield from BatchReader(plan, rows, described).batches(batch_size)


def _cut(corpus: Corpus, batch_size: int) -> Iterator[Corpus]:
    for start in range(0, len(corpus), batch_size):
        part = slice(start, start + batch_size)
        yield replace(
            corpus,
            references=corpus.references[part],
            systems={name: texts[part] for name, texts in corpus.systems.items()},
            sources=None if corpus.sources is None else corpus.sources[part],
            segment_ids=None if corpus.segment_ids is None else corpus.segment_ids[part],
            document_ids=None if corpus.document_ids is None else corpus.document_ids[part],
            columns={name: values[part] for name, values in corpus.columns.items()},
        )
