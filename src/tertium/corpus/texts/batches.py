"""Batches of a corpus from files that are read in step, with the checks of a whole corpus."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import cast

from tertium.corpus.texts.assembly import File, Systems, add_system, describe_segments
from tertium.corpus.texts.columns import Batch, Column, Group
from tertium.corpus.texts.fitting import add_up, check_length, check_not_empty
from tertium.corpus.texts.segment_columns import check_row_count, columns_in
from tertium.corpus.texts.shard_rows import ShardRows
from tertium.corpus.texts.tables import Table
from tertium.files.shards import Shards
from tertium.types import Corpus

__all__ = ["BatchReader", "Plan"]


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

    references: list[Column[Group]]
    source: Column[str] | None
    systems: Systems

    @property
    def all(self) -> list[Column[object]]:
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
            check_row_count(cast("Table", batch), self.described.count_total(), n_segments)

    def _files(self, batches: Mapping[str, Batch]) -> dict[str, File]:
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
        table = cast("Table", self.described.read(n_rows))
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
