"""XML test sets, through lxml (extra `xml`): the <dataset> of WMT since 2021, and mteval's XML.

Entities are never expanded and nothing is fetched: a file that declares its own entities is refused, a
reference to an external DTD is ignored. White space is collapsed as in SGML. Documents marked as a test
suite are left out, as sacreBLEU leaves them out, since they have no references.
"""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from tertium.corpus.texts.segments import Entry, Role, SegmentFile, collapse_space, collect_segments
from tertium.corpus.texts.sgml import SET_ROLES, document_facts, set_name
from tertium.errors import InputError
from tertium.files.extras import import_extra
from tertium.files.reading import read_bytes

if TYPE_CHECKING:
    from lxml.etree import _Element

__all__ = ["read_xml"]

# element of a <doc>: its role, and the attribute that names the translator or system
_PARTS: dict[str, tuple[Role, str | None]] = {
    "src": ("source", None),
    "ref": ("reference", "translator"),
    "hyp": ("system", "system"),
}


def read_xml(path: str) -> SegmentFile:
    """Read a WMT <dataset> or an mteval XML file."""
    root = _parse(path)
    if root.tag == "dataset":
        _check_language(path, root)
        return collect_segments(path, _dataset_entries(path, root))
    if next(root.iter(*SET_ROLES), None) is not None:
        return collect_segments(path, _mteval_entries(path, root))
    raise InputError(
        f"{path} is a <{root.tag}>; known are WMT's <dataset> and mteval's srcset, refset and tstset"
    )


def _parse(path: str) -> "_Element":
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
            f"{path} is not well-formed XML: {reason}; mteval SGML must be called .sgm"
        ) from None
    if _declares_entities(root) or next(root.iter(etree.Entity), None) is not None:
        raise InputError(f"{path} uses entities of its own, which are not expanded; write the text itself")
    return root


def _declares_entities(root: "_Element") -> bool:
    dtd: Any = root.getroottree().docinfo.internalDTD  # the stubs do not know iterentities
    return dtd is not None and next(dtd.iterentities(), None) is not None


def _check_language(path: str, root: "_Element") -> None:
    languages = sorted({lang for ref in root.iter("ref") if (lang := ref.get("lang"))})
    if len(languages) > 1:
        raise InputError(
            f"{path} has references in several languages ({', '.join(languages)}); give one file each"
        )


def _dataset_entries(path: str, root: "_Element") -> Iterator[Entry]:
    for document in root.iter("doc"):
        if "testsuite" in document.attrib:
            continue
        identity, facts = _require(path, document, "id"), document_facts(_attributes(document))
        for part in document.iter(*_PARTS):
            role, attribute = _PARTS[str(part.tag)]
            name = part.get(attribute, "") if attribute else ""
            yield from _segments(path, part, role, name, identity, facts)


def _mteval_entries(path: str, root: "_Element") -> Iterator[Entry]:
    for group in root.iter(*SET_ROLES):
        role = SET_ROLES[str(group.tag)]
        for document in group.iter("doc"):
            identity, attributes = _require(path, document, "docid"), _attributes(document)
            name = set_name(role, _attributes(group), attributes)
            yield from _segments(path, document, role, name, identity, document_facts(attributes))


def _segments(
    path: str, parent: "_Element", role: Role, name: str, document: str, facts: Mapping[str, str]
) -> Iterator[Entry]:
    for segment in parent.iter("seg"):
        line = _line(segment)
        if len(segment):
            raise InputError(
                f"{path}: line {line:,}: <{segment[0].tag}> inside <seg>; write &lt; for a < in the text"
            )
        key = (document, _require(path, segment, "id"))
        yield Entry(role, name, key, collapse_space(segment.text or ""), line, facts)


def _require(path: str, element: "_Element", attribute: str) -> str:
    value = element.get(attribute)
    if not value:
        raise InputError(f"{path}: line {_line(element):,}: <{element.tag}> has no {attribute}")
    return value


def _attributes(element: "_Element") -> dict[str, str]:
    return {str(name): str(value) for name, value in element.attrib.items()}


def _line(element: "_Element") -> int:
    line: int | None = getattr(element, "sourceline", None)  # the stubs give it no type
    return line or 0
