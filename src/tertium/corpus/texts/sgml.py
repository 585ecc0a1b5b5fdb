"""The SGML of NIST's mteval: srcset, refset and tstset with doc and seg, read as mteval reads it.

Such files are seldom well-formed XML: tags in any case, attributes without quotes, a bare `&` or `<` in
the text. So the structural tags are found in the text, and everything else inside a seg is text. Of
entities, `&quot;`, `&amp;`, `&lt;` and `&gt;` are decoded, in mteval's order (`&amp;lt;` becomes `<`).
White space is collapsed. A document without sysid takes the refid or sysid of its set.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from tertium.corpus.texts.segments import Entry, Role, SegmentFile, collapse_space, collect_segments
from tertium.errors import InputError
from tertium.files.reading import read_text

__all__ = ["SET_ROLES", "document_facts", "read_sgml", "set_name"]

SET_ROLES: Mapping[str, Role] = {"srcset": "source", "refset": "reference", "tstset": "system"}

_TAG = re.compile(r"<(/?)(srcset|refset|tstset|doc|seg)(?=[\s/>])([^<>]*)>", re.IGNORECASE)
# A name is taken whole and never in part, or a long one without `=` would take quadratic time.
_ATTRIBUTE = re.compile(r"""(?<![\w:.-])([\w:.-]++)\s*+=\s*+(?:"([^"]*)"|'([^']*)'|([^\s"']+))""")
_NAMES = frozenset({"id", "docid", "sysid", "refid", "testsuite"})  # of the document and of who translated it
_ENTITIES = (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"))


@dataclass(frozen=True)
class _Tag:
    name: str
    attributes: Mapping[str, str]
    line: int
    span: tuple[int, int]
    is_closing: bool
    is_empty: bool

    @property
    def depth(self) -> int:
        """How many tags must be open around it: a seg stands in a doc, a doc in a set."""
        return {"doc": 1, "seg": 2}.get(self.name, 0)


def read_sgml(path: str) -> SegmentFile:
    """Read an SGML file, with any number of sets, translators and systems."""
    text = read_text(path)
    if not re.search("<(srcset|refset|tstset)", text, re.IGNORECASE):
        raise InputError(f"{path} has no srcset, refset or tstset; a WMT <dataset> file must be called .xml")
    return collect_segments(path, _entries(path, text))


def set_name(role: Role, of_set: Mapping[str, str], of_document: Mapping[str, str]) -> str:
    """Name the translator or system of a document from its attributes and those of its set."""
    if role == "source":
        return ""
    own = "refid" if role == "reference" else "sysid"
    return of_document.get("sysid") or of_set.get(own) or of_set.get("sysid") or ""


def document_facts(attributes: Mapping[str, str]) -> dict[str, str]:
    """What the attributes of a document say about its text, such as its domain."""
    return {name: value for name, value in attributes.items() if name not in _NAMES}


def _entries(path: str, text: str) -> Iterator[Entry]:
    stack: list[_Tag] = []
    for tag in _tags(text):
        if not tag.is_closing:
            _open(path, stack, tag)
        if tag.is_closing or tag.is_empty:
            _check_closes(path, stack, tag)
            if tag.name == "seg":
                yield _entry(path, stack, text[stack[-1].span[1] : tag.span[0]])  # nothing in <seg/>
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
            f"{path}: line {tag.line:,}: <{tag.name}> inside the <{outer.name}> of line {outer.line:,},"
            " which is not closed"
        )
    if tag.depth > len(stack):
        raise InputError(
            f"{path}: line {tag.line:,}: <{tag.name}> stands outside a {'set' if tag.depth == 1 else 'doc'}"
        )
    stack.append(tag)


def _check_closes(path: str, stack: list[_Tag], tag: _Tag) -> None:
    if not stack or stack[-1].name != tag.name:
        expected = f"</{stack[-1].name}> for line {stack[-1].line:,}" if stack else "no closing tag"
        raise InputError(f"{path}: line {tag.line:,}: </{tag.name}> where {expected} is expected")


def _entry(path: str, stack: list[_Tag], text: str) -> Entry:
    of_set, document, segment = stack
    role = SET_ROLES[of_set.name]
    key = (_require(path, document, "docid"), _require(path, segment, "id"))
    name = set_name(role, of_set.attributes, document.attributes)
    facts = document_facts(document.attributes)
    return Entry(role, name, key, collapse_space(_decode(text)), segment.line, facts)


def _require(path: str, tag: _Tag, attribute: str) -> str:
    if not tag.attributes.get(attribute):
        raise InputError(f"{path}: line {tag.line:,}: <{tag.name}> has no {attribute}")
    return tag.attributes[attribute]


def _decode(text: str) -> str:
    for entity, character in _ENTITIES:
        text = text.replace(entity, character)
    return text
