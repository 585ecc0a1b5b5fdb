"""Readers of the exchange formats of translation tools: XLIFF 1.2 and 2.x, and TMX.

A target text can be a reference or the output of a system, depending on how the file is given. Codes of the original
format (such as `<bpt>` and `<ph>`) are left out; the text inside `<g>`, `<pc>`, `<mrk>` and `<hi>` is
kept. White space is collapsed as in the other XML formats.
"""

from collections.abc import Container, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from tertium.corpus.texts.markup import (
    MarkupFile,
    MarkupSegment,
    Role,
    Texts,
    collapse_space,
    collect_segments,
    element_line,
    parse_xml,
    read_test_set,
    require_attribute,
)
from tertium.corpus.texts.tables import Group, SegmentColumn
from tertium.errors import InputError
from tertium.files.paths import Address, default_name
from tertium.records import record

if TYPE_CHECKING:
    from lxml.etree import _Element

T = TypeVar("T")

_XML_LANG = "{http://www.w3.org/XML/1998/namespace}lang"
# Elements whose content is code of the original format.
_CODES = frozenset({"bpt", "ept", "it", "ph", "ut", "sub", "x", "bx", "ex", "sc", "ec", "sm", "em"})
_TARGETS: tuple[Role, Role] = ("reference", "system")


def read_xml_file(path: str) -> MarkupFile:
    """Read an XML file: WMT's <dataset>, mteval's XML, XLIFF or TMX, according to its root element."""
    root = parse_xml(path)
    kind = _name(root)
    if kind == "xliff":
        return collect_segments(path, _xliff_entries(path, root))
    return _read_tmx(path, root) if kind == "tmx" else read_test_set(path, root)


def _xliff_entries(path: str, root: "_Element") -> Iterator[MarkupSegment]:
    files = [each for each in root if _name(each) == "file"]
    if not files:
        raise InputError(f"{path} has no <file>; an XLIFF file has one or several")
    _check_languages(path, root, files)
    for number, file in enumerate(files, start=1):
        original = file.get("original", "")
        facts = {"original": original} if original else {}
        for identity, unit in _xliff_units(path, file):
            key = str(number), identity
            for part in unit:
                if _name(part) in ("source", "target"):
                    text, line = _text(part), element_line(part)
                    roles: tuple[Role, ...] = ("source",) if _name(part) == "source" else _TARGETS
                    for role in roles:
                        yield MarkupSegment(role, "", key, text, line, facts)


def _xliff_units(path: str, file: "_Element") -> Iterator[tuple[str, "_Element"]]:
    """Yield the elements with a source and a target: trans-units of XLIFF 1.2, segments of 2.x, each with its id."""
    for unit in file.iter():
        if _name(unit) == "trans-unit":
            yield require_attribute(path, unit, "id"), unit
        elif _name(unit) == "unit":
            identity = require_attribute(path, unit, "id")
            segments = [part for part in unit if _name(part) == "segment"]
            for number, segment in enumerate(segments, start=1):
                yield identity if len(segments) == 1 else f"{identity}.{segment.get('id', number)}", segment


def _check_languages(path: str, root: "_Element", files: list["_Element"]) -> None:
    languages = sorted({found for each in files if (found := each.get("target-language"))})
    if len(languages) > 1:
        raise InputError(
            f"{path} has targets in several languages ({', '.join(languages)}); give one file per language"
        )
    version = root.get("version", "")
    if version != "1.2" and not version.startswith("2."):
        raise InputError(
            f"{path} is XLIFF {version or 'without a version'}; versions 1.2 and 2.x are supported"
        )


@record
class TMXFile(MarkupFile):
    """A translation memory, whose target texts are named by their languages.

    Without ids (`tuid`), it is aligned with other files by position.
    """

    has_ids: bool = True

    def source(self, address: Address) -> SegmentColumn[str]:
        return self._align(super().source(address))

    def references(self, address: Address) -> SegmentColumn[Group]:
        return self._align(super().references(address))

    def systems(self, address: Address) -> list[tuple[str, SegmentColumn[str]]]:
        ((_, column),) = super().systems(address)
        return [(default_name(address), self._align(column))]

    def columns(self, texts: Container[str]) -> Mapping[str, SegmentColumn[str]]:  # noqa: ARG002 - part of the protocol
        """Return no columns: a translation memory has only texts."""
        return {}

    def _align(self, column: SegmentColumn[T]) -> SegmentColumn[T]:
        return column if self.has_ids else replace(column, keys=None)

    def _choose(self, role: Role, address: Address) -> list[tuple[str, Texts]]:
        if role != "source" and address.column is None and len(self.texts[role]) > 1:
            names = ", ".join(self.texts[role])
            raise InputError(
                f"{self.path} has several target languages; choose one with {self.path}#LANG: {names}"
            )
        return super()._choose(role, address)


def _read_tmx(path: str, root: "_Element") -> TMXFile:
    units = [each for each in root.iter() if _name(each) == "tu"]
    ids = [unit.get("tuid", "") for unit in units]
    has_ids = "" not in ids and len(set(ids)) == len(ids)
    if not has_ids:
        ids = [str(number) for number in range(1, len(units) + 1)]
    found = collect_segments(path, _tmx_entries(path, root, dict(zip(ids, units, strict=True))))
    return TMXFile(found.path, found.keys, found.texts, found.facts, has_ids)


def _tmx_entries(path: str, root: "_Element", units: Mapping[str, "_Element"]) -> Iterator[MarkupSegment]:
    header = next((each for each in root if _name(each) == "header"), None)
    default = "" if header is None else header.get("srclang", "")
    for identity, unit in units.items():
        source = unit.get("srclang", default)
        for variant in unit:
            if _name(variant) == "tuv":
                yield from _tmx_variant(path, variant, source, identity)


def _tmx_variant(path: str, variant: "_Element", source: str, identity: str) -> Iterator[MarkupSegment]:
    language = variant.get(_XML_LANG) or variant.get("lang") or ""
    line = element_line(variant)
    if not language:
        raise InputError(f"{path}: line {line:,}: <tuv> has no xml:lang")
    segment = next((each for each in variant if _name(each) == "seg"), None)
    if segment is None:
        raise InputError(f"{path}: line {line:,}: <tuv> has no <seg>")
    is_source = language.lower() == source.lower()
    roles: tuple[Role, ...] = ("source",) if is_source else _TARGETS
    for role in roles:
        yield MarkupSegment(role, "" if is_source else language, ("", identity), _text(segment), line)


def _text(element: "_Element") -> str:
    return collapse_space("".join(_pieces(element)))


def _pieces(element: "_Element") -> Iterator[str]:
    yield element.text or ""
    for part in element:
        if _name(part) == "cp":  # a character that XML does not allow
            yield _control(part.get("hex", ""))
        elif _name(part) not in _CODES:
            yield from _pieces(part)
        yield part.tail or ""


def _control(code: str) -> str:
    try:
        return chr(int(code, 16)).encode().decode()  # fails for halves of surrogate pairs
    except (ValueError, OverflowError):
        return ""


def _name(element: "_Element") -> str:
    """Return the name of an element without its namespace."""
    return str(element.tag).rpartition("}")[2]
