"""What a file says about the segments of a test set: their domain, document, year and so on, a row each."""

from tertium.corpus.texts.columns import count
from tertium.corpus.texts.formats import open_table
from tertium.corpus.texts.tables import Table
from tertium.errors import InputError

__all__ = ["check_row_count", "columns_in", "read_columns"]


def read_columns(path: str, n_segments: int) -> dict[str, list[str]]:
    """Read the columns of a TSV (with a header), JSONL or Parquet file that has a row per segment.

    Values are strings: numbers as they are written, null as the empty string.

    Raises
    ------
    InputError
        If there are more or fewer rows than segments, a column has no name or occurs twice, a row lacks
        a value or holds a list or an object; with the file and the line.
    """
    table = open_table(path)
    columns = columns_in(table)
    check_row_count(table, len(table), n_segments)
    return columns


def columns_in(table: Table) -> dict[str, list[str]]:
    """Take all columns of a table, or of some of its rows, as strings."""
    table.check_names()
    if "" in table.names:
        raise InputError(f"{table.path}: a column has no name; name it, or take it out")
    if not table.names:
        raise InputError(f"{table.path} has no columns; name at least one, such as domain")
    return {name: table.plain_values(name) for name in table.names}


def check_row_count(table: Table, n_rows: int, n_segments: int) -> None:
    """Raise if the file behind a table has more or fewer rows than there are segments."""
    if n_rows != n_segments:
        more = table.place(n_segments - table.first)
        place = f"segment {n_rows + 1:,}" if n_rows < n_segments else more
        raise InputError(
            f"{table.path} has {count(n_rows, 'row')} but there are {count(n_segments, 'segment')}"
            f" (first unmatched: {place}); give each segment one row"
        )
