"""Glossaries in any format: plain text, or the columns `source` and `target` of a CSV file or an XLSX workbook."""

from collections.abc import Iterator

from tertium.corpus.texts.formats import open_table
from tertium.corpus.texts.tables import TextTable
from tertium.errors import InputError, ResourceError
from tertium.files.paths import format_suffix, show_path
from tertium.resources.words.glossary import GlossaryFile, GlossaryRow, load_glossary, make_glossary

_TABLES = frozenset({".csv", ".xlsx"})
_SOURCES, _TARGETS = ("source", "term"), ("target", "translation", "translations")


def load_any_glossary(path: str) -> GlossaryFile:
    """Read a glossary; the first row of a table names its columns, of which others are ignored.

    Raises
    ------
    ResourceError
        If the file cannot be read, lacks a column, or a row is not valid.
    """
    if format_suffix(path) not in _TABLES:
        return load_glossary(path)
    try:
        rows = list(_read_rows(open_table(path)))
    except InputError as error:
        raise ResourceError(str(error)) from None
    return make_glossary(path, rows, "".join(f"{row.source}\t{row.translations}\n" for row in rows))


def _read_rows(table: TextTable) -> Iterator[GlossaryRow]:
    """Yield the rows that are not empty."""
    columns = [table.cells(_find_column(table, names)) for names in (_SOURCES, _TARGETS)]
    for row, (source, target) in enumerate(zip(*columns, strict=True)):
        if isinstance(source, str) and isinstance(target, str) and (source.strip() or target.strip()):
            yield GlossaryRow(f"{show_path(table.path)}, {table.place(row)}", source, target)


def _find_column(table: TextTable, names: tuple[str, ...]) -> str:
    known = {name.strip().lower(): name for name in table.names}
    found = next((known[name] for name in names if name in known), None)
    if found is None:
        raise ResourceError(
            f"{show_path(table.path)} has no column {names[0]}; name the columns source and target in its first row"
            f" (found: {', '.join(table.names)})"
        )
    return found
