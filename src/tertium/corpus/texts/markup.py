"""Readers of SGML and XML files, whose segments have ids: NIST's mteval files and WMT's test sets."""

import re
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import field
from typing import TYPE_CHECKING, Any, Literal

from tertium.corpus.texts.tables import Group, Key, SegmentColumn, describe_key
from tertium.errors import InputError
from tertium.files.extras import import_extra
from tertium.files.paths import Address, default_name
from tertium.files.reading import read_bytes, read_text
from tertium.records import record

if TYPE_CHECKING:
    from lxml.etree import _Element


Role = Literal["source", "reference", "system"]
Texts = dict[Key, str]


@record
class MarkupSegment:
    """One segment in a file; `name` is the translator or system, or empty if the file does not name it."""

    role: Role
    name: str
    key: Key
    text: str
    line: int
    facts: Mapping[str, str] = field(default_factory=dict)
    """Properties of the segment's document, such as its domain."""


@record
class MarkupFile:
    """The segments of a file, keyed by document and segment id.

    If the file has a source, the segments are those with a source text; otherwise all segments, in file order.
    A system must have every segment; a reference may lack some.
    """

    path: str
    keys: tuple[Key, ...]
    texts: Mapping[Role, Mapping[str, Texts]]
    facts: Mapping[str, Mapping[str, str]]
    """Properties of each document; if they occur several times, the first value is used."""

    def source(self, address: Address) -> SegmentColumn[str]:
        ((_, texts),) = self._choose("source", address)
        return self._column(address.label, texts)

    def references(self, address: Address) -> SegmentColumn[Group]:
        chosen = [texts for _, texts in self._choose("reference", address)]
        groups = [tuple(texts[key] for texts in chosen if key in texts) for key in self.keys]
        return SegmentColumn(address.label, "segment", groups, self.keys)

    def systems(self, address: Address) -> list[tuple[str, SegmentColumn[str]]]:
        found = self._choose("system", address)
        return [
            (name or default_name(address), self._column(f"{self.path}#{name}" if name else self.path, texts))
            for name, texts in found
        ]

    def columns(self, texts: Container[str]) -> Mapping[str, SegmentColumn[str]]:  # noqa: ARG002 - part of the protocol
        """Return each segment's document and the document's attributes; a missing attribute is the empty string."""
        names = dict.fromkeys(name for facts in self.facts.values() for name in facts)
        found = {
            name: SegmentColumn(
                self.path, "segment", [self.facts[key[0]].get(name, "") for key in self.keys], self.keys
            )
            for name in names
        }
        return found | {
            "document": SegmentColumn(
                self.path, "segment", [document for document, _ in self.keys], self.keys
            )
        }

    def _column(self, label: str, texts: Texts) -> SegmentColumn[str]:
        for key in self.keys:
            if key not in texts:
                raise InputError(
                    f"{label} lacks {describe_key(key)}; write an empty output as an empty element (<seg/>, in XLIFF <target/>)"
                )
        return SegmentColumn(label, "segment", [texts[key] for key in self.keys], self.keys)

    def _choose(self, role: Role, address: Address) -> list[tuple[str, Texts]]:
        found = self.texts[role]
        if not found:
            raise InputError(f"{self.path} has no {role}; it has {self._contents()}")
        if address.column is None:
            return list(found.items())
        if address.column not in found:
            raise InputError(f"{self.path} has no {role} {address.column!r}; it has {self._contents()}")
        return [(address.column, found[address.column])]

    def _contents(self) -> str:
        names = [f"{role} {name}".strip() for role, by_name in self.texts.items() for name in by_name]
        return ", ".join(names) or "no segments"


def collect_segments(path: str, entries: Iterable[MarkupSegment]) -> MarkupFile:
    """Group the segments of a file by role and name; raise if one occurs twice or is not in the file's source."""
    texts: dict[Role, dict[str, Texts]] = {"source": {}, "reference": {}, "system": {}}
    lines: dict[Key, int] = {}
    facts: dict[str, dict[str, str]] = {}
    for entry in entries:
        column = texts[entry.role].setdefault(entry.name, {})
        if entry.key in column:
            raise InputError(f"{path}: line {entry.line:,} repeats {describe_key(entry.key)}")
        column[entry.key] = entry.text
        lines.setdefault(entry.key, entry.line)
        facts[entry.key[0]] = {**entry.facts, **facts.get(entry.key[0], {})}
    keys = _source_keys(path, texts["source"], lines) if texts["source"] else lines
    return MarkupFile(path, tuple(keys), texts, facts)


def _source_keys(path: str, sources: Mapping[str, Texts], lines: Mapping[Key, int]) -> Texts:
    (source,) = sources.values()
    for key, line in lines.items():
        if key not in source:
            raise InputError(
                f"{path}: line {line:,} has {describe_key(key)}, which the file's source does not have"
            )
    return source


def collapse_space(text: str) -> str:
    """Replace runs of white space by one space and strip both ends, as mteval and sacreBLEU do."""
    return " ".join(text.split())


