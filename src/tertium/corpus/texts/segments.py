"""Segments with ids, as SGML and XML files hold them: source, references by translator, outputs by system."""

from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from tertium.corpus.texts.columns import Column, Group, Key
from tertium.errors import InputError
from tertium.files.addresses import Address, default_name

__all__ = ["Entry", "Role", "SegmentFile", "collapse_space", "collect_segments", "describe_key"]

Role = Literal["source", "reference", "system"]
Texts = dict[Key, str]


@dataclass(frozen=True)
class Entry:
    """One segment as a parser finds it; `name` is the translator or system, or empty if the file has none."""

    role: Role
    name: str
    key: Key
    text: str
    line: int
    facts: Mapping[str, str] = field(default_factory=dict)
    """What the file says of the segment's document, such as its domain."""


@dataclass(frozen=True)
class SegmentFile:
    """The segments of a file, keyed by document and segment id.

    The segments are those of the source where the file has one, else all that occur, in file order.
    A system must have every segment; a reference may lack some.
    """

    path: str
    keys: tuple[Key, ...]
    texts: Mapping[Role, Mapping[str, Texts]]
    facts: Mapping[str, Mapping[str, str]]
    """By document; what several parts of the file say is taken from the first."""

    def source(self, address: Address) -> Column[str]:
        ((_, texts),) = self._choose("source", address)
        return self._column(address.label, texts)

    def references(self, address: Address) -> Column[Group]:
        chosen = [texts for _, texts in self._choose("reference", address)]
        groups = [tuple(texts[key] for texts in chosen if key in texts) for key in self.keys]
        return Column(address.label, "segment", groups, self.keys)

    def systems(self, address: Address) -> list[tuple[str, Column[str]]]:
        found = self._choose("system", address)
        return [(name or default_name(address), self._system(name, texts)) for name, texts in found]

    def columns(self, texts: Container[str]) -> Mapping[str, Column[str]]:  # noqa: ARG002 - names of others
        """The document of each segment, and its attributes; one that it lacks is the empty string."""
        names = dict.fromkeys(name for facts in self.facts.values() for name in facts)
        found = {
            name: Column(
                self.path, "segment", [self.facts[key[0]].get(name, "") for key in self.keys], self.keys
            )
            for name in names
        }
        return found | {
            "document": Column(self.path, "segment", [document for document, _ in self.keys], self.keys)
        }

    def _system(self, name: str, texts: Texts) -> Column[str]:
        return self._column(f"{self.path}#{name}" if name else self.path, texts)

    def _column(self, label: str, texts: Texts) -> Column[str]:
        for key in self.keys:
            if key not in texts:
                raise InputError(f"{label} lacks {describe_key(key)}; an empty output is an empty <seg>")
        return Column(label, "segment", [texts[key] for key in self.keys], self.keys)

    def _choose(self, role: Role, address: Address) -> list[tuple[str, Texts]]:
        found = self.texts[role]
        if not found:
            raise InputError(f"{self.path} holds no {role}; it holds {self._contents()}")
        if address.column is None:
            return list(found.items())
        if address.column not in found:
            raise InputError(f"{self.path} has no {role} {address.column!r}; it holds {self._contents()}")
        return [(address.column, found[address.column])]

    def _contents(self) -> str:
        held = [f"{role} {name}".strip() for role, by_name in self.texts.items() for name in by_name]
        return ", ".join(held) or "no segments"


def collect_segments(path: str, entries: Iterable[Entry]) -> SegmentFile:
    """Sort the entries of a file by role and name; refuse one that occurs twice or has no source."""
    texts: dict[Role, dict[str, Texts]] = {"source": {}, "reference": {}, "system": {}}
    lines: dict[Key, int] = {}
    facts: dict[str, dict[str, str]] = {}
    for entry in entries:
        column = texts[entry.role].setdefault(entry.name, {})
        if entry.key in column:
            raise InputError(f"{path}: line {entry.line:,} gives {describe_key(entry.key)} a second time")
        column[entry.key] = entry.text
        lines.setdefault(entry.key, entry.line)
        facts[entry.key[0]] = {**entry.facts, **facts.get(entry.key[0], {})}
    keys = _source_keys(path, texts["source"], lines) if texts["source"] else lines
    return SegmentFile(path, tuple(keys), texts, facts)


def _source_keys(path: str, sources: Mapping[str, Texts], lines: Mapping[Key, int]) -> Texts:
    (source,) = sources.values()
    for key, line in lines.items():
        if key not in source:
            raise InputError(
                f"{path}: line {line:,} has {describe_key(key)}, which the source of the file lacks"
            )
    return source


def collapse_space(text: str) -> str:
    """Make any run of white space one space and drop it at both ends, as mteval and sacreBLEU do."""
    return " ".join(text.split())


def describe_key(key: Key) -> str:
    """Name a segment by its ids.

    Examples
    --------
    >>> describe_key(("bbc.381790", "3"))
    "segment '3' of document 'bbc.381790'"
    """
    document, segment = key
    return f"segment {segment!r} of document {document!r}"
