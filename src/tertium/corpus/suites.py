"""Collections of test sets: folders, manifests, and test sets on this machine with a pattern for the outputs."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from glob import glob
from pathlib import Path
from typing import Any

from tertium.corpus.test_sets import find_test_set
from tertium.errors import InputError, argument
from tertium.files.paths import is_folder, show_path
from tertium.files.reading import parse_toml, read_lines, read_text
from tertium.records import record

_COLUMNS = ("test_set", "system", "file", "reference")


@record
class SuiteMember:
    """One test set: its name, its language or language pair, and its files."""

    name: str
    language: str | None
    references: tuple[str, ...]
    source: str | None
    systems: Mapping[str, str]
    columns: str | None = None
    """A table with properties of each segment, such as its domain."""


def list_members(
    places: Sequence[str], test_sets: Sequence[str], outputs: Sequence[str], languages: Sequence[str]
) -> list[SuiteMember]:
    """List the test sets of folders and manifests, and the test sets given by name, for these language pairs.

    Parameters
    ----------
    places
        Folders in a layout that `find_test_set` knows, and manifests (.toml, .tsv).
    test_sets
        Names or folders of test sets.
    outputs
        Patterns of the systems' files for `test_sets`, with the fields {system}, {set} and {pair}.
    languages
        Language pairs; empty for all.
    """
    groups = [(place, list(_read_place(place))) for place in places]
    groups += [(name, _from_test_set(name, outputs)) for name in test_sets]
    if languages:
        groups = [
            (name, [member for member in found if member.language in languages]) for name, found in groups
        ]
        _check_languages(languages, groups)
    members = _name_apart(groups)
    if not members:
        raise InputError("there is no test set")
    seen = set[str]()
    for member in members:
        if member.name in seen:
            raise InputError(f"two test sets are called {member.name!r}; give them different names")
        seen.add(member.name)
    return members


_Groups = Sequence[tuple[str, list[SuiteMember]]]


def _check_languages(languages: Sequence[str], groups: _Groups) -> None:
    found = {member.language for _, members in groups for member in members}
    if missing := [language for language in languages if language not in found]:
        raise InputError(f"there is no test set for {', '.join(missing)}")


def _name_apart(groups: _Groups) -> list[SuiteMember]:
    """Put the name of the folder or manifest before test sets that have the same name in two of them."""
    counts = Counter(member.name for _, members in groups for member in members)
    places = [Path(place).stem for place, _ in groups]
    return [
        replace(member, name=f"{name} {member.name}") if counts[member.name] > 1 else member
        for name, (_, members) in zip(places, groups, strict=True)
        for member in members
    ]


def _read_place(place: str) -> Iterator[SuiteMember]:
    if is_folder(place):
        return iter(_from_test_set(place, ()))
    if place.endswith(".toml"):
        return _read_toml(place)
    if place.endswith(".tsv"):
        return _read_tsv(place)
    raise InputError(f"{show_path(place)} is neither a folder nor a manifest (.toml or .tsv)")


def _from_test_set(name: str, outputs: Sequence[str]) -> list[SuiteMember]:
    found, members = find_test_set(name), []
    for pair in found.pairs:
        systems = {system: str(path) for system, path in pair.systems.items()}
        for pattern in outputs:
            systems |= _match(pattern, {"set": found.name, "pair": pair.pair})
        if systems:
            label = pair.pair if is_folder(name) and not outputs else f"{found.name} {pair.pair}"
            source = None if pair.source is None else str(pair.source)
            columns = None if pair.columns is None else str(pair.columns)
            references = tuple(map(str, pair.references))
            members.append(SuiteMember(label, pair.pair, references, source, systems, columns))
    if not members:
        raise InputError(
            f"{name} has no system outputs; give them with {argument('hypotheses', '{system}/{set}.{pair}.txt')}"
        )
    return members


def _match(pattern: str, fields: Mapping[str, str], folder: Path | None = None) -> dict[str, str]:
    """Find the files of a pattern by system; {system} stands for any name, and paths are relative to a folder."""
    for name, value in fields.items():
        pattern = pattern.replace(f"{{{name}}}", value)
    files = sorted(glob(pattern.replace("{system}", "*"), root_dir=folder))  # noqa: PTH207 - patterns are texts
    if "{system}" not in pattern:
        return {Path(path).stem: path for path in files}
    before, _, after = pattern.partition("{system}")
    ends = [re.escape(part).replace(r"\*", "[^/]*").replace(r"\{system\}", r"\1") for part in (before, after)]
    expression = re.compile("([^/]+)".join(ends))
    return {found[1]: path for path in files if (found := expression.fullmatch(path))}


def _read_toml(path: str) -> Iterator[SuiteMember]:
    text = read_text(path)
    try:
        document = parse_toml(text)
    except ValueError as error:
        raise InputError(f"{show_path(path)} is not TOML: {error}") from None
    entries = document.get("test_set")
    if not isinstance(entries, list) or not entries:
        raise InputError(f"{show_path(path)} needs a table [[test_set]] for each test set")
    for number, entry in enumerate(entries, start=1):
        yield _parse_entry(path, number, entry)


def _parse_entry(path: str, number: int, given: Any) -> SuiteMember:
    place, folder = f"{show_path(path)}, test set {number}", Path(path).parent
    entry = given if isinstance(given, dict) else {}
    references, systems = entry.get("references", []), entry.get("systems")
    references = [references] if isinstance(references, str) else references
    if isinstance(systems, str):
        pattern, systems = systems, _match(systems, {}, folder)
        if not systems:
            raise InputError(f"{place}: no file matches {pattern}")
    is_list = isinstance(references, list) and all(isinstance(reference, str) for reference in references)
    is_table = isinstance(systems, dict) and all(isinstance(system, str) for system in systems.values())
    if not isinstance(entry.get("name"), str) or not is_list or not is_table or not systems:
        raise InputError(
            f'{place}: it needs name = "…", references = "FILE" and systems = {{NAME = "FILE"}} or a pattern with {{system}}'
        )
    for name in ("language", "source", "columns"):
        if not isinstance(entry.get(name, ""), str):
            raise InputError(f"{place}: {name} must be a text, not {entry[name]!r}")
    return SuiteMember(
        entry["name"],
        entry.get("language"),
        tuple(str(folder / reference) for reference in references),
        _below(folder, entry.get("source")),
        {name: str(folder / file) for name, file in systems.items()},
        _below(folder, entry.get("columns")),
    )


def _below(folder: Path, path: str | None) -> str | None:
    """Return a path of a manifest, which is relative to the manifest; None if it is missing or empty."""
    return str(folder / path) if path else None


def _read_tsv(path: str) -> Iterator[SuiteMember]:
    lines = read_lines(path)
    header = lines[0].split("\t") if lines else []
    if not set(_COLUMNS) <= set(header):
        raise InputError(
            f"{show_path(path)}, line 1: expected a header with the columns {', '.join(_COLUMNS)}"
        )
    folder, rows = Path(path).parent, dict[str, list[dict[str, str]]]()
    for number, line in enumerate(lines[1:], start=2):
        cells = line.split("\t")
        if len(cells) != len(header):
            raise InputError(
                f"{show_path(path)}, line {number:,}: {len(cells)} columns instead of {len(header)}"
            )
        row = dict(zip(header, cells, strict=True))
        own = rows.setdefault(row["test_set"], [])
        if any(row["system"] == other["system"] for other in own):
            raise InputError(
                f"{show_path(path)}, line {number:,}: {row['system']} occurs twice in {row['test_set']}"
            )
        own.append(row)
    for name, listed in rows.items():
        first = listed[0]
        references = dict.fromkeys(str(folder / row["reference"]) for row in listed)
        yield SuiteMember(
            name,
            first.get("language") or None,
            tuple(references),
            _below(folder, first.get("source")),
            {row["system"]: str(folder / row["file"]) for row in listed},
            _below(folder, first.get("columns")),
        )
