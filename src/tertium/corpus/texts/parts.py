"""Parts of a corpus that can be read independently, and the survey of the files that locates them."""

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import replace
from itertools import accumulate
from pathlib import Path

from tertium.corpus.texts.assembly import check_length, check_not_empty
from tertium.corpus.texts.binary_tables import count_row_groups
from tertium.corpus.texts.formats import is_streamed, open_rows, text_suffix
from tertium.corpus.texts.streaming import BatchReader, Plan, ShardRows
from tertium.corpus.texts.tables import SegmentColumn, Start, format_count
from tertium.errors import InputError
from tertium.files.paths import Address, Shards, file_size
from tertium.files.reading import checksum_file, is_compressed, open_bytes
from tertium.kernels.strings import ByteArray, count_line_ends, find_line_starts, take_buffer
from tertium.records import record
from tertium.values import Corpus

# Bytes that are read at once to count rows.
_BLOCK = 1 << 21
# Bytes between two positions where a reader may start, at least, and the number of positions of a file, at most.
_SPACING, _MAX_STARTS = 1 << 18, 20_000
# Reading and dropping this number of rows is fast.
_FEW_ROWS = 20_000


@record
class FileSurvey:
    """The number of rows of a file, and the positions where a reader may start.

    Attributes
    ----------
    unit
        The name of a row in messages: "line" or "row".
    starts
        The positions where a reader may start, in order; the first is the start of the file.
    size
        The size of the file in bytes.
    is_seekable
        Whether a reader can start near every row; a large compressed file can only be read from its start.
    digest
        A checksum of the file; empty if none was requested.
    """

    path: str
    unit: str
    n_rows: int
    starts: tuple[Start, ...]
    size: int
    is_seekable: bool
    digest: str = ""

    def start_before(self, row: int) -> Start:
        """Find the last position before this row where a reader may start."""
        return self.starts[bisect_right(self.starts, row, key=lambda start: start.row) - 1]


def survey_file(path: str, *, with_digest: bool = False) -> FileSurvey:
    """Count the rows of a file of texts, without parsing them.

    Raises
    ------
    InputError
        If the file cannot be read, or can only be read as a whole (SGML, XML).
    """
    if not is_streamed(path):
        open_rows(path)  # raises
    checksum = checksum_file(path) if with_digest else ""
    if text_suffix(path) == ".parquet":
        return _survey_row_groups(path, checksum)
    return _survey_lines(path, checksum)


def _survey_row_groups(path: str, digest: str) -> FileSurvey:
    sizes = count_row_groups(path)
    starts = tuple(Start(row) for row in accumulate(sizes[:-1], initial=0))
    is_seekable = len(sizes) > 1 or sum(sizes) < _FEW_ROWS
    return FileSurvey(path, "row", sum(sizes), starts, file_size(path), is_seekable, digest)


def has_more_rows(path: str, n_rows: int) -> bool:
    """Whether a file has more than `n_rows` rows; reads only as much of it as necessary."""
    if text_suffix(path) == ".parquet":
        return sum(count_row_groups(path)) > n_rows
    seen = 0
    for block in _blocks(path):
        seen += count_line_ends(block)
        if seen > n_rows:
            return True
    return False


