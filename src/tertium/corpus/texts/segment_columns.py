"""What a file says about the segments of a test set: their domain, document, year and so on, a row each."""

from tertium.corpus.texts.columns import count
from tertium.corpus.texts.formats import open_table
from tertium.corpus.texts.tables import Table
from tertium.errors import InputError

__all__ = ["read_columns"]


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
    table.check_names()
    if "" in table.names:
        raise InputError(f"{path}: a column has no name; name it, or take it out")
    columns = {name: table.plain_values(name) for name in table.names}
    if not columns:
        raise InputError(f"{path} has no columns; name at least one, such as domain")
    _check_length(table, len(next(iter(columns.values()))), n_segments)
    return columns


def _check_length(table: Table, n_rows: int, n_segments: int) -> None:
    if n_rows != n_segments:
        place = f"segment {n_rows + 1:,}" if n_rows < n_segments else table.place(n_segments)
        raise InputError(
            f"{table.path} has {count(n_rows, 'row')} but there are {count(n_segments, 'segment')}"
            f" (first unmatched: {place}); give each segment one row"
        )