# The SGML of NIST's mteval: srcset, refset and tstset with doc and seg, read as mteval reads it.
#
# Such files are rarely well-formed XML: tags are in any case, attributes lack quotes, and the text has bare `&`
# and `<`. So only the structural tags are recognised, and everything else inside a seg is text. The entities
# `&quot;`, `&amp;`, `&lt;` and `&gt;` are decoded, in mteval's order (`&amp;lt;` becomes `<`). White space is
# collapsed. A document without sysid has the refid or sysid of its set.


SET_ROLES: Mapping[str, Role] = {"srcset": "source", "refset": "reference", "tstset": "system"}

_TAG = re.compile(r"<(/?)(srcset|refset|tstset|doc|seg)(?=[\s/>])([^<>]*)>", re.IGNORECASE)
# Possessive quantifiers: with backtracking, a long name without `=` would take quadratic time.
_ATTRIBUTE = re.compile(r"""(?<![\w:.-])([\w:.-]++)\s*+=\s*+(?:"([^"]*)"|'([^']*)'|([^\s"']+))""")
_NAMES = frozenset(
    {"id", "docid", "sysid", "refid", "testsuite"}
)  # attributes that are not properties of the text
_ENTITIES = (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"))


@record
class _Tag:
    name: str
    attributes: Mapping[str, str]
    line: int
    span: tuple[int, int]
    is_closing: bool
    is_empty: bool

    @property
    def depth(self) -> int:
        """The number of tags that must be open around it: a seg is inside a doc, a doc inside a set."""
        return {"doc": 1, "seg": 2}.get(self.name, 0)


def read_sgml(path: str) -> MarkupFile:
    """Read an SGML file, with any number of sets, translators and systems."""
    text = read_text(path)
    if not re.search("<(srcset|refset|tstset)", text, re.IGNORECASE):
        raise InputError(
            f"{path} has no srcset, refset or tstset; a WMT <dataset> file must have the suffix .xml"
        )
    return collect_segments(path, _entries(path, text))


def _translator_name(role: Role, of_set: Mapping[str, str], of_document: Mapping[str, str]) -> str:
    """Return the translator or system of a document, from the attributes of the document and its set."""
    if role == "source":
        return ""
    own = "refid" if role == "reference" else "sysid"
    return of_document.get("sysid") or of_set.get(own) or of_set.get("sysid") or ""


def _document_facts(attributes: Mapping[str, str]) -> dict[str, str]:
    """Return the attributes of a document that are properties of its text, such as its domain."""
    return {name: value for name, value in attributes.items() if name not in _NAMES}


def _entries(path: str, text: str) -> Iterator[MarkupSegment]:
    stack: list[_Tag] = []
    for tag in _tags(text):
        if not tag.is_closing:
            _open(path, stack, tag)
        if tag.is_closing or tag.is_empty:
            _check_closes(path, stack, tag)
            if tag.name == "seg":
                yield _entry(path, stack, text[stack[-1].span[1] : tag.span[0]])  # empty for <seg/>
            stack.pop()
    if stack:
        raise InputError(f"{path}: line {stack[-1].line:,}: <{stack[-1].name}> is never closed")


def _tags(text: str) -> Iterator[_Tag]:
    line, seen = 1, 0
    for match in _TAG.finditer(text):
        line, seen = line + text.count("\n", seen, match.start()), match.start()
        slash, name, inside = match.groups()
        yield _Tag(name.lower(), _attributes(inside), line, match.span(), bool(slash), inside.endswith("/"))


def _attributes(inside: str) -> dict[str, str]:
    return {name.lower(): "".join(values) for name, *values in _ATTRIBUTE.findall(inside.removesuffix("/"))}


def _open(path: str, stack: list[_Tag], tag: _Tag) -> None:
    if tag.depth < len(stack):
        outer = stack[tag.depth]
        raise InputError(
            f"{path}: line {tag.line:,}: <{tag.name}> inside the unclosed <{outer.name}> of line {outer.line:,}"
        )
    if tag.depth > len(stack):
        raise InputError(
            f"{path}: line {tag.line:,}: <{tag.name}> outside a {'set' if tag.depth == 1 else 'doc'}"
        )
    stack.append(tag)


def _check_closes(path: str, stack: list[_Tag], tag: _Tag) -> None:
    if not stack or stack[-1].name != tag.name:
        expected = f"</{stack[-1].name}> for line {stack[-1].line:,}" if stack else "no closing tag"
        raise InputError(f"{path}: line {tag.line:,}: </{tag.name}> where {expected} is expected")


def _entry(path: str, stack: list[_Tag], text: str) -> MarkupSegment:
    of_set, document, segment = stack
    role = SET_ROLES[of_set.name]
    key = (_require(path, document, "docid"), _require(path, segment, "id"))
    name = _translator_name(role, of_set.attributes, document.attributes)
    facts = _document_facts(document.attributes)
    return MarkupSegment(role, name, key, collapse_space(_decode(text)), segment.line, facts)


def _require(path: str, tag: _Tag, attribute: str) -> str:
    if not tag.attributes.get(attribute):
        raise InputError(f"{path}: line {tag.line:,}: <{tag.name}> has no {attribute}")
    return tag.attributes[attribute]


def _decode(text: str) -> str:
    for entity, character in _ENTITIES:
        text = text.replace(entity, character)
    return text


# XML test sets, through lxml (extra `xml`): the <dataset> of WMT since 2021, and mteval's XML.
#
# For security, entities are never expanded and nothing is downloaded: a file that declares its own entities is
# rejected, a reference to an external DTD is ignored. White space is collapsed as in SGML. Documents marked as a
# test suite are left out, as in sacreBLEU, because they have no references.


# the elements of a <doc>, with their role and the attribute that names the translator or system
_PARTS: dict[str, tuple[Role, str | None]] = {
    "src": ("source", None),
    "ref": ("reference", "translator"),
    "hyp": ("system", "system"),
}


def read_test_set(path: str, root: "_Element") -> MarkupFile:
    """Read a WMT <dataset> or an mteval XML file from its root element."""
    if root.tag == "dataset":
        _check_language(path, root)
        return collect_segments(path, _dataset_entries(path, root))
    if next(root.iter(*SET_ROLES), None) is not None:
        return collect_segments(path, _mteval_entries(path, root))
    raise InputError(
        f"{path} is a <{root.tag}>, but only WMT's <dataset>, mteval's srcset, refset and tstset, XLIFF and TMX are"
        " supported"
    )


def parse_xml(path: str) -> "_Element":
    """Parse an XML file; raise if it is not well-formed or declares its own entities."""
    etree = import_extra("lxml.etree", extra="xml", path=path)
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, remove_comments=True, remove_pis=True
    )
    data = read_bytes(path)
    try:
        root: _Element = etree.fromstring(data, parser)
    except etree.XMLSyntaxError as error:
        reason = collapse_space(error.msg)
        raise InputError(
            f"{path} is not well-formed XML: {reason}; mteval SGML must have the suffix .sgm"
        ) from None
    if _declares_entities(root) or next(root.iter(etree.Entity), None) is not None:
        raise InputError(f"{path} declares its own entities, which are not expanded; write the text itself")
    return root


