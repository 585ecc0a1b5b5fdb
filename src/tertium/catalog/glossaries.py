"""Glossaries: for each source term the translations that are allowed, in plain text, CSV or XLSX."""

from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from pathlib import Path

from tertium.corpus.texts.formats import open_table
from tertium.corpus.texts.tables import TextTable
from tertium.errors import InputError, ResourceError
from tertium.files.paths import format_suffix, show_path
from tertium.files.reading import read_text, split_lines
from tertium.interfaces import GlossaryEntry
from tertium.records import record

ALTERNATIVES = "|"


@record
class GlossaryFile:
    """A glossary from a file; glossaries with the same identity are equal."""

    identity: str
    listed: tuple[GlossaryEntry, ...]

    def entries(self) -> Sequence[GlossaryEntry]:
        return self.listed

    def __eq__(self, other: object) -> bool:
        return isinstance(other, GlossaryFile) and self.identity == other.identity

    def __hash__(self) -> int:
        return hash(self.identity)


@record
class GlossaryRow:
    """A row of a glossary: where it is, for messages, the source term, and its translations separated by `|`."""

    place: str
    source: str
    translations: str


def load_glossary(path: str) -> GlossaryFile:
    """Read a glossary in plain text: a source term, a tab, and its translations separated by `|`.

    Blank lines and lines that begin with `#` are ignored. Translations of the same term on several lines are joined.

    Raises
    ------
    ResourceError
        If the file cannot be read, a line does not have two columns with text, or there is no entry.
    """
    shown, text = show_path(path), read_text(path, error=ResourceError)
    lines = enumerate(split_lines(text), start=1)
    rows = [
        _split_line(line, f"{shown}, line {number:,}")
        for number, line in lines
        if line.strip() and not line.startswith("#")
    ]
    return make_glossary(path, rows, text)


def make_glossary(path: str, rows: Iterable[GlossaryRow], content: str) -> GlossaryFile:
    """Make a glossary of rows; `content` is the text whose checksum is its identity.

    Raises
    ------
    ResourceError
        If a term or a translation has no letters or digits, or there is no row.
    """
    targets: dict[str, dict[str, None]] = {}
    for row in rows:
        source, listed = _parse_row(row)
        targets.setdefault(source, {}).update(dict.fromkeys(listed))
    if not targets:
        raise ResourceError(
            f"{show_path(path)} has no terms; write a source term, a tab and its translation on each line"
        )
    digest = sha256(content.encode()).hexdigest()[:8]
    entries = tuple(GlossaryEntry(source, tuple(listed)) for source, listed in targets.items())
    return GlossaryFile(f"{Path(path).name}[{digest}]", entries)


def _split_line(line: str, place: str) -> GlossaryRow:
    columns = line.split("\t")
    if len(columns) != 2:
        found = "no tab" if len(columns) == 1 else f"{len(columns)} columns"
        raise ResourceError(
            f"{place} has {found}; write a source term, a tab and its translations separated by {ALTERNATIVES}"
        )
    return GlossaryRow(place, columns[0], columns[1])


def _parse_row(row: GlossaryRow) -> tuple[str, list[str]]:
    source = row.source.strip()
    listed = [target.strip() for target in row.translations.split(ALTERNATIVES)]
    for text, name in ((source, "source term"), *((target, "translation") for target in listed)):
        if not any(character.isalnum() for character in text):
            raise ResourceError(f"{row.place}: the {name} {text!r} has no letters or digits")
    return source, listed


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
