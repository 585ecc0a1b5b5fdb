"""Texts of files whose segments are not lines (XLIFF, TMX, XLSX, tables, SGML, XML), read as `tertium score` reads them."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Literal

from tertium.corpus.texts.assembly import reorder
from tertium.corpus.texts.formats import has_reader, read_document
from tertium.corpus.texts.tables import Key, SegmentColumn, TextDocument, TextTable
from tertium.diagnosis.finding import Finding, ProblemKind
from tertium.errors import InputError
from tertium.files.paths import Address, parse_address
from tertium.records import record

UnitRole = Literal["references", "source", "hypotheses", "files"]


@record
class UnitColumn:
    """The texts of a file in one role, with the noun for a segment and, if they are not just counted, their names."""

    texts: SegmentColumn[str]
    noun: str
    names: Sequence[str]


def has_units(path: str) -> bool:
    """Whether a file is read by a reader of its format, not line by line."""
    return has_reader(parse_address(path).path)


def read_units(path: str, role: UnitRole) -> dict[str, UnitColumn]:
    """Read the texts of a file in a role, by the names that findings show.

    Raises
    ------
    InputError
        If the file cannot be read, or has no texts in this role.
    """
    address = parse_address(path)
    document = read_document(address.path)
    found = dict(_READERS[role](document, address))
    names = [path] if len(found) == 1 else [f"{path}#{name}" for name in found]
    columns = [_name_units(document, column) for column in found.values()]
    return dict(zip(names, columns, strict=True))


def _read_source(document: TextDocument, address: Address) -> Iterator[tuple[str, SegmentColumn[str]]]:
    yield "source", document.source(address)


def _read_references(document: TextDocument, address: Address) -> Iterator[tuple[str, SegmentColumn[str]]]:
    """Yield the first references of all segments, the second ones, and so on, as far as all segments have them."""
    groups = document.references(address)
    for i in range(min(map(len, groups.values), default=0)):
        texts = [group[i] for group in groups.values]
        yield f"reference {i + 1}", SegmentColumn(groups.label, groups.unit, texts, groups.keys)


def _read_systems(document: TextDocument, address: Address) -> Iterator[tuple[str, SegmentColumn[str]]]:
    yield from document.systems(address)


def _read_any(document: TextDocument, address: Address) -> Iterator[tuple[str, SegmentColumn[str]]]:
    """Yield the texts in the first role that the file has."""
    reasons = []
    for read in (_read_systems, _read_references, _read_source):
        try:
            yield from list(read(document, address))
        except InputError as error:
            reasons.append(error)
        else:
            return
    raise reasons[0]


_READERS: Mapping[UnitRole, Callable[[TextDocument, Address], Iterator[tuple[str, SegmentColumn[str]]]]] = {
    "source": _read_source,
    "references": _read_references,
    "hypotheses": _read_systems,
    "files": _read_any,
}


def _name_units(document: TextDocument, column: SegmentColumn[str]) -> UnitColumn:
    if isinstance(document, TextTable):
        places = [document.place(row).rpartition(" ") for row in range(len(column))]
        noun = places[0][0] if places else document.unit
        return UnitColumn(column, noun, [number for _, _, number in places])
    return UnitColumn(column, column.unit, _name_keys(column.keys or ()))


def _name_keys(keys: Sequence[Key]) -> list[str]:
    """Name segments by their ids, with the id of the document if there are several."""
    has_documents = len({document for document, _ in keys}) > 1
    return [f"{document}/{segment}" if has_documents else segment for document, segment in keys]


_OTHER_UNITS = ProblemKind("other-units", "error", "The ids of segments are not those of the other file.")


def match_units(columns: Mapping[str, UnitColumn]) -> tuple[dict[str, UnitColumn], list[Finding]]:
    """Sort segments with ids in the order of the first file that has ids, and report files with other ids."""
    basis = next((column.texts for column in columns.values() if column.texts.keys is not None), None)
    matched, findings = dict(columns), []
    for file, column in columns.items():
        try:
            texts = reorder(column.texts, basis)
        except InputError as error:
            remedy = "find the segments that were lost or renamed; files with ids are matched by them"
            findings.append(_OTHER_UNITS.at((), file, str(error), remedy))
            continue
        if texts is not column.texts:
            matched[file] = replace(column, texts=texts, names=_name_keys(texts.keys or ()))
    return matched, findings