def _declares_entities(root: "_Element") -> bool:
    dtd: Any = root.getroottree().docinfo.internalDTD  # the stubs do not know iterentities
    return dtd is not None and next(dtd.iterentities(), None) is not None


def _check_language(path: str, root: "_Element") -> None:
    languages = sorted({lang for ref in root.iter("ref") if (lang := ref.get("lang"))})
    if len(languages) > 1:
        raise InputError(
            f"{path} has references in several languages ({', '.join(languages)}); give one file per language"
        )


def _dataset_entries(path: str, root: "_Element") -> Iterator[MarkupSegment]:
    for document in root.iter("doc"):
        if "testsuite" in document.attrib:
            continue
        identity, facts = require_attribute(path, document, "id"), _document_facts(_xml_attributes(document))
        for part in document.iter(*_PARTS):
            role, attribute = _PARTS[str(part.tag)]
            name = part.get(attribute, "") if attribute else ""
            yield from _segments(path, part, role, name, identity, facts)


def _mteval_entries(path: str, root: "_Element") -> Iterator[MarkupSegment]:
    for group in root.iter(*SET_ROLES):
        role = SET_ROLES[str(group.tag)]
        for document in group.iter("doc"):
            identity, attributes = require_attribute(path, document, "docid"), _xml_attributes(document)
            name = _translator_name(role, _xml_attributes(group), attributes)
            yield from _segments(path, document, role, name, identity, _document_facts(attributes))


def _segments(
    path: str, parent: "_Element", role: Role, name: str, document: str, facts: Mapping[str, str]
) -> Iterator[MarkupSegment]:
    for segment in parent.iter("seg"):
        line = element_line(segment)
        if len(segment):
            raise InputError(
                f"{path}: line {line:,}: <{segment[0].tag}> inside <seg>; write &lt; for a < in the text"
            )
        key = (document, require_attribute(path, segment, "id"))
        yield MarkupSegment(role, name, key, collapse_space(segment.text or ""), line, facts)


def require_attribute(path: str, element: "_Element", attribute: str) -> str:
    """Return an attribute of an element; raise if it is missing or empty."""
    value = element.get(attribute)
    if not value:
        raise InputError(f"{path}: line {element_line(element):,}: <{element.tag}> has no {attribute}")
    return value


def _xml_attributes(element: "_Element") -> dict[str, str]:
    return {str(name): str(value) for name, value in element.attrib.items()}


def element_line(element: "_Element") -> int:
    """Return the line of an element; 0 if it is not known."""
    line: int | None = getattr(element, "sourceline", None)  # the stubs give it no type
    return line or 0
