"""Readers of the exchange formats of translation tools: XLIFF 1.2 and 2.x, and TMX.

A target text can be a reference or the output of a system, depending on how the file is given. Codes of the original
format (such as `<bpt>` and `<ph>`) are not part of the text, which keeps them beside it (`CodedText`); the text inside
`<g>`, `<pc>`, `<mrk>` and `<hi>` is kept. White space is collapsed as in the other XML formats.
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
from tertium.text.codes import CodeKind, InlineCode, add_codes

if TYPE_CHECKING:
    from lxml.etree import _Element

T = TypeVar("T")

_XML_LANG = "{http://www.w3.org/XML/1998/namespace}lang"
# Elements whose content is code of the original format: inline codes, and others that are not compared.
_KINDS: Mapping[str, CodeKind] = {
    **dict.fromkeys(("bpt", "bx", "sc"), "start"),
    **dict.fromkeys(("ept", "ex", "ec"), "end"),
    **dict.fromkeys(("ph", "x", "it", "ut"), "alone"),
}
_CODES = frozenset({*_KINDS, "sub", "sm", "em"})
# Elements with text that are codes, too. A marker (<mrk>) is a note about its text, which a translation may lack.
_ENCLOSING = frozenset({"g", "pc", "hi"})
# Attributes that name the same code in source and target, the first that an element has: a copy has the name of its
# original, and an end that of its start.
_IDENTITIES = ("copyOf", "startRef", "rid", "x", "id")
_TARGETS: tuple[Role, Role] = ("reference", "system")


def read_xml_file(path: str) -> MarkupFile:
    """Read an XML file: WMT's <dataset>, mteval's XML, XLIFF or TMX, according to its root element."""
    root = parse_xml(path)
    kind = _name(root)
    if kind == "xliff":
        return collect_segments(path, _xliff_entries(path, root))
    return _read_tmx(path, root) if kind == "tmx" else read_test_set(path, root)


def _xliff_entries(path: str, root: "_Element") -> Iterator[MarkupSegment]:
    files = [element for element in root if _name(element) == "file"]
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
    languages = sorted({found for file in files if (found := file.get("target-language"))})
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

    Without ids (`tuid`), its units are matched with other files by position.
    """

    has_ids: bool = True

    def source(self, address: Address) -> SegmentColumn[str]:
        return self._drop_numbers(super().source(address))

    def references(self, address: Address) -> SegmentColumn[Group]:
        return self._drop_numbers(super().references(address))

    def systems(self, address: Address) -> list[tuple[str, SegmentColumn[str]]]:
        ((_, column),) = super().systems(address)
        return [(default_name(address), self._drop_numbers(column))]

    def columns(self, texts: Container[str]) -> Mapping[str, SegmentColumn[str]]:  # noqa: ARG002 - part of the protocol
        """Return no columns: a translation memory has only texts."""
        return {}

    def _drop_numbers(self, column: SegmentColumn[T]) -> SegmentColumn[T]:
        return column if self.has_ids else replace(column, keys=None)

    def _choose(self, role: Role, address: Address) -> list[tuple[str, Texts]]:
        if role != "source" and address.column is None and len(self.texts[role]) > 1:
            names = ", ".join(self.texts[role])
            raise InputError(
                f"{self.path} has several target languages; choose one with {self.path}#LANG: {names}"
            )
        return super()._choose(role, address)


def _read_tmx(path: str, root: "_Element") -> TMXFile:
    units = [element for element in root.iter() if _name(element) == "tu"]
    ids = [unit.get("tuid", "") for unit in units]
    has_ids = "" not in ids and len(set(ids)) == len(ids)
    if not has_ids:
        ids = [str(number) for number in range(1, len(units) + 1)]
    found = collect_segments(path, _tmx_entries(path, root, dict(zip(ids, units, strict=True))))
    return TMXFile(found.path, found.keys, found.texts, found.facts, has_ids)


def _tmx_entries(path: str, root: "_Element", units: Mapping[str, "_Element"]) -> Iterator[MarkupSegment]:
    header = next((element for element in root if _name(element) == "header"), None)
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
    segment = next((element for element in variant if _name(element) == "seg"), None)
    if segment is None:
        raise InputError(f"{path}: line {line:,}: <tuv> has no <seg>")
    is_source = language.lower() == source.lower()
    roles: tuple[Role, ...] = ("source",) if is_source else _TARGETS
    for role in roles:
        yield MarkupSegment(role, "" if is_source else language, ("", identity), _text(segment), line)


def _text(element: "_Element") -> str:
    """Return the text of an element, with its inline codes."""
    pieces = list(_pieces(element))
    text = collapse_space("".join(piece for piece in pieces if isinstance(piece, str)))
    return add_codes(text, _name_ends(_mark_empty(pieces)))


def _pieces(element: "_Element") -> Iterator[str | InlineCode]:
    """Yield texts and codes in their order."""
    yield element.text or ""
    for part in element:
        name = _name(part)
        if name == "cp":  # a character that XML does not allow
            yield _control(part.get("hex", ""))
        elif name in _ENCLOSING:
            yield _code(part, name, "start")
            yield from _pieces(part)
            yield _code(part, name, "end")
        elif name in _KINDS:
            yield _code(part, name, _KINDS[name])
        elif name not in _CODES:
            yield from _pieces(part)
        yield part.tail or ""


def _code(part: "_Element", element: str, kind: CodeKind) -> InlineCode:
    identity = next((found for name in _IDENTITIES if (found := part.get(name))), "")
    content = "" if element in _ENCLOSING else "".join(_own_texts(part))
    return InlineCode(
        element, kind, collapse_space(identity), collapse_space(content), collapse_space(part.get("i", ""))
    )


def _own_texts(part: "_Element") -> Iterator[str]:
    """Yield the texts of a code, without the text to translate that is inside it (`<sub>`)."""
    yield part.text or ""
    for inner in part:
        yield inner.tail or ""


def _name_ends(codes: list[InlineCode]) -> list[InlineCode]:
    """Give the ends of pairs in TMX, which have only a number, the ids of their starts."""
    ids = {code.pair: code.identity for code in codes if code.pair and code.kind == "start"}
    return [
        replace(code, identity=ids[code.pair]) if code.kind == "end" and code.pair in ids else code
        for code in codes
    ]


def _mark_empty(pieces: list[str | InlineCode]) -> list[InlineCode]:
    """Return the codes, with the starts of pairs marked that enclose no text and no code."""
    filled = [
        None if isinstance(piece, str) else piece
        for piece in pieces
        if not isinstance(piece, str) or piece.strip()
    ]
    return [
        replace(code, is_empty=_are_pair(code, following))
        for code, following in zip(filled, [*filled[1:], None], strict=False)
        if code is not None
    ]


def _are_pair(code: InlineCode, following: InlineCode | None) -> bool:
    return (
        following is not None
        and (code.kind, following.kind) == ("start", "end")
        and code.link == following.link
    )


def _control(code: str) -> str:
    try:
        return chr(int(code, 16)).encode().decode()  # fails for halves of surrogate pairs
    except (ValueError, OverflowError):
        return ""


def _name(element: "_Element") -> str:
    """Return the name of an element without its namespace."""
    return str(element.tag).rpartition("}")[2]