def _survey_lines(path: str, digest: str) -> FileSurvey:
    n_header = int(text_suffix(path) == ".tsv")
    is_packed, spacing = is_compressed(path), max(_SPACING, file_size(path) // _MAX_STARTS)
    starts = [Start()]
    n_lines = n_bytes = 0
    last = b"\n"
    for block in _blocks(path):
        n_ends, found = find_line_starts(block, spacing)
        for line, byte in found if not is_packed else ():
            if n_bytes + byte >= starts[-1].byte + spacing:
                starts.append(Start(n_lines + line - n_header, n_bytes + byte))
        n_lines, n_bytes, last = n_lines + n_ends, n_bytes + len(block), block[-1:].tobytes()
    n_lines += last != b"\n"  # the last line may lack its end
    n_rows = n_lines - n_header
    if n_rows < 0 or (text_suffix(path) in (".jsonl", ".ndjson") and not n_lines):
        open_rows(path).read(1)  # raises, because the file is empty
    unit = "row" if n_header else "line"
    is_seekable = not is_packed or n_rows < _FEW_ROWS
    return FileSurvey(path, unit, n_rows, tuple(starts), file_size(path), is_seekable, digest)


def _blocks(path: str) -> Iterator[ByteArray]:
    """Read a file in blocks; each is valid until the next one is read."""
    buffer = take_buffer(_BLOCK)
    with open_bytes(path) as stream:
        while n_bytes := stream.readinto(buffer.data):
            yield buffer[:n_bytes]


@record
class PartStart:
    """Where a part begins in the files of an address: the shard, the row in it, and the reader's start before it."""

    address: str
    shard: int
    row: int
    start: Start


@record
class CorpusPart:
    """A range of segments of a corpus; `first` is the number of the first one, from 0."""

    number: int
    first: int
    n_segments: int
    places: tuple[PartStart, ...]


def list_paths(plan: Plan) -> list[str]:
    """List the files of a plan without duplicates."""
    texts = [path for shards in plan.shards.values() for path in shards.paths]
    return list(dict.fromkeys([*texts, *([] if plan.columns is None else [plan.columns])]))


def make_absolute(plan: Plan) -> Plan:
    """Replace all paths by absolute paths, for processes with another working directory."""
    shards = {
        text: replace(
            shards,
            address=replace(shards.address, path=_absolute(shards.address.path)),
            paths=tuple(map(_absolute, shards.paths)),
        )
        for text, shards in plan.shards.items()
    }
    columns = None if plan.columns is None else _absolute(plan.columns)
    return replace(plan, shards=shards, columns=columns)


def _absolute(path: str) -> str:
    return str(Path(path).absolute())  # links are kept: they may lead elsewhere on other machines


def cut_parts(plan: Plan, surveys: Mapping[str, FileSurvey], size: int) -> list[CorpusPart]:
    """Split a corpus into parts of at most `size` segments; no part extends over two shards.

    Raises
    ------
    InputError
        If the files are empty or have different lengths.
    """
    lengths = _check_lengths(plan, surveys)
    parts: list[CorpusPart] = []
    before = 0
    for shard, n_rows in enumerate(lengths):
        for row in range(0, n_rows, size):
            places = [
                _find_place(address, surveys, shard, row, before + row)
                for address in _addresses(plan).values()
            ]
            parts.append(CorpusPart(len(parts), before + row, min(size, n_rows - row), tuple(places)))
        before += n_rows
    return parts


class PartReader:
    """Reads parts in any order; a part that follows the previous one is read without seeking.

    Parts have properties of segments, read from the files of the texts, only if `takes_columns` is set.
    """

    def __init__(self, plan: Plan, *, takes_columns: bool = False) -> None:
        self._rows = {path: ShardRows(shards) for path, shards in _addresses(plan).items()}
        self._reader = BatchReader(replace(plan, columns=None, takes_columns=takes_columns), self._rows, None)

    def read(self, part: CorpusPart, batch_size: int) -> Iterator[tuple[int, Corpus]]:
        """Yield a part in batches, each with the number of its first segment."""
        for place in part.places:
            if place.address in self._rows:
                self._rows[place.address].move_to(place.shard, place.row, place.start)
        n_read = 0
        while n_read < part.n_segments:
            first = part.first + n_read
            batch = self._reader.read(min(batch_size, part.n_segments - n_read), first)
            if batch is None:
                raise InputError(
                    f"segment {first + 1:,} is missing because a file was changed during the run; start again"
                )
            yield first, batch
            n_read += len(batch)

    def close(self) -> None:
        """Close all files."""
        with ExitStack() as stack:
            for rows in self._rows.values():
                stack.enter_context(closing(rows))


def _addresses(plan: Plan) -> dict[str, Shards]:
    """Return the files of each address by its path, without duplicates."""
    return {plan.shards[text].address.path: plan.shards[text] for text in plan.texts}


def _find_place(
    shards: Shards, surveys: Mapping[str, FileSurvey], shard: int, row: int, number: int
) -> PartStart:
    """Return where a part begins; in a file without shards, rows are counted across all shards of the sharded texts."""
    if not shards.is_sharded:
        shard, row = 0, number
    survey = surveys[shards.paths[shard]]
    return PartStart(shards.address.path, shard, row, survey.start_before(row))


def _check_lengths(plan: Plan, surveys: Mapping[str, FileSurvey]) -> list[int]:
    """Return the number of segments in each shard, or in the single files."""
    counted = [_count(plan.shards[text], surveys) for text in plan.texts]
    for column in counted:
        check_not_empty(column)
    sharded = [address for address in _addresses(plan).values() if address.is_sharded]
    for shard in range(len(sharded[0].paths) if sharded else 0):
        alike = [_column(Address(shards.paths[shard]), [surveys[shards.paths[shard]]]) for shards in sharded]
        for column in alike:
            check_length(column, alike[0])
    for column in counted:
        check_length(column, counted[0])
    if plan.columns is not None:
        check_length(_column(Address(plan.columns), [surveys[plan.columns]]), counted[0])
    leader = sharded[0] if sharded else plan.shards[plan.texts[0]]
    return [surveys[path].n_rows for path in leader.paths]


def _count(shards: Shards, surveys: Mapping[str, FileSurvey]) -> SegmentColumn[int]:
    column = _column(shards.address, [surveys[path] for path in shards.paths])
    if not shards.is_sharded:
        return column
    files = format_count(len(shards.paths), "file")
    hint = "" if "*" in column.label else f"; {column.label.rstrip('/')}/* would be {len(shards.paths)} texts"
    return replace(column, label=f"{column.label} (one text in {files}{hint})")


def _column(address: Address, found: Sequence[FileSurvey]) -> SegmentColumn[int]:
    return SegmentColumn(address.label, found[0].unit, range(sum(survey.n_rows for survey in found)))
