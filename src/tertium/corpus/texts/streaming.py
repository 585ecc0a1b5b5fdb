"""Corpora of any size, read in batches of segments, so that memory does not grow with the corpus."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from typing import cast

from tertium.corpus.texts.assembly import (
    File,
    Systems,
    add_system,
    add_up,
    check_inputs,
    check_length,
    check_not_empty,
    describe_segments,
    read_corpus,
)
from tertium.corpus.texts.formats import check_is_table, check_row_count, columns_in, is_streamed, open_rows
from tertium.corpus.texts.tables import BEGINNING, Group, RowBatch, RowStream, SegmentColumn, Start, TextTable
from tertium.errors import OptionError
from tertium.files.paths import Shards, find_shards, match_shards, single_file
from tertium.types import Corpus

# Rows that are read at once only to be counted.
_COUNTED = 50_000


class ShardRows:
    """Reads one file after the other; `n_part` counts the rows of the file that is open, `n_total` all."""

    def __init__(self, shards: Shards) -> None:
        self.is_sharded = shards.is_sharded
        self.n_part = self.n_total = 0
        self._paths = shards.paths
        self._part = -1
        self._stream: RowStream | None = None

    @property
    def path(self) -> str:
        """The file that is open."""
        return self._paths[max(self._part, 0)]

    def open_next(self) -> None:
        """Go on to the next file."""
        self._open(self._part + 1, BEGINNING)

    def move_to(self, part: int, row: int, start: Start) -> None:
        """Go to a row of a file, from `start` on; or from where the stream stands, if that is nearer."""
        if self._stream is None or part != self._part or not start.row <= self.n_part <= row:
            self._open(part, start)
        while self.n_part < row and len(self.read(min(_COUNTED, row - self.n_part))):
            pass

    def _open(self, part: int, start: Start) -> None:
        self.close()
        self._part = part
        self._stream = open_rows(self.path, start)
        self.n_part = start.row

    def read(self, n_rows: int) -> RowBatch:
        """The next rows of the file that is open."""
        if self._stream is None:
            self.open_next()
        assert self._stream is not None  # noqa: S101 - for mypy
        batch = self._stream.read(n_rows)
        self.n_part += len(batch)
        self.n_total += len(batch)
        return batch

    def count_part(self) -> int:
        """How many rows the file that is open has, read to its end."""
        while len(self.read(_COUNTED)):
            pass
        return self.n_part

    def count_total(self) -> int:
        """How many rows all files have, read to their end."""
        self.count_part()
        while self._part + 1 < len(self._paths):
            self.open_next()
            self.count_part()
        return self.n_total

    def close(self) -> None:
        """Close the file that is open."""
        if self._stream is not None:
            self._stream.close()
            self._stream = None


@dataclass(frozen=True)
class Plan:
    """What is read: addresses as they were given, systems with their names, and the files of each address."""

    references: Sequence[str]
    systems: Sequence[tuple[str, str]]
    source: str | None
    columns: str | None
    shards: Mapping[str, Shards]
    takes_columns: bool = True
    """Whether batches have the columns of tables that hold no text."""

    @property
    def described(self) -> list[str]:
        """The addresses whose files say something about segments."""
        return [*self.references, *([] if self.source is None else [self.source])]

    @property
    def texts(self) -> list[str]:
        """All addresses, in the order in which their columns are checked."""
        return [*self.described, *(text for _, text in self.systems)]


@dataclass(frozen=True)
class _Texts:
    """The columns of one batch."""

    references: list[SegmentColumn[Group]]
    source: SegmentColumn[str] | None
    systems: Systems

    @property
    def all(self) -> list[SegmentColumn[object]]:
        """All columns, in the plan's order."""
        return [*self.references, *([] if self.source is None else [self.source]), *self.systems.values()]


@dataclass(frozen=True)
class BatchReader:
    """Reads all files in step: `rows` by path, and the file that describes segments, if there is one.

    Where some addresses are sharded, their shards lead, and the other files follow them.
    """

    plan: Plan
    rows: Mapping[str, ShardRows]
    described: ShardRows | None

    def batches(self, size: int) -> Iterator[Corpus]:
        """Read one batch after the other."""
        n_before = 0
        for _ in range(max(len(each.paths) for each in self.plan.shards.values())):
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
        """Read the next batch, behind so many segments; None at the end of the shards that are open."""
        batches = {path: rows.read(size) for path, rows in self._leaders.items()}
        n_rows = max(map(len, batches.values()))
        if not n_rows:
            return None
        are_equal = set(map(len, batches.values())) == {n_rows}
        batches |= {path: rows.read(n_rows) for path, rows in self._followers.items()}
        files = self._files(batches)
        texts = self._texts(files)
        if set(map(len, texts.all)) != {n_rows}:
            self._refuse_lengths(texts, of_parts=not are_equal)
        columns = self._columns(n_rows)
        described = describe_segments(self.plan.described, files) if self.plan.takes_columns else {}
        return Corpus(
            add_up(texts.references, first=n_before + 1),
            {name: column.values for name, column in texts.systems.items()},
            None if texts.source is None else texts.source.values,
            columns={**columns, **{n: v for n, v in described.items() if n not in columns}},
        )

    def _check_ends(self, n_segments: int) -> None:
        """Raise if a file goes on behind the last segment, or there was none."""
        texts = self._texts(self._files({path: rows.read(1) for path, rows in self.rows.items()}))
        if not n_segments or any(map(len, texts.all)):
            self._refuse_lengths(texts, of_parts=False)
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
        return columns_in(table)

    def _refuse_lengths(self, texts: _Texts, *, of_parts: bool) -> None:
        """Count all rows, of the shards that are open or of all files, and say which differ."""
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
    """Read a corpus in batches of at most `batch_size` segments, each a corpus of its own, in order.

    Arguments, checks and errors are those of `read_corpus`. An address may also name many files, the
    shards of a text: `FOLDER`, or a pattern with `*`, `?` or `[`, each also with `#COLUMN`. The shards of
    all such addresses must have the same names and lengths, and a batch ends where a shard does. That
    files have different lengths is found only at the end, when the batches before were given already.

    A table's own column that holds a list or an object in some batch is missing from that batch. SGML and
    XML files are read as a whole.

    Raises
    ------
    InputError
        If a file cannot be read or the files do not fit together, now or while the batches are read.
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
    """Find the files of a corpus, and what its systems are called, without reading any text."""
    found = {text: find_shards(text) for text in check_inputs(references, systems, source)}
    if columns is not None:
        check_is_table(columns)
    names = [(found[text].name if name is None else name, text) for name, text in systems]
    return Plan(list(references), names, source, columns, _match(found))


def must_be_whole(plan: Plan) -> bool:
    """Whether some file can only be read as a whole, as SGML and XML are."""
    parts = plan.shards.values()
    is_sharded = any(each.is_sharded for each in parts)
    return not is_sharded and not all(is_streamed(each.address.path) for each in parts)


def _match(found: Mapping[str, Shards]) -> dict[str, Shards]:
    sharded = {text: each for text, each in found.items() if each.is_sharded}
    return {**found, **dict(zip(sharded, match_shards(list(sharded.values())), strict=True))}


def _read_batches(plan: Plan, batch_size: int) -> Iterator[Corpus]:
    with ExitStack() as stack:
        rows = {each.address.path: ShardRows(each) for each in plan.shards.values()}
        described = None if plan.columns is None else ShardRows(single_file(plan.columns))
        for each in [*rows.values(), *([] if described is None else [described])]:
            stack.enter_context(closing(each))
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
