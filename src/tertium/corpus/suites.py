"""Collections of test sets: folders, manifests, and test sets on this machine with a pattern for the outputs."""

import re
from collections.abc import Iterator, Mapping, Sequence
from glob import glob
from pathlib import Path
from typing import Any

from tertium.corpus.test_sets import find_test_set
from tertium.errors import InputError, argument
from tertium.files.paths import is_folder, show_path
from tertium.files.reading import read_lines, read_text
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


def list_members(
    place: str | None, test_sets: Sequence[str], outputs: Sequence[str], languages: Sequence[str]
) -> list[SuiteMember]:
    """List the test sets of a folder or manifest, and those that are named, for these language pairs.

    Parameters
    ----------
    place
        A folder in a layout that `find_test_set` knows, or a manifest (.toml, .tsv).
    test_sets
        Names or folders of test sets.
    outputs
        Patterns of the systems' files for `test_sets`, with the fields {system}, {set} and {pair}.
    languages
        Language pairs; empty for all.
    """
    members = list(_read_place(place)) if place is not None else []
    for name in test_sets:
        members += _from_test_set(name, outputs)
    if languages:
        members = [each for each in members if each.language in languages]
    if not members:
        raise InputError("there is no test set" + (f" for {', '.join(languages)}" if languages else ""))
    seen = set[str]()
    for each in members:
        if each.name in seen:
            raise InputError(f"two test sets are called {each.name!r}; give them different names")
        seen.add(each.name)
    return members


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
            members.append(SuiteMember(label, pair.pair, tuple(map(str, pair.references)), source, systems))
    if not members:
        raise InputError(
            f"{name} has no system outputs; give them with {argument('hypotheses', '{system}/{set}.{pair}.txt')}"
        )
    return members


def _match(pattern: str, fields: Mapping[str, str]) -> dict[str, str]:
    """Find the files of a pattern; {system} stands for any name."""
    for name, value in fields.items():
        pattern = pattern.replace(f"{{{name}}}", value)
    if "{system}" not in pattern:
        return {Path(path).stem: path for path in sorted(glob(pattern))}  # noqa: PTH207 - patterns are texts
    before, _, after = pattern.partition("{system}")
    expression = re.compile(re.escape(before).replace(r"\*", "[^/]*") + "([^/]+)" + re.escape(after))
    files = sorted(glob(pattern.replace("{system}", "*")))  # noqa: PTH207 - as above
    return {found[1]: path for path in files if (found := expression.fullmatch(path))}


def _read_toml(path: str) -> Iterator[SuiteMember]:
    import tomllib  # noqa: PLC0415 - manifests in TOML are rare

    try:
        document = tomllib.loads(read_text(path))
    except ValueError as error:
        raise InputError(f"{show_path(path)} is not TOML: {error}") from None
    entries = document.get("test_set")
    if not isinstance(entries, list) or not entries:
        raise InputError(f"{show_path(path)} needs a table [[test_set]] for each test set")
    for number, entry in enumerate(entries, start=1):
        yield _parse_entry(path, number, entry)


def _parse_entry(path: str, number: int, entry: Any) -> SuiteMember:
    place, folder = f"{show_path(path)}, test set {number}", Path(path).parent
    references = entry.get("references") if isinstance(entry, dict) else None
    references = [references] if isinstance(references, str) else references
    systems = entry.get("systems") if isinstance(entry, dict) else None
    if isinstance(systems, str):
        systems = _match(str(folder / systems), {})
    is_list = isinstance(references, list) and all(isinstance(each, str) for each in references)
    is_table = isinstance(systems, dict) and all(isinstance(each, str) for each in systems.values())
    if not isinstance(entry.get("name"), str) or not is_list or not is_table or not systems:
        raise InputError(
            f'{place}: it needs name = "…", references = "FILE" and systems = {{NAME = "FILE"}} or a pattern with {{system}}'
        )
    source = entry.get("source")
    return SuiteMember(
        entry["name"],
        entry.get("language"),
        tuple(str(folder / each) for each in references or ()),
        None if source is None else str(folder / source),
        {name: str(folder / each) for name, each in systems.items()},
    )


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
        rows.setdefault(row["test_set"], []).append(row)
    for name, listed in rows.items():
        first = listed[0]
        references = dict.fromkeys(str(folder / each["reference"]) for each in listed)
        source = first.get("source") or None
        yield SuiteMember(
            name,
            first.get("language") or None,
            tuple(references),
            None if source is None else str(folder / source),
            {each["system"]: str(folder / each["file"]) for each in listed},
        )
