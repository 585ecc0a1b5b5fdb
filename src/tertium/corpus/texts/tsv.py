"""Tab-separated tables: a header row with the names, no quoting, every row as wide as the header."""

from tertium.corpus.texts.tables import Table, refuse_repeated_names
from tertium.errors import InputError
from tertium.files.reading import read_lines

__all__ = ["TSVTable", "read_tsv"]


class TSVTable(Table):
    """The rows below the header of a TSV file."""

    def __init__(self, path: str, header: list[str], rows: list[list[str]]) -> None:
        super().__init__(path)
        self._header = header
        self._rows = rows

    @property
    def names(self) -> list[str]:
        return self._header

    def number(self, row: int) -> int:
        """The line: the header is the first."""
        return row + 2

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
    if not lines:
        raise InputError(f"{path} is empty; a TSV file starts with a row of column names")
    header, *rows = (line.split("\t") for line in lines)
    refuse_repeated_names(f"{path}: line 1", header)
    _check_widths(path, len(header), rows)
    return TSVTable(path, header, rows)


def _check_widths(path: str, width: int, rows: list[list[str]]) -> None:
    if set(map(len, rows)) <= {width}:
        return
    line, found = next((line, len(row)) for line, row in enumerate(rows, start=2) if len(row) != width)
    raise InputError(
        f"{path}: line {line:,} has {found:,} fields but the header has {width:,};"
        " a tab always separates fields, quotes do not protect it"
    )
