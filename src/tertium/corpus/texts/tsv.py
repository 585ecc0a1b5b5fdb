"""Tab-separated tables: a header row with the names, no quoting, every row as wide as the header."""

from tertium.corpus.texts.columns import BEGINNING, Start
from tertium.corpus.texts.tables import Table, refuse_repeated_names
from tertium.errors import InputError
from tertium.files.line_streams import open_text
from tertium.files.reading import read_lines

__all__ = ["TSVStream", "TSVTable", "read_tsv"]


class TSVTable(Table):
    """The rows below the header of a TSV file."""

    def __init__(self, path: str, header: list[str], rows: list[list[str]], *, first: int = 0) -> None:
        super().__init__(path, first=first)
        self._header = header
        self._rows = rows

    def __len__(self) -> int:
        return len(self._rows)

    @property
    def names(self) -> list[str]:
        return self._header

    def number(self, row: int) -> int:
        """The line: the header is the first."""
        return self.first + row + 2

    def place(self, row: int) -> str:
        return f"line {self.number(row):,}"

    def values(self, name: str) -> list[str]:
        if name not in self._header:
            raise InputError(f"{self.path} has no column {name!r}; it has: {', '.join(self._header)}")
        index = self._header.index(name)
        return [row[index] for row in self._rows]


def read_tsv(path: str) -> TSVTable:
    """Read a TSV file; quotes and backslashes are text, an empty field is an empty string."""
    lines = read_lines(path)
    header = _read_header(path, lines[:1])
    return TSVTable(path, header, _read_rows(path, header, lines[1:]))


class TSVStream:
    """The rows of a TSV file, some at a time."""

    def __init__(self, path: str, start: Start = BEGINNING) -> None:
        self._path = path
        self._header: list[str] | None = None
        self._lines = open_text(path)
        if start.row:
            with self._lines as lines:
                self._header = _read_header(path, lines.read_batch(1))
            self._lines = open_text(path, start_line=start.row + 1, start_byte=start.byte)

    def read(self, n_rows: int) -> TSVTable:
        if self._header is None:
            self._header = _read_header(self._path, self._lines.read_batch(1))
        first = self._lines.n_lines - 1  # below the header
        rows = _read_rows(self._path, self._header, self._lines.read_batch(n_rows), first=first)
        return TSVTable(self._path, self._header, rows, first=first)

    def close(self) -> None:
        self._lines.close()


def _read_header(path: str, lines: list[str]) -> list[str]:
    if not lines:
        raise InputError(f"{path} is empty; a TSV file starts with a row of column names")
    header = lines[0].split("\t")
    refuse_repeated_names(f"{path}: line 1", header)
    return header


def _read_rows(path: str, header: list[str], lines: list[str], *, first: int = 0) -> list[list[str]]:
    rows = [line.split("\t") for line in lines]
    _check_widths(path, len(header), rows, first)
    return rows


def _check_widths(path: str, width: int, rows: list[list[str]], first: int) -> None:
    if set(map(len, rows)) <= {width}:
        return
    line, found = next(
        (line, len(row)) for line, row in enumerate(rows, start=first + 2) if len(row) != width
    )
    raise InputError(
        f"{path}: line {line:,} has {found:,} fields but the header has {width:,};"
        " a tab always separates fields, quotes do not protect it"
    )
