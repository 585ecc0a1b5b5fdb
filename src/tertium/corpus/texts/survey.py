"""How many rows a file has, and where a reader may begin in it: found in one quick pass."""

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate

from tertium.corpus.texts.columns import Start
from tertium.corpus.texts.formats import is_streamed, open_rows
from tertium.corpus.texts.parquet import count_row_groups
from tertium.files.addresses import format_suffix
from tertium.files.checksums import checksum_file
from tertium.files.line_ends import count_line_ends, find_line_ends
from tertium.files.opening import is_packed, open_bytes
from tertium.files.paths import file_size

__all__ = ["Survey", "exceeds", "survey_file"]

# Rows between two places where a reader may begin: fewer are read and dropped in a moment.
_STRIDE = 20_000
_BLOCK = 1 << 20


@dataclass(frozen=True)
class Survey:
    """What is known of a file before its texts are read.

    Attributes
    ----------
    unit
        What a row is called in messages: "line" or "row".
    starts
        Where a reader may begin, in order; the first is the beginning.
    size
        Bytes on the disk.
    digest
        A checksum of these bytes; empty if none was asked for.
    """

    path: str
    unit: str
    n_rows: int
    starts: tuple[Start, ...]
    size: int
    digest: str = ""

    @property
    def may_be_entered(self) -> bool:
        """Whether a reader can begin in the middle; a compressed file is read from its beginning."""
        return len(self.starts) > 1 or self.n_rows < _STRIDE

    def start_before(self, row: int) -> Start:
        """Find the last place before this row where a reader may begin."""
        return self.starts[bisect_right(self.starts, row, key=lambda start: start.row) - 1]


def survey_file(path: str, *, with_digest: bool = False) -> Survey:
    """Count the rows of a file of texts, without understanding them.

    Raises
    ------
    InputError
        If the file cannot be read, or only as a whole (SGML, XML).
    """
    if not is_streamed(path):
        open_rows(path)  # which says why not
    checksum = checksum_file(path) if with_digest else ""
    if format_suffix(path) == ".parquet":
        sizes = count_row_groups(path)
        starts = tuple(Start(row) for row in accumulate(sizes[:-1], initial=0))
        return Survey(path, "row", sum(sizes), starts, file_size(path), checksum)
    return _survey_lines(path, checksum)


def exceeds(path: str, n_rows: int) -> bool:
    """Whether a file has more rows; no more of it is read than this question needs."""
    if format_suffix(path) == ".parquet":
        return sum(count_row_groups(path)) > n_rows
    seen = 0
    for block in _blocks(path):
        seen += count_line_ends(block)
        if seen > n_rows:
            return True
    return False


def _survey_lines(path: str, digest: str) -> Survey:
    n_header = int(format_suffix(path) == ".tsv")
    may_jump = not is_packed(path)
    starts = [Start()]
    n_lines = n_bytes = 0
    last = b"\n"
    for block in _blocks(path):
        found = count_line_ends(block)
        wanted = starts[-1].row + _STRIDE + n_header
        while may_jump and n_lines + found >= wanted:
            starts.append(
                Start(wanted - n_header, n_bytes + int(find_line_ends(block)[wanted - n_lines - 1]))
            )
            wanted += _STRIDE
        n_lines, n_bytes, last = n_lines + found, n_bytes + len(block), block[-1:]
    n_lines += last != b"\n"  # the last line may lack its end
    if n_lines < n_header or (format_suffix(path) in (".jsonl", ".ndjson") and not n_lines):
        open_rows(path).read(1)  # which says that it is empty
    unit = "row" if n_header else "line"
    return Survey(path, unit, n_lines - n_header, tuple(starts), file_size(path), digest)


def _blocks(path: str) -> Iterator[bytes]:
    with open_bytes(path) as stream:
        while block := stream.read(_BLOCK):
            yield block
