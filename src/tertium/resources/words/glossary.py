"""Glossaries: for each source term the translations that are allowed, in a file with two columns."""

from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

from tertium.errors import ResourceError
from tertium.files.paths import show_path
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


def load_glossary(path: str) -> GlossaryFile:
    """Read a glossary: a source term, a tab, and its translations separated by `|`.

    Blank lines and lines that begin with `#` are ignored. Translations of the same term on several lines are joined.

    Raises
    ------
    ResourceError
        If the file cannot be read, a line does not have two columns with text, or there is no entry.
    """
    shown, text = show_path(path), read_text(path, error=ResourceError)
    targets: dict[str, dict[str, None]] = {}
    for number, line in enumerate(split_lines(text), start=1):
        if line.strip() and not line.startswith("#"):
            source, listed = _parse_line(line, f"{shown}, line {number:,}")
            targets.setdefault(source, {}).update(dict.fromkeys(listed))
    if not targets:
        raise ResourceError(
            f"{shown} has no terms; write a source term, a tab and its translation on each line"
        )
    digest = sha256(text.encode()).hexdigest()[:8]
    entries = tuple(GlossaryEntry(source, tuple(listed)) for source, listed in targets.items())
    return GlossaryFile(f"{Path(path).name}[{digest}]", entries)


def _parse_line(line: str, place: str) -> tuple[str, list[str]]:
    columns = [column.strip() for column in line.split("\t")]
    if len(columns) != 2:
        found = "no tab" if len(columns) == 1 else f"{len(columns)} columns"
        raise ResourceError(
            f"{place} has {found}; write a source term, a tab and its translations separated by {ALTERNATIVES}"
        )
    source, listed = columns[0], [each.strip() for each in columns[1].split(ALTERNATIVES)]
    for text, name in ((source, "source term"), *((each, "translation") for each in listed)):
        if not any(character.isalnum() for character in text):
            raise ResourceError(f"{place}: the {name} {text!r} has no letters or digits")
    return source, listed
